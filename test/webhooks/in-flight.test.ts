import { expect, test } from 'vitest';
import { systemTimers } from '../../gateway/base/clock.ts';
import { InFlight } from '../../gateway/webhooks/delivery/in-flight.ts';

test('a job waits for the end of an attempt at its endpoint', async () => {
  const inFlight = new InFlight(systemTimers);
  inFlight.begin('ep_1', 'dlv_1');
  const room = inFlight.waitForRoom('ep_1');
  inFlight.end('ep_1', 'dlv_1');
  expect(await room).toBe(true);
});

test('it does not wait for a slow receiver, or if no attempt is running', async () => {
  const inFlight = new InFlight(systemTimers);
  expect(await inFlight.waitForRoom('ep_1')).toBe(false);
  inFlight.begin('ep_1', 'dlv_1');
  inFlight.begin('ep_2', 'dlv_2');
  const room = inFlight.waitForRoom('ep_1');
  inFlight.end('ep_2', 'dlv_2');
  // Resolves when the attempt has run for 100 ms, and after that at once.
  expect([await room, await inFlight.waitForRoom('ep_1')]).toEqual([false, false]);
});
