import { newId } from '../../base/ids.ts';
import type { Row } from '../../store/tables/index.ts';
import { skipReasonOf } from './activity.ts';
import { orderKeyOf } from './order-key.ts';

/**
 * Returns a new delivery's row. A disabled endpoint gets one too, skipped from the start, so that the ledger shows what the
 * endpoint missed. If the endpoint is ordered or held, or others wait in its lane (`hasLane`), the delivery is parked there,
 * without a job.
 */
export function newDelivery(
  event: Pick<Row<'events'>, 'id' | 'type' | 'subject'>,
  endpoint: Pick<Row<'endpoints'>, 'id' | 'active' | 'disabled_reason' | 'ordered' | 'order_by' | 'held_until'>,
  { now, firstAttemptAt, hasLane = false }: { now: number; firstAttemptAt: number; hasLane?: boolean | undefined },
): Row<'deliveries'> {
  const { id, active, ordered, held_until } = endpoint;
  const isHeld = ordered || held_until !== null;
  // A lane does not wait for the first delay of the schedule.
  const parked = active && (isHeld || (hasLane && firstAttemptAt <= now));
  return {
    id: newId('dlv'),
    event_id: event.id,
    endpoint_id: id,
    event_type: event.type,
    status: active ? 'pending' : 'skipped',
    attempts: 0,
    reason: skipReasonOf(endpoint),
    response_status: null,
    next_attempt_at: active ? firstAttemptAt : null,
    parked,
    order_key: active ? orderKeyOf(endpoint, event) : null,
    sequence: null,
    previous_event_id: null,
    test: false,
    skipped_at: null,
    created_at: now,
    updated_at: now,
  };
}
