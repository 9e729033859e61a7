import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstIdAt, newIdAt } from '../../gateway/base/ids.ts';
import { openLog } from '../../gateway/base/log.ts';
import { latenciesOf, latencyClassOf } from '../../gateway/figures/latency.ts';
import { Tallier } from '../../gateway/figures/tallier.ts';
import { classOfCall, everyone, tallyEvents, tallyWidths } from '../../gateway/figures/tally.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { type Store, StoreUnavailable } from '../../gateway/store/port.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { removeEndpoint } from '../../gateway/webhooks/endpoints/endpoints.ts';
import { openEmptyPglite } from '../pglite.ts';
import { paid, sold, startHarness, until } from '../webhooks/harness.ts';
import { receiver } from '../webhooks/receiver.ts';
import { recording } from './recording.ts';

const stores = [
  ['memory', async () => new MemoryStore() as Store],
  ['pglite', async () => openSqlStore(await openEmptyPglite())],
] as const;

interface Scanned {
  kind: string;
  subject: string;
  name: string;
  at: number;
  latencyMs?: number;
  refused?: number;
}

const widthsOf = (kind: string) => tallyWidths.filter(({ kinds }) => !kinds || (kinds as readonly string[]).includes(kind));

/** The model: computes the tallies row by row from the records. */
function expected(scanned: Scanned[]): Map<string, number> {
  const sums = new Map<string, number>();
  const add = (key: string, by: number) => by > 0 && sums.set(key, (sums.get(key) ?? 0) + by);
  for (const { kind, subject, name, at, latencyMs, refused = 0 } of scanned) {
    for (const { width } of widthsOf(kind)) {
      const key = `${kind} ${width} ${at - (at % width)} ${subject} ${name}`;
      add(key, 1);
      add(`${key} refused`, refused);
      if (latencyMs !== undefined) add(`${key} ${latencyClassOf(latencyMs)}`, 1);
    }
  }
  return sums;
}

async function kept(store: Store, kinds: string[]): Promise<Map<string, number>> {
  const rows = await store.list('tallies', { where: { kind: { in: kinds } } });
  const sums = rows.flatMap((row) => {
    const key = `${row.kind} ${row.width} ${row.at} ${row.subject} ${row.name}`;
    const latencies = [...latenciesOf(row.latency)].map(([at, count]): [string, number] => [`${key} ${at}`, count]);
    const columns: [string, number][] = [[`${key} refused`, row.refused], ...latencies];
    return [[key, row.total] as [string, number], ...columns];
  });
  return new Map(sums.filter(([, count]) => count > 0));
}

const startMs = Date.UTC(2026, 10, 21, 8, 53);
const call = fc
  .record({
    at: fc.integer({ min: startMs, max: startMs + 3 * 3_600_000 }),
    api: fc.constantFrom('pos', 'cohesion', 'manage', 'gateway'),
    caller: fc.constantFrom(null, 'operator', 'account:acc_1', 'token:1'),
    status: fc.constantFrom(200, 204, 302, 400, 404, 429, 500, 503),
    duration_ms: fc.double({ min: 0, max: 20_000, noNaN: true }),
    limit_state: fc.option(fc.record({ remaining: fc.integer({ min: 0, max: 100 }) }), { nil: null }),
  })
  .map(({ limit_state, ...given }) => ({
    ...given,
    limit_state: limit_state && { name: 'plan', limit: 100, resetSeconds: 9, ...limit_state },
  }));

const plainCall = { operation: null, ip: '', method: 'GET', path: '/', error_code: null };
const noBodies = { request_headers: {}, request_body: null, response_headers: {}, response_body: null };

async function checkCalls(store: Store): Promise<void> {
  const { recorder, tallier } = recording(store);
  const given = fc.sample(fc.array(call, { minLength: 20, maxLength: 300 }), 6);
  let serial = 0;
  for (const batch of given) {
    for (const one of batch) {
      const id = `${firstIdAt('call', one.at)}${String(serial++).padStart(20, '0')}`;
      recorder.push({ bytes: 1, row: () => ({ id, ...plainCall, ...one, ...noBodies }) });
    }
    await recorder.flush();
  }
  await recorder.close();
  await tallier.close();
  const calls = await store.list('calls');
  expect(calls).toHaveLength(given.flat().length);
  const scanned = calls.flatMap(({ api, at, status, duration_ms, caller, limit_state }): Scanned[] => {
    const one = { kind: 'call', subject: api, name: classOfCall(status), at, latencyMs: duration_ms };
    if (caller === null || caller === 'operator') return [one];
    const refused = limit_state && status === 429 ? 1 : 0;
    return [one, { kind: 'limit', subject: caller, name: limit_state?.name ?? '', at, refused }];
  });
  expect(await kept(store, ['call', 'limit'])).toEqual(expected(scanned));

  const peak = Math.min(...calls.filter(isOf('token:1')).map(({ limit_state }) => limit_state?.remaining ?? 100));
  const shares = await store.list('tallies', { where: { kind: 'limit', subject: 'token:1', name: 'plan' } });
  expect(Math.max(...shares.map(({ share }) => share))).toBe(1000 - peak * 10);
  expect(new Set(shares.map(({ limit_max }) => limit_max))).toEqual(new Set([100]));
}

const isOf = (caller: string) => (call: Row<'calls'>) => call.caller === caller;

async function checkDeliveries(store: Store): Promise<void> {
  const tallier = new Tallier({ store, log: openLog('silent') });
  const harness = startHarness({ store, tallier, settings: { scheduleSeconds: [0, 5, 300] } });
  let well = 0;
  const [good, flaky, bad] = await Promise.all([
    receiver(),
    receiver((response) => response.writeHead(well++ % 3 === 0 ? 200 : 503).end()),
    receiver((response) => response.writeHead(302, { location: '/' }).end()),
  ]);
  // A delivery that is sent again ends twice, and its row says only how it ended last.
  for (const { url } of [good, flaky, bad]) await harness.endpoint({ url });
  await harness.endpoint({ url: good.url, active: false });
  const doomed = await harness.endpoint({ url: bad.url, events: ['payment.received'] });
  for (let round = 0; round < 4; round++) {
    await harness.emit(sold, { count: 4 });
    // Too many for the change's own transaction, so the fan-out creates these.
    if (round === 2) await harness.emit(paid, { count: 12 });
    await harness.webhooks.settled();
    if (round === 4) await harness.change((change) => removeEndpoint(change, doomed.id));
    await harness.clock.advance(400_000);
  }
  await until(async () => {
    await harness.clock.advance(400_000);
    await harness.webhooks.settled();
    expect(await harness.deliveries({ status: 'pending' })).toEqual([]);
  });
  await tallier.flush();
  const attempts = await harness.attempts();
  const deliveries = await harness.deliveries();
  expect(new Set(attempts.map(({ outcome }) => outcome))).toEqual(new Set(['success', 'status', 'redirect']));
  expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['delivered', 'failed', 'skipped']));
  const both = (one: Omit<Scanned, 'subject'>, endpoint: string): Scanned[] =>
    [endpoint, everyone].map((subject) => ({ ...one, subject }));
  const scanned = [
    ...attempts.flatMap(({ endpoint_id, outcome, ended_at, timings }) =>
      both({ kind: 'attempt', name: outcome, at: ended_at, latencyMs: timings.total ?? 0 }, endpoint_id),
    ),
    ...deliveries.flatMap(({ endpoint_id, status, updated_at }) =>
      both({ kind: 'delivery', name: status, at: updated_at }, endpoint_id),
    ),
  ];
  expect(await kept(harness.store, ['attempt', 'delivery'])).toEqual(expected(scanned));
}

// One database for both: it takes some seconds to start.
test.each(stores)('tallies equal a scan of calls, attempts and ended deliveries, whatever the batches (%s)', async (_, open) => {
  const store = await open();
  await checkCalls(store);
  await checkDeliveries(store);
});

test('records that the store refused are not in the tallies', async () => {
  const store = new MemoryStore();
  const { recorder, tallier } = recording(store);
  const rows = [200, 200, 500].map((status, index) => {
    const limited = { caller: 'token:1', limit_state: null, duration_ms: 1 };
    // The third has the first one's id, so the store refuses it.
    return { id: `call_${index % 2}`, at: startMs, api: 'pos' as const, status, ...plainCall, ...limited, ...noBodies };
  });
  for (const row of rows) recorder.push({ bytes: 1, row: () => row });
  await recorder.close();
  await tallier.close();
  expect(recorder.state.lost).toBe(1);
  const totals = await store.summarize('tallies', { where: { kind: 'call', width: 60_000 }, by: ['name'], sum: ['total'] });
  expect(totals.map(({ name, total }) => [name, total])).toEqual([['succeeded', '2']]);
});

test('while the store is down figures wait, and are complete when it is back', async () => {
  const memory = new MemoryStore();
  let away = true;
  const store = Object.assign(memory, {
    tally: new Proxy(memory.tally, {
      apply: (tally, self, args) => (away ? Promise.reject(new StoreUnavailable('away')) : Reflect.apply(tally, self, args)),
    }),
  });
  const tallier = new Tallier({ store, log: openLog('silent') });
  const one = { kind: 'call', subject: 'pos', name: 'succeeded', atMs: startMs, latencyMs: 3 } as const;
  tallier.note([one, one]);
  await tallier.flush();
  tallier.note([one]);
  expect(await store.list('tallies')).toEqual([]);
  away = false;
  await tallier.close();
  const totals = (await store.list('tallies')).map(({ width, total }) => [width, total]);
  expect(totals.sort()).toEqual(
    widthsOf('call')
      .map(({ width }) => [width, 3])
      .sort(),
  );
});

test('an event is not counted twice if the answer to its count is lost: the audit would miss an event', async () => {
  const store = new MemoryStore();
  const { tally } = store;
  store.tally = async (...args) => {
    await tally.apply(store, args);
    store.tally = tally;
    throw new StoreUnavailable('The connection ended.');
  };
  const tallier = new Tallier({ store, log: openLog('silent') });
  tallier.note(tallyEvents([{ id: newIdAt('evt', startMs) }]));
  await tallier.flush();
  await tallier.close();
  expect((await store.list('tallies')).map(({ total }) => total)).toEqual(widthsOf('event').map(() => 1));
});
