import { listening } from '../listening.ts';

/**
 * A stand-in for a Pact Broker with one pact: the HAL links that Pact's verifier and Pact's command line follow. Its answers have
 * the fields of the real broker's that these programs read. It answers 501 to all else.
 */
export interface TestBroker {
  url: string;
  /** Makes it reject results, as a broker rejects a read-only token. */
  readOnly: boolean;
  /** Makes its index fail. */
  isDown: boolean;
  /** Body of the last request for pacts: selectors, branch, pending and work in progress. */
  asked: Record<string, unknown>;
  /** Bodies of the results that were sent. */
  results: Record<string, unknown>[];
  /** Paths of the branches and tags that were set on the provider's version. */
  marked: string[];
  /** The provider's version in production. */
  provider: { name: string; version: { number: string } };
  /** Published versions of consumers, such as `till 1a2b`. */
  published: string[];
  /** The environments to which a version may be deployed. */
  environments: string[];
  /** Recorded deployments, such as `till 1a2b production`. */
  deployed: string[];
}

/** Starts a broker that holds `pact` and accepts user `ci` with `password`; it closes when the test ends. */
export async function startBroker(pact: object, password: string, listen = listening): Promise<TestBroker> {
  const broker: TestBroker = {
    url: '',
    readOnly: false,
    isDown: false,
    asked: {},
    results: [],
    marked: [],
    provider: { name: 'pos', version: { number: '7' } },
    published: [],
    environments: ['production'],
    deployed: [],
  };
  broker.url = await listen(async (request, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/hal+json;charset=utf-8' }).end(JSON.stringify(body));
    const text = Buffer.concat(await request.toArray()).toString();
    const expected = `Basic ${Buffer.from(`ci:${password}`).toString('base64')}`;
    if (request.headers.authorization !== expected) return send(401, { error: 'unauthorized' });
    switch (`${request.method} ${request.url}`) {
      case 'GET /':
        if (broker.isDown) return send(503, { error: 'maintenance' });
        return send(
          200,
          links({
            'pb:provider-pacts-for-verification': { href: `${broker.url}/pacts-of/{provider}`, templated: true },
            ...hrefs(broker, 'pb:publish-contracts', '/contracts/publish'),
            'pb:pacticipant-version': { href: `${broker.url}/pacticipants/{pacticipant}/versions/{version}`, templated: true },
          }),
        );
      case 'POST /contracts/publish':
        return send(200, publish(broker, JSON.parse(text)));
      case 'GET /pacts-of/pos':
        return send(200, links({ self: { href: `${broker.url}/pacts-of/pos` } }));
      case 'POST /pacts-of/pos':
        broker.asked = JSON.parse(text);
        return send(200, { _embedded: { pacts: [selected(broker)] } });
      case 'GET /pact':
        return send(200, {
          ...pact,
          ...links({
            ...hrefs(broker, 'self', '/pact'),
            ...hrefs(broker, 'pb:provider', '/pos'),
            ...hrefs(broker, 'pb:publish-verification-results', '/results'),
          }),
        });
      case 'POST /results':
        if (broker.readOnly) return send(403, { error: 'this token may only read' });
        broker.results.push(JSON.parse(text));
        return send(201, {});
      case 'GET /pos':
        return send(
          200,
          links({ 'pb:branch-version': { href: `${broker.url}/branches/{branch}/versions/{version}`, templated: true } }),
        );
      default: {
        const [, versioned = '', environment] = deploymentPath.exec(request.url ?? '') ?? [];
        if (request.url?.startsWith('/matrix?')) return send(...matrix(broker, new URL(request.url, broker.url).searchParams));
        if (/^PUT .*\/(branches|tags)\//.test(`${request.method} ${request.url}`))
          return send(...marked(broker, request.url ?? ''));
        if (versioned === '') return send(501, { error: 'This stand-in has no such call.' });
        if (!broker.published.includes(versioned.replace('/versions/', ' ')))
          return send(404, { error: `No version ${versioned}` });
        if (environment === undefined) return send(200, version(broker, versioned));
        broker.deployed.push(`${versioned.replace('/versions/', ' ')} ${environment}`);
        return send(201, { uuid: '1', currentlyDeployed: true, ...JSON.parse(text), ...links({}) });
      }
    }
  });
  return broker;
}

const links = (of: object) => ({ _links: of });
const hrefs = ({ url }: TestBroker, name: string, path: string) => ({ [name]: { href: `${url}${path}` } });

/** The broker's reason for the pact; pending if the request asks for that status, since no result was recorded before. */
function selected(broker: TestBroker) {
  const pending = broker.asked.includePendingStatus === true;
  const why = `The pact at ${broker.url}/pact is being verified because it belongs to the main branch.`;
  const workInProgress = 'It is work in progress: no result of it was published from branch feat/x.';
  const notices = [why, ...(pending ? [workInProgress] : [])].map((text) => ({ when: 'before_verification', text }));
  return {
    shortDescription: 'main',
    verificationProperties: { ...(pending && { pending }), notices },
    ...links(hrefs(broker, 'self', '/pact')),
  };
}

interface Publication {
  pacticipantName: string;
  pacticipantVersionNumber: string;
  contracts: { providerName: string }[];
  tags?: string[];
}

function publish(broker: TestBroker, { pacticipantName: name, pacticipantVersionNumber: number, tags = [] }: Publication) {
  broker.published.push(`${name} ${number}`);
  return {
    logs: [{ level: 'info', message: 'Pact published.' }],
    notices: [{ type: 'success', text: 'Pact published.' }],
    _embedded: { pacticipant: { name }, version: { number } },
    ...links({
      'pb:contracts': [{ href: `${broker.url}/pact` }],
      'pb:pacticipant-version-tags': tags.map((tag) => ({ name: tag })),
    }),
  };
}

/** `/pacticipants/till/versions/1a2b`, and `/deployed-versions/environment/production` of it. */
const deploymentPath = /^\/pacticipants\/([^/]+\/versions\/[^/]+)(?:\/deployed-versions\/environment\/([^/]+))?$/;

/** A version offers its deployments. */
function version({ url, environments }: TestBroker, path: string) {
  const offered = environments.map((name) => ({
    name,
    title: `Record deployment to ${name}`,
    href: `${url}/pacticipants/${path}/deployed-versions/environment/${name}`,
  }));
  return { number: path.split('/').at(-1), ...links({ 'pb:record-deployment': offered }) };
}

/** Sets a branch or a tag of a version. */
function marked(broker: TestBroker, path: string): [number, object] {
  const isNew = !broker.marked.includes(`PUT ${path}`);
  broker.marked.push(`PUT ${path}`);
  return [isNew ? 201 : 200, links(hrefs(broker, 'self', path))];
}

/** Whether a version may be deployed: true or false by its last result with the provider in production, null without a result. */
function matrix({ url, provider, published, results }: TestBroker, asked: URLSearchParams): [number, object] {
  const [name = '', number] = [asked.get('q[][pacticipant]') ?? '', asked.get('q[][version]')];
  const versions = published.filter((one) => one.startsWith(`${name} `));
  if (versions.length === 0) return [400, { errors: [`Pacticipant ${name} not found`] }];
  const success = (results.at(-1)?.success as boolean | undefined) ?? null;
  const at = '2026-11-23T08:00:00+00:00';
  const rows = versions
    .map((one) => one.slice(name.length + 1))
    .filter((one) => number === null || one === number)
    .map((one) => ({
      consumer: { name, version: { number: one } },
      pact: { createdAt: at },
      provider,
      verificationResult: success === null ? null : { success, verifiedAt: at, ...links({ self: { href: `${url}/results/1` } }) },
    }));
  const isKnown = rows.length > 0;
  const count = (wanted: boolean | null) => (success === wanted ? rows.length : 0);
  return [
    200,
    {
      summary: {
        deployable: isKnown ? success : null,
        reason: 'See the rows.',
        success: count(true),
        failed: count(false),
        unknown: count(null),
      },
      notices: [],
      matrix: rows,
    },
  ];
}
