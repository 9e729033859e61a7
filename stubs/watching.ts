import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { StubAppParts } from './app.ts';
import type { Core, CoreParts } from './core.ts';
import { isOwnCall } from './hooks.ts';
import { readUnread } from './request-body.ts';

/** Is told of what a stub does. */
export interface Watching {
  /** Gets the parts of the stub before its first call. */
  open(parts: StubAppParts): Promise<void>;
  /** Called with each call of the API. The call waits for it. */
  called(request: FastifyRequest): Promise<void>;
  /** Called before a change that no call makes, which `make` makes on any stub. It waits. */
  changes(what: string, make: (core: Core) => Promise<unknown> | undefined): Promise<void>;
  /** Called with each webhook that is sent. */
  message: NonNullable<CoreParts['message']>;
}

/** Shows each call before it changes a row: once its body is read, or once it is refused before. Calls with a fault are left out. */
export function showCalls(app: FastifyInstance, show: (request: FastifyRequest) => Promise<void>): void {
  const shown = new WeakSet<FastifyRequest>();
  const showOnce = async (request: FastifyRequest) => {
    if (shown.has(request) || request.fault || isOwnCall(request)) return;
    shown.add(request);
    await readUnread(request);
    await show(request);
  };
  app.addHook('preValidation', showOnce);
  app.addHook('onSend', showOnce);
}
