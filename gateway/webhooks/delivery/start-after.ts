import { pause, type Timers } from '../../base/clock.ts';
import { type Entry, type Gate, toleranceMs } from '../../queue/gate/port.ts';
import { batched } from './stage.ts';

/** How often an attempt that missed its start asks for another one. Then it starts late: a slow process must still deliver. */
const maxTries = 3;

/**
 * Returns a function that waits for the start which the gate gave an attempt. If this process stalled in the meantime, the
 * attempt takes a later start, so that the attempts that waited do not all begin at once. Uses timers, as sockets do.
 */
export function startAfter({ gate, timers }: { gate: Gate; timers: Timers }): (ms: number, entry: Entry) => Promise<void> {
  const later = batched<Entry, number>('start later', (entries) => gate.delay(entries));
  return async (ms, entry) => {
    let waitMs = ms;
    for (let tries = 0; waitMs > 0 && tries < maxTries; tries++) {
      const dueMs = timers.elapsed() + waitMs;
      await pause(timers, waitMs);
      if (timers.elapsed() <= dueMs + toleranceMs) return;
      waitMs = await later(entry);
    }
  };
}
