import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { Store } from '../../gateway/store/port.ts';
import type { Started } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';
import { storeDeliveries } from '../webhooks/rows.ts';
import { scaleProcess } from '../webhooks/tiers.ts';
import { type Service, startRedis } from './private-services.ts';
import { clientOf } from './selling.ts';
import {
  type Environment,
  installation,
  jobsIn,
  manage,
  onScale,
  openShop,
  patient,
  register,
  sellMany,
  start,
  untilLedger,
} from './services.ts';

type Role = Parameters<typeof start>[1];

/** Starts these processes of one installation. `gateways` are those that serve calls. */
async function fleet(shared: Environment, roles: Role[]): Promise<{ gateways: Started[]; first: Started }> {
  const running = await Promise.all(roles.map((role) => start(shared, role)));
  const gateways = running.filter((_, index) => roles[index] !== 'worker');
  return { gateways, first: gateways[0] as Started };
}

/** Makes this many sales through all gateways. */
async function sellAll(gateways: Started[], count: number): Promise<void> {
  const shop = await openShop(gateways[0] as Started);
  const statuses = await sellMany(shop, gateways, count);
  expect(new Set(statuses)).toEqual(new Set([201]));
}

/** Waits until this many attempts are recorded. Returns when the last one started, in milliseconds, by the gateway's clock. */
async function lastStartOf(store: Pick<Store, 'list'>, count: number): Promise<number> {
  const attempts = () => store.list('attempts', { order: [['started_at', 'desc']] });
  await eventually(async () => expect(await attempts()).toHaveLength(count));
  return (await attempts())[0]?.started_at ?? 0;
}

/** A receiver that counts the requests that are open at once. It answers none until `answer` is called. */
async function countingReceiver({ answersAfterMs }: { answersAfterMs: number }) {
  let open = 0;
  let most = 0;
  const { promise: answering, resolve: answer } = Promise.withResolvers<void>();
  const { url, received } = await receiver((response) => {
    most = Math.max(most, ++open);
    response.once('close', () => {
      open -= 1;
    });
    void answering.then(() => setTimeout(() => response.end('ok'), answersAfterMs));
  });
  return { url, received, open: () => open, most: () => most, answer };
}

interface InFlight {
  during: string;
  roles: Role[];
  sales: number;
  answersAfterMs: number;
  disturb?(redis: Service, target: Awaited<ReturnType<typeof countingReceiver>>): Promise<void>;
}

onScale('limits of an endpoint over several processes', () => {
  test.each<{ roles: Role[] }>([
    { roles: ['all'] },
    { roles: ['api', 'worker'] },
    { roles: ['all', 'all'] },
    { roles: ['all', 'all', 'worker', 'worker'] },
  ])('$roles: together they keep the limit per second', async ({ roles }) => {
    const shared = await installation();
    const { gateways, first } = await fleet(shared, roles);
    const { store } = await scaleProcess(shared);
    const { url } = await receiver();
    const id = await register(first, url, { max_per_second: 4 });
    // Everything waits before the first attempt, so the limit alone decides the rate, not the speed of the sales.
    await store.update('endpoints', { id }, { held_until: Date.UTC(2100, 0, 1), held_because: 'failing' });
    await sellAll(gateways, 24);
    await eventually(async () => expect(await store.count('deliveries', { parked: true })).toBe(24));
    const { status, body } = await manage(first, 'PATCH', `/endpoints/${id}`, { active: true });
    expect(status).toBe(200);
    // Processes with a limit each would take half of this time. A busy machine takes longer.
    expect((await lastStartOf(store, 24)) - Date.parse(body.data.updated_at)).toBeGreaterThan((24 / 4 - 1) * 1000);
  });

  test('an idle endpoint gets no burst', async () => {
    const shared = await installation();
    const { gateways, first } = await fleet(shared, ['all', 'all']);
    const { store } = await scaleProcess(shared);
    const { url } = await receiver();
    await register(first, url, { max_per_second: 5 });
    await sellAll(gateways, 12);
    const [firstSale] = await store.list('events', { order: [['created_at', 'asc']], limit: 1 });
    // A burst of five would save a second.
    expect((await lastStartOf(store, 12)) - (firstSale?.created_at ?? 0)).toBeGreaterThan(2000);
  });

  test.each<InFlight>([
    { during: 'without a fault', roles: ['all', 'all', 'worker', 'worker'], sales: 60, answersAfterMs: 100 },
    {
      during: 'while Redis loses its data three times',
      roles: ['all', 'all', 'worker'],
      sales: 21,
      answersAfterMs: 1000,
      async disturb(redis, { received }) {
        for (const count of [3, 9, 15]) {
          await eventually(() => expect(received.length).toBeGreaterThanOrEqual(count));
          await clientOf(redis).flushall();
        }
      },
    },
    {
      during: 'while Redis hangs, twice',
      roles: ['all', 'all'],
      sales: 24,
      answersAfterMs: 1000,
      async disturb(redis, { received, open }) {
        for (const count of [3, 10]) {
          await eventually(() => expect(received.length).toBeGreaterThanOrEqual(count));
          redis.hang();
          // The gate is closed: the attempts end, and no others begin.
          await eventually(() => expect(open()).toBe(0));
          redis.resume();
        }
      },
    },
  ])('no more attempts are in flight than the maximum, $during', async ({ roles, sales, answersAfterMs, disturb }) => {
    const redis = await startRedis({ kept: false });
    const { gateways, first } = await fleet(await installation({ REDIS_URL: redis.url, ...patient }), roles);
    const target = await countingReceiver({ answersAfterMs });
    await register(first, target.url, { max_in_flight: 3 });
    await sellAll(gateways, sales);
    await eventually(() => expect(target.open()).toBe(3));
    target.answer();
    await disturb?.(redis, target);
    await untilLedger(first, { deliveries: { delivered: sales } });
    expect(target.most()).toBe(3);
  });

  test('a resend while an attempt runs waits for it: one attempt at a time, and each is recorded', async () => {
    const { gateways, first } = await fleet(await installation(patient), ['all', 'all']);
    const open: ServerResponse[] = [];
    let most = 0;
    const { url, received } = await receiver((response) => {
      open.push(response);
      most = Math.max(most, open.length);
    });
    const answer = () => open.shift()?.end('ok');
    await register(first, url, { max_in_flight: 1 });
    await sellAll(gateways, 1);
    await eventually(() => expect(open).toHaveLength(1));
    const [{ id }] = (await manage(first, 'GET', '/deliveries')).body.data;
    for (const gateway of gateways) expect((await manage(gateway, 'POST', `/deliveries/${id}/resend`)).status).toBe(202);
    // The resend's job was tried, and its delivery put off.
    await eventually(async () => expect(await jobsIn(first, 'delayed')).toBeGreaterThan(0));
    expect(most).toBe(1);
    answer();
    await eventually(() => expect(open).toHaveLength(1));
    answer();
    await eventually(async () =>
      expect((await manage(first, 'GET', `/deliveries/${id}`)).body.data).toMatchObject({ status: 'delivered', attempts: 2 }),
    );
    expect([received.length, most]).toEqual([2, 1]);
  });

  test('a recovery keeps its pace with four processes', async () => {
    const shared = await installation();
    const { first } = await fleet(shared, ['all', 'all', 'worker', 'worker']);
    const { url, received } = await receiver();
    const endpoint_id = await register(first, url);
    const { store } = await scaleProcess(shared);
    await storeDeliveries(store, 100, { endpoint_id, created_at: Date.now() - 1000 });
    const recovery = { endpoint_id, statuses: ['failed'], pace: 20 };
    expect((await manage(first, 'POST', '/recoveries', recovery)).status).toBe(201);
    await eventually(() => expect(received).toHaveLength(100));
    const queuedAt = (await store.list('recovery_items', { order: [['at', 'asc']] })).map(({ at }) => at);
    // Five rounds of 20, a second apart. Processes with a pace each would need a quarter of the time.
    expect((queuedAt.at(-1) ?? 0) - (queuedAt[0] ?? 0)).toBeGreaterThan(3000);
  });
});
