import { createToken, type NewToken } from '../../../gateway/api/cohesion/back-office/tokens.ts';
import { seedCohesion } from '../../../gateway/api/cohesion/seed.ts';
import { ManualClock } from '../../../gateway/base/clock.ts';
import { MemoryStore } from '../../../gateway/store/memory/store.ts';
import type { Store } from '../../../gateway/store/port.ts';
import { abilityNames } from '../../../gateway/store/tables/cohesion.ts';
import { type AtEnd, buildTestApp, type CallOptions, type Method } from '../../helper.ts';

export const startMs = Date.UTC(2026, 10, 21, 9, 0, 0);
/** A gateway with the cohesion part of the demo data, behind a proxy on this machine. */
export async function cohesionGateway(options: { store?: Store; clock?: ManualClock; atEnd?: AtEnd } = {}) {
  const clock = options.clock ?? new ManualClock(startMs);
  const store = options.store ?? new MemoryStore();
  await store.transaction((tx) => seedCohesion(tx, clock.now()));
  const { app, services, call, manage } = await buildTestApp({
    clock,
    store,
    demo: false,
    settings: { TRUST_PROXY: '127.0.0.1' },
    ...(options.atEnd && { atEnd: options.atEnd }),
  });
  let everything: string | undefined;
  return {
    app,
    store,
    clock,
    services,
    call,
    /** Calls the cohesion API with the given token. The default has every ability. */
    api: async (method: Method, path: string, options: CallOptions = {}) => {
      everything ??= (await makeToken()).token;
      return call(method, `/cohesion/api/v1${path}`, { token: everything, ...options });
    },
    manage: (method: Method, path: string, body?: unknown) => manage(method, `/cohesion${path}`, body),
    makeToken,
    /** The events so far, as receivers get them. */
    events: async () => {
      const rows = await store.list('events', { order: [['id', 'asc']] });
      return rows.map((row) => ({ subject: row.subject, ...JSON.parse(row.body) }));
    },
  };

  async function makeToken(given: Partial<NewToken> = {}) {
    const input: NewToken = { userId: 1, name: 'test', abilities: abilityNames, structureIds: null, expiresAt: null, ...given };
    const { row, token } = await services.change((change) => createToken(change, input));
    return { id: row.id, token };
  }
}
