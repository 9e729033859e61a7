import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';
import type { App, Services } from '../http/api.ts';

const calls = new AsyncLocalStorage<FastifyRequest>();

/** Gives each call of this API a context, from its handler on. */
export function followCalls(app: App): void {
  // Not earlier: the parser of a body runs in the context of the socket.
  app.addHook('preHandler', (request, _reply, done) => calls.run(request, done));
}

/** Names the current call as the cause of each change, so that no route can forget it. */
export const changedByCalls = (services: Services): Services => ({
  ...services,
  change: (work) => services.change(work, calls.getStore()?.id),
});
