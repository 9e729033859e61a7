import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { firstIdAt, newIdAt } from '../../gateway/base/ids.ts';
import { openLog } from '../../gateway/base/log.ts';
import { retention } from '../../gateway/start/retention.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { type Store, StoreUnavailable } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { DeliveryStatus } from '../../gateway/store/tables/webhooks.ts';
import { readLedger } from '../../gateway/webhooks/operator/ledger.ts';
import { buildTestApp, stillClock } from '../helper.ts';
import { sharedPglite } from '../shared-pglite.ts';
import { attempt, call, delivery, event, tally } from '../store/rows.ts';
import { until } from '../webhooks/harness.ts';

const hourMs = 3_600_000;

test('removes calls older than their retention; while the store is down it tries again later', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 21));
  let away = true;
  const store = new MemoryStore();
  const expire = store.expire.bind(store);
  store.expire = (...args) => (away ? Promise.reject(new StoreUnavailable('away')) : expire(...args));
  const rows = Array.from({ length: 2500 }, (_, serial) => call(clock.now() - (serial < 2300 ? 3 : 1) * hourMs, serial));
  await store.append('calls', rows);
  const feature = retention({ store, clock, log: openLog('silent'), callHours: 2 });
  feature.start?.();
  await clock.advance(61_000);
  expect(await store.count('calls')).toBe(2500);
  away = false;
  await clock.advance(61_000);
  await feature.close?.();
  expect(await store.count('calls')).toBe(200);
});

test('a table that is locked now does not delay the other one', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 21));
  const store = new MemoryStore();
  const expire = store.expire.bind(store);
  store.expire = (table, expiry) => (table === 'calls' ? Promise.reject(new StoreUnavailable('locked')) : expire(table, expiry));
  await store.append('calls', [call(clock.now() - 3 * hourMs)]);
  await store.append('attempts', [attempt('dlv_1', clock.now() - 3 * hourMs)]);
  await sweep(store, clock, { attemptHours: 2 });
  expect([await store.count('calls'), await store.count('attempts')]).toEqual([1, 0]);
});

test('close waits for a running sweep, and no other begins', async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 15));
  const sweeping = Promise.withResolvers<void>();
  let sweeps = 0;
  const store = Object.assign(new MemoryStore(), {
    alone: async () => {
      sweeps += 1;
      await sweeping.promise;
      return true;
    },
  });
  const feature = retention({ store, clock, log: openLog('silent'), callHours: 2 });
  feature.start?.();
  await clock.advance(60_000);
  const closed = feature.close?.();
  sweeping.resolve();
  await closed;
  await clock.advance(600_000);
  expect(sweeps).toBe(1);
});

/** An event: its age in hours, and each delivery as its status and the hours since its end. */
type Made = [age: number, ...deliveries: `${DeliveryStatus} ${number}`[]];

/** Makes events `e0`, `e1`... as described, each delivery with one attempt of the event's age. */
async function makeEvents(store: Store, now: number, made: readonly Made[], isFannedOut = true): Promise<void> {
  const before = await store.count('events');
  for (const [at, [age, ...deliveries]] of made.entries()) {
    const index = before + at;
    const createdAt = now - age * hourMs;
    const serial = String(index).padStart(20, '0');
    const fanOut = isFannedOut
      ? { fanned_out_at: createdAt, matched: deliveries.length }
      : { fanned_out_at: null, matched: null };
    const stored = event(`${firstIdAt('evt', createdAt)}${serial}`, { type: `e${index}`, created_at: createdAt, ...fanOut });
    await store.append('events', [stored]);
    for (const [number, one] of deliveries.entries()) {
      const [status, ended] = one.split(' ') as [DeliveryStatus, string];
      const times = { created_at: createdAt, updated_at: now - Number(ended) * hourMs };
      const change = { event_type: stored.type, status, attempts: 1, ...times };
      const row = delivery(`dlv_${index}_${number}`, stored.id, `ep${number}`, change);
      await store.append('deliveries', [row]);
      await store.append('attempts', [attempt(row.id, createdAt, { id: `${firstIdAt('att', createdAt)}${serial}${number}` })]);
    }
  }
}

const sweep = async (store: Store, clock: ManualClock, hours: { attemptHours?: number; deliveryHours?: number }) => {
  const feature = retention({ store, clock, log: openLog('silent'), callHours: 1, ...hours });
  feature.start?.();
  await clock.advance(60_000);
  await feature.close?.();
};

const emptied = sharedPglite();

const stores = [
  ['memory', async () => new MemoryStore()],
  ['pglite', emptied],
] as const;

test.each(stores)(
  'an event is removed with all its deliveries and attempts, or not at all; the ledger balances (%s)',
  async (_, open) => {
    const clock = new ManualClock(Date.UTC(2026, 10, 21));
    const store = await open();
    const now = clock.now();
    // The first and the fourth are removed.
    await makeEvents(store, now, [
      [20, 'delivered 19', 'failed 11', 'skipped 20'],
      [20, 'delivered 19', 'pending 19'],
      [20, 'delivered 19', 'failed 9'],
      [20],
    ]);
    await makeEvents(store, now, [[20]], false);
    await makeEvents(store, now, [[9, 'delivered 9']]);
    expect(await readLedger(store)).toMatchObject({ expected: 8, unaccounted: 0 });
    await sweep(store, clock, { deliveryHours: 10 });
    const types = (await store.list('events', { order: [['id', 'asc']] })).map(({ type }) => type);
    expect(types).toEqual(['e1', 'e2', 'e4', 'e5']);
    const deliveries = (await store.list('deliveries', { order: [['id', 'asc']] })).map(({ id }) => id);
    expect(deliveries).toEqual(['dlv_1_0', 'dlv_1_1', 'dlv_2_0', 'dlv_2_1', 'dlv_5_0']);
    const attempts = await store.list('attempts', { order: [['delivery_id', 'asc']] });
    expect(attempts.map(({ delivery_id }) => delivery_id)).toEqual(deliveries);
    expect(await readLedger(store)).toMatchObject({ expected: 5, awaiting_fan_out: 1, unaccounted: 0 });
  },
);

test.each(stores)(
  'old attempts are removed once their delivery is finished; deliveries and events stay (%s)',
  async (_, open) => {
    const clock = new ManualClock(Date.UTC(2026, 10, 21));
    const store = await open();
    await makeEvents(store, clock.now(), [
      [20, 'delivered 1', 'failed 19', 'pending 19'],
      [9, 'delivered 9'],
    ]);
    await sweep(store, clock, { attemptHours: 10 });
    const attempts = await store.list('attempts', { order: [['delivery_id', 'asc']] });
    expect(attempts.map(({ delivery_id }) => delivery_id)).toEqual(['dlv_0_2', 'dlv_1_0']);
    expect([await store.count('events'), await store.count('deliveries')]).toEqual([2, 4]);
  },
);

test('more than one batch is removed, skipping events that must stay', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 21));
  const store = new MemoryStore();
  const many = (count: number, status: DeliveryStatus): Made[] => Array.from({ length: count }, () => [20, `${status} 20`]);
  await makeEvents(store, clock.now(), [...many(450, 'pending'), ...many(450, 'delivered')]);
  await sweep(store, clock, { attemptHours: 10, deliveryHours: 10 });
  expect(await store.count('deliveries', { status: 'pending' })).toBe(450);
  expect([await store.count('events'), await store.count('deliveries'), await store.count('attempts')]).toEqual([450, 450, 450]);
});

test.each(stores)(
  'old notices and ended recoveries are removed with their items; young and running ones stay (%s)',
  async (_, open) => {
    const clock = new ManualClock(Date.UTC(2026, 10, 21));
    const store = await open();
    const hoursAgo = (hours: number) => clock.now() - hours * hourMs;
    const notice = (id: string, hours: number): Row<'notices'> => ({
      id,
      kind: 'endpoint.disabled',
      endpoint_id: 'ep',
      message: '',
      created_at: hoursAgo(hours),
    });
    const recovery = (id: string, ended: number | null): Row<'recoveries'> => {
      const counts = { pace: 1, total: 1500, done: 1500, position: null };
      const times = { created_at: hoursAgo(20), updated_at: hoursAgo(20), ended_at: ended && hoursAgo(ended) };
      return { id, status: ended ? 'done' : 'running', owner: null, filter: { statuses: ['failed'] }, ...counts, ...times };
    };
    const item = (recovery_id: string, index: number): Row<'recovery_items'> => {
      const delivery_id = `dlv_${index}`;
      return { recovery_id, delivery_id, result: 'queued', attempts_before: 1, at: hoursAgo(20) };
    };
    await store.append('notices', [notice('a', 11), notice('b', 9)]);
    await store.append('recoveries', [recovery('old', 11), recovery('young', 9), recovery('running', null)]);
    for (const id of ['old', 'young', 'running'])
      await store.append(
        'recovery_items',
        Array.from({ length: 1500 }, (_, index) => item(id, index)),
      );
    await sweep(store, clock, { deliveryHours: 10 });
    expect((await store.list('notices')).map(({ id }) => id)).toEqual(['b']);
    expect((await store.list('recoveries', { order: [['id', 'asc']] })).map(({ id }) => id)).toEqual(['running', 'young']);
    expect(await store.count('recovery_items')).toBe(3000);
    expect(await store.count('recovery_items', { recovery_id: 'old' })).toBe(0);
  },
);

test('tallies are kept for as long as their width is shown', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 21));
  const store = new MemoryStore();
  const hours = [1, 24, 26, 48, 50, 191, 193];
  const tallied = [10_000, 60_000, 600_000, 3_600_000].flatMap((width) =>
    hours.map((age) => tally(`${age}`, { width, at: clock.now() - age * hourMs })),
  );
  const recent = [9, 11].map((age) => tally(`${age / 60}`, { width: 10_000, at: clock.now() - age * 60_000 }));
  await store.tally('tallies', [...tallied, ...recent]);
  await sweep(store, clock, {});
  const left = Map.groupBy(await store.list('tallies'), ({ width }) => width);
  const ages = [...left].map(([width, rows]) => [width, rows.map(({ name }) => Number(name))]);
  expect(ages.sort(([one], [other]) => Number(one) - Number(other))).toEqual([
    [10_000, [9 / 60]],
    [60_000, [1, 24]],
    [600_000, [1, 24, 26, 48]],
    [3_600_000, [1, 24, 26, 48, 50, 191]],
  ]);
});

test('the audit trail is kept for a year', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 21));
  const store = new MemoryStore();
  const entry = { operator: 'operator', action: 'createOperator', ok: true, target: null, ip: '::1', call_id: 'call_1' };
  const madeAt = (at: number) => ({ ...entry, id: newIdAt('aud', at), at, changes: [], more: 0 });
  const [old, kept] = [madeAt(clock.now() - 366 * 24 * hourMs), madeAt(clock.now() - 364 * 24 * hourMs)];
  await store.append('audit', [old, kept]);
  await sweep(store, clock, {});
  expect(await store.list('audit')).toEqual([kept]);
});

test('one process at a time removes rows', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 21));
  const store = new MemoryStore();
  await store.append('calls', [call(clock.now() - 3 * hourMs, 1)]);
  const other = Promise.withResolvers<void>();
  const atWork = store.alone('retention', () => other.promise);
  await sweep(store, clock, {});
  expect(await store.count('calls')).toBe(1);
  other.resolve();
  await atWork;
  await sweep(store, clock, {});
  expect(await store.count('calls')).toBe(0);
});

test('/readyz names the services that are not ready; /healthz still answers 200', async () => {
  const store = new MemoryStore();
  const gateway = await buildTestApp({ store });
  expect((await gateway.call('GET', '/readyz')).body).toEqual({ status: 'ready' });
  store.ping = () => Promise.reject(new StoreUnavailable('The database does not answer.'));
  const reply = await gateway.call('GET', '/readyz');
  expect([reply.status, reply.body]).toEqual([
    503,
    { status: 'not ready', notReady: { store: 'The database does not answer.' } },
  ]);
  expect((await gateway.call('GET', '/healthz')).status).toBe(200);
});

test('while the database is down, each API answers 503 with Retry-After in its own error shape', async () => {
  const store = new MemoryStore();
  const clock = stillClock();
  const gateway = await buildTestApp({ store, clock });
  const token = await gateway.posToken();
  const away = () => Promise.reject(new StoreUnavailable('The database does not answer.'));
  Object.assign(store, { get: away, list: away, transaction: away, count: away });
  const pos = await gateway.call('GET', `/pos/api/v1/inventory?store_id=${gateway.demo.pos.stores[0]}`, { token });
  expect([pos.status, pos.headers['retry-after'], pos.body.error.code]).toEqual([503, '5', 'unavailable']);
  await clock.advance(15_000);
  await until(async () => {
    const metrics = await gateway.call('GET', '/metrics');
    expect([metrics.status, metrics.text]).toEqual([200, expect.stringContaining('passerelle_deliveries_unaccounted Nan')]);
  });
  const cohesion = await gateway.call('GET', '/cohesion/api/v1/me', { token: gateway.cohesionToken() });
  expect([cohesion.status, Object.keys(cohesion.body)]).toEqual([503, ['message']]);
});
