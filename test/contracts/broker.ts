import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * A stand-in for a Pact Broker with one pact: the HAL links that Pact's verifier and Pact's command line follow. Its answers have
 * the fields of the real broker's that these programs read. Provider `pos` is deployed to production in version 7.
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
  /** Published versions of consumers, such as `till 1a2b`. */
  published: string[];
  /** Recorded deployments, such as `till 1a2b production`. */
  deployed: string[];
}

/** Starts a broker that holds `pact` and accepts user `ci` with `password`; it closes when the test ends. */
export async function startBroker(pact: object, password: string): Promise<TestBroker> {
  const broker: TestBroker = {
    url: '',
    readOnly: false,
    isDown: false,
    asked: {},
    results: [],
    marked: [],
    published: [],
    deployed: [],
  };
  const server = createServer(async (request, response) => {
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
      default:
        if (request.url?.startsWith('/matrix?')) return send(200, matrix(broker, new URL(request.url, broker.url).searchParams));
        if (request.url?.startsWith('/pacticipants/'))
          return send(request.method === 'POST' ? 201 : 200, versionOrDeployment(broker, request.url, text));
        broker.marked.push(`${request.method} ${request.url}`);
        return send(200, {});
    }
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  broker.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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

/** `GET` of a version offers its deployments; `POST` of one of these records it. */
function versionOrDeployment(broker: TestBroker, path: string, asked: string) {
  const [, , name, , number, , , environment] = path.split('/');
  if (environment !== undefined) {
    broker.deployed.push(`${name} ${number} ${environment}`);
    return { uuid: '1', currentlyDeployed: true, target: JSON.parse(asked).target, ...links({}) };
  }
  const link = {
    name: 'production',
    title: 'Record deployment to Production',
    href: `${broker.url}${path}/deployed-versions/environment/production`,
  };
  return { number, ...links({ 'pb:record-deployment': [link] }) };
}

/** Whether a version may be deployed: true or false by its last result with the provider in production, null without a result. */
function matrix({ url, published, results }: TestBroker, asked: URLSearchParams) {
  const [name, number] = [asked.get('q[][pacticipant]') ?? '', asked.get('q[][version]') ?? ''];
  const success = (results.at(-1)?.success as boolean | undefined) ?? null;
  const isKnown = published.includes(`${name} ${number}`);
  const row = {
    consumer: { name, version: { number } },
    provider: { name: 'pos', version: { number: '7' } },
    verificationResult: success === null ? null : { success, ...links({ self: { href: `${url}/results/1` } }) },
  };
  const deployable = isKnown ? success : null;
  const count = (wanted: boolean | null) => (isKnown && success === wanted ? 1 : 0);
  return {
    summary: { deployable, reason: 'See the rows.', success: count(true), failed: count(false), unknown: count(null) },
    notices: [],
    matrix: isKnown ? [row] : [],
  };
}
