import { Queue as BullQueue } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import type { Row } from '../../gateway/store/tables/index.ts';
import { nextJob } from '../../gateway/webhooks/model/jobs.ts';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';
import { scaleProcess } from '../webhooks/tiers.ts';
import { startRedis } from './private-services.ts';
import {
  connected,
  installation,
  manage,
  onScale,
  openShop,
  register,
  saleReferences,
  shortDeadline,
  start,
} from './services.ts';

/** No round of the reconciler helps, except the one at the start. */
const noRounds = { RECONCILE_SECONDS: '3600' };

onScale('recovery without a round of the reconciler', () => {
  test('Redis loses its keys while it is connected: pending deliveries arrive, also those due later', async () => {
    const redis = await startRedis({ kept: false });
    // The retries are due in an hour: nothing but the repair can queue them again, however long this test takes to prepare.
    const shared = await installation({ ...noRounds, REDIS_URL: redis.url, WEBHOOK_RETRY_SECONDS: '0,3600,3600' });
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
    const { queue } = await scaleProcess(shared);
    const allQueued = () => eventually(async () => expect(await queue.held?.()).toHaveProperty('size', 5));
    await allQueued();
    await client.flushall();
    await allQueued();
    // Instead of waiting for an hour.
    const jobs = new BullQueue('deliveries', { connection: { url: redis.url }, prefix: shared.REDIS_PREFIX ?? '' });
    onTestFinished(() => jobs.close());
    await jobs.promoteJobs();
    await eventually(() => expect(target.received).toHaveLength(10));
    expect(saleReferences(target.received)).toEqual(new Set(sold.map(({ body }) => body.data.reference)));
    // It is noticed each time.
    await client.flushall();
    await eventually(async () => expect(await client.exists(`${shared.REDIS_PREFIX}:jobs-kept`)).toBe(1));
  });

  test('a worker is killed before its attempt: another one makes it', async () => {
    const shared = await installation({ ...noRounds, ...shortDeadline });
    const [api, doomed] = await Promise.all([start(shared, 'api'), start(shared, 'worker')]);
    const target = await receiver();
    await register(api, target.url);
    const shop = await openShop(api);
    doomed.child.kill('SIGSTOP');
    const sale = await shop.sell(api);
    const { queue, store } = await scaleProcess(shared);
    const [row] = await store.list('deliveries');
    const job = { ...nextJob(row as Row<'deliveries'>), delayMs: 0 };
    // The worker takes the job and waits for this lock.
    const client = await connected(shared);
    const watcher = await connected(shared);
    await client.query('begin; lock table passerelle.deliveries in access exclusive mode');
    doomed.child.kill('SIGCONT');
    const isWaiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ '"deliveries" where "id" (in|=)'`;
    await eventually(async () => {
      // The queue has this job, unless the worker has given up: it waits no longer than two seconds for a lock.
      await queue.add([job]);
      expect((await watcher.query(isWaiting)).rows).not.toEqual([]);
    });
    doomed.child.kill('SIGKILL');
    await doomed.exited;
    await client.query('rollback');
    await start(shared, 'worker');
    await eventually(() => expect(saleReferences(target.received)).toEqual(new Set([sale.body.data.reference])));
    const ledger = async () => (await manage(api, 'GET', '/ledger')).body.data;
    await eventually(async () => expect(await ledger()).toMatchObject({ unaccounted: 0, deliveries: { delivered: 1 } }));
  });
});
