import { promisify } from 'node:util';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { MemoryQueue } from '../../gateway/queue/memory.ts';
import type { Queue } from '../../gateway/queue/port.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { removeEndpoint } from '../../gateway/webhooks/endpoints/endpoints.ts';
import { openWebhooks } from '../../gateway/webhooks/webhooks.ts';
import { event, storedSecret } from '../store/rows.ts';
import { paid, settled, sold, startHarness, startMs, unaccounted, until } from './harness.ts';
import { receiver, receiverOn } from './receiver.ts';

const silent = pino({ level: 'silent' });

test('a change that fails emits nothing', async () => {
  const harness = startHarness();
  await expect(
    harness.change(async ({ emit }) => {
      emit(sold, { subject: null, data: { number: 1 } });
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await harness.store.count('events')).toBe(0);
});

test('a deleted endpoint gets nothing more: its pending deliveries are skipped with the reason', async () => {
  const { url, received } = await receiver((response) => response.writeHead(500).end());
  const harness = startHarness();
  const { id } = await harness.endpoint({ url });
  await harness.emit();
  await until(async () => expect((await harness.queue.depth()).delayed).toBe(1));
  expect(await harness.change((one) => removeEndpoint(one, id))).toEqual({ skipped: 1 });
  expect(await harness.deliveries()).toMatchObject([{ status: 'skipped', reason: 'endpoint_deleted', next_attempt_at: null }]);
  await harness.emit();
  await until(async () => expect(await harness.store.count('events', { fanned_out_at: null })).toBe(0));
  await harness.clock.advance(5000);
  expect(await harness.deliveries()).toMatchObject([{ status: 'skipped', reason: 'endpoint_deleted', attempts: 1 }]);
  expect(received).toHaveLength(1);
  expect(await unaccounted(harness.store)).toBe(0);
});

test('a fan-out that the store refuses is logged and done later', async () => {
  const { url } = await receiver();
  const store = new MemoryStore();
  const transaction = store.transaction.bind(store);
  const harness = startHarness({ store });
  await harness.endpoint({ url });
  await harness.store.append('events', [event('evt_1', { created_at: startMs })]);
  const refused = Promise.withResolvers<void>();
  store.transaction = async () => {
    refused.resolve();
    throw new Error('the store is away');
  };
  // The reconciler's next round wakes the fan-out.
  await harness.clock.advance(30_000);
  await refused.promise;
  store.transaction = transaction;
  await harness.clock.advance(1000);
  await settled(harness, 1, 'delivered');
});

describe('the reconciler', () => {
  const lossy = (clock: ManualClock, lose: () => boolean): Queue => {
    const queue = new MemoryQueue(clock, silent);
    const add = queue.add.bind(queue);
    queue.add = async (jobs) => (lose() ? undefined : add(jobs));
    return queue;
  };

  test('queues deliveries again that the queue lost, once they are overdue', async () => {
    const clock = new ManualClock(startMs);
    let losing = true;
    const { url, received } = await receiver();
    const harness = startHarness({
      clock,
      queue: lossy(clock, () => losing),
      settings: { reconcileEveryMs: 10_000, graceMs: 60_000 },
    });
    await harness.endpoint({ url });
    await harness.emit(sold, { count: 3 });
    await settled(harness, 3, 'pending');
    losing = false;
    await clock.advance(59_000);
    expect(received).toHaveLength(0);
    await clock.advance(10_000);
    await settled(harness, 3, 'delivered');
    expect(received).toHaveLength(3);
  });

  test('a queue that refuses jobs loses no delivery', async () => {
    const clock = new ManualClock(startMs);
    const queue = new MemoryQueue(clock, silent);
    const add = queue.add.bind(queue);
    queue.add = () => Promise.reject(new Error('the queue is away'));
    const { url } = await receiver();
    const harness = startHarness({ clock, queue });
    await harness.endpoint({ url });
    await harness.emit(sold, { count: 2 });
    await settled(harness, 2, 'pending');
    queue.add = add;
    await clock.advance(120_000);
    await settled(harness, 2, 'delivered');
  });

  test('at the start it finds the unfinished fan-outs and due deliveries of another process, in several batches', async () => {
    const store = new MemoryStore();
    const clock = new ManualClock(startMs);
    const { url, received } = await receiver();
    const before = startHarness({ store, clock, queue: lossy(clock, () => true) });
    const { id } = await before.endpoint({ url });
    await before.emit(sold, { count: 1200 });
    await settled(before, 1200, 'pending');
    await before.webhooks.close();
    await before.emit(paid);

    const after = startHarness({ store, clock });
    // The other process has another master key, so the secret is sealed again.
    await store.update('endpoints', { id }, { secrets: [storedSecret(after.keys.seal('whsec_AAAA'))] });
    await settled(after, 1201, 'delivered');
    expect(received.length).toBe(1201);
  });
});

test('a part that cannot be closed does not keep the connections open', async () => {
  const { url, server } = await receiverOn(0);
  // Otherwise an idle connection soon ends by itself.
  server.keepAliveTimeout = 600_000;
  const harness = startHarness({ work: false });
  const { store, queue, clock, keys, log } = harness;
  const failing: Queue = {
    add: (jobs) => queue.add(jobs),
    work: (...args) => queue.work(...args),
    depth: () => queue.depth(),
    close: () => Promise.reject(new Error('the queue is away')),
  };
  const webhooks = openWebhooks({ store, clock, keys, log, queue: failing, settings: { allowLoopback: true } });
  webhooks.start();
  await harness.endpoint({ url });
  await harness.emit();
  await settled(harness, 1, 'delivered');
  const open = () => promisify(server.getConnections.bind(server))();
  expect(await open()).toBe(1);
  await expect(webhooks.close()).rejects.toThrow('the queue is away');
  await until(async () => expect(await open()).toBe(0));
});

test('close waits for the attempt in flight and records it', async () => {
  const gate = Promise.withResolvers<void>();
  const { url, received } = await receiver((response) => void gate.promise.then(() => response.end()));
  const harness = startHarness();
  await harness.endpoint({ url });
  await harness.emit();
  await until(() => expect(received).toHaveLength(1));
  const closing = harness.webhooks.close();
  gate.resolve();
  await closing;
  expect(await harness.deliveries()).toMatchObject([{ status: 'delivered' }]);
});
