/**
 * A second social-cohesion service, written from docs/spec/social-cohesion.md alone. It has other choices than Passerelle wherever
 * the document leaves one open; README.md lists them. It uses nothing of Passerelle.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { demo, type World } from './cohesion-data.ts';
import { type Answer, type Fields, notFound, Refused, Service, writesPerMinute } from './cohesion-service.ts';

function answer(service: Service, request: IncomingMessage, response: ServerResponse, text: string): Answer {
  const { headers, method = '' } = request;
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://service');
  const accepted = headers.accept ?? '*/*';
  if (!/json|\*\/\*/.test(accepted)) throw new Refused(406, 'not_acceptable', 'Replies are JSON only');
  const methods = service.routes[pathname.replace(/\/\d+$/, '/{id}')];
  if (!methods) throw notFound();
  const route = methods[method];
  if (!route) {
    response.setHeader('allow', Object.keys(methods).join(', '));
    throw new Refused(405, 'method_not_allowed', 'This path does not take this method');
  }
  const token = service.tokenOf(headers);
  if (!token.isActive) throw new Refused(403, 'inactive_user', 'The user of this token is inactive');
  if (route.ability !== undefined && !token.abilities.includes(route.ability))
    throw new Refused(403, 'ability_missing', `The token lacks ${route.ability}`);
  if (method !== 'GET') {
    response.setHeader('x-ratelimit-limit', writesPerMinute);
    response.setHeader('x-ratelimit-remaining', service.countWrite());
  }
  return route.answer({ query, headers, token, id: Number(pathname.split('/').at(-1)), body: () => fieldsOf(headers, text) });
}

function fieldsOf(headers: IncomingMessage['headers'], text: string): Fields {
  if (!headers['content-type']?.startsWith('application/json'))
    throw new Refused(415, 'unsupported_media_type', 'The content type must be application/json');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // It is answered below.
  }
  throw new Refused(400, 'malformed_json', 'The body is not a JSON object');
}

/** Starts the service. Port 0 takes a free one. */
export async function openOtherCohesion(world: World, port = 0) {
  const service = new Service(structuredClone(world));
  const send = (response: ServerResponse, status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    try {
      const { status = 200, body } = answer(service, request, response, text);
      send(response, status, body);
    } catch (error) {
      const { status, code, message } =
        error instanceof Refused ? error : new Refused(500, 'internal_error', 'Something went wrong');
      if (status === 401)
        response.setHeader('www-authenticate', code === 'invalid_token' ? 'Bearer error="invalid_token"' : 'Bearer');
      send(response, status, { error: { code, message } });
    }
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    service,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

if (import.meta.main) {
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secret = 'secret-of-the-endpoint' } = process.env;
  const { url: own, service } = await openOtherCohesion({ ...demo, hooks: url ? [{ url, secret }] : [] }, 4301);
  process.stdout.write(`${own}  token ${demo.tokens[0]?.token}\n`);
  // Without an endpoint nothing is sent.
  await service.move(1, 'approuve', { id: 7, name: 'Awa Koné' });
  await service.closePlan(new Date().getUTCFullYear() - 1);
}
