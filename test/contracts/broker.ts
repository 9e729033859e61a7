import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A Pact Broker with one pact and recorded answers: the HAL links that Pact's verifier follows. */
export interface TestBroker {
  url: string;
  /** Makes it reject results, as a broker rejects a read-only token. */
  readOnly: boolean;
  /** Body of the last request for pacts: selectors, branch, pending and work in progress. */
  asked: Record<string, unknown>;
  /** Bodies of the results that were sent. */
  results: Record<string, unknown>[];
  /** Paths of the branches and tags that were set on the provider's version. */
  marked: string[];
}

/** Starts a broker that holds `pact` and accepts user `ci` with `password`; it closes when the test ends. */
export async function startBroker(pact: object, password: string): Promise<TestBroker> {
  const broker: TestBroker = { url: '', readOnly: false, asked: {}, results: [], marked: [] };
  const server = createServer(async (request, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/hal+json' }).end(JSON.stringify(body));
    const text = Buffer.concat(await request.toArray()).toString();
    const expected = `Basic ${Buffer.from(`ci:${password}`).toString('base64')}`;
    if (request.headers.authorization !== expected) return send(401, { error: 'unauthorized' });
    switch (`${request.method} ${request.url}`) {
      case 'GET /':
        return send(
          200,
          links({ 'pb:provider-pacts-for-verification': { href: `${broker.url}/pacts-of/{provider}`, templated: true } }),
        );
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
  return {
    shortDescription: 'main',
    verificationProperties: { ...(pending && { pending }), notices: [{ when: 'before_verification', text: why }] },
    ...links(hrefs(broker, 'self', '/pact')),
  };
}
