import { listening } from '../listening.ts';

/**
 * A stand-in for a Pact Broker with one pact: the HAL links that `verify` follows. Its answers have the fields of the real
 * broker's that it reads. It answers 501 to all else.
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
  };
  broker.url = await listening(async (request, response) => {
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
          links({ 'pb:provider-pacts-for-verification': { href: `${broker.url}/pacts-of/{provider}`, templated: true } }),
        );
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
        if (!/^PUT \/(branches|tags)\//.test(`${request.method} ${request.url}`))
          return send(501, { error: 'This stand-in has no such call.' });
        broker.marked.push(`PUT ${request.url}`);
        return send(201, links(hrefs(broker, 'self', request.url ?? '')));
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
