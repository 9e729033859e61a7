import type { Clock } from '../base/clock.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Logger } from '../base/log.ts';
import type { Store } from '../store/port.ts';
import { Rounds } from '../store/rounds.ts';
import type { DeliveryListener } from '../webhooks/model/listener.ts';
import { longestAttemptMs } from '../webhooks/model/lost-after.ts';
import { eraseStep } from './step.ts';

export interface EraserParts {
  store: Store;
  clock: Clock;
  keys: Keyring;
  log: Logger;
  listener: Pick<DeliveryListener, 'ended'>;
  /** Time limit of a request of an attempt, in milliseconds. */
  deadlineMs: number;
}

const [busyMs, idleMs] = [1000, 5000];
/** The maximum age of a process's copy of a delivery when the attempt begins. The attempt may wait for room and for its start. */
const admissionMs = 30_000;

/** Performs erasures, one process at a time. */
export function eraserOf({ store, clock, log, keys, listener, deadlineMs }: EraserParts): Rounds {
  const settleMs = admissionMs + longestAttemptMs(deadlineMs);
  /** Returns true if an erasure waits. */
  const work = async (mayGoOn: () => boolean): Promise<boolean> => {
    const running = await store.list('erasures', { where: { status: 'running' }, order: [['id', 'asc']] });
    let waiting = 0;
    for (const { id } of running) {
      for (;;) {
        if (!mayGoOn()) return true;
        const { status, skipped } = await store.transaction((tx) => eraseStep(tx, id, { keys, now: clock.now(), settleMs }));
        if (skipped > 0) listener.ended('skipped', skipped);
        if (status === 'more') continue;
        if (status === 'waits') waiting += 1;
        else log.info({ erasureId: id }, 'erasure.done');
        break;
      }
    }
    return waiting > 0;
  };
  return new Rounds({ store, clock, log, name: 'erasures', failed: 'erasure.failed', busyMs, idleMs, work });
}
