import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { beforeAll, onTestFinished } from 'vitest';
import { type Clock, ManualClock, systemClock } from '../gateway/base/clock.ts';
import { Keyring } from '../gateway/base/keyring.ts';
import { type Logger, openLog } from '../gateway/base/log.ts';
import { type Gateway, type GatewayParts, startGateway } from '../gateway/gateway.ts';
import type { Queue } from '../gateway/queue/port.ts';
import { type DemoCredentials, demoCredentials, makeDemo } from '../gateway/start/demo.ts';
import { memorySettings, openMemory } from '../gateway/start/memory.ts';
import type { Store } from '../gateway/store/port.ts';

/** A clock that stands still on a day that is like any other. */
export const stillClock = () => new ManualClock(Date.UTC(2026, 10, 21, 8, 53));

export const operatorToken = 'operator-token-of-the-tests';

export interface TestGateway extends Gateway {
  store: Store;
  clock: Clock;
  /** Credentials of the demo data, if there is any. */
  demo: DemoCredentials;
  /** Calls the manage API as the operator. */
  manage(method: Method, path: string, body?: unknown): Promise<Reply>;
  /** Calls any path with a token. */
  call(method: Method, path: string, options?: CallOptions): Promise<Reply>;
  /** A pos token of the demo account with this plan. */
  posToken(plan?: string): Promise<string>;
  /** The demo cohesion token with exactly this ability; without one, the token with all of them. */
  cohesionToken(ability?: string): string;
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface CallOptions {
  token?: string;
  /** Text is sent as it is, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Reply {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: replies have any shape
  body: any;
}

export type AtEnd = (close: () => Promise<void>) => void;

/** Opens a world for all tests of a file or a block, which must not change it: a gateway takes longer to start than to ask. */
export function sharedByTests<W>(open: (atEnd: AtEnd) => Promise<W>): () => W {
  let world: W;
  beforeAll(async () => {
    const ends: (() => Promise<void>)[] = [];
    world = await open((close) => ends.push(close));
    return async () => {
      for (const close of ends) await close();
    };
  });
  return () => world;
}

/** A whole gateway on the memory tier, closed when the test ends. Has demo data unless `demo` is false. */
export async function buildTestApp(
  options: {
    clock?: Clock;
    demo?: boolean;
    settings?: Record<string, string>;
    log?: string;
    /** In place of a log at the level `log`. */
    logger?: Logger;
    store?: Store;
    operatorToken?: string;
    keys?: Keyring;
    pagesFolder?: string;
    wrapQueue?: (queue: Queue) => Queue;
    /** Called with what closes the gateway. Default: it is closed when the test ends. */
    atEnd?: AtEnd;
  } & Pick<GatewayParts, 'alerts' | 'freeBytes'> = {},
): Promise<TestGateway> {
  const clock = options.clock ?? systemClock;
  // A busy machine refuses nothing.
  const settings = memorySettings({ MAX_CALL_WAIT_MS: '60000', ...options.settings });
  const log = options.logger ?? openLog(options.log ?? 'silent');
  const { store, queue: memoryQueue } = openMemory(clock, log, options.store);
  const queue = options.wrapQueue?.(memoryQueue) ?? memoryQueue;
  const keys = options.keys ?? new Keyring(randomBytes(32));
  if (options.demo !== false) await makeDemo(store, clock, keys);
  const { pagesFolder = join(import.meta.dirname, 'no-pages') } = options;
  const given = { operatorToken, ...options, pagesFolder };
  const gateway = await startGateway({ ...given, settings, store, queue, keys, clock, log });
  (options.atEnd ?? onTestFinished)(() => gateway.close());
  const demo = (await demoCredentials(store, keys)) ?? { pos: { accounts: [], stores: [] }, cohesion: { tokens: [] } };
  return { ...gateway, store, clock, demo, ...callers(gateway.app, demo) };
}

function callers(
  app: FastifyInstance,
  demo: DemoCredentials,
): Pick<TestGateway, 'manage' | 'call' | 'posToken' | 'cohesionToken'> {
  const call: TestGateway['call'] = async (method, url, { token, body, headers = {} } = {}) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const reply = await app.inject({ method, url, headers: { ...authorization, ...type, ...headers }, ...sent });
    const isJson = /[/+]json\b/.test(String(reply.headers['content-type'])) && reply.body !== '';
    return { status: reply.statusCode, headers: reply.headers, text: reply.body, body: isJson ? reply.json() : undefined };
  };
  return {
    call,
    manage: (method, path, body) => call(method, `/manage/v1${path}`, { token: operatorToken, body }),
    async posToken(plan = 'enterprise') {
      const account = demo.pos.accounts.find((one) => one.plan === plan);
      const reply = await call('POST', '/pos/api/auth', { body: { api_key: account?.apiKey, api_secret: account?.apiSecret } });
      return reply.body.token;
    },
    cohesionToken(ability) {
      const found = demo.cohesion.tokens.find(({ abilities }) =>
        ability ? abilities.length === 1 && abilities[0] === ability : abilities.length > 1,
      );
      return found?.token ?? '';
    },
  };
}
