import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe, expect, onTestFinished } from 'vitest';
import type { Credentials, Product } from '../e2e/chaos.ts';
import { type Served, type Started, spawnProcess, startProcess, until } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';

const database = process.env.PASSERELLE_TEST_DATABASE_URL;
const redis = process.env.PASSERELLE_TEST_REDIS_URL;
const ready = database !== undefined && redis !== undefined;

/**
 * Tests of the scale tier: `.ci/scale` runs them by their title. Without its services they are skipped, and their title says
 * how to run them.
 */
export const onScale = (name: string, tests: () => void) =>
  describe.skipIf(!ready)(
    `${name} (scale tier)${ready ? '' : ' (skipped: no PostgreSQL and Redis; bash .ci/scale runs them)'}`,
    tests,
  );

/** The test services' Redis, which all tests share. Each uses its own prefix. */
export const redisUrl = redis ?? '';

export const newName = () => `t${randomBytes(6).toString('hex')}`;

/** Creates an empty database on the test services' PostgreSQL. */
export async function createDatabase(server = database ?? ''): Promise<{ url: string; drop(): Promise<void> }> {
  const name = newName();
  const run = async (statement: string) => {
    const client = new pg.Client(server);
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await run(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) };
}

/** A connection to an installation's database, for locks and questions. */
export async function connected({ DATABASE_URL }: Environment): Promise<pg.Client> {
  const client = new pg.Client(DATABASE_URL);
  // The database is dropped under it when the test ends.
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

export const operatorToken = 'operator-token-of-the-scale-tests';

export type Environment = Record<string, string>;

/**
 * The attempts of a killed or hung process count as lost after twice this time. For tests that wait for that, and in which an
 * attempt that a busy machine makes late, and so again, does no harm.
 */
export const shortDeadline = { WEBHOOK_DEADLINE_MS: '1000' };

/** For receivers that hold their answers: the deadline must not pass meanwhile. */
export const patient = { WEBHOOK_DEADLINE_MS: '60000' };

/**
 * The settings that the processes of one installation share: database, Redis prefix, keys. No receiver of these tests misses
 * the deadline because the machine is busy.
 */
export async function installation(given: Environment = {}): Promise<Environment> {
  const shared: Environment = {
    REDIS_URL: redisUrl,
    REDIS_PREFIX: newName(),
    SECRET_KEY: randomBytes(32).toString('hex'),
    OPERATOR_TOKEN: operatorToken,
    WEBHOOK_LOOPBACK: 'on',
    WEBHOOK_DEADLINE_MS: '15000',
    WEBHOOK_RETRY_SECONDS: '0,1,1,1,1,1,1,1,1,1,1,1',
    RECONCILE_SECONDS: '1',
    LOG_LEVEL: 'warn',
    ...given,
  };
  if (shared.DATABASE_URL !== undefined) return shared;
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  return { ...shared, DATABASE_URL: url };
}

export const start = (shared: Environment, role: 'all' | 'api' | 'worker' = 'all') =>
  startProcess({ ...shared, ROLE: role }, ['--json']);

export const spawned = (shared: Environment, args: string[] = ['--json']) => spawnProcess(shared, args);

export const manage = (gateway: Served, method: string, path: string, body?: unknown) =>
  gateway.call(method, `/manage/v1${path}`, { token: operatorToken, body });

export const ledgerOf = async (gateway: Served) => (await manage(gateway, 'GET', '/ledger')).body.data;

/** Waits until the ledger has these figures. */
export const untilLedger = (gateway: Served, figures: object) =>
  eventually(async () => expect(await ledgerOf(gateway)).toMatchObject(figures));

export const metricsOf = async ({ greeting }: Served) => (await fetch(`${greeting.url}/metrics`)).text();

/** Returns how many jobs of this state the queue has. */
export const jobsIn = async (gateway: Served, state: 'waiting' | 'delayed' | 'active') =>
  Number(new RegExp(`queue_jobs{state="${state}"} (\\d+)`).exec(await metricsOf(gateway))?.[1]);

/** Returns a function that counts the statements with this text that wait for a lock. */
export async function lockWatcher(shared: Environment): Promise<(text: string) => Promise<number>> {
  const watcher = await connected(shared);
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ~ $1`;
  return async (text) => (await watcher.query(waiting, [text])).rows.length;
}

export interface Shop {
  account: Credentials;
  product: Product;
  /** A pos token, valid on every gateway of the installation. */
  token: string;
  /** Sells one item and returns the reply. */
  sell(gateway: Served): ReturnType<Started['call']>;
}

/** Creates an account with a key, a store and stock through one gateway. */
export async function openShop(gateway: Served, plan = 'enterprise'): Promise<Shop> {
  const account = (await manage(gateway, 'POST', '/pos/accounts', { name: 'Shop', plan })).body.data;
  const key = (await manage(gateway, 'POST', `/pos/accounts/${account.id}/keys`)).body.data;
  await manage(gateway, 'POST', '/pos/stores', { id: 'STORE-1', name: 'Shop', city: 'Abidjan' });
  const product = { product_id: 'P1', name: 'Rice', category: 'Food', price: 100, quantity: 1_000_000, low_threshold: 1 };
  await manage(gateway, 'POST', '/pos/stores/STORE-1/products', product);
  const login = await gateway.call('POST', '/pos/api/auth', { body: { api_key: key.api_key, api_secret: key.api_secret } });
  const { token } = login.body;
  const sale = {
    store_id: 'STORE-1',
    items: [{ product_id: 'P1', quantity: 1, price: 100 }],
    payment_method: 'cash',
    customer_phone: '+22507010203',
    total: 100,
  };
  return {
    account: { apiKey: key.api_key, apiSecret: key.api_secret },
    product: { store_id: 'STORE-1', product_id: 'P1', price: 100 },
    token,
    sell: (through) => through.call('POST', '/pos/api/v1/sales', { token, body: sale }),
  };
}

/**
 * Makes this many sales through all gateways, and returns their statuses. Three at a time: more would wait for the same
 * row of stock, and a machine that is ten times overloaded refuses some with 503.
 */
export async function sellMany(shop: Shop, gateways: Served[], count: number): Promise<number[]> {
  const statuses: number[] = [];
  let next = 0;
  const seller = async () => {
    for (let sale = next++; sale < count; sale = next++)
      statuses.push((await shop.sell(gateways[sale % gateways.length] as Served)).status);
  };
  await Promise.all(Array.from({ length: 3 }, seller));
  return statuses;
}

/** Creates an endpoint, by default for completed sales, and returns its id. */
export async function register(gateway: Served, url: string, more: Record<string, unknown> = {}): Promise<string> {
  const made = await manage(gateway, 'POST', '/endpoints', { service: 'pos', url, events: ['sale.completed'], ...more });
  if (made.status !== 201) throw new Error(`the endpoint was refused: ${JSON.stringify(made.body)}`);
  return made.body.data.id;
}

/** Waits until the call of a reply is recorded, a moment after the reply: lists show what is recorded. */
export const untilRecorded = (gateway: Served, { headers }: Pick<Awaited<ReturnType<Served['call']>>, 'headers'>) =>
  until(async () => (await manage(gateway, 'GET', `/calls/${headers.get('x-request-id')}`)).status === 200);

/** Starts two processes of an installation, and a receiver that gets the sales of a shop. */
export async function startTwo(given: Environment, plan = 'enterprise', answer?: Parameters<typeof receiver>[0]) {
  const shared = await installation(given);
  const gateways = await Promise.all([start(shared), start(shared)]);
  const [first] = gateways;
  const target = await receiver(answer);
  await register(first, target.url);
  return { gateways, first, target, shop: await openShop(first, plan) };
}

/** Returns the references of the sales whose events a receiver got. */
export const saleReferences = (received: readonly { body: string }[]): Set<string> =>
  new Set(received.map(({ body }) => JSON.parse(body).data.reference as string));
