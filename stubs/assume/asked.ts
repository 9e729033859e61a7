import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Asked } from '../../contracts/gaps/is/is.ts';
import { askedBy, parsed } from '../../contracts/tools/assumptions/asked.ts';
import type { JsonReply } from '../../contracts/tools/json.ts';
import { bodyTextOf } from '../request-body.ts';

/** Returns a live request as alternatives see it. A HEAD is answered as its GET. */
export function askedOf(request: FastifyRequest): Asked {
  const url = new URL(request.originalUrl, 'http://stub');
  const query = Object.fromEntries([...new Set(url.searchParams.keys())].map((name) => [name, url.searchParams.getAll(name)]));
  const headers = Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat()]);
  return askedBy({
    method: request.method === 'HEAD' ? 'GET' : request.method,
    path: url.pathname,
    query,
    headers: Object.fromEntries(headers),
    body: parsed(bodyTextOf(request)),
  });
}

/** Returns a reply that is ready to go out; undefined if its body is neither text nor absent. */
export function replyOf(reply: FastifyReply, payload: unknown): JsonReply | undefined {
  const text = Buffer.isBuffer(payload) ? payload.toString() : (payload ?? '');
  if (typeof text !== 'string') return undefined;
  const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]);
  return { status: reply.statusCode, headers: Object.fromEntries(headers), body: parsed(text) };
}

/** Makes the reply this one. Returns the payload to send. Headers that are the same keep their lists of values. */
export function becomeReply(reply: FastifyReply, before: JsonReply, after: JsonReply): string | undefined {
  reply.code(after.status);
  reply.removeHeader('content-length');
  for (const name of Object.keys(before.headers)) if (!(name in after.headers)) reply.removeHeader(name);
  for (const [name, value] of Object.entries(after.headers)) if (before.headers[name] !== value) reply.header(name, value);
  const { body } = after;
  return body === undefined
    ? undefined
    : typeof body === 'string' && typeof before.body === 'string'
      ? body
      : JSON.stringify(body);
}
