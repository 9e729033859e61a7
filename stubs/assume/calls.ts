import { isDeepStrictEqual } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Asked, Refused } from '../../contracts/gaps/is/is.ts';
import type { JsonReply } from '../../contracts/json.ts';
import { askedBy, parsed } from '../../contracts/tools/assumptions/asked.ts';
import { limiter } from '../../gateway/http/limit/limit.ts';
import { bodyTextOf } from '../request-body.ts';
import { refusalIn, withoutFieldGaps } from './help.ts';
import type { Around, CallParts, Live } from './types.ts';

/** Callers of pos act for an account. */
const accountOf = ({ caller }: FastifyRequest) => (caller as { account?: { id: string } } | null)?.account?.id;

const aroundOf = ({ policy, isActive }: Live, { store, clock }: CallParts, request: FastifyRequest): Around => ({
  store,
  policy,
  isActive,
  account: accountOf(request),
  now: clock.now(),
  caller: request.caller,
  sentQuery: request.query as Around['sentQuery'],
});

/** Returns false if the call has been refused. Throws the refusal of a limit. */
export async function begin(live: Live, parts: CallParts, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  if (live.limits.length > 0) await limiter(parts.count, () => {}).check(live.limits, request, reply);
  const around = aroundOf(live, parts, request);
  const asked = askedOf(request);
  const refused = await change(live, asked, around, request);
  if (refused !== undefined) {
    refuse(parts, refused, request, reply);
    return false;
  }
  request.seen = await live.look({ ...asked, query: request.query as Asked['query'], body: request.body }, around);
  return true;
}

/** Answers with a refusal of an alternative. */
function refuse({ api, errorBody, helpFor }: CallParts, refused: Refused, request: FastifyRequest, reply: FastifyReply): void {
  const body = errorBody(refused.status, refused);
  void reply
    .code(refused.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(explained(api, { status: refused.status, headers: {}, body }, request, helpFor));
}

/** Adds the member `help` to a refusal that only an alternative makes. */
function explained(api: CallParts['api'], refused: JsonReply, request: FastifyRequest, helpFor: CallParts['helpFor']): unknown {
  const refusal = helpFor && refusalIn(api, refused);
  return refusal
    ? { ...(refused.body as object), help: withoutFieldGaps(helpFor(refusal, refused.status, request)) }
    : refused.body;
}

/** Changes the request as the variants want it, one after the other. Returns the refusal of the first that refuses it. */
async function change(live: Live, asked: Asked, around: Around, request: FastifyRequest): Promise<Refused | undefined> {
  let changed = asked;
  for (const variant of live.variants) {
    const result = await variant.request?.(changed, around);
    if (result && 'message' in result) return result;
    const { afterValidation, ...parts } = result ?? {};
    if (afterValidation) request.afterValidation = [...(request.afterValidation ?? []), afterValidation];
    changed = { ...changed, ...parts };
  }
  if (changed.query !== asked.query) {
    request.sentQuery = request.query;
    request.query = changed.query;
  }
  if (changed.body !== asked.body) request.body = changed.body;
  if (changed.headers !== asked.headers) withHeaders(request, changed.headers);
  return undefined;
}

/** Gives the handler these headers. The others come back when the reply is ready, so that the journal shows what was sent. */
function withHeaders(request: FastifyRequest, wanted: Asked['headers']): void {
  const before = request.headers;
  const names = new Set([...Object.keys(before), ...Object.keys(wanted)]);
  const other = [...names].filter((name) => wanted[name] !== [before[name] ?? []].flat()[0]);
  request.hiddenHeaders = { ...Object.fromEntries(other.map((name) => [name, before[name]])), ...request.hiddenHeaders };
  for (const name of other)
    if (wanted[name] === undefined) delete request.raw.headers[name];
    else request.raw.headers[name] = wanted[name];
}

/** Returns the payload to send. */
export function finish(
  live: Live,
  { api, helpFor }: CallParts,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): unknown {
  const before = replyOf(reply, payload);
  if (before === undefined) return payload;
  const after = live.reply(before, askedOf(request), request.seen);
  if (isDeepStrictEqual(before, after)) return payload;
  const isRefused = before.status < 400 && after.status >= 400;
  const shown = isRefused ? { ...after, body: explained(api, after, request, helpFor) } : after;
  const sent = becomeReply(reply, before, shown);
  request.sentBody = sent ?? null;
  if (after.status < 400) request.refusal = null;
  // Fastify keeps the payload if it gets undefined.
  return sent ?? null;
}

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
function replyOf(reply: FastifyReply, payload: unknown): JsonReply | undefined {
  const text = Buffer.isBuffer(payload) ? payload.toString() : (payload ?? '');
  if (typeof text !== 'string') return undefined;
  const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]);
  return { status: reply.statusCode, headers: Object.fromEntries(headers), body: parsed(text) };
}

/** Makes the reply this one. Returns the payload to send. Headers that are the same keep their lists of values. */
function becomeReply(reply: FastifyReply, before: JsonReply, after: JsonReply): string | undefined {
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
