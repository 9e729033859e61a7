import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import type { Queue } from '../../gateway/queue/port.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Store } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import {
  createEndpoint,
  type EndpointInput,
  removeEndpoint,
  updateEndpoint,
} from '../../gateway/webhooks/endpoints/endpoints.ts';
import { nobodyListens } from '../../gateway/webhooks/model/listener.ts';
import { readLedger } from '../../gateway/webhooks/operator/ledger.ts';
import { changesOn } from '../../gateway/webhooks/outbox/change.ts';
import { type FanoutParts, fanOutBatch } from '../../gateway/webhooks/outbox/fanout.ts';
import { subscriptionsOf } from '../../gateway/webhooks/outbox/subscriptions.ts';
import { memoryAndPglite } from '../shared-pglite.ts';
import { endpoint as endpointRow, event as eventRow } from '../store/rows.ts';
import { closed, paid, rules, sold, startMs } from './harness.ts';
import { watched } from './watched-store.ts';

const keys = new Keyring(randomBytes(32));

/** The model that the fan-out is compared with: whether an event is for an endpoint, and meets its filter (all have this form). */
const matches = (endpoint: Row<'endpoints'>, event: Row<'events'>) => isFor(endpoint, event) && meets(endpoint, event);
const meets = ({ filter }: Row<'endpoints'>, { body }: Row<'events'>) =>
  filter === null || JSON.parse(body).data.number > JSON.parse(filter).data.number.$gt;

function isFor(endpoint: Row<'endpoints'>, event: Row<'events'>): boolean {
  if (endpoint.deleted_at !== null || endpoint.service !== event.service) return false;
  if (endpoint.events && !endpoint.events.includes(event.type)) return false;
  return !endpoint.perimeter || (event.subject !== null && endpoint.perimeter.includes(event.subject));
}

/** Others wait already in the lanes of these endpoints. */
const hasLane = (endpointId: string) => endpointId.endsWith('3');

interface World extends FanoutParts {
  queued: string[];
  parked: string[];
}

function worldOn(store: Store, batch: FanoutParts['batch'] = {}): World {
  const queued: string[] = [];
  const parked: string[] = [];
  const add: Queue['add'] = async (jobs) => void queued.push(...jobs.map(({ deliveryId }) => deliveryId));
  const rest = { clock: new ManualClock(startMs), log: pino({ level: 'silent' }), listener: nobodyListens, firstDelayMs: 0 };
  const grown = (rows: readonly Row<'deliveries'>[]) => void parked.push(...new Set(rows.map((row) => row.endpoint_id)));
  const lanes = { grown, mayHold: hasLane };
  return { store, queue: { add } as Queue, ...rest, batch, lanes, queued, parked };
}

async function fanOut(world: FanoutParts): Promise<void> {
  for (let batches = 0; await fanOutBatch(world); batches++) {
    expect(batches, 'the fan-out never ends').toBeLessThan(1000);
    expect((await readLedger(world.store)).unaccounted).toBe(0);
  }
}

async function expectExactly(store: Store): Promise<Row<'deliveries'>[]> {
  const [endpoints, events, deliveries] = await Promise.all([
    store.list('endpoints', { order: [['id', 'asc']] }),
    store.list('events', { order: [['id', 'asc']] }),
    store.list('deliveries'),
  ]);
  const wanted = events.flatMap((event) =>
    endpoints
      .filter((endpoint) => matches(endpoint, event))
      .map(({ id, active, ordered, held_until }) => {
        const parked = active && (ordered || held_until !== null || hasLane(id));
        return `${event.id} ${id} ${active ? 'pending' : 'skipped'}${parked ? ' parked' : ''}`;
      }),
  );
  const found = deliveries.map((one) => `${one.event_id} ${one.endpoint_id} ${one.status}${one.parked ? ' parked' : ''}`);
  expect(found.sort()).toEqual(wanted.sort());
  const alive = endpoints.filter(({ deleted_at }) => deleted_at === null);
  expect(await store.count('subscriptions')).toBe(alive.flatMap(subscriptionsOf).length);
  for (const event of events) {
    const matched = deliveries.filter(({ event_id }) => event_id === event.id).length;
    const filtered = endpoints.filter((endpoint) => isFor(endpoint, event) && !meets(endpoint, event)).length;
    expect(event).toMatchObject({ matched, filtered, fanned_out_at: startMs, fanout_after: null });
  }
  expect(await readLedger(store)).toMatchObject({ unaccounted: 0, awaiting_fan_out: 0 });
  return deliveries;
}

/** The store, and how many deliveries each of its transactions created. */
function countingDeliveries(store: Store): { counting: Store; made: number[] } {
  const made: number[] = [];
  const note: Parameters<typeof watched>[2] = ({ name, table }, rows) => {
    if (name === 'insert' && table === 'deliveries') made.push((rows as unknown[]).length);
  };
  return { counting: watched(store, () => {}, note), made };
}

/** Stores endpoints with their subscriptions directly, which is fast for thousands of them. */
async function addEndpoints(store: Store, made: Row<'endpoints'>[]): Promise<void> {
  await store.append('endpoints', made);
  await store.append('subscriptions', made.flatMap(subscriptionsOf));
}

const numbered = (count: number, change: (index: number) => Partial<Row<'endpoints'>> = () => ({})): Row<'endpoints'>[] =>
  Array.from({ length: count }, (_, index) => endpointRow(`ep_${String(index).padStart(6, '0')}`, change(index)));

const definitions = [sold, paid, closed];
const subjects = ['s1', 's2', 's3'];
const typesOf = (service: string) => definitions.filter((one) => one.service === service).map(({ type }) => type);
const someOf = (all: string[]) => fc.option(fc.subarray(all, { minLength: 1 }), { nil: null });
const filters = fc.option(
  fc.integer({ min: 0, max: 3 }).map((number) => ({ data: { number: { $gt: number } } })),
  { nil: null },
);
const wishes = (service: 'pos' | 'cohesion') =>
  fc.record({ events: someOf(typesOf(service)), perimeter: someOf(subjects), filter: filters });
const anyEndpoint = fc.constantFrom<'pos' | 'cohesion'>('pos', 'cohesion').chain((service) =>
  fc.record({
    service: fc.constant(service),
    first: wishes(service),
    later: fc.option(wishes(service), { nil: null }),
    active: fc.boolean(),
    ordered: fc.boolean(),
    held: fc.boolean(),
    removed: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
  }),
);
const anyEvent = fc.record({
  definition: fc.constantFrom(...definitions),
  subject: fc.option(fc.constantFrom(...subjects), { nil: null }),
  number: fc.integer({ min: 0, max: 4 }),
});
const anyCase = fc.record({
  endpoints: fc.array(anyEndpoint, { maxLength: 8 }),
  events: fc.array(anyEvent, { maxLength: 10 }),
  batch: fc.record({ events: fc.integer({ min: 1, max: 5 }), deliveries: fc.integer({ min: 1, max: 8 }) }),
});
type Case = typeof anyCase extends fc.Arbitrary<infer C> ? C : never;

async function make(store: Store, { endpoints, events }: Pick<Case, 'endpoints' | 'events'>): Promise<void> {
  const change = changesOn({ store, clock: new ManualClock(startMs), afterCommit: () => {} });
  await change(async (one) => {
    for (const { service, first, later, active, ordered, held, removed } of endpoints) {
      const input: EndpointInput = { service, url: 'https://example.com/', description: '', active, ...first };
      const { id } = (await createEndpoint(one, input, { ...rules, keys })).endpoint;
      if (later) await updateEndpoint(one, { id, ...later }, rules);
      await one.tx.update('endpoints', { id }, { ordered, held_until: held ? startMs : null });
      if (removed) await removeEndpoint(one, id);
    }
    for (const { definition, subject, number } of events) one.emit(definition, { subject, data: { number } });
  });
}

describe.each(memoryAndPglite())('the fan-out on %s', (tier, emptyStore) => {
  test('creates each wanted delivery exactly once, whatever the size of its batches', async () => {
    const property = fc.asyncProperty(anyCase, async (one) => {
      const store = await emptyStore();
      await make(store, one);
      const { counting, made } = countingDeliveries(store);
      const world = worldOn(counting, one.batch);
      await fanOut(world);
      expect(Math.max(0, ...made)).toBeLessThanOrEqual(one.batch.deliveries);
      const deliveries = await expectExactly(store);
      const pending = deliveries.filter(({ status }) => status === 'pending');
      expect(world.queued.toSorted()).toEqual(
        pending
          .filter(({ parked }) => !parked)
          .map(({ id }) => id)
          .sort(),
      );
      expect(new Set(world.parked)).toEqual(
        new Set(pending.filter(({ parked }) => parked).map(({ endpoint_id }) => endpoint_id)),
      );
    });
    await fc.assert(property, { seed: 20261121, numRuns: tier === 'memory' ? 60 : 15 });
  });

  test('if it is killed at any statement, the next run creates only the missing deliveries', async () => {
    // PGlite is slower, so it tries one statement in three. The store's own tests compare its transactions with memory's.
    for (let killedAt = 1, killed = true; killed; killedAt += tier === 'memory' ? 1 : 3) {
      const store = await emptyStore();
      await addEndpoints(
        store,
        numbered(5, (index) => ({ ordered: index === 2, active: index !== 3 })),
      );
      await store.append('events', [eventRow('evt_1'), eventRow('evt_2', { type: 'payment.received' }), eventRow('evt_3')]);
      let statement = 0;
      const dying = watched(store, () => {
        if (++statement === killedAt) throw new Error('killed');
      });
      killed = await fanOut(worldOn(dying, { deliveries: 2 })).then(
        () => false,
        () => true,
      );
      const before = await store.list('deliveries');
      expect(await readLedger(store)).toMatchObject({ unaccounted: 0, awaiting_fan_out: killed ? expect.any(Number) : 0 });
      const after = worldOn(store, { deliveries: 2 });
      await fanOut(after);
      expect(await expectExactly(store)).toEqual(expect.arrayContaining(before));
      for (const { id } of before) expect(after.queued).not.toContain(id);
    }
  });

  test('if the queue rejects the jobs after a commit, no delivery is created twice', async () => {
    const store = await emptyStore();
    await addEndpoints(store, numbered(5));
    await store.append('events', [eventRow('evt_1'), eventRow('evt_2')]);
    const world = worldOn(store, { deliveries: 3 });
    const queue = { ...world.queue, add: () => Promise.reject(new Error('the queue is away')) };
    for (let batch = 0; batch < 4; batch++) await expect(fanOutBatch({ ...world, queue })).rejects.toThrow('away');
    await fanOut(world);
    await expectExactly(store);
  });

  test('creates at most 2,000 deliveries in one transaction', async () => {
    const store = await emptyStore();
    await addEndpoints(
      store,
      numbered(4500, (index) => (index % 2 ? {} : { events: ['sale.completed'], perimeter: ['s1'] })),
    );
    await store.append('events', [
      eventRow('evt_1', { subject: 's1' }),
      eventRow('evt_2', { subject: 's2' }),
      eventRow('evt_3', { service: 'cohesion' }),
    ]);
    const { counting, made } = countingDeliveries(store);
    const world = worldOn(counting);
    await fanOutBatch(world);
    // An endpoint that is added during the fan-out, after the point that it has reached.
    await addEndpoints(store, [endpointRow('ep_999999')]);
    await fanOut(world);
    await expectExactly(store);
    expect(made).toEqual([2000, 2000, 501, 2000, 251, 0]);
  });

  test('reads the endpoints that its events can match, however many there are', async () => {
    const store = await emptyStore();
    await addEndpoints(
      store,
      numbered(3000, (index) => ({ perimeter: [`s${index}`, 'everywhere'].slice(0, index === 7 ? 2 : 1) })),
    );
    await store.append('events', [eventRow('evt_1', { subject: 's7' }), eventRow('evt_2', { subject: 'everywhere' })]);
    let read = 0;
    let statements = 0;
    const count = watched(
      store,
      () => statements++,
      (_, rows) => (read += Array.isArray(rows) ? rows.length : 0),
    );
    await fanOutBatch(worldOn(count));
    await expectExactly(store);
    // Reads two events, two subscriptions, an endpoint and the ids of two deliveries. Two more statements only write.
    expect({ read, statements }).toEqual({ read: 7, statements: 6 });
  });

  test('deliveries that exist already count once, also if an operator restarts a fan-out', async () => {
    const store = await emptyStore();
    await addEndpoints(store, numbered(3));
    await store.append('events', [eventRow('evt_1'), eventRow('evt_2'), eventRow('evt_3')]);
    await fanOut(worldOn(store));
    const [kept, lost] = await store.list('deliveries', { where: { event_id: 'evt_2' } });
    await store.remove('deliveries', { id: lost?.id ?? '' });
    await store.remove('deliveries', { event_id: 'evt_3' });
    expect((await readLedger(store)).unaccounted).toBe(4);
    await store.update('events', { id: 'evt_1' }, { fanned_out_at: null, matched: null });
    await store.update('events', { id: { in: ['evt_2', 'evt_3'] } }, { fanned_out_at: null });
    const world = worldOn(store, { deliveries: 4 });
    while (await fanOutBatch(world));
    expect(await expectExactly(store)).toContainEqual(kept);
  });

  test('two at the same time share the work, and create every delivery once', async () => {
    const store = await emptyStore();
    await addEndpoints(store, numbered(7));
    await store.append(
      'events',
      Array.from({ length: 40 }, (_, index) => eventRow(`evt_${index + 10}`)),
    );
    const worlds = [worldOn(store, { deliveries: 5 }), worldOn(store, { deliveries: 9 })];
    await Promise.all(worlds.map(fanOut));
    const deliveries = await expectExactly(store);
    const queued = worlds.flatMap((world) => world.queued);
    expect(queued.sort()).toEqual(
      deliveries
        .filter(({ parked }) => !parked)
        .map(({ id }) => id)
        .sort(),
    );
  });
});

test('an endpoint with too many subscriptions is rejected, and the error says what to do', async () => {
  const types = Array.from({ length: 101 }, (_, index) => ({ ...sold, type: `type${index}` }));
  const wide = { ...rules, catalogue: types };
  const store = new MemoryStore();
  const change = changesOn({ store, clock: new ManualClock(startMs), afterCommit: () => {} });
  const input = { service: 'pos' as const, url: 'https://example.com/', description: '', active: true };
  const events = types.map(({ type }) => type);
  const perimeter = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);
  const created = (one: object) =>
    change((tx) => createEndpoint(tx, { ...input, events: null, perimeter: null, ...one }, { ...wide, keys }));
  await expect(created({ events, perimeter: perimeter(100) })).rejects.toThrow(
    '10100 subscriptions, but an endpoint can have at most 10000',
  );
  expect(await store.count('endpoints')).toBe(0);
  const { endpoint } = await created({ events, perimeter: perimeter(99) });
  expect(await store.count('subscriptions')).toBe(9999);
  const wider = change((tx) => updateEndpoint(tx, { id: endpoint.id, perimeter: perimeter(100) }, wide));
  await expect(wider).rejects.toThrow('create several endpoints');
  await change((tx) => updateEndpoint(tx, { id: endpoint.id, events: null, perimeter: perimeter(100) }, wide));
  expect(await store.count('subscriptions')).toBe(100);
  await expect(created({ perimeter: ['s1', '*'] })).rejects.toThrow('send null as the perimeter');
});
