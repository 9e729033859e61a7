import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Keyring } from '../../gateway/base/keyring.ts';
import type { Tier } from '../../gateway/start/tiers.ts';
import { createRecovery } from '../../gateway/webhooks/operator/recoveries.ts';
import { settled, startHarness, unaccounted, until } from '../webhooks/harness.ts';
import { receiver } from '../webhooks/receiver.ts';
import { storeDeliveries } from '../webhooks/rows.ts';
import { scaleProcess } from '../webhooks/tiers.ts';
import { clientOf } from './selling.ts';
import { installation, onScale, redisUrl } from './services.ts';

const keys = new Keyring(randomBytes(32));
type Options = NonNullable<Parameters<typeof startHarness>[0]>;

/** Two instances with their own connections, which share PostgreSQL, Redis and the key. */
async function twoInstances(settings: Options['settings'] = {}) {
  const shared = await installation();
  const instance = ({ store, queue, gate, clock }: Tier) =>
    startHarness({ clock, keys, store, queue, gate, settings: { deadlineMs: 60_000, ...settings } });
  const one = instance(await scaleProcess(shared));
  const other = instance(await scaleProcess(shared));
  return { one, other, prefix: shared.REDIS_PREFIX ?? '' };
}

/** Removes the keys of one installation from Redis. */
async function wipe(prefix: string): Promise<void> {
  const client = clientOf({ url: redisUrl });
  await client.del(await client.keys(`${prefix}:*`));
}

onScale('two instances', () => {
  test('they fan out the same events at once: every pair of event and endpoint once', async () => {
    const { url, received } = await receiver();
    const { one, other } = await twoInstances();
    for (let endpoint = 0; endpoint < 5; endpoint++) await one.endpoint({ url });
    const batches = Array.from({ length: 20 }, (_, batch) => (batch % 2 ? one : other).emit(undefined, { count: 10 }));
    await Promise.all(batches);
    await settled(one, 1000, 'delivered');
    expect(await unaccounted(one.store)).toBe(0);
    const pairs = (await one.deliveries()).map(({ event_id, endpoint_id }) => `${event_id} ${endpoint_id}`);
    expect(new Set(pairs).size).toBe(1000);
    expect(received).toHaveLength(1000);
  });

  test('the queue wiped under both: everything still arrives, once', async () => {
    const { url, received } = await receiver();
    // Rounds would offer deliveries again while they are attempted. Only the repair after the loss queues them, once.
    const { one, other, prefix } = await twoInstances({ scheduleSeconds: [3600], reconcileEveryMs: 3_600_000 });
    await one.endpoint({ url });
    await Promise.all([one, other].map((each) => each.emit(undefined, { count: 25 })));
    await until(async () => expect((await one.queue.held?.())?.ids).toHaveProperty('size', 50));
    // Instead of waiting for an hour. The jobs that the queue has are stale then, so none of them delivers anything.
    await one.store.update('deliveries', { status: 'pending' }, { next_attempt_at: 0 });
    await wipe(prefix);
    await settled(one, 50, 'delivered');
    expect(received).toHaveLength(50);
  });

  test('they work on one recovery: each delivery is sent once', async () => {
    const { url, received } = await receiver();
    const { one, other } = await twoInstances();
    const { id: endpoint_id } = await one.endpoint({ url });
    const failed = await storeDeliveries(one.store, 150, { endpoint_id, created_at: Date.now() });
    await other.change((change) => createRecovery(change, { endpoint_id, statuses: ['failed'], pace: 40 }));
    await until(async () => {
      expect(await one.store.list('recoveries')).toMatchObject([{ status: 'done', done: 150 }]);
      expect(await one.store.count('recovery_items', { result: 'delivered' })).toBe(150);
    });
    expect(received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(failed.map(({ event_id }) => event_id).sort());
    expect(await one.store.count('attempts')).toBe(150);
  });
});
