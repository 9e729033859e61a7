import { removeOldAlerts } from '../alerts/alerts.ts';
import { forgetUnconfirmed } from '../alerts/partners/addresses.ts';
import { forgetIdempotencyKeys } from '../api/pos/domain/idempotency.ts';
import type { Clock } from '../base/clock.ts';
import type { Feature } from '../base/features.ts';
import { firstIdAt } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import { tallyWidths } from '../figures/tally.ts';
import { forgetSessions } from '../manage/sessions.ts';
import { removeInBatches } from '../store/batches.ts';
import type { Store } from '../store/port.ts';
import { removeOldEvents, removeOldNotices, removeOldRecoveries } from '../webhooks/upkeep/remove-old.ts';

const everyMs = 60_000;
const hourMs = 3_600_000;
const auditHours = 365 * 24;

export interface RetentionOptions {
  store: Store;
  clock: Clock;
  log: Logger;
  /** For recorded calls. */
  callHours: number;
  /** For the attempts of finished deliveries. Without it they are kept as long as their delivery. */
  attemptHours?: number;
  /** For finished deliveries with their event and attempts, notices, ended recoveries and alerts. Without it they are kept for ever. */
  deliveryHours?: number;
}

/** Removes expired rows once a minute, by days or in small batches, so that no call waits long; one process at a time. */
export function retention(options: RetentionOptions): Feature {
  const { store, clock, log } = options;
  let cancel = () => {};
  let running: Promise<void> = Promise.resolve();
  const sweep = async () => {
    try {
      await store.alone('retention', () => removeExpired(options));
    } catch (error) {
      log.error({ err: error }, 'retention.failed');
    }
    schedule();
  };
  const schedule = () => {
    cancel = clock.after(everyMs, () => {
      running = sweep();
    });
  };
  return {
    start: schedule,
    async close() {
      cancel();
      await running;
      // The sweep that just ended scheduled the next one.
      cancel();
    },
  };
}

async function removeExpired({ store, clock, callHours, attemptHours, deliveryHours }: RetentionOptions): Promise<void> {
  const now = clock.now();
  const ago = (hours: number) => now - hours * hourMs;
  await forgetIdempotencyKeys(store, now);
  await forgetSessions(store, now);
  await forgetUnconfirmed(store, now);
  for (const { width, keptMs } of tallyWidths) await removeInBatches(store, 'tallies', { width, at: { lt: now - keptMs } });
  await removeInBatches(store, 'audit', { id: { lt: firstIdAt('aud', ago(auditHours)) } });
  if (deliveryHours !== undefined)
    for (const removeOld of [removeOldEvents, removeOldNotices, removeOldRecoveries, removeOldAlerts])
      await removeOld(store, ago(deliveryHours));
  const unless = { column: 'delivery_id', table: 'deliveries', where: { status: 'pending' } } as const;
  // These steps come last, and one may fail without the other, because each gives up if something reads its table for long.
  const expired = await Promise.allSettled([
    store.expire('calls', { beforeMs: ago(callHours) }),
    attemptHours === undefined ? undefined : store.expire('attempts', { beforeMs: ago(attemptHours), unless }),
  ]);
  for (const one of expired) if (one.status === 'rejected') throw one.reason;
}
