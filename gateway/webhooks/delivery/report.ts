import type { Logger } from '../../base/log.ts';
import { underTrace } from '../../base/tracing.ts';
import type { Row } from '../../store/tables/index.ts';
import type { DeliveryListener } from '../model/listener.ts';
import type { Attempt } from './send.ts';

export interface ReportParts {
  log: Logger;
  listener: DeliveryListener;
}

/** Logs a recorded attempt as one line and tells the listener. `delivery` is its row after the attempt. */
export function report(
  { log, listener }: ReportParts,
  delivery: Row<'deliveries'>,
  { row: attempt, eventAtMs, traceparent }: Pick<Attempt, 'row' | 'eventAtMs' | 'traceparent'>,
): void {
  const { outcome, number, response_status, address, timings, manual, error, endpoint_id, url } = attempt;
  const attempted = {
    deliveryId: delivery.id,
    attemptId: attempt.id,
    eventId: delivery.event_id,
    eventType: delivery.event_type,
    endpointId: endpoint_id,
    attempt: number,
    outcome,
    responseStatus: response_status,
    address,
    durationMs: timings.total ?? 0,
    manual,
    status: delivery.status,
    nextAttemptAt: delivery.next_attempt_at,
    error,
  };
  underTrace(traceparent, () => log.info(attempted, 'delivery.attempted'));
  listener.attempted({ ...attempted, url });
  // What somebody has asked for is as late as that person.
  if (!manual && !delivery.test) {
    if (number === 1) listener.reached('first_attempt', attempt.started_at - eventAtMs);
    if (outcome === 'success') listener.reached('receipt', attempt.ended_at - eventAtMs);
  }
  if (delivery.status === 'delivered') listener.ended('delivered', 1);
  // A test that failed is no dead letter: nobody is owed it.
  else if (delivery.status !== 'pending' && !delivery.test) listener.ended('failed', 1);
}
