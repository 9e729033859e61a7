import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';
import { newId } from '../../base/ids.ts';
import type { App, Services } from '../../http/api.ts';
import type { Row } from '../../store/tables/index.ts';
import { observed } from './observe.ts';

const calls = new AsyncLocalStorage<FastifyRequest>();

/**
 * Names the current call as the cause of each change, and adds an entry of the audit trail to its transaction. Routes use
 * these services without knowing of either, so that none can forget it.
 */
export const changedByCalls = (services: Services): Services => ({
  ...services,
  change(work) {
    const call = calls.getStore();
    if (!call) return services.change(work);
    return services.change(async (given) => {
      const { change, seen } = observed(given);
      const result = await work(change);
      const entry = entryOf(call, given.now);
      const { changes, more } = seen();
      given.append('audit', [{ ...entry, target: entry.target ?? changes[0]?.id ?? null, changes, more }]);
      return result;
    }, call.id);
  },
});

/**
 * An API's operations on sessions. They change no row that operators see, so their entry is stored separately, before the reply
 * is sent.
 */
interface SessionOperations {
  opens: string;
  closes: string;
  /** Codes of refusals of a credential that was sent. A missing or expired credential does not count as an attempt to sign in. */
  failures: ReadonlySet<string>;
}

export const operatorSessions: SessionOperations = {
  opens: 'openSession',
  closes: 'closeSession',
  failures: new Set(['wrong_credential', 'invalid_token']),
};

/** Follows each call of an API: gives it a context, and notes sign-ins, failed credentials and exports. */
export function followCalls(app: App, { store, clock, log }: Services, { opens, closes, failures }: SessionOperations): void {
  app.addHook('preHandler', async (request) => {
    // An export reveals much at once, and reading with a session is not recorded elsewhere.
    if (operationOf(request).startsWith('export')) await store.append('audit', [entryOf(request, clock.now())]);
  });
  // Not earlier: the parser of a body runs in the context of the socket.
  app.addHook('preHandler', (request, _reply, done) => calls.run(request, done));
  app.addHook('onSend', async (request, reply) => {
    const hasFailed = request.refusal?.kind === 'unauthorized' && failures.has(request.refusal.code);
    if (hasFailed) {
      const failed = { ...entryOf(request, clock.now()), operator: null, action: opens, ok: false };
      // The refusal is given even if the store is down.
      await store.append('audit', [failed]).catch((error: unknown) => log.error({ err: error }, 'audit.failed'));
    } else if ([opens, closes].includes(operationOf(request)) && reply.statusCode < 300) {
      await store.append('audit', [entryOf(request, clock.now())]);
    }
  });
}

const operationOf = (request: FastifyRequest): string => request.routeOptions.schema?.operationId ?? '';

function entryOf(request: FastifyRequest, now: number): Row<'audit'> {
  const [target = null] = Object.values((request.params as Record<string, unknown> | undefined) ?? {});
  return {
    id: newId('aud'),
    at: now,
    operator: request.caller?.id ?? null,
    action: operationOf(request),
    ok: true,
    target: target === null ? null : String(target),
    ip: request.address,
    call_id: request.id,
    changes: [],
    more: 0,
  };
}
