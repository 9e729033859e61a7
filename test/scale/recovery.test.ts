import { Queue as BullQueue } from 'bullmq';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../gateway/base/clock.ts';
import { openLog } from '../../gateway/base/log.ts';
import { type Job, jobId } from '../../gateway/queue/port.ts';
import { queueName } from '../../gateway/queue/redis.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { nextJob } from '../../gateway/webhooks/model/jobs.ts';
import { Reconciler } from '../../gateway/webhooks/upkeep/reconcile.ts';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';
import { storeDeliveries } from '../webhooks/rows.ts';
import { scaleProcess } from '../webhooks/tiers.ts';
import { startRedis } from './private-services.ts';
import { clientOf } from './selling.ts';
import {
  connected,
  installation,
  lockWatcher,
  manage,
  onScale,
  openShop,
  register,
  saleReferences,
  shortDeadline,
  start,
  untilLedger,
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
    const client = clientOf(redis);
    const pending = async () => (await manage(api, 'GET', '/deliveries?status=pending')).body.data;
    await eventually(async () => expect(await pending()).toMatchObject(Array(5).fill({ attempts: 1 })));
    const { queue } = await scaleProcess(shared);
    const allQueued = () => eventually(async () => expect((await queue.held?.())?.ids).toHaveProperty('size', 5));
    await allQueued();
    await client.flushall();
    await allQueued();
    // Instead of waiting for an hour: they are due now.
    await (await connected(shared)).query('update passerelle.deliveries set next_attempt_at = next_attempt_at - 7200000');
    const jobs = new BullQueue(queueName, { connection: { url: redis.url }, prefix: shared.REDIS_PREFIX ?? '' });
    onTestFinished(() => jobs.close());
    for (const job of await jobs.getDelayed()) {
      await job.updateData(job.data.map((one: Job) => ({ ...one, dueAt: one.dueAt - 7_200_000 })));
      await job.promote();
    }
    await eventually(() => expect(target.received).toHaveLength(10));
    expect(saleReferences(target.received)).toEqual(new Set(sold.map(({ body }) => body.data.reference)));
    // It is noticed each time.
    await client.flushall();
    await eventually(async () => expect(await client.exists(`${shared.REDIS_PREFIX}:jobs-kept:${queueName}`)).toBe(1));
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
    const waitingFor = await lockWatcher(shared);
    await client.query('begin; lock table passerelle.deliveries in access exclusive mode');
    doomed.child.kill('SIGCONT');
    await eventually(async () => {
      // The queue has this job, unless the worker has given up: it waits no longer than two seconds for a lock.
      await queue.add([job]);
      expect(await waitingFor('"deliveries" where "id" (in|=)')).toBeGreaterThan(0);
    });
    doomed.child.kill('SIGKILL');
    await doomed.exited;
    await client.query('rollback');
    await start(shared, 'worker');
    await eventually(() => expect(saleReferences(target.received)).toEqual(new Set([sale.body.data.reference])));
    await untilLedger(api, { unaccounted: 0, deliveries: { delivered: 1 } });
  });
});

onScale('a round of the reconciler', () => {
  test('jobs that were lost behind 50,000 waiting ones are queued again before them, and once', async () => {
    const { queue, store } = await scaleProcess(await installation());
    const dueAt = Date.now() - 60_000;
    const lost = { endpoint_id: 'epA', created_at: dueAt, status: 'pending' as const, next_attempt_at: dueAt, attempts: 0 };
    const deliveries = await storeDeliveries(store, 3, lost);
    const later = { attempt: 1, dueAt: Date.now(), delayMs: 0 };
    await queue.add(Array.from({ length: 50_000 }, (_, number) => ({ ...later, deliveryId: `dlv${number}` })));
    const log = openLog('silent');
    const round = async () => {
      const swept = Promise.withResolvers<void>();
      const parts = { store, queue, clock: systemClock, log, everyMs: 3_600_000, graceMs: 10_000, wakeFanout() {} };
      const reconciler = new Reconciler({ ...parts, sweeps: [async () => swept.resolve()] });
      reconciler.start();
      await swept.promise;
      await reconciler.close();
    };
    const before = await queue.depth();
    await round();
    const { waiting } = await queue.depth();
    expect(waiting).toBeGreaterThan(before.waiting);
    const held = await queue.held?.();
    expect(deliveries.map((row) => held?.ids.has(jobId(nextJob(row))))).toEqual([true, true, true]);
    await round();
    expect(await queue.depth()).toMatchObject({ waiting });
    const ran: string[] = [];
    queue.work(async ({ deliveryId }) => void ran.push(deliveryId), { concurrency: 1 });
    await eventually(() => expect(ran).toEqual(expect.arrayContaining(deliveries.map(({ id }) => id))));
    expect(Math.max(...deliveries.map(({ id }) => ran.indexOf(id)))).toBeLessThan(100);
  });
});
