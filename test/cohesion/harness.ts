import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { abilityNames } from '../../gateway/api/cohesion/abilities.ts';
import { cohesionApi } from '../../gateway/api/cohesion/api.ts';
import { createToken, type NewToken } from '../../gateway/api/cohesion/back-office/tokens.ts';
import { seedCohesion } from '../../gateway/api/cohesion/seed.ts';
import { buildApp } from '../../gateway/app.ts';
import { ManualClock } from '../../gateway/clock.ts';
import { readSettings } from '../../gateway/config.ts';
import type { Services } from '../../gateway/http/api.ts';
import { Recorder } from '../../gateway/http/recorder.ts';
import { Keyring } from '../../gateway/keyring.ts';
import { openLog } from '../../gateway/log.ts';
import { manageApi } from '../../gateway/manage/api.ts';
import { cohesionRoutes } from '../../gateway/manage/cohesion.ts';
import { Metrics } from '../../gateway/metrics.ts';
import { MemoryStore } from '../../gateway/store/memory.ts';
import type { Store } from '../../gateway/store/port.ts';
import { changesOn } from '../../gateway/webhooks/outbox.ts';

export const startMs = Date.UTC(2026, 10, 21, 9, 0, 0);
const operatorToken = 'operator-token-of-the-tests';
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Reply {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  body: any;
}

/** The cohesion API and its part of the manage API on a store with the demo data; webhooks stay in the outbox. */
export async function cohesionGateway(options: { store?: Store; clock?: ManualClock } = {}) {
  const clock = options.clock ?? new ManualClock(startMs);
  const store = options.store ?? new MemoryStore();
  const log = openLog('silent');
  const services: Services = { store, clock, log, keys: new Keyring(randomBytes(32)), change: changesOn(store, clock, () => {}) };
  await store.transaction((tx) => seedCohesion(tx, clock.now()));

  const settings = readSettings({ TRUST_PROXY: '127.0.0.1' });
  const recorder = new Recorder({ store, log, maxBytes: settings.RECORD_BACKLOG_BYTES });
  const manageParts = {
    operatorToken,
    recorder,
    parts: [(app: Parameters<typeof cohesionRoutes>[0]) => cohesionRoutes(app, services)],
  };
  const app = await buildApp({
    settings,
    apis: [
      { prefix: '/cohesion', api: cohesionApi(services) },
      { prefix: '/manage/v1', api: manageApi(services, manageParts) },
    ],
    recorder,
    metrics: new Metrics(),
    log,
    notReady: async () => ({}),
  });
  await app.ready();
  onTestFinished(() => app.close());

  const call = async (method: Method, url: string, { token, body, headers = {} }: CallOptions = {}): Promise<Reply> => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await app.inject({
      method,
      url,
      headers: { ...authorization, ...type, ...headers },
      payload: payload as string | undefined,
    });
    const isJson = String(reply.headers['content-type']).includes('json') && reply.body !== '';
    return { status: reply.statusCode, headers: reply.headers, text: reply.body, body: isJson ? reply.json() : undefined };
  };
  let everything: string | undefined;
  return {
    app,
    store,
    clock,
    services,
    call,
    /** Calls the cohesion API with a token that may do everything, or with the one given. */
    api: async (method: Method, path: string, options: CallOptions = {}) => {
      everything ??= (await makeToken()).token;
      return call(method, `/cohesion/api/v1${path}`, { token: everything, ...options });
    },
    manage: (method: Method, path: string, body?: unknown) =>
      call(method, `/manage/v1/cohesion${path}`, { token: operatorToken, body }),
    makeToken,
    /** The events so far, as their receivers will get them. */
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

interface CallOptions {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}
