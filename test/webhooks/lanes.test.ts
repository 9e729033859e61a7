import type { Server } from 'node:http';
import pino from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { MemoryGate } from '../../gateway/queue/gate/memory.ts';
import { MemoryQueue } from '../../gateway/queue/memory.ts';
import type { NewJob } from '../../gateway/queue/port.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { type Store, StoreUnavailable } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { Lanes } from '../../gateway/webhooks/delivery/lanes.ts';
import { nobodyListens } from '../../gateway/webhooks/model/listener.ts';
import { resendDelivery } from '../../gateway/webhooks/operator/manual.ts';
import { leaver } from '../queue/gate-conformance.ts';
import { delivery as deliveryRow, endpoint as endpointRow } from '../store/rows.ts';
import { type Harness, paid, settled, sold, startHarness, startMs, until } from './harness.ts';
import { patientReceiver, receiver, receiverOn } from './receiver.ts';
import { watched } from './watched-store.ts';

const change = (harness: Harness, id: string, patch: Partial<Row<'endpoints'>>) =>
  harness.store.update('endpoints', { id }, patch);
const endpointNow = async (harness: Harness) => (await harness.store.list('endpoints'))[0];
const notices = async (harness: Harness) =>
  (await harness.store.list('notices', { order: [['id', 'asc']] })).map(({ kind }) => kind);

/** Closes, and ends the attempts in flight at a server that never answers instead of waiting for their deadlines. */
async function closeWithout(server: Server, { webhooks }: Harness): Promise<void> {
  const closing = webhooks.close();
  // An attempt that is on its way finds nobody either.
  server.close();
  server.closeAllConnections();
  await closing;
}

test('an endpoint gets its deliveries beside any number that never answer', async () => {
  const { url: silent, server } = await receiverOn(0, () => {});
  const { url, received } = await receiver();
  const harness = startHarness({ settings: { concurrency: 10, maxInFlight: 5, deadlineMs: 60_000 } });
  for (let index = 0; index < 12; index++) await harness.endpoint({ url: silent, events: ['payment.received'] });
  await harness.endpoint({ url, events: ['sale.completed'] });
  await harness.emit(paid, { count: 20 });
  await harness.emit(sold, { count: 20 });
  await until(() => expect(received).toHaveLength(20));
  expect(await harness.deliveries({ event_type: 'payment.received', status: 'pending' })).toHaveLength(240);
  await closeWithout(server, harness);
});

test('80 endpoints that never answer share the attempts in flight, and a healthy one gets its deliveries', async () => {
  let asked = 0;
  const { url: silent, server } = await receiverOn(0, () => {
    asked++;
  });
  const { url, received } = await receiver();
  const settings = { concurrency: 20, maxInFlight: 20, deadlineMs: 60_000 };
  const harness = startHarness({ settings });
  for (let index = 0; index < 80; index++) await harness.endpoint({ url: silent, events: ['payment.received'] });
  await harness.endpoint({ url, events: ['sale.completed'] });
  await harness.emit(paid, { count: 20 });
  await harness.emit(sold, { count: 20 });
  await until(() => expect(received).toHaveLength(20));
  // Attempts that began before their endpoint was known to be slow come on top of the shares.
  expect(asked).toBeLessThan(80 * 5);
  await closeWithout(server, harness);
});

/** The lanes of a store with one endpoint, on a queue that nobody works on. `seen` is the store as the lanes see it. */
async function openLanes({
  endpoint = {} as Partial<Row<'endpoints'>>,
  seen = (store: Store, _gate: MemoryGate) => store,
  isSlow = false,
} = {}) {
  const store = new MemoryStore();
  await store.append('endpoints', [endpointRow('ep_1', endpoint)]);
  const clock = new ManualClock(startMs);
  const log = pino({ level: 'silent' });
  const [queue, gate] = [new MemoryQueue(clock, log), new MemoryGate(clock, 60_000)];
  const slow = { has: () => isSlow };
  const lanes = new Lanes({ store: seen(store, gate), queue, gate, slow, clock, log, listener: nobodyListens, maxInFlight: 5 });
  onTestFinished(() => lanes.close());
  return { store, clock, queue, gate, lanes };
}

const parkedRow = (id: string, change: Partial<Row<'deliveries'>> = {}) =>
  deliveryRow(id, `evt_of_${id}`, 'ep_1', { next_attempt_at: startMs, parked: true, ...change });

test('a lane that is full is not read again for each delivery that is parked in it', async () => {
  let reads = 0;
  const counted = (store: Store) =>
    watched(store, ({ name, table }) => {
      if (name === 'list' && table === 'deliveries') reads++;
    });
  const { store, clock, gate, lanes } = await openLanes({ endpoint: { max_in_flight: 1 }, seen: counted, isSlow: true });
  const leave = leaver(gate);
  await store.append('deliveries', [parkedRow('dlv_1')]);
  await gate.enter([{ endpointId: 'ep_1', deliveryId: 'dlv_0', maxInFlight: 1, maxPerSecond: null }]);
  lanes.grown([{ endpoint_id: 'ep_1', order_key: null }]);
  await until(() => expect(reads).toBe(1));
  for (let parked = 0; parked < 100; parked++) {
    lanes.grown([{ endpoint_id: 'ep_1', order_key: null }]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(reads).toBe(1);
  await leave('dlv_0');
  await clock.advance(999);
  expect(reads).toBe(1);
  await clock.advance(1);
  await until(async () => expect(await store.list('deliveries')).toMatchObject([{ parked: false }]));
});

/** Notes the deliveries whose jobs are queued. `isAwaited`: another job always waits for the place of the one that runs. */
function notingQueue(isAwaited = false) {
  const queue = new MemoryQueue(new ManualClock(startMs), pino({ level: 'silent' }));
  const [add, work] = [queue.add.bind(queue), queue.work.bind(queue)];
  const queued = new Set<string>();
  queue.add = (added) => {
    for (const { deliveryId } of added) queued.add(deliveryId);
    return add(added);
  };
  queue.work = (handler, options) => work((job) => handler(job, () => isAwaited), options);
  return { queue, queued };
}

test.each([
  ['an attempt that ends goes on with them', 'nothing waits', false],
  ['it also does so if another job waits for the place', 'a job waits', false],
  ['but then those that are late get jobs when their turns come', 'a job waits, and they are late', true],
])('new deliveries join the lane of an endpoint that has one, without jobs; %s', async (_, given, haveJobs) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { url, received } = await receiver((response) => void opened.then(() => response.end()));
  const { queue, queued } = notingQueue(given !== 'nothing waits');
  const harness = startHarness({ queue });
  await harness.endpoint({ url, max_in_flight: 1 });
  await harness.emit(sold, { count: 3 });
  // One is in flight, one waits for it in the process, and the third is parked.
  await until(async () => expect(await harness.deliveries({ parked: true })).not.toEqual([]));
  const before = new Set((await harness.deliveries()).map(({ id }) => id));
  // The first five are stored with their events, and the others by the background fan-out.
  await harness.emit(sold, { count: 5 });
  await harness.emit(sold, { count: 25 });
  const parked = await until(async () => {
    const found = await harness.deliveries({ parked: true });
    const joined = found.filter(({ id }) => !before.has(id));
    expect(joined).toHaveLength(30);
    return joined;
  });
  expect(parked.filter(({ id }) => queued.has(id))).toEqual([]);
  if (haveJobs) await harness.clock.advance(4000);
  open();
  await settled(harness, 33, 'delivered');
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(33);
  expect(received).toHaveLength(33);
  expect(parked.every(({ id }) => queued.has(id))).toBe(haveJobs);
});

test('a process that starts during slow attempts of another does not repeat them', async () => {
  const { url, received, waiting, answerAll } = await patientReceiver();
  const { url: quick } = await receiver();
  const one = startHarness({ settings: { deadlineMs: 60_000 } });
  await one.endpoint({ url, events: ['sale.completed'] });
  await one.endpoint({ url: quick, events: ['payment.received'] });
  await one.emit(sold, { count: 10 });
  await until(() => expect(waiting).toHaveLength(10));
  await until(async () => expect((await one.queue.depth()).active).toBe(0));
  const other = startHarness({ store: one.store, keys: one.keys, clock: one.clock });
  await other.emit(paid);
  await until(async () => expect(await other.deliveries({ status: 'delivered' })).toHaveLength(1));
  expect(received).toHaveLength(10);
  answerAll();
  await until(async () => expect(await other.deliveries({ status: 'delivered' })).toHaveLength(11));
  expect((await one.attempts()).filter(({ outcome }) => outcome === 'success')).toHaveLength(11);
});

describe('an endpoint in trouble', () => {
  test('its circuit opens and its deliveries wait in the lane; a single attempt tests it, and then all are sent', async () => {
    let well = false;
    const { url, received } = await receiver((response) => response.writeHead(well ? 200 : 500).end());
    const harness = startHarness({ settings: { maxInFlight: 10 } });
    await harness.endpoint({ url });
    await harness.emit(undefined, { count: 10 });
    await until(async () => expect((await endpointNow(harness))?.held_because).toBe('failing'));
    await harness.emit(undefined, { count: 50 });
    await until(async () => expect((await harness.deliveries()).filter(({ parked }) => parked)).toHaveLength(60));
    expect(received).toHaveLength(10);
    // The first attempt after the hold fails, and the endpoint is held for longer.
    await harness.clock.advance(10_000);
    await until(async () => expect((await endpointNow(harness))?.holds).toBe(2));
    well = true;
    await until(async () => {
      await harness.clock.advance(10_000);
      expect((await harness.deliveries({ status: 'delivered' })).length).toBe(60);
    });
    expect(await notices(harness)).toEqual(['endpoint.held', 'endpoint.recovered']);
    expect(await endpointNow(harness)).toMatchObject({ held_until: null, holds: 0, failing_since: null });
  });

  test('when it is held again, the deliveries that have left the lane return to it and keep no room', async () => {
    const statuses = [200, 503];
    // Held for an hour: the clock moves while the deliveries return.
    const { url } = await receiver((response) => response.writeHead(statuses.shift() ?? 200, { 'retry-after': '3600' }).end());
    const harness = startHarness({ settings: { maxInFlight: 4, concurrency: 1 } });
    const { id } = await harness.endpoint({ url });
    await change(harness, id, { held_until: startMs + 1000, held_because: 'failing', holds: 1 });
    await harness.emit(undefined, { count: 10 });
    await until(async () => expect(await harness.deliveries({ parked: true })).toHaveLength(10));
    // The first attempt ends the hold. Four deliveries leave the lane, and the first of them gets a 503.
    await harness.clock.advance(1000);
    await until(async () => {
      await harness.clock.advance(100);
      expect((await endpointNow(harness))?.held_because).toBe('slowed_down');
      expect(await harness.deliveries({ parked: true })).toHaveLength(9);
      expect(await harness.queue.depth()).toMatchObject({ waiting: 0, active: 0 });
    });
    expect(await harness.webhooks.inFlight([id])).toEqual([0]);
  });

  test('after a 503 with Retry-After only an attempt that an operator asked for is sent early', async () => {
    let status = 503;
    const { url, received } = await receiver((response) => response.writeHead(status, { 'retry-after': '40' }).end());
    const harness = startHarness();
    await harness.endpoint({ url });
    await harness.emit();
    await until(async () => expect((await endpointNow(harness))?.held_because).toBe('slowed_down'));
    await harness.emit(undefined, { count: 5 });
    await until(async () => expect((await harness.deliveries()).filter(({ parked }) => parked)).toHaveLength(6));
    await harness.clock.advance(39_000);
    expect(received).toHaveLength(1);
    status = 200;
    const asked = (await harness.deliveries()).find(({ parked }) => parked);
    await harness.change((one) => resendDelivery(one, asked?.id ?? ''));
    await until(async () => {
      await harness.clock.advance(1000);
      expect((await harness.deliveries({ status: 'delivered' })).length).toBe(6);
    });
    expect(await notices(harness)).toEqual(['endpoint.held', 'endpoint.recovered']);
  });

  test('disabled by a 410, its parked deliveries are skipped with the reason', async () => {
    let status = 503;
    const { url } = await receiver((response) => response.writeHead(status).end());
    const harness = startHarness();
    await harness.endpoint({ url });
    await harness.emit();
    await until(async () => expect((await endpointNow(harness))?.held_because).toBe('slowed_down'));
    await harness.emit(undefined, { count: 600 });
    await until(async () => expect((await harness.deliveries()).filter(({ parked }) => parked)).toHaveLength(601));
    status = 410;
    await until(async () => {
      await harness.clock.advance(10_000);
      expect((await harness.deliveries()).filter(({ reason }) => reason === 'endpoint_disabled').length).toBeGreaterThan(598);
    });
    expect((await harness.deliveries()).filter(({ parked }) => parked)).toEqual([]);
    expect(await notices(harness)).toEqual(['endpoint.held', 'endpoint.disabled']);
  });

  test('an endpoint of the service operator gets the notices as webhooks; none are about itself', async () => {
    const { url } = await receiver((response) => response.writeHead(410).end());
    const operator = await receiver((response) => response.writeHead(503).end());
    const harness = startHarness();
    const { id } = await harness.endpoint({ url });
    await harness.endpoint({ service: 'operator', url: operator.url });
    await harness.emit();
    await until(() => expect(operator.received).toHaveLength(1));
    expect(JSON.parse(operator.received[0]?.body ?? '')).toMatchObject({
      event: 'endpoint.disabled',
      data: { endpoint_id: id, url, message: expect.stringMatching(/410 Gone/) },
    });
    await until(async () => expect(await notices(harness)).toEqual(['endpoint.disabled', 'endpoint.held']));
    expect(await harness.store.list('events')).toHaveLength(2);
  });
});

test('a test that waits for its next attempt holds up no event of an ordered endpoint', async () => {
  const { store, gate, lanes } = await openLanes({ endpoint: { ordered: true, order_by: 'endpoint' } });
  await store.append('deliveries', [parkedRow('dlv_1', { test: true }), parkedRow('dlv_2', { order_key: 'ep_1' })]);
  const isParked = async () => (await store.list('deliveries', { order: [['id', 'asc']] })).map((one) => one.parked);
  lanes.check(['ep_1']);
  await until(async () => expect(await isParked()).toEqual([false, true]));
  await store.update('deliveries', { id: 'dlv_1' }, { attempts: 1, next_attempt_at: startMs + 300_000 });
  await gate.release([{ endpointId: 'ep_1', deliveryId: 'dlv_1' }]);
  lanes.check(['ep_1']);
  await until(async () => expect(await isParked()).toEqual([false, false]));
});

test('a place taken for a delivery that somebody else releases first is given back', async () => {
  const leases: (number | null)[] = [];
  const raced = (rows: Store, gate: MemoryGate) =>
    watched(rows, ({ name, table }) => {
      if (name !== 'advance' || table !== 'deliveries') return;
      // The gate has admitted this process. Now the other one releases the delivery from the lane.
      void gate.inFlight(['ep_1']).then((counts) => leases.push(...counts));
      void rows.update('deliveries', { id: 'dlv_1' }, { parked: false });
    });
  const { store, queue, gate, lanes } = await openLanes({ seen: raced });
  await store.append('deliveries', [parkedRow('dlv_1')]);
  lanes.check(['ep_1']);
  await until(() => expect(leases).toEqual([1]));
  await until(async () => expect(await gate.inFlight(['ep_1'])).toEqual([0]));
  expect(await queue.depth()).toMatchObject({ waiting: 0, active: 0 });
});

test.each([
  { lane: 'for a moment', waitedMs: 2999, isSlow: false, first: true },
  { lane: 'for long', waitedMs: 3000, isSlow: false, first: false },
  { lane: 'for a moment, of a slow receiver,', waitedMs: 0, isSlow: true, first: false },
])('what waited in its lane $lane goes before the queue: $first', async ({ waitedMs, isSlow, first }) => {
  const { store, queue, lanes } = await openLanes({ isSlow });
  const jobs: NewJob[] = [];
  queue.add = async (added) => void jobs.push(...added);
  await store.append('deliveries', [parkedRow('dlv_1', { updated_at: startMs - waitedMs })]);
  lanes.check(['ep_1']);
  await until(() => expect(jobs).toMatchObject([{ deliveryId: 'dlv_1', first }]));
});

test('an attempt made while the store is away is recorded when the store is back', async () => {
  // Its writes are refused, as those of PostgreSQL during a restart.
  let [isAway, refused] = [false, 0];
  const store = watched(new MemoryStore(), ({ name, inTransaction }) => {
    if (!isAway || !(inTransaction || name === 'advance')) return;
    refused++;
    throw new StoreUnavailable('away');
  });
  const { url, received, waiting, answerAll } = await patientReceiver();
  const harness = startHarness({ store });
  await harness.endpoint({ url });
  await harness.emit();
  await until(() => expect(waiting).toHaveLength(1));
  isAway = true;
  answerAll();
  await until(() => expect(refused).toBeGreaterThan(0));
  isAway = false;
  await settled(harness, 1, 'delivered');
  expect(await harness.attempts()).toHaveLength(1);
  expect(received).toHaveLength(1);
});
