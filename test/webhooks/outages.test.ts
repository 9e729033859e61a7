import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { sold, startHarness } from './harness.ts';
import { receiver } from './receiver.ts';

const minute = 60_000;
const fridayEvening = Date.UTC(2026, 10, 20, 18);

/** Looks every 10 minutes for what needs upkeep, not every 5 s: a weekend has 45,000 times 5 s. */
class WeekendClock extends ManualClock {
  override after(delayMs: number, run: () => void, { upkeep = false } = {}): () => void {
    return super.after(upkeep ? 120 * delayMs : delayMs, run);
  }
}

test('a receiver that is away from Friday to Monday gets everything that is still retried, and no dead letter by itself', async () => {
  const { clock, webhooks, store, endpoint, emit, deliveries } = startHarness({ clock: new WeekendClock(fridayEvening) });
  let isAway = true;
  const to = await receiver((response) => response.writeHead(isAway ? 500 : 204).end());
  const { id: patient } = await endpoint({ url: to.url });
  const { id: impatient } = await endpoint({ url: to.url, retry_for_hours: 12 });
  const pass = async (hours: number) => {
    for (let step = 0; step < hours * 6; step++) {
      await clock.advance(10 * minute);
      await webhooks.settled();
    }
  };
  for (let hours = 0; hours < 62; hours += 2) {
    await emit(sold, { count: 6 });
    await pass(2);
  }
  const dead = await deliveries({ endpoint_id: impatient, status: 'failed' });
  expect(dead.length).toBeGreaterThan(0);
  isAway = false;
  await emit();
  await pass(26);
  const all = 31 * 6 + 1;
  expect(await deliveries({ endpoint_id: patient, status: 'delivered' })).toHaveLength(all);
  expect(await deliveries({ endpoint_id: impatient, status: 'delivered' })).toHaveLength(all - dead.length);
  expect(await deliveries({ endpoint_id: impatient, status: 'failed' })).toHaveLength(dead.length);
  expect(await store.count('recoveries')).toBe(0);
});
