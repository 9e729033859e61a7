import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';
import { startRedis } from './private-services.ts';
import { installation, manage, onScale, openShop, register, saleReferences, shortDeadline, start } from './services.ts';

const metric = async (url: string, name: string) => {
  const page = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1]);
};

onScale('Redis is away', () => {
  test.each([
    ['killed, and back with its data', true],
    ['killed, and back empty', false],
  ])('Redis %s: calls still work, events wait in PostgreSQL, and deliveries arrive when it is back', async (_how, kept) => {
    const redis = await startRedis({ kept });
    const shared = await installation({ REDIS_URL: redis.url });
    const [api, worker] = await Promise.all([start(shared, 'api'), start(shared, 'worker')]);
    const target = await receiver();
    await register(api, target.url);
    // A plan with a limit, so that each call is counted.
    const shop = await openShop(api, 'pro');
    const sold: string[] = [];
    const sell = async (times: number) => {
      for (let sale = 0; sale < times; sale++) {
        const { status, body } = await shop.sell(api);
        expect(status).toBe(201);
        sold.push(body.data.reference);
      }
    };
    await sell(5);
    const ledger = async () => (await manage(api, 'GET', '/ledger')).body.data;
    // Recorded, so that no attempt is under way when Redis is killed.
    await eventually(async () => expect(await ledger()).toMatchObject({ deliveries: { delivered: 5, pending: 0 } }));
    expect(saleReferences(target.received)).toEqual(new Set(sold));
    const limitOfNext = async () =>
      (await api.call('GET', '/pos/api/v1/inventory?store_id=STORE-1', { token: shop.token })).headers.get('ratelimit-limit');
    await eventually(async () => expect(await limitOfNext()).toBe('1000'));
    const uncounted = () => metric(api.greeting.url, 'passerelle_limits_uncounted_total');
    const uncountedBefore = await uncounted();

    await redis.kill();
    const before = target.received.length;
    await sell(20);
    expect(await uncounted()).toBeGreaterThanOrEqual(uncountedBefore + 20);
    const apiReady = await fetch(`${api.greeting.url}/readyz`);
    expect([apiReady.status, await apiReady.json()]).toMatchObject([
      200,
      { status: 'ready', degraded: { queue: expect.any(String) } },
    ]);
    const workerReady = await fetch(`${worker.greeting.url}/readyz`);
    expect([workerReady.status, await workerReady.json()]).toMatchObject([503, { notReady: { queue: expect.any(String) } }]);
    await eventually(async () => expect(await ledger()).toMatchObject({ awaiting_fan_out: 0, deliveries: { pending: 20 } }));
    expect(target.received.length).toBe(before);

    await redis.start();
    await eventually(() => expect(saleReferences(target.received)).toEqual(new Set(sold)));
    await sell(3);
    await eventually(() => expect(saleReferences(target.received)).toEqual(new Set(sold)));
    await eventually(async () =>
      expect(await ledger()).toMatchObject({ unaccounted: 0, deliveries: { delivered: 28, pending: 0, failed: 0 } }),
    );
    await eventually(async () => expect((await fetch(`${worker.greeting.url}/readyz`)).status).toBe(200));
  });

  test('overdue deliveries are sent when Redis comes back empty, before the reconciler’s next round', async () => {
    const redis = await startRedis({ kept: false });
    const shared = await installation({ REDIS_URL: redis.url, RECONCILE_SECONDS: '3600' });
    const [api] = await Promise.all([start(shared, 'api'), start(shared, 'worker')]);
    const target = await receiver();
    await register(api, target.url);
    const shop = await openShop(api);
    await shop.sell(api);
    const ledger = async () => (await manage(api, 'GET', '/ledger')).body.data;
    // Recorded, so that no attempt is under way when Redis is killed.
    await eventually(async () => expect(await ledger()).toMatchObject({ deliveries: { delivered: 1 } }));
    await redis.kill();
    for (let sale = 0; sale < 20; sale++) expect((await shop.sell(api)).status).toBe(201);
    await eventually(async () => expect(await ledger()).toMatchObject({ awaiting_fan_out: 0 }));
    await redis.start();
    await eventually(async () => expect(await ledger()).toMatchObject({ deliveries: { delivered: 21 } }));
    expect(saleReferences(target.received).size).toBe(21);
    expect(target.received).toHaveLength(21);
  });

  test('Redis hangs: calls still work, and do not wait for it each time', async () => {
    const redis = await startRedis();
    const api = await start(await installation({ REDIS_URL: redis.url }), 'api');
    const shop = await openShop(api, 'pro');
    redis.hang();
    for (let sale = 0; sale < 50; sale++) expect((await shop.sell(api)).status).toBe(201);
    expect(await metric(api.greeting.url, 'passerelle_limits_uncounted_total')).toBeGreaterThanOrEqual(50);
    redis.resume();
    const counted = async () => (await shop.sell(api)).headers.get('ratelimit-limit');
    await eventually(async () => expect(await counted()).toBe('1000'));
  });

  test('with closed limits, limited calls are refused with 503 and the others served', async () => {
    const redis = await startRedis();
    const api = await start(await installation({ REDIS_URL: redis.url, LIMITS_WITHOUT_REDIS: 'closed' }), 'api');
    const [limited, unlimited] = [await openShop(api, 'pro'), await openShop(api, 'enterprise')];
    await redis.kill();
    const refused = await limited.sell(api);
    expect([refused.status, refused.body.error.code]).toEqual([503, 'limits_unavailable']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await unlimited.sell(api)).status).toBe(201);
    expect((await fetch(`${api.greeting.url}/readyz`)).status).toBe(503);
    await redis.start();
    await eventually(async () => expect((await limited.sell(api)).status).toBe(201));
  });

  test('SIGTERM while Redis is down stops every role gracefully', async () => {
    const redis = await startRedis();
    const shared = await installation({ REDIS_URL: redis.url, ...shortDeadline });
    const running = await Promise.all([start(shared, 'api'), start(shared, 'worker'), start(shared, 'all')]);
    await redis.kill();
    for (const { child } of running) child.kill('SIGTERM');
    expect(await Promise.all(running.map(({ exited }) => exited))).toEqual([0, 0, 0]);
  });
});
