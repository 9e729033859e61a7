import { forgetIdempotencyKeys } from '../api/pos/calls/idempotency.ts';
import type { Clock } from '../base/clock.ts';
import { firstIdAt } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import { tallyWidths } from '../figures/tally.ts';
import { forgetSessions } from '../manage/operators/sessions.ts';
import { removeInBatches } from '../store/batches.ts';
import type { Store } from '../store/port.ts';
import { removeOldAttempts, removeOldEvents, removeOldNotices, removeOldRecoveries } from '../webhooks/upkeep/remove-old.ts';

const everyMs = 60_000;
const hourMs = 3_600_000;

export interface RetentionOptions {
  store: Store;
  clock: Clock;
  log: Logger;
  callHours: number;
  /** For attempts of finished deliveries; kept as long as the delivery where it is left out. */
  attemptHours?: number;
  /** For finished deliveries with their event and attempts, notices and ended recoveries; kept for ever where it is left out. */
  deliveryHours?: number;
}

/**
 * Removes what is kept for a time only, in small batches, so that no call waits long behind it; one process at a time.
 * Returns what stops it.
 */
export function startRetention(options: RetentionOptions): () => Promise<void> {
  const { clock, log } = options;
  let cancel = () => {};
  let running: Promise<void> = Promise.resolve();
  const sweep = async () => {
    try {
      await options.store.alone('retention', () => forgetWhatIsOld(options));
    } catch (error) {
      log.error({ err: error }, 'retention.failed');
    }
    cancel = clock.after(everyMs, run);
  };
  const run = () => {
    running = sweep();
  };
  cancel = clock.after(everyMs, run);
  return async () => {
    cancel();
    await running;
    cancel();
  };
}

async function forgetWhatIsOld({ store, clock, callHours, attemptHours, deliveryHours }: RetentionOptions): Promise<void> {
  const now = clock.now();
  const calls = { id: { lt: firstIdAt('call', now - callHours * hourMs) } };
  await removeInBatches(store, 'calls', calls);
  await forgetIdempotencyKeys(store, now);
  await forgetSessions(store, now);
  for (const { width, keptMs } of tallyWidths) await removeInBatches(store, 'tallies', { width, at: { lt: now - keptMs } });
  if (attemptHours !== undefined) await removeOldAttempts(store, now - attemptHours * hourMs);
  if (deliveryHours === undefined) return;
  const beforeMs = now - deliveryHours * hourMs;
  for (const removeOld of [removeOldEvents, removeOldNotices, removeOldRecoveries]) await removeOld(store, beforeMs);
}
