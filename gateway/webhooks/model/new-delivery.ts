import { newId } from '../../base/ids.ts';
import type { Row } from '../../store/tables/index.ts';

type To = Pick<Row<'endpoints'>, 'id' | 'active' | 'ordered' | 'held_until'>;

/**
 * The delivery of an event to an endpoint, as it begins. A disabled endpoint gets its delivery too, skipped from the start:
 * the ledger shows what it missed. One whose deliveries wait for their turn gets it parked, without a job.
 */
export function newDelivery(
  event: Pick<Row<'events'>, 'id' | 'type'>,
  { id, active, ordered, held_until }: To,
  at: { now: number; firstAttemptAt: number },
): Row<'deliveries'> {
  return {
    id: newId('dlv'),
    event_id: event.id,
    endpoint_id: id,
    event_type: event.type,
    status: active ? 'pending' : 'skipped',
    attempts: 0,
    reason: active ? null : 'endpoint_disabled',
    response_status: null,
    next_attempt_at: active ? at.firstAttemptAt : null,
    parked: active && (ordered || held_until !== null),
    created_at: at.now,
    updated_at: at.now,
  };
}
