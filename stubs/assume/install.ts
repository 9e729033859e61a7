import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Changed } from '../../contracts/gaps/is/is.ts';
import type { Json } from '../../contracts/json.ts';
import type { Assumptions } from './assumptions.ts';
import type { CallParts, Seen } from './types.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the alternatives have read before the call changed anything. */
    seen: Seen | null;
    /** Headers as they were sent, where its handler must see others. */
    hiddenHeaders: Record<string, string | string[] | undefined> | null;
    /** The query as it was sent, where its handler must see another one. */
    sentQuery: unknown;
    /** What makes of a valid body what its handler gets, if alternatives take what the reference does not. */
    afterValidation: NonNullable<Changed['afterValidation']>[] | null;
  }
}

/**
 * Answers as the assumed alternatives do. A request is changed or refused before it is validated. A reply is changed when it is
 * ready, whoever made it, and before a fault breaks it. The code that does so is loaded with the first alternative.
 */
export function installAssumptions(app: FastifyInstance, assumptions: Assumptions, options: CallParts): void {
  const { skip } = options;
  app.decorateRequest('seen', null);
  app.decorateRequest('hiddenHeaders', null);
  app.decorateRequest('sentQuery', null);
  app.decorateRequest('afterValidation', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { live } = assumptions;
    if (live === undefined || skip(request)) return done();
    if (live.tokens.length === 0) return done();
    const { headers } = request.raw;
    request.hiddenHeaders = { ...request.hiddenHeaders, authorization: headers.authorization };
    headers.authorization = live.tokens.reduce((value, { token }) => token?.(value, headers), headers.authorization);
    done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    const { live } = assumptions;
    if (live === undefined || skip(request)) return done();
    void live.begin(options, request, reply).then((continues) => continues && done(), done);
  });
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.afterValidation !== null)
      for (const change of request.afterValidation) request.body = change(request.body as Json);
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const { live } = assumptions;
    if (request.hiddenHeaders) showHeaders(request, request.hiddenHeaders);
    if (request.sentQuery) request.query = request.sentQuery;
    if (live === undefined || skip(request)) return done(null, payload);
    if (hasOwnBody(request)) return done(null, payload);
    done(null, live.finish(options, request, reply, payload));
  });
}

/** True for the reply of a fault rule that gives its body, which is sent as it is written. */
function hasOwnBody({ fault }: FastifyRequest): boolean {
  const outcome = fault?.chosen.outcome?.fault;
  return outcome?.kind === 'status' && outcome.body !== undefined;
}

function showHeaders({ raw: { headers } }: FastifyRequest, hidden: NonNullable<FastifyRequest['hiddenHeaders']>): void {
  for (const [name, value] of Object.entries(hidden))
    if (value === undefined) delete headers[name];
    else headers[name] = value;
}
