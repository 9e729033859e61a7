import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';
import { scaleProcess } from '../webhooks/tiers.ts';
import { startRedis } from './private-services.ts';
import { connected, installation, manage, onScale, openShop, register, saleReferences, start } from './services.ts';

onScale('a hung process', () => {
  test('holds the reconciler’s lease: another one takes it over, and deliveries that the queue lost arrive', async () => {
    const redis = await startRedis({ kept: false });
    // The first attempts are due in an hour, so the queue has them all until it is emptied.
    const shared = await installation({ REDIS_URL: redis.url, WEBHOOK_RETRY_SECONDS: '3600,1,1' });
    const hung = await start(shared);
    const client = await connected(shared);
    // The reconciler's round waits for this lock, so it is suspended in the middle of its work.
    await client.query('begin; lock table passerelle.deliveries in access exclusive mode');
    const isWaiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%"deliveries"%order by%next_attempt_at%'`;
    const watcher = await connected(shared);
    await eventually(async () => expect((await watcher.query(isWaiting)).rows).not.toEqual([]));
    hung.child.kill('SIGSTOP');
    await client.query('commit');

    const other = await start(shared);
    const target = await receiver();
    await register(other, target.url);
    const shop = await openShop(other);
    const sold = await Promise.all(Array.from({ length: 5 }, () => shop.sell(other)));
    const { queue } = await scaleProcess(shared);
    await eventually(async () => expect((await queue.held?.())?.ids).toHaveProperty('size', 5));
    const keys = new Redis(redis.url);
    onTestFinished(() => keys.disconnect());
    await keys.flushall();
    // Instead of waiting for an hour.
    await client.query('update passerelle.deliveries set next_attempt_at = 1');

    await eventually(() => expect(saleReferences(target.received)).toEqual(new Set(sold.map(({ body }) => body.data.reference))));
    hung.child.kill('SIGCONT');
    await eventually(async () => expect((await hung.call('GET', '/readyz')).status).toBe(200));
    // A delivery has arrived before its record.
    await eventually(async () =>
      expect((await manage(hung, 'GET', '/ledger')).body.data).toMatchObject({ unaccounted: 0, deliveries: { delivered: 5 } }),
    );
  });
});
