/**
 * Measures what a page of a list costs an operator and a partner, with 10,000 endpoints: first all but ten are the operator's,
 * then they belong to 1,000 accounts, ten each. Prints the statements, the rows that the database looks at, and the CPU of a
 * page for both, medians of interleaved rounds.
 *
 *     node bench/owned-lists.ts [--rows 200000] [--rounds 20]
 *     bash .ci/scale -- node bench/owned-lists.ts
 *
 * Uses two new databases on the server of DATABASE_URL, or two PGlites in memory. PGlite's CPU is part of the process's,
 * PostgreSQL's is not.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { ManualClock } from '../gateway/base/clock.ts';
import { firstIdAt } from '../gateway/base/ids.ts';
import { Keyring } from '../gateway/base/keyring.ts';
import { openLog } from '../gateway/base/log.ts';
import { startGateway } from '../gateway/gateway.ts';
import { memorySettings, openMemory } from '../gateway/start/memory.ts';
import { PglitePool } from '../gateway/store/pglite/pool.ts';
import type { Store } from '../gateway/store/port.ts';
import type { SqlPool } from '../gateway/store/sql/connection.ts';
import { openSqlStore } from '../gateway/store/sql/store.ts';
import { type Reading, watchedPool } from '../test/store/plans.ts';
import { fillCalls, fillEndpoints } from './console-rows.ts';
import { fillLedger } from './ledger-rows.ts';

const { DATABASE_URL } = process.env;
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '200000' }, rounds: { type: 'string', default: '20' } },
});
const [rows, rounds] = [Number(values.rows), Number(values.rounds)];
const endpoints = 10_000;
const owners = 1000;
/** The partner that is measured. */
const partner = 8;
const operatorToken = 'operator-token-of-the-bench';
const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

interface Side {
  app: FastifyInstance;
  readingOf: ReturnType<typeof watchedPool>['readingOf'];
  /** What the partner signs in with. */
  token: string;
  close(): Promise<void>;
}

async function newPool(): Promise<SqlPool> {
  if (!DATABASE_URL) return PglitePool.open('memory://');
  const name = `owned_${randomBytes(6).toString('hex')}`;
  const server = new pg.Client(DATABASE_URL);
  await server.connect();
  await server.query(`create database ${name}`);
  await server.end();
  const url = new URL(DATABASE_URL);
  url.pathname = `/${name}`;
  return new pg.Pool({ connectionString: url.href });
}

async function fill(store: Store, nowMs: number, isOwned: (number: number) => boolean): Promise<void> {
  const ids = Array.from({ length: owners }, (_, index) => `acc_${index}`);
  const account = { plan: 'enterprise', store_ids: null, active: true, created_at: nowMs } as const;
  await store.append(
    'accounts',
    ids.map((id, index) => ({ id, name: `Boutique ${String(index).padStart(4, '0')}`, ...account })),
  );
  await fillEndpoints(store, nowMs, endpoints, (number) =>
    isOwned(number)
      ? { owner: `account:acc_${number % owners}`, service: 'pos', visible: { subjects: null, unscoped: true } }
      : { service: 'pos' },
  );
  await fillLedger(store, rows, { beginMs: nowMs - rows * 100, attempts: 1000 });
  await fillCalls(store, rows / 4, nowMs);
  const recovery = { status: 'done' as const, pace: 20, total: 1, done: 1, position: null, ended_at: nowMs };
  await store.append(
    'recoveries',
    Array.from({ length: 5 * owners }, (_, number) => ({
      ...recovery,
      id: `${firstIdAt('rcv', nowMs)}${String(number).padStart(20, '0')}`,
      filter: { statuses: ['failed'] },
      owner: isOwned(number) ? (`account:acc_${number % owners}` as const) : null,
      created_at: nowMs,
      updated_at: nowMs,
    })),
  );
}

async function openSide(isOwned: (number: number) => boolean): Promise<Side> {
  const pool = await newPool();
  const { pool: watched, readingOf } = watchedPool(pool);
  const store = await openSqlStore(watched);
  const nowMs = Date.now();
  await fill(store, nowMs, isOwned);
  const client = await pool.connect();
  await client.query({ text: 'analyze', values: [] });
  client.release();
  const [clock, log, keys] = [new ManualClock(nowMs), openLog('silent'), new Keyring(randomBytes(32))];
  const settings = memorySettings({ OPERATION_LIMITS: '' });
  const gateway = await startGateway({ ...openMemory(clock, log, store), operatorToken, keys, clock, log, settings });
  const { app } = gateway;
  const made = await app.inject({
    method: 'POST',
    url: `/manage/v1/pos/accounts/acc_${partner}/keys`,
    headers: { authorization: `Bearer ${operatorToken}` },
  });
  const { api_key, api_secret } = made.json().data;
  const login = await app.inject({ method: 'POST', url: '/pos/api/auth', payload: { api_key, api_secret } });
  const close = async () => {
    await gateway.close();
    await store.close();
  };
  return { app, readingOf, token: login.json().token, close };
}

const name = encodeURIComponent(`Boutique ${String(partner).padStart(4, '0')}`);
const own = `ep_${partner}`;
const lists: Record<'operator' | 'partner', readonly string[]> = {
  operator: [
    ...['/deliveries', '/deliveries?status=failed', '/deliveries?event_type=sale.completed', '/deliveries?reason=status'],
    ...[`/deliveries?endpoint_id=${own}`, `/deliveries?partner=${name}`, '/deliveries?q=nobody', '/deliveries/count'],
    ...['/endpoints', '/endpoints?state=held', '/endpoints?state=disabled', `/endpoints?partner=${name}`, '/endpoints?q=nobody'],
    ...['/calls', '/calls?status=5xx', `/calls?caller=account:acc_${partner}`, `/calls?partner=${name}`, '/recoveries'],
  ],
  partner: [
    ...['/deliveries', '/deliveries?status=failed', '/deliveries?event_type=sale.completed', '/deliveries?reason=status'],
    ...[`/deliveries?endpoint_id=${own}`, '/deliveries?q=nobody', '/deliveries/count'],
    ...['/endpoints', '/endpoints?state=held', '/endpoints?q=nobody', '/calls', '/calls?status=5xx', '/calls?q=nobody'],
    ...['/keys', '/recoveries', '/me', '/use'],
  ],
};

async function read({ app, token }: Side, who: 'operator' | 'partner', path: string): Promise<void> {
  const [base, bearer] = who === 'operator' ? ['/manage/v1', operatorToken] : ['/profile/v1', token];
  const reply = await app.inject({ method: 'GET', url: `${base}${path}`, headers: { authorization: `Bearer ${bearer}` } });
  if (reply.statusCode !== 200) throw new Error(`${who} ${path}: ${reply.statusCode} ${reply.body}`);
}

interface Page {
  reading: Reading;
  cpu: number[];
}

const sides = [
  await openSide((number) => number % owners === partner && number < endpoints),
  await openSide(() => true),
] as const;
print(
  `${endpoints} endpoints, ${rows} deliveries, ${rows / 4} calls, ${DATABASE_URL ? 'PostgreSQL' : 'PGlite'}, ${rounds} rounds, Node ${process.version}`,
);
print("list | statements, rows read, CPU ms of a page: the operator's endpoints | owned ones | CPU ratio | rows ratio");
for (const who of ['operator', 'partner'] as const)
  for (const path of lists[who]) {
    const pages: Page[] = [];
    for (const side of sides) {
      // The first one fills caches. What the gateway does by itself meanwhile is not part of a page.
      const readings: Reading[] = [];
      for (let time = 0; time < 3; time++) readings.push(await side.readingOf(() => read(side, who, path)));
      pages.push({ reading: readings.sort((one, other) => one.rows - other.rows)[0] as Reading, cpu: [] });
    }
    for (let round = 0; round <= rounds; round++)
      for (const [index, side] of sides.entries()) {
        const before = process.cpuUsage();
        await read(side, who, path);
        const { user, system } = process.cpuUsage(before);
        // The first round warms up.
        if (round > 0) pages[index]?.cpu.push((user + system) / 1000);
      }
    const shown = pages.map(({ reading, cpu }) => `${reading.statements}, ${reading.rows}, ${median(cpu).toFixed(1)}`);
    const ratio = (of: (page: Page) => number) => (of(pages[1] as Page) / Math.max(1e-9, of(pages[0] as Page))).toFixed(2);
    print(
      `${who} ${path} | ${shown.join(' | ')} | ${ratio(({ cpu }) => median(cpu))} | ${ratio(({ reading }) => reading.rows + 1)}`,
    );
  }
for (const side of sides) await side.close();
