import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The version of the store when the call arrived. */
    storeVersion: number;
    /** True if the reply may be sent again. */
    isRepeatable: boolean;
  }
}

/** Bounds the memory. Beyond it, all replies are forgotten. */
const maxReplies = 100;

/**
 * Sends the reply of a read again as long as nothing was written to the store: the same caller and URL get the same text then.
 * Only for routes that say so (`config.readsStoreOnly`). The call passes the limits, the validation, faults and the recording
 * as every other does.
 */
export function repeatUnchanged(app: FastifyInstance, store: { readonly version: number }): void {
  const replies = new Map<string, string>();
  let version = store.version;
  app.decorateRequest('storeVersion', 0);
  app.decorateRequest('isRepeatable', false);
  app.addHook('onRequest', (request, _reply, done) => {
    // Read before the caller is identified, because accounts are cached, and a changed account is dropped from the cache only
    // after the commit.
    request.storeVersion = store.version;
    done();
  });
  app.addHook('preHandler', (request, reply, done) => {
    if (request.method !== 'GET' || request.routeOptions.config.readsStoreOnly !== true) return done();
    if (version !== store.version) {
      replies.clear();
      version = store.version;
    }
    const known = replies.get(keyOf(request));
    if (known !== undefined) return void reply.type('application/json; charset=utf-8').send(known);
    request.isRepeatable = true;
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    // A write in the meantime may or may not be in the reply.
    const isCurrent = request.isRepeatable && request.storeVersion === store.version;
    if (isCurrent && reply.statusCode === 200 && typeof payload === 'string') {
      if (replies.size >= maxReplies) replies.clear();
      replies.set(keyOf(request), payload);
    }
    done(null, payload);
  });
}

const keyOf = (request: FastifyRequest): string => `${request.caller?.id} ${request.url}`;
