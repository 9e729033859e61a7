import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { MemoryGate } from '../../gateway/queue/gate/memory.ts';
import type { Entry, Gate } from '../../gateway/queue/gate/port.ts';
import { SlowShares } from '../../gateway/webhooks/delivery/shares.ts';
import { until } from './harness.ts';

const concurrency = 10;
const entry = (endpointId: string): Entry => ({ endpointId, deliveryId: 'dlv_1', maxInFlight: 15, maxPerSecond: null });

/** Shares with a gate that notes the limits it is asked with. */
function openShares() {
  const shares = new SlowShares({ concurrency });
  const asked: number[] = [];
  const noting: Gate = new MemoryGate(new ManualClock(0), 1000);
  const enter = noting.enter.bind(noting);
  noting.enter = async (entries) => {
    asked.push(...entries.map(({ maxInFlight }) => maxInFlight));
    return enter(entries);
  };
  return { shares, gate: shares.limited(noting), asked };
}

test('one slow endpoint keeps its own limit; many share twice the concurrency, and each keeps one attempt', async () => {
  const { shares, gate, asked } = openShares();
  const never = new Promise(() => {});
  for (let slow = 0; slow < 50; slow++) {
    void shares.count(`ep_${slow}`, never);
    await gate.enter([entry('ep_0')]);
  }
  expect(asked.slice(0, 5)).toEqual([15, 10, 6, 5, 4]);
  expect(asked.at(-1)).toBe(1);
  asked.length = 0;
  await gate.enter([entry('ep_quick'), { ...entry('ep_0'), urgent: true }]);
  expect(asked).toEqual([15, 15]);
});

test('an endpoint is slow until its last slow request has ended, also if that failed', async () => {
  const { shares } = openShares();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  void shares.count('ep_1', first.promise);
  void shares.count('ep_1', second.promise);
  first.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(shares.has('ep_1')).toBe(true);
  second.reject(new Error('closed'));
  await until(() => expect(shares.has('ep_1')).toBe(false));
});
