import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { type CommittedChange, changesOn } from '../../gateway/webhooks/outbox/change.ts';
import { subscriptionsOf } from '../../gateway/webhooks/outbox/subscriptions.ts';
import { endpoint } from '../store/rows.ts';
import { sold, startMs } from './harness.ts';

/** Emits events in one change, each wanted by all endpoints. Returns counts of what was created and what was left to do. */
async function emit({ events, endpoints }: { events: number; endpoints: number }) {
  const store = new MemoryStore();
  const rows = Array.from({ length: endpoints }, (_, index) => endpoint(`ep_${index}`));
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
  return { created: committed[0]?.created.length, isComplete: committed[0]?.isComplete, stored, waiting };
}

test.each([
  { events: 10, endpoints: 5 },
  { events: 1, endpoints: 50 },
])('a change with $events events for $endpoints endpoints stores their deliveries itself', async (counts) => {
  const deliveries = counts.events * counts.endpoints;
  expect(await emit(counts)).toEqual({ created: deliveries, isComplete: true, stored: deliveries, waiting: 0 });
});

test.each([
  { events: 11, endpoints: 1 },
  { events: 1, endpoints: 51 },
  { events: 2, endpoints: 26 },
])('a change with $events events for $endpoints endpoints leaves them to the background fan-out', async (counts) => {
  expect(await emit(counts)).toEqual({ created: 0, isComplete: false, stored: 0, waiting: counts.events });
});
