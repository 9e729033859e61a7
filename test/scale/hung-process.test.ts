import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';
import { scaleProcess } from '../webhooks/tiers.ts';
import { startRedis } from './private-services.ts';
import { clientOf } from './selling.ts';
import {
  connected,
  installation,
  lockWatcher,
  onScale,
  openShop,
  register,
  saleReferences,
  start,
  untilLedger,
} from './services.ts';

onScale('a hung process', () => {
  test('holds the reconciler’s lease: another one takes it over, and deliveries that the queue lost arrive', async () => {
    const redis = await startRedis({ kept: false });
    // The first attempts are due in an hour, so the queue has them all until it is emptied.
    const shared = await installation({ REDIS_URL: redis.url, WEBHOOK_RETRY_SECONDS: '3600,1,1' });
    const hung = await start(shared);
    const client = await connected(shared);
    // The reconciler's round waits for this lock, so it is suspended in the middle of its work.
    await client.query('begin; lock table passerelle.deliveries in access exclusive mode');
    const waitingFor = await lockWatcher(shared);
    await eventually(async () => expect(await waitingFor('"deliveries".*order by.*next_attempt_at')).toBeGreaterThan(0));
    hung.child.kill('SIGSTOP');
    await client.query('commit');

    const other = await start(shared);
    const target = await receiver();
    await register(other, target.url);
    const shop = await openShop(other);
    const sold = await Promise.all(Array.from({ length: 5 }, () => shop.sell(other)));
    const { queue } = await scaleProcess(shared);
    await eventually(async () => expect((await queue.held?.())?.ids).toHaveProperty('size', 5));
    await clientOf(redis).flushall();
    // Instead of waiting for an hour.
    await client.query('update passerelle.deliveries set next_attempt_at = 1');

    await eventually(() => expect(saleReferences(target.received)).toEqual(new Set(sold.map(({ body }) => body.data.reference))));
    hung.child.kill('SIGCONT');
    await eventually(async () => expect((await hung.call('GET', '/readyz')).status).toBe(200));
    // A delivery has arrived before its record.
    await untilLedger(hung, { unaccounted: 0, deliveries: { delivered: 5 } });
  });
});
