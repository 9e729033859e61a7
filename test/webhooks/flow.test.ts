import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Queue } from '../../gateway/queue/port.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { removeEndpoint } from '../../gateway/webhooks/endpoints/endpoints.ts';
import { openWebhooks } from '../../gateway/webhooks/webhooks.ts';
import { event } from '../store/rows.ts';
import { settled, sold, startHarness, startMs, unaccounted, until } from './harness.ts';
import { receiver, receiverOn } from './receiver.ts';

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
