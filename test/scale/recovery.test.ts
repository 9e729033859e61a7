import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';
import { startRedis } from './private-services.ts';
import { connected, installation, manage, onScale, openShop, register, saleReferences, start } from './services.ts';

/** No round of the reconciler helps, except the one at the start. */
const noRounds = { RECONCILE_SECONDS: '3600' };

onScale('recovery without a round of the reconciler', () => {
  test('Redis loses its keys while it is connected: pending deliveries arrive, also those due later', async () => {
    const redis = await startRedis({ kept: false });
    const shared = await installation({ ...noRounds, REDIS_URL: redis.url, WEBHOOK_RETRY_SECONDS: '0,10,10' });
    const [api] = await Promise.all([start(shared, 'api'), start(shared, 'worker')]);
    let answers = 0;
    const target = await receiver((response) => response.writeHead(answers++ < 5 ? 500 : 200).end());
    await register(api, target.url);
    const shop = await openShop(api);
    const sold = await Promise.all(Array.from({ length: 5 }, () => shop.sell(api)));
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    const pending = async () => (await manage(api, 'GET', '/deliveries?status=pending')).body.data;
    await eventually(async () => expect(await pending()).toMatchObject(Array(5).fill({ attempts: 1 })));
    // One job may carry several of the retries.
    await eventually(async () => expect(await client.zcard(`${shared.REDIS_PREFIX}:deliveries:delayed`)).toBeGreaterThan(0));
    await client.flushall();
    await eventually(() => expect(target.received).toHaveLength(10));
    expect(saleReferences(target.received)).toEqual(new Set(sold.map(({ body }) => body.data.reference)));
    // It is noticed each time.
    await client.flushall();
    await eventually(async () => expect(await client.exists(`${shared.REDIS_PREFIX}:jobs-kept`)).toBe(1));
  });

  test('a worker is killed before its attempt: another one makes it', async () => {
    const shared = await installation(noRounds);
    const [api, doomed] = await Promise.all([start(shared, 'api'), start(shared, 'worker')]);
    const target = await receiver();
    await register(api, target.url);
    const shop = await openShop(api);
    doomed.child.kill('SIGSTOP');
    const sale = await shop.sell(api);
    // The worker takes the job and waits for this lock.
    const client = await connected(shared);
    const watcher = await connected(shared);
    await client.query('begin; lock table passerelle.deliveries in access exclusive mode');
    doomed.child.kill('SIGCONT');
    const isWaiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ '"deliveries" where "id" (in|=)'`;
    await eventually(async () => expect((await watcher.query(isWaiting)).rows).not.toEqual([]));
    doomed.child.kill('SIGKILL');
    await doomed.exited;
    await client.query('rollback');
    await start(shared, 'worker');
    await eventually(() => expect(saleReferences(target.received)).toEqual(new Set([sale.body.data.reference])));
    const ledger = async () => (await manage(api, 'GET', '/ledger')).body.data;
    await eventually(async () => expect(await ledger()).toMatchObject({ unaccounted: 0, deliveries: { delivered: 1 } }));
  });
});
