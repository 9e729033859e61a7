import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '../../gateway/base/errors.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { Asked, Changed, Detail, Refused } from '../../spec/gaps/is/is.ts';
import type { Json, JsonReply } from '../../spec/json.ts';
import { askedBy, parsed } from '../../spec/openapi/asked.ts';
import { shownOfRequest } from '../../spec/openapi/operations.ts';
import { answer } from '../faults/install.ts';
import type { HelpFor } from '../help/explaining.ts';
import { bodyTextOf } from '../request-body.ts';
import type { Assumptions } from './assumptions.ts';
import { refusalIn, refusalOf, withoutFieldGaps } from './help.ts';
import type { Live } from './live.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The headers and query as they were sent, if the handler must see other ones. */
    asSent: { headers: IncomingHttpHeaders; query: unknown } | null;
    /** Functions that convert a valid body for its handler, if alternatives accept what the reference does not. */
    afterValidation: NonNullable<Changed['afterValidation']>[] | null;
  }
}

interface CallParts {
  api: ServiceName;
  /** Returns true for calls that belong to the stub and not to the API. */
  skip(request: FastifyRequest): boolean;
  errorBody(status: number, reason: { code: string; message: string; details?: Detail[] }): unknown;
  /** Returns the member `help` of a refusal; absent if the stub's refusals have none. */
  helpFor?: HelpFor | undefined;
}

/** Answers as the alternatives do. A reply is changed when it is ready, whoever made it, and before a fault breaks it. */
export function installAssumptions(app: FastifyInstance, assumptions: Assumptions, parts: CallParts): void {
  const liveFor = (request: FastifyRequest) => assumptions.live && (parts.skip(request) ? undefined : assumptions.live);
  app.decorateRequest('asSent', null);
  app.decorateRequest('afterValidation', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { tokens = [] } = liveFor(request) ?? {};
    if (tokens.length === 0) return done();
    keepSent(request);
    const { headers } = request.raw;
    const authorization = tokens.reduce((value, read) => read(value, headers), headers.authorization);
    request.raw.headers = { ...headers, authorization };
    done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    const live = liveFor(request);
    if (live === undefined) return done();
    const refused = begin(live, parts, request);
    if (refused === undefined) done();
    else void refuse(parts, refused, request, reply).catch(done);
  });
  app.addHook('preHandler', (request, _reply, done) => {
    for (const change of request.afterValidation ?? []) request.body = change(request.body as Json);
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    // The journal shows what was sent.
    if (request.asSent) {
      request.raw.headers = request.asSent.headers;
      request.query = request.asSent.query;
    }
    const live = liveFor(request);
    if (live === undefined || hasOwnBody(request)) return done(null, payload);
    void finish(live, parts, request, reply, payload)
      .then((finished) => live.sentBy(request, reply, finished))
      .then((finished) => done(null, finished), done);
  });
}

function keepSent(request: FastifyRequest): void {
  request.asSent ??= { headers: request.raw.headers, query: request.query };
}

/** True for the reply of a fault rule that gives its body, which is sent as it is written. */
function hasOwnBody({ fault }: FastifyRequest): boolean {
  const outcome = fault?.chosen.outcome?.fault;
  return outcome?.kind === 'status' && outcome.body !== undefined;
}

/** Changes the request. Returns the refusal of an alternative. */
function begin(live: Live, { api }: CallParts, request: FastifyRequest): Refused | undefined {
  if (live.requests.length === 0) return undefined;
  const asked = askedOf(api, request);
  const facts = shownOfRequest(api, asked.operation);
  let changed = asked;
  for (const change of live.requests) {
    const result = change(changed, facts) ?? {};
    if ('message' in result) return result;
    const { afterValidation, ...others } = result;
    if (afterValidation) request.afterValidation = [...(request.afterValidation ?? []), afterValidation];
    changed = { ...changed, ...others };
  }
  keepSent(request);
  if (changed.query !== asked.query) request.query = changed.query;
  if (changed.body !== asked.body) request.body = changed.body;
  if (changed.headers !== asked.headers) request.raw.headers = changed.headers;
  return undefined;
}

async function refuse(parts: CallParts, refused: Refused, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { status } = refused;
  const body = await explained(parts, { status, body: parts.errorBody(status, refused) }, refusalOf(refused), request);
  answer(reply, status, body);
}

/** Adds the member `help` to a refusal that only an alternative makes. */
const explained = async (
  { helpFor }: CallParts,
  { status, body }: Pick<JsonReply, 'status' | 'body'>,
  refusal: Refusal | undefined,
  request: FastifyRequest,
): Promise<unknown> =>
  helpFor && refusal ? { ...(body as object), help: withoutFieldGaps(await helpFor(refusal, status, request)) } : body;

/** Returns the payload to send. */
async function finish(
  live: Live,
  parts: CallParts,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const before = replyOf(reply, payload);
  if (before === undefined) return payload;
  const after = live.reply(before, askedOf(parts.api, request));
  const isText = typeof before.body === 'string';
  const isRewritten = live.hasHarmless && before.body !== undefined && !isText;
  if (!isRewritten && isDeepStrictEqual(before, after)) return payload;
  becomeReply(reply, before, after);
  const isRefused = before.status < 400 && after.status >= 400;
  const body = isRefused ? await explained(parts, after, refusalIn(after), request) : after.body;
  // Fastify keeps the payload if it gets undefined.
  const sent = body === undefined ? null : isText && typeof body === 'string' ? body : live.written(body);
  request.sentBody = sent;
  if (after.status < 400) request.refusal = null;
  return sent;
}

/** Returns a live request as alternatives see it. A HEAD is answered as its GET. */
function askedOf(api: ServiceName, request: FastifyRequest): Asked {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return askedBy(api, method, request.originalUrl, request.headers, bodyTextOf(request));
}

/** Returns a reply that is ready to go out; undefined if its body is neither text nor absent. */
function replyOf(reply: FastifyReply, payload: unknown): JsonReply | undefined {
  const text = Buffer.isBuffer(payload) ? payload.toString() : (payload ?? '');
  if (typeof text !== 'string') return undefined;
  const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]);
  return { status: reply.statusCode, headers: Object.fromEntries(headers), body: parsed(text) };
}

/** Makes the status and headers those of `after`. Headers that are the same keep their lists of values. */
function becomeReply(reply: FastifyReply, before: JsonReply, after: JsonReply): void {
  reply.code(after.status);
  reply.removeHeader('content-length');
  for (const name of Object.keys(before.headers)) if (!(name in after.headers)) reply.removeHeader(name);
  for (const [name, value] of Object.entries(after.headers)) if (before.headers[name] !== value) reply.header(name, value);
}
