import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { type CommittedChange, changesOn } from '../../gateway/webhooks/outbox/change.ts';
import { subscriptionsOf } from '../../gateway/webhooks/outbox/subscriptions.ts';
import { endpoint } from '../store/rows.ts';
import { sold, startMs } from './harness.ts';

/** Emits events in one change, each wanted by all endpoints. Returns the endpoints of what was created, and counts. */
async function emit({ events, endpoints }: { events: number; endpoints: number }) {
  const store = new MemoryStore();
  // A store may list rows in any order.
  const rows = Array.from({ length: endpoints }, (_, index) => endpoint(`ep_${index}`)).reverse();
  await store.append('endpoints', rows);
  await store.append('subscriptions', rows.flatMap(subscriptionsOf));
  const committed: CommittedChange[] = [];
  const afterCommit = (change: CommittedChange) => void committed.push(change);
  const change = changesOn({ store, clock: new ManualClock(startMs), firstDelayMs: 0, afterCommit });
  await change(async (one) => {
    for (let number = 0; number < events; number++) one.emit(sold, { subject: null, data: { number } });
  });
  const stored = await store.count('deliveries');
  const waiting = await store.count('events', { fanned_out_at: null });
  const { created = [], isComplete } = committed[0] ?? {};
  return { created: created.map(({ delivery }) => delivery.endpoint_id), isComplete, stored, waiting };
}

test.each([
  { events: 10, endpoints: 5 },
  { events: 1, endpoints: 50 },
])('a change with $events events for $endpoints endpoints stores their deliveries itself', async (counts) => {
  const deliveries = counts.events * counts.endpoints;
  const { created, ...others } = await emit(counts);
  expect(created).toHaveLength(deliveries);
  expect(others).toEqual({ isComplete: true, stored: deliveries, waiting: 0 });
});

test('the deliveries of an event have the order of their endpoints, as those of the background fan-out', async () => {
  expect((await emit({ events: 1, endpoints: 3 })).created).toEqual(['ep_0', 'ep_1', 'ep_2']);
});

test.each([
  { events: 11, endpoints: 1 },
  { events: 1, endpoints: 51 },
  { events: 2, endpoints: 26 },
])('a change with $events events for $endpoints endpoints leaves them to the background fan-out', async (counts) => {
  expect(await emit(counts)).toEqual({ created: [], isComplete: false, stored: 0, waiting: counts.events });
});
