import { setTimeout as delay } from 'node:timers/promises';
import { type Entry, type Gate, toleranceMs } from '../../queue/gate/port.ts';
import { batched } from './stage.ts';

/** How often an attempt that missed its start asks for another one. Then it starts late: a slow process must still deliver. */
const maxTries = 3;

/**
 * Returns a function that waits for the start which the gate gave an attempt. If this process stalled in the meantime, the
 * attempt takes a later start, so that the attempts that waited do not all begin at once. Uses real time, as sockets do.
 */
export function startAfter({ gate }: { gate: Gate }): (ms: number, entry: Entry) => Promise<void> {
  const later = batched<Entry, number>('start later', (entries) => gate.delay(entries));
  return async (ms, entry) => {
    let waitMs = ms;
    for (let tries = 0; waitMs > 0 && tries < maxTries; tries++) {
      const dueMs = performance.now() + waitMs;
      await delay(waitMs);
      if (performance.now() <= dueMs + toleranceMs) return;
      waitMs = await later(entry);
    }
  };
}
