import type { ServerResponse } from 'node:http';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { firstIdAt, newIdAfter, setIdSource, timeOfId } from '../../gateway/base/ids.ts';
import { MemoryQueue } from '../../gateway/queue/memory.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { skipDelivery } from '../../gateway/webhooks/operator/manual.ts';
import { firstInOrder } from '../../gateway/webhooks/outbox/order.ts';
import { delivery as deliveryRow, endpoint as endpointRow, event as eventRow } from '../store/rows.ts';
import { attemptMade, settled, sold, startHarness, startMs, until } from './harness.ts';
import { receiver } from './receiver.ts';
import { watched } from './watched-store.ts';

test('an id sorts after one of a process whose clock is ahead', () => {
  onTestFinished(setIdSource({ now: () => startMs }));
  const ahead = startMs + 3_600_000;
  const last = `${firstIdAt('evt', ahead)}${'f'.repeat(20)}`;
  const ids = [newIdAfter('evt', last)];
  for (let count = 0; count < 5; count++) ids.push(newIdAfter('evt', ids.at(-1) as string));
  expect([last, ...ids].toSorted()).toEqual([last, ...ids]);
  expect(timeOfId(ids[0] as string)).toBe(ahead + 1);
  expect(ids[0]).toMatch(/^evt_[0-9a-f]{12}7[0-9a-f]{19}$/);
  // Without such a process an id has the time at which it was made.
  expect(timeOfId(newIdAfter('evt', firstIdAt('evt', 1)))).toBe(startMs);
});

test.each([
  ['no ordered endpoint had it', { matched: null }, 1, [], 'waits'],
  ['another endpoint had it, and this one changed since', { matched: 1 }, 3_600_000, ['other'], 'waits'],
  ['this endpoint has it, and changed since', { matched: 1 }, 3_600_000, ['ep'], 'dlv_2'],
  ['this endpoint had it', { matched: 1 }, 1, [], 'dlv_2'],
] as const)('a lane and an earlier event that waits for its fan-out: %s', async (_, stored, changedAt, has, expected) => {
  const store = new MemoryStore();
  await store.append('events', [
    eventRow('evt_1', { created_at: 3_600_000, ...stored }),
    eventRow('evt_2', { fanned_out_at: 1 }),
  ]);
  for (const endpointId of has) await store.append('deliveries', [deliveryRow('dlv_1', 'evt_1', endpointId)]);
  const next = deliveryRow('dlv_2', 'evt_2', 'ep');
  const found = await firstInOrder(store, endpointRow('ep', { ordered: true, updated_at: changedAt }), async () => next);
  expect(found === next ? next.id : found).toBe(expected);
});

test('the job of a delivery goes on with those behind it in its key, but gives its worker back after a second', async () => {
  let nowMs = 0;
  const timers = { elapsed: () => nowMs, after: () => () => {} };
  const order: string[] = [];
  const began = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  const { url } = await receiver(async (response, { path }) => {
    order.push(path);
    began.resolve();
    await mayAnswer.promise;
    nowMs += 300;
    response.writeHead(204).end();
  });
  const queue = new MemoryQueue(new ManualClock(startMs), pino({ level: 'silent' }));
  const jobs: string[] = [];
  const add = queue.add.bind(queue);
  queue.add = async (added) => {
    jobs.push(...added.map(({ deliveryId }) => deliveryId));
    await add(added);
  };
  const harness = startHarness({ queue, timers, settings: { concurrency: 1 } });
  await harness.endpoint({ url: `${url}/ordered`, ordered: true, order_by: 'subject', perimeter: ['one'] });
  await harness.endpoint({ url: `${url}/other`, perimeter: ['two'] });
  await harness.emit(sold, { count: 9, subject: 'one' });
  await began.promise;
  await harness.emit(sold, { subject: 'two' });
  mayAnswer.resolve();
  await settled(harness, 10, 'delivered');
  expect(order.indexOf('/hook/other')).toBe(4);
  expect(jobs.length).toBeLessThanOrEqual(4);
});

test('what follows in a key is sent without a read of its event, and its endpoint is read again after half a second', async () => {
  let nowMs = 0;
  const timers = { elapsed: () => nowMs, after: () => () => {} };
  const { url, received } = await receiver((response) => {
    nowMs += 200;
    response.writeHead(204).end();
  });
  const reads: string[] = [];
  const store = watched(new MemoryStore(), ({ name, table, inTransaction }) => {
    if (received.length > 0 && name === 'list' && !inTransaction) reads.push(table);
  });
  const harness = startHarness({ store, timers });
  await harness.endpoint({ url, ordered: true, order_by: 'subject' });
  await harness.emit(sold, { count: 5, subject: 'one' });
  await until(() => expect(received).toHaveLength(5));
  expect(reads).toEqual(['endpoints']);
});

test('a delivery is skipped only while no attempt of it is under way, so that its key gets one event at a time', async () => {
  const held: ServerResponse[] = [];
  const { url, received } = await receiver((response) => held.push(response));
  const answer = (status: number) => held.shift()?.writeHead(status).end();
  const arrived = (count: number) => until(() => expect(received).toHaveLength(count));
  const harness = startHarness({ settings: { scheduleSeconds: [0, 60, 60] } });
  const endpoint = await harness.endpoint({ url, ordered: true, order_by: 'subject' });
  await harness.emit(sold, { count: 2, subject: 'one' });
  await arrived(1);
  answer(500);
  const [first, second] = await harness.deliveries();
  const id = first?.id ?? '';
  await attemptMade(harness);
  await harness.clock.advance(60_000);
  await arrived(2);
  const skip = () => harness.change((change) => skipDelivery(change, id));
  await expect(skip()).rejects.toThrow(`An attempt of ${id} may be under way.`);
  expect(await harness.deliveries()).toMatchObject([{ status: 'pending' }, { parked: true }]);
  answer(500);
  await attemptMade(harness, 2);
  await until(async () => expect(await skip()).toMatchObject({ status: 'failed', attempts: 2 }));
  await arrived(3);
  answer(204);
  expect(await settled(harness, 1, 'delivered')).toMatchObject([{ id: second?.id }]);
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([first, first, second].map((one) => one?.event_id));
  await until(async () => expect(await harness.webhooks.inFlight([endpoint.id])).toEqual([0]));
});
