import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { posApi } from '../../gateway/api/pos/api.ts';
import { buildApp } from '../../gateway/app.ts';
import { ManualClock } from '../../gateway/clock.ts';
import { readSettings } from '../../gateway/config.ts';
import { Recorder } from '../../gateway/http/recorder.ts';
import { Keyring } from '../../gateway/keyring.ts';
import { openLog } from '../../gateway/log.ts';
import { manageApi } from '../../gateway/manage/api.ts';
import { posRoutes } from '../../gateway/manage/pos.ts';
import { Metrics } from '../../gateway/metrics.ts';
import { MemoryStore } from '../../gateway/store/memory.ts';
import type { Store } from '../../gateway/store/port.ts';
import { changesOn } from '../../gateway/webhooks/outbox.ts';

const operatorToken = 'operator-token-of-the-tests';

/** A Saturday. */
export const startMs = Date.parse('2026-11-21T08:53:00Z');

export interface Reply {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  body: any;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** The two APIs that this part has, without webhooks, on a clock that stands still. */
export async function openShop(store: Store = new MemoryStore()) {
  const clock = new ManualClock(startMs);
  const keys = new Keyring(randomBytes(32));
  const log = openLog('silent');
  const services = { store, clock, keys, log, change: changesOn(store, clock, () => {}) };
  const recorder = new Recorder({ store, log, maxBytes: 1e6 });
  const app = await buildApp({
    settings: readSettings({ WEBHOOK_LOOPBACK: 'on' }),
    apis: [
      { prefix: '/pos', api: posApi(services) },
      {
        prefix: '/manage/v1',
        api: manageApi(services, { operatorToken, recorder, parts: [(scope) => posRoutes(scope, services)] }),
      },
    ],
    recorder,
    metrics: new Metrics(),
    log,
    notReady: async () => ({}),
  });
  await app.ready();
  onTestFinished(async () => {
    await app.close();
    await recorder.close();
  });

  const call = async (
    method: Method,
    url: string,
    token?: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> => {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const reply = await app.inject({ method, url, headers: { ...authorization, ...type, ...headers }, ...sent });
    return { status: reply.statusCode, headers: reply.headers, text: reply.body, body: reply.body ? reply.json() : undefined };
  };
  const manage = (method: Method, path: string, body?: unknown) => call(method, `/manage/v1/pos${path}`, operatorToken, body);
  const openAccount = async (input: object = {}) => {
    const { id } = (await manage('POST', '/accounts', { name: 'Boutique', plan: 'enterprise', ...input })).body.data;
    const { api_key, api_secret } = (await manage('POST', `/accounts/${id}/keys`)).body.data;
    const reply = await call('POST', '/pos/api/auth', undefined, { api_key, api_secret });
    return { id: id as string, api_key: api_key as string, api_secret: api_secret as string, token: reply.body.token as string };
  };
  const events = async () => {
    const rows = await store.list('events', { order: [['id', 'asc']] });
    return rows.map(({ type, subject, body }) => ({ type, subject, data: JSON.parse(body).data }));
  };
  const quantityOf = async (productId: string, storeId = 'S1') =>
    (await store.get('stock', { store_id: storeId, product_id: productId }))?.quantity;

  await manage('POST', '/stores', { id: 'S1', name: 'Boutique Un', city: 'Abidjan' });
  await manage('POST', '/stores', { id: 'S2', name: 'Boutique Deux', city: 'Bouaké' });
  await manage('POST', '/stores/S1/products', {
    product_id: 'RIZ',
    name: 'Riz 5 kg',
    category: 'Alimentation',
    price: 4500,
    quantity: 100,
    low_threshold: 10,
  });
  await manage('POST', '/stores/S1/products', {
    product_id: 'MIL',
    name: 'Mil',
    category: 'Alimentation',
    price: 0.1,
    quantity: 50,
    low_threshold: 5,
  });
  await manage('POST', '/stores/S2/products', {
    product_id: 'RIZ',
    name: 'Riz 5 kg',
    category: 'Alimentation',
    price: 4600,
    quantity: 7,
    low_threshold: 10,
  });
  return { app, store, clock, services, call, manage, openAccount, events, quantityOf };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** A sale of rice, with what a test wants to be different. */
export const riceSale = (changes: object = {}) => ({
  store_id: 'S1',
  items: [{ product_id: 'RIZ', quantity: 2, price: 4500 }],
  payment_method: 'cash',
  total: 9000,
  ...changes,
});
