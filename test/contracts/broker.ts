import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { answer, readQuestion, refusals } from './broker-matrix.ts';
import { notices, select, type VerificationRequest } from './broker-selection.ts';
import { BrokerStore, type PactContent, type Publication, type Result } from './broker-store.ts';

/** Who may call: anybody where it is left out. */
export type Credentials = { username: string; password: string } | { token: string };

export interface TestBroker {
  url: string;
  /** What it keeps: publications, results, deployments. */
  store: BrokerStore;
  /** `GET /matrix?...`, in the order of arrival, refused ones too. */
  requests: string[];
  /** Makes it refuse to record results, as a broker does whose token may only read. */
  readOnly: boolean;
  /** Bodies of POST .../for-verification, as the verifier sent them. */
  verificationRequests: VerificationRequest[];
  close(): Promise<void>;
}

/** Starts a Pact Broker in memory on a free port: the HAL links and resources that pact-cli and the verifier use. */
export async function startBroker(credentials?: Credentials): Promise<TestBroker> {
  const app = Fastify({ forceCloseConnections: true });
  const broker: TestBroker = {
    url: '',
    store: new BrokerStore(),
    requests: [],
    readOnly: false,
    verificationRequests: [],
    close: () => app.close(),
  };
  app.addHook('onRequest', async (request, reply) => {
    broker.requests.push(`${request.method} ${request.url}`);
    reply.type('application/hal+json;charset=utf-8');
    const known = credentials === undefined || request.headers.authorization === header(credentials);
    if (!known) return reply.code(401).type('text/plain').send('Unauthorized\n');
  });
  addPublishing(app, broker);
  addVerification(app, broker);
  addVersions(app, broker);
  broker.url = await app.listen({ port: 0, host: '127.0.0.1' });
  return broker;
}

const header = (credentials: Credentials) =>
  'token' in credentials
    ? `Bearer ${credentials.token}`
    : `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`;

const path = (...parts: string[]) => parts.map((part) => `/${encodeURIComponent(part)}`).join('');
const pactPath = ({ consumer, provider, sha }: Publication) =>
  path('pacts', 'provider', provider, 'consumer', consumer, 'pact-version', sha);

function addPublishing(app: FastifyInstance, broker: TestBroker): void {
  app.get('/', async () => ({
    _links: {
      'pb:publish-contracts': { href: `${broker.url}/contracts/publish` },
      'pb:provider-pacts-for-verification': {
        href: `${broker.url}/pacts/provider/{provider}/for-verification`,
        templated: true,
      },
    },
  }));

  app.post<{ Body: ContractsToPublish }>('/contracts/publish', async ({ body }, reply) => {
    const contents = body.contracts.map(({ content }) => JSON.parse(Buffer.from(content, 'base64').toString()) as PactContent);
    const changed = contents.some((content) => broker.store.conflict(content, body.pacticipantVersionNumber));
    const name = `${body.pacticipantName} version ${body.pacticipantVersionNumber}`;
    if (changed) {
      const text = `Cannot change the content of the pact for ${name}, as race conditions will cause unreliable results for can-i-deploy.`;
      return reply.code(409).send({ notices: [{ type: 'error', text }], errors: { contracts: [text] } });
    }
    const version = broker.store.addVersion(body.pacticipantName, body.pacticipantVersionNumber);
    if (body.branch) version.branches.add(body.branch);
    if (body.buildUrl) version.buildUrl = body.buildUrl;
    for (const tag of body.tags ?? []) version.tags.add(tag);
    const published = contents.map((content) => broker.store.publish(content, version));
    const texts = published.map(({ provider }) => `Pact successfully published for ${name} and provider ${provider}.`);
    return publishedReply(broker.url, body, published, texts);
  });
}

interface ContractsToPublish {
  pacticipantName: string;
  pacticipantVersionNumber: string;
  branch?: string;
  buildUrl?: string;
  tags?: string[];
  contracts: { content: string }[];
}

/** The client reads all of it, or warns. */
function publishedReply(url: string, body: ContractsToPublish, published: Publication[], texts: string[]) {
  const pacticipant = {
    name: body.pacticipantName,
    title: 'Pacticipant',
    href: url + path('pacticipants', body.pacticipantName),
  };
  const number = body.pacticipantVersionNumber;
  const version = { name: number, title: 'Version', href: pacticipant.href + path('versions', number) };
  return {
    logs: texts.map((message) => ({ level: 'success', message, deprecationWarning: 'Replaced by notices' })),
    notices: texts.map((text) => ({ type: 'success', text })),
    _embedded: {
      pacticipant: { name: pacticipant.name, _links: { self: { href: pacticipant.href } } },
      version: { number, _links: { self: version } },
    },
    _links: {
      'pb:pacticipant': pacticipant,
      'pb:pacticipant-version': version,
      'pb:pacticipant-version-tags': (body.tags ?? []).map((name) => ({
        name,
        title: 'Tag',
        href: `${version.href}/tags/${name}`,
      })),
      'pb:contracts': published.map((pact) => ({
        name: `Pact between ${pact.consumer} (${number}) and ${pact.provider}`,
        title: 'Pact',
        href: url + pactPath(pact),
      })),
    },
  };
}

interface PactPath {
  provider: string;
  consumer: string;
  sha: string;
}

function addVerification(app: FastifyInstance, broker: TestBroker): void {
  const found = '/pacts/provider/:provider/for-verification';
  app.get(found, async ({ url }) => ({ _links: { self: { href: broker.url + url } } }));

  app.post<{ Params: PactPath; Body: VerificationRequest }>(found, async ({ params, body }, reply) => {
    broker.verificationRequests.push(body);
    if ((body.includePendingStatus || body.includeWipPactsSince) && body.providerVersionBranch === '')
      return reply.code(400).send({ errors: { providerVersionBranch: ['cannot be blank with pending or WIP pacts'] } });
    const pacts = select(broker.store, params.provider, body).map((selected) => {
      const { publication, pending, wip, criteria } = selected;
      const href = broker.url + pactPath(publication);
      const said = notices(selected, href, body.includePendingStatus === true);
      return {
        shortDescription: criteria.join(', '),
        verificationProperties: { ...(body.includePendingStatus && { pending }), ...(wip && { wip }), notices: said },
        _links: { self: { href, name: `Pact between ${publication.consumer} and ${publication.provider}` } },
      };
    });
    return { _embedded: { pacts } };
  });

  const pact = '/pacts/provider/:provider/consumer/:consumer/pact-version/:sha';
  app.get<{ Params: PactPath }>(pact, async ({ params }, reply) => {
    const publication = broker.store.publications.findLast(({ sha }) => sha === params.sha);
    if (!publication) return reply.code(404).send({ error: 'not found' });
    const href = broker.url + pactPath(publication);
    return {
      ...publication.content,
      _links: {
        self: { href },
        'pb:provider': { href: broker.url + path('pacticipants', publication.provider) },
        'pb:publish-verification-results': { href: `${href}/verification-results` },
      },
    };
  });

  app.post<{ Params: PactPath; Body: PublishedResult }>(`${pact}/verification-results`, async ({ params, body }, reply) => {
    if (broker.readOnly) return reply.code(403).send({ error: 'this token may only read' });
    const { providerApplicationVersion: providerVersion, success, buildUrl, testResults } = body;
    broker.store.addVersion(params.provider, providerVersion);
    broker.store.results.push({ ...params, providerVersion, success, buildUrl, testResults });
    return reply.code(201).send({ success, providerApplicationVersion: providerVersion });
  });
}

type PublishedResult = Omit<Result, 'providerVersion'> & { providerApplicationVersion: string };

interface VersionPath {
  pacticipant: string;
  version: string;
  name: string;
}

function addVersions(app: FastifyInstance, broker: TestBroker): void {
  const versionOf = ({ params }: FastifyRequest<{ Params: VersionPath }>) =>
    broker.store.addVersion(params.pacticipant, params.version);

  app.get<{ Params: VersionPath }>('/pacticipants/:pacticipant', async ({ url }) => ({
    _links: {
      'pb:version-tag': { href: `${broker.url}${url}/versions/{version}/tags/{tag}`, templated: true },
      'pb:branch-version': { href: `${broker.url}${url}/branches/{branch}/versions/{version}`, templated: true },
    },
  }));
  app.put<{ Params: VersionPath }>('/pacticipants/:pacticipant/branches/:name/versions/:version', async (request) => {
    versionOf(request).branches.add(request.params.name);
    return {};
  });
  app.put<{ Params: VersionPath }>('/pacticipants/:pacticipant/versions/:version/tags/:name', async (request) => {
    versionOf(request).tags.add(request.params.name);
    return {};
  });
  app.get<{ Params: VersionPath }>('/pacticipants/:pacticipant/versions/:version', async ({ params, url }, reply) => {
    if (!broker.store.version(params.pacticipant, params.version)) return reply.code(404).send({ error: 'not found' });
    const environments = [...broker.store.environments.keys()];
    const href = (name: string) => `${broker.url}${url}/deployed-versions/environment/${encodeURIComponent(name)}`;
    return { _links: { 'pb:record-deployment': environments.map((name) => ({ name, href: href(name) })) } };
  });
  const deployed = '/pacticipants/:pacticipant/versions/:version/deployed-versions/environment/:name';
  app.post<{ Params: VersionPath }>(deployed, async ({ params }, reply) => {
    broker.store.environments.get(params.name)?.set(params.pacticipant, params.version);
    return reply.code(201).send({ currentlyDeployed: true });
  });

  app.get('/matrix', async ({ url }, reply) => {
    const question = readQuestion(url.slice(url.indexOf('?')));
    const errors = refusals(broker.store, question);
    if (errors.length > 0) return reply.code(400).send({ errors });
    return answer(broker.store, question);
  });
}
