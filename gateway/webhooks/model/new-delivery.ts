import { newId } from '../../base/ids.ts';
import type { Row } from '../../store/tables/index.ts';
import { skipReasonOf } from './activity.ts';
import { orderKeyOf } from './order-key.ts';

type Endpoint = Pick<Row<'endpoints'>, 'id' | 'active' | 'disabled_reason' | 'ordered' | 'order_by' | 'held_until'>;

/**
 * Returns a new delivery's row. A disabled endpoint gets one too, skipped from the start, so that the ledger shows what the
 * endpoint missed. If the endpoint is ordered or held, the delivery is parked in its lane, without a job.
 */
export function newDelivery(
  event: Pick<Row<'events'>, 'id' | 'type' | 'subject'>,
  endpoint: Endpoint,
  at: { now: number; firstAttemptAt: number },
): Row<'deliveries'> {
  const { id, active, ordered, held_until } = endpoint;
  const parked = active && (ordered || held_until !== null);
  return {
    id: newId('dlv'),
    event_id: event.id,
    endpoint_id: id,
    event_type: event.type,
    status: active ? 'pending' : 'skipped',
    attempts: 0,
    reason: skipReasonOf(endpoint),
    response_status: null,
    next_attempt_at: active ? at.firstAttemptAt : null,
    parked,
    order_key: active ? orderKeyOf(endpoint, event) : null,
    sequence: null,
    previous_event_id: null,
    test: false,
    recovered_at: null,
    delays: parked ? { attempts: 0, ms: {}, wait: { part: 'hold', since: at.now, until: null } } : null,
    delivered_at: null,
    created_at: at.now,
    updated_at: at.now,
  };
}
