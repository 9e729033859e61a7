import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { manualReasonOf } from '../model/jobs.ts';
import { isAhead } from './retry.ts';

type Delivery = Row<'deliveries'>;
type Endpoint = Row<'endpoints'>;

/** A hold opens for failures that are at most this old. */
const openedByMs = 60_000;

/** Maximum deliveries that join the lane at once. The others join at the next change of the hold, or keep their own retries. */
const joinBatch = 500;

/**
 * Returns true if a delivery that has failed waits in the lane of its held endpoint. The end of the hold releases
 * it: its own retry may be a day later. The order of an ordered endpoint does not allow that.
 */
export const waitsForHold = (
  delivery: Pick<Delivery, 'order_key' | 'attempts' | 'created_at' | 'updated_at'>,
  { held_until, ordered }: Pick<Endpoint, 'held_until' | 'ordered'>,
  scheduleSeconds: readonly number[],
): boolean => {
  if (held_until === null || ordered || delivery.order_key !== null) return false;
  return !isAhead(delivery, scheduleSeconds);
};

/**
 * Puts the deliveries into the lane of a held endpoint that failed since its last success, or shortly before: also those of
 * processes that did not know of the hold. `endpoint` is as it was during the hold. Returns their ids.
 */
export async function joinLane(
  tx: Rows,
  endpoint: Endpoint,
  nowMs: number,
  scheduleSeconds: readonly number[],
): Promise<string[]> {
  const sinceMs = (endpoint.failing_since ?? nowMs) - openedByMs;
  const failed = await tx.list('deliveries', {
    where: {
      endpoint_id: endpoint.id,
      status: 'pending',
      parked: false,
      // One that is due has a job, or its attempt runs.
      next_attempt_at: { gt: nowMs },
      attempts: { gt: 0 },
      updated_at: { gte: sinceMs },
    },
    order: [['next_attempt_at', 'desc']],
    limit: joinBatch,
    // Waiting for a row could end in a deadlock, because rows are locked in the order of their ids.
    lock: 'free',
  });
  const scheduled = failed.filter((one) => manualReasonOf(one) === null);
  const waiting = scheduled.filter((one) => waitsForHold(one, endpoint, scheduleSeconds));
  const ids = waiting.map(({ id }) => id);
  if (ids.length > 0) await tx.update('deliveries', { id: { in: ids } }, { parked: true });
  return ids;
}
