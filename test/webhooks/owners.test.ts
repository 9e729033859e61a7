import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateUser } from '../../gateway/api/cohesion/back-office/users.ts';
import { updateAccount } from '../../gateway/api/pos/back-office/accounts.ts';
import { ManualClock } from '../../gateway/base/clock.ts';
import { Refusal } from '../../gateway/base/errors.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import type { Queue } from '../../gateway/queue/port.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Store } from '../../gateway/store/port.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import type { UserRole } from '../../gateway/store/tables/cohesion.ts';
import type { Row, TableName } from '../../gateway/store/tables/index.ts';
import type { Owner } from '../../gateway/store/tables/webhooks.ts';
import { createEndpoint, removeEndpoint, updateEndpoint, verifyEndpoint } from '../../gateway/webhooks/endpoints/endpoints.ts';
import { nobodyListens } from '../../gateway/webhooks/model/listener.ts';
import { readLedger } from '../../gateway/webhooks/operator/ledger.ts';
import { type Change, changesOn } from '../../gateway/webhooks/outbox/change.ts';
import { fanOutBatch } from '../../gateway/webhooks/outbox/fanout.ts';
import { subscriptionsOf } from '../../gateway/webhooks/outbox/subscriptions.ts';
import { openEmptyPglite } from '../pglite.ts';
import { closed, paid, rules, sold, startMs } from './harness.ts';

const keys = new Keyring(randomBytes(32));
const url = 'https://example.com/';

/** More subjects than an owned endpoint has subscriptions, beside the usual three. */
const fillers = 2001;
const storeIds = ['s1', 's2', 's3'];
const structureIds = [1, 2, 3];
const wide = { stores: [] as string[], structures: [] as number[] };
for (let number = 0; number < fillers; number++) {
  wide.stores.push(`filler-${number}`);
  wide.structures.push(1000 + number);
}

const owners = ['operator', 'account:a', 'account:b', 'user:1', 'user:2'] as const;
type Name = (typeof owners)[number];

/** The model: what each owner may see, and the endpoints with their wishes. */
interface ModelOwner {
  subjects: Set<string> | null;
  unscoped: boolean;
  active: boolean;
}
interface ModelEndpoint {
  id: string;
  owner: Name;
  service: 'pos' | 'cohesion';
  events: string[] | null;
  perimeter: string[] | null;
  verified: boolean;
  /** Verified at its present URL or an earlier one. */
  wasVerified: boolean;
  pausedBy: 'operator' | 'owner' | null;
  removed: boolean;
}

interface World {
  store: Store;
  owners: Map<Name, ModelOwner>;
  endpoints: ModelEndpoint[];
  /** `event endpoint status reason` of every delivery that there should be. */
  expected: string[];
  change<R>(work: (change: Change) => Promise<R>): Promise<R>;
  fanOut(): Promise<void>;
}

const stateIn = ({ owners }: World, name: Name) => owners.get(name) as ModelOwner;
const mayEnable = (world: World, { owner }: ModelEndpoint) => stateIn(world, owner).active;
const sees = ({ subjects, unscoped }: ModelOwner, subject: string | null) =>
  subject === null ? unscoped : subjects === null || subjects.has(subject);

type Step = (world: World) => Promise<void>;

/** Runs a change that the model refuses or allows. */
async function attempt(world: World, isAllowed: boolean, work: (change: Change) => Promise<unknown>): Promise<void> {
  const done = world.change(work);
  if (isAllowed) await done;
  else await expect(done).rejects.toThrow(Refusal);
}

const typesOf = { pos: [sold.type, paid.type], cohesion: [closed.type] };
const subjectsOf = { pos: storeIds, cohesion: structureIds.map(String) };
const serviceOf = (owner: Name, either: 'pos' | 'cohesion') =>
  owner === 'operator' ? either : owner.startsWith('account') ? 'pos' : 'cohesion';
const someOf = <V>(all: readonly V[]) => fc.option(fc.subarray([...all], { minLength: 1 }), { nil: null, freq: 1 });
const wishes = (service: 'pos' | 'cohesion') =>
  fc.record({ events: someOf(typesOf[service]), perimeter: someOf(subjectsOf[service]) });

const creation = fc
  .tuple(fc.constantFrom(...owners), fc.constantFrom('pos' as const, 'cohesion' as const))
  .chain(([owner, either]) =>
    fc.record({
      owner: fc.constant(owner),
      service: fc.constant(serviceOf(owner, either)),
      wish: wishes(serviceOf(owner, either)),
      byOperator: fc.boolean(),
      active: fc.boolean(),
    }),
  )
  .map(
    ({ owner, service, wish, byOperator, active }): Step =>
      async (world) => {
        const within = wish.perimeter === null || wish.perimeter.every((one) => sees(stateIn(world, owner), one));
        await attempt(world, within, async (change) => {
          const input = { service, owner: owner as Owner, url, description: '', active, ...wish };
          const { endpoint } = await createEndpoint(change, input, { ...rules, keys, byOperator });
          const verified = owner === 'operator' || byOperator;
          const pausedBy = verified && !active ? 'operator' : null;
          world.endpoints.push({
            id: endpoint.id,
            owner,
            service,
            ...wish,
            verified,
            wasVerified: verified,
            pausedBy,
            removed: false,
          });
        });
      },
  );

/** A step on an endpoint, if there is one. */
const onEndpoint = (act: (world: World, endpoint: ModelEndpoint, byOperator: boolean) => Promise<void>) =>
  fc.tuple(fc.nat(), fc.boolean()).map(
    ([pick, byOperator]): Step =>
      async (world) => {
        const alive = world.endpoints.filter(({ removed }) => !removed);
        const endpoint = alive[pick % alive.length];
        if (endpoint) await act(world, endpoint, byOperator || endpoint.owner === 'operator');
      },
  );

const pause = onEndpoint(async (world, endpoint, byOperator) => {
  await world.change((change) => updateEndpoint(change, { id: endpoint.id, active: false }, { ...rules, byOperator }));
  if (endpoint.verified) endpoint.pausedBy ??= byOperator ? 'operator' : 'owner';
});
const resume = onEndpoint(async (world, endpoint, byOperator) => {
  const isAllowed = mayEnable(world, endpoint) && (byOperator || (endpoint.verified && endpoint.pausedBy !== 'operator'));
  const input = { id: endpoint.id, active: true };
  await attempt(world, isAllowed, (change) => updateEndpoint(change, input, { ...rules, byOperator }));
  if (isAllowed) Object.assign(endpoint, { verified: true, wasVerified: true, pausedBy: null });
});
const move = onEndpoint(async (world, endpoint, byOperator) => {
  const isAllowed = byOperator || endpoint.pausedBy !== 'operator';
  const input = { id: endpoint.id, url: `${url}${Math.random()}` };
  await attempt(world, isAllowed, (change) => updateEndpoint(change, input, { ...rules, byOperator }));
  if (isAllowed && endpoint.owner !== 'operator') Object.assign(endpoint, { verified: false, pausedBy: null });
});
const verify = onEndpoint(async (world, endpoint) => {
  const isAllowed = endpoint.verified || mayEnable(world, endpoint);
  await attempt(world, isAllowed, (change) => verifyEndpoint(change, endpoint.id));
  if (isAllowed) Object.assign(endpoint, { verified: true, wasVerified: true });
});
const remove = onEndpoint(async (world, endpoint) => {
  await world.change((change) => removeEndpoint(change, endpoint.id));
  endpoint.removed = true;
});
const refilter = fc.record({ pos: wishes('pos'), cohesion: wishes('cohesion'), at: fc.nat() }).map(
  ({ at, ...wish }): Step =>
    async (world) => {
      const alive = world.endpoints.filter(({ removed }) => !removed);
      const endpoint = alive[at % alive.length];
      if (!endpoint) return;
      const { perimeter, events } = wish[endpoint.service];
      const within = perimeter === null || perimeter.every((one) => sees(stateIn(world, endpoint.owner), one));
      await attempt(world, within, (change) => updateEndpoint(change, { id: endpoint.id, perimeter, events }, rules));
      if (within) Object.assign(endpoint, { perimeter, events });
    },
);

const perimeterOf = <V>(all: readonly V[], fill: readonly V[]) =>
  fc.oneof(
    fc.constant(null),
    fc.subarray([...all]),
    fc.subarray([...all]).map((some) => [...some, ...fill]),
  );
const accountChange = fc
  .record({
    id: fc.constantFrom('a' as const, 'b' as const),
    store_ids: perimeterOf(storeIds, wide.stores),
    active: fc.boolean(),
  })
  .map(
    ({ id, store_ids, active }): Step =>
      async (world) => {
        await world.change((change) => updateAccount(change, id, { store_ids, active }));
        world.owners.set(`account:${id}`, { subjects: store_ids && new Set(store_ids), unscoped: false, active });
      },
  );
const roles: UserRole[] = ['admin', 'gestionnaire', 'lecteur'];
const userChange = fc
  .record({
    id: fc.constantFrom(1 as const, 2 as const),
    structure_ids: perimeterOf(structureIds, wide.structures),
    role: fc.constantFrom(...roles),
    active: fc.boolean(),
  })
  .map(
    ({ id, structure_ids, role, active }): Step =>
      async (world) => {
        await world.change((change) => updateUser(change, { id, structure_ids, role, active }));
        const subjects = structure_ids && new Set(structure_ids.map(String));
        world.owners.set(`user:${id}`, { subjects, unscoped: role !== 'lecteur', active });
      },
  );

const emission = fc
  .record({ definition: fc.constantFrom(sold, paid, closed, closed), pick: fc.nat(3), filler: fc.boolean() })
  .map(
    ({ definition, pick, filler }): Step =>
      async (world) => {
        const service = definition.service as 'pos' | 'cohesion';
        const known = [...subjectsOf[service], filler ? String(wide[service === 'pos' ? 'stores' : 'structures'][7]) : null];
        const subject = known[pick] ?? null;
        const before = new Set((await world.store.list('events')).map(({ id }) => id));
        await world.change(async (one) => one.emit(definition, { subject, data: { number: 1 } }));
        await world.fanOut();
        const event = (await world.store.list('events')).find(({ id }) => !before.has(id)) as Row<'events'>;
        for (const endpoint of world.endpoints) {
          const owner = stateIn(world, endpoint.owner);
          if (endpoint.removed || !endpoint.wasVerified || endpoint.service !== service || !sees(owner, subject)) continue;
          if (endpoint.events && !endpoint.events.includes(definition.type)) continue;
          if (endpoint.perimeter && (subject === null || !endpoint.perimeter.includes(subject))) continue;
          const whyOff = endpoint.pausedBy ? 'endpoint_disabled' : owner.active ? null : 'owner_inactive';
          const reason = endpoint.verified ? whyOff : 'endpoint_unverified';
          world.expected.push(`${event.id} ${endpoint.id} ${reason === null ? 'pending' : 'skipped'} ${reason}`);
        }
      },
  );

const anyStory = fc.record({
  /** Whether the change itself creates the deliveries, or the background fan-out in batches of this size. */
  inline: fc.boolean(),
  batch: fc.integer({ min: 1, max: 4 }),
  steps: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: creation },
      { weight: 6, arbitrary: emission },
      { weight: 3, arbitrary: fc.oneof(accountChange, userChange) },
      { weight: 4, arbitrary: fc.oneof(pause, resume, move, verify, verify, remove, refilter) },
    ),
    { minLength: 8, maxLength: 25, size: 'max' },
  ),
});

const touched: TableName[] = ['endpoints', 'subscriptions', 'events', 'deliveries', 'accounts', 'users'];

async function begin(store: Store, { inline, batch }: { inline: boolean; batch: number }): Promise<World> {
  for (const table of touched) await store.remove(table, {});
  const account = { name: 'A', plan: 'free' as const, store_ids: null, active: true, created_at: 1 };
  await store.append('accounts', [
    { id: 'a', ...account },
    { id: 'b', ...account },
  ]);
  const user = { name: 'U', role: 'admin' as const, structure_ids: null, active: true, created_at: 1 };
  await store.insert('users', [
    { id: 1, email: 'a@example.com', ...user },
    { id: 2, email: 'b@example.com', ...user, role: 'lecteur' },
  ]);
  const clock = new ManualClock(startMs);
  const all: ModelOwner = { subjects: null, unscoped: true, active: true };
  const run = changesOn({ store, clock, afterCommit: () => {}, ...(inline ? { firstDelayMs: 0 } : {}) });
  const queue = { add: async () => {} } as unknown as Queue;
  const log = pino({ level: 'silent' });
  const parts = { store, clock, queue, log, listener: nobodyListens, firstDelayMs: 0, batch: { deliveries: batch, events: 2 } };
  return {
    store,
    owners: new Map(owners.map((name) => [name, { ...all, unscoped: name === 'operator' || name === 'user:1' }])),
    endpoints: [],
    expected: [],
    change: run,
    async fanOut() {
      while (await fanOutBatch(parts));
    },
  };
}

describe.each(['memory', 'pglite'])('owners on %s', (tier) => {
  let store: Store;
  beforeAll(async () => {
    store = tier === 'memory' ? new MemoryStore() : await openSqlStore(await openEmptyPglite());
    const shop = { name: 'S', city: 'Abidjan', currency: 'XOF', created_at: 1, synchronized_at: null };
    await store.append(
      'stores',
      [...storeIds, ...wide.stores].map((id) => ({ id, ...shop })),
    );
    const place = { nom: 'S', sigle: null, type: 'bailleur' as never, region: 'R', active: true, created_at: 1 };
    await store.append(
      'structures',
      [...structureIds, ...wide.structures].map((id) => ({ id, ...place, search: 's', region_search: 'r' })),
    );
  });
  afterAll(() => store.close());

  test('an endpoint gets exactly the events that its owner may see and that it asks for, whatever changes before', async () => {
    const property = fc.asyncProperty(anyStory, async (story) => {
      const world = await begin(store, story);
      for (const step of story.steps) await step(world);
      const deliveries = await store.list('deliveries');
      // A removed endpoint's pending deliveries were skipped.
      const removed = new Set(world.endpoints.filter((one) => one.removed).map(({ id }) => id));
      const expected = world.expected.map((one) =>
        removed.has(one.split(' ')[1] ?? '') ? one.replace('pending null', 'skipped endpoint_deleted') : one,
      );
      expect(deliveries.map((one) => `${one.event_id} ${one.endpoint_id} ${one.status} ${one.reason}`).sort()).toEqual(
        expected.sort(),
      );
      const alive = await store.list('endpoints', { where: { deleted_at: null } });
      const subscriptions = await store.list('subscriptions');
      const textOf = (row: Row<'subscriptions'>) => `${row.endpoint_id} ${row.event_type} ${row.subject}`;
      expect(subscriptions.map(textOf).sort()).toEqual(alive.flatMap((one) => subscriptionsOf(one).map(textOf)).sort());
      expect(await readLedger(store)).toMatchObject({ unaccounted: 0, awaiting_fan_out: 0 });
    });
    await fc.assert(property, { seed: 20261123, numRuns: tier === 'memory' ? 80 : 8 });
  });
});
