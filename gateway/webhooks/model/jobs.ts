import type { Job, NewJob } from '../../queue/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { type ManualReason, manualReasons } from '../../store/tables/webhooks.ts';

type Delivery = Row<'deliveries'>;

/** Returns the reason if an operator asked for the delivery's next attempt, else null. */
export const manualReasonOf = ({ reason }: { reason: string | null }): ManualReason | null =>
  manualReasons.find((one) => one === reason) ?? null;

/** Reasons of a delivery that gets one attempt, without retries: it was finished before, or a retry would prove nothing. */
export const singleAttemptReasons: ReadonlySet<string | null> = new Set(['resend', 'recover', 'secret_test', 'verification']);

/** Reasons of a recovery, which goes behind live traffic. */
const recoveryReasons: ReadonlySet<string | null> = new Set(['recover', 'retry_now']);

/**
 * Returns true if the operator wants an attempt in any case. `retry_now` only moves an attempt, so if one is running already, no
 * other one is needed.
 */
export const asksForOneMore = (delivery: Pick<Delivery, 'reason'>): boolean =>
  delivery.reason !== 'retry_now' && manualReasonOf(delivery) !== null;

/** Reasons of an attempt that an operator asked for by itself: it ignores the endpoint's hold, caps and lane. */
const urgentReasons: ReadonlySet<string | null> = new Set(['resend', 'brought_forward', 'secret_test', 'verification']);
export const isUrgent = ({ reason }: Pick<Delivery, 'reason'>): boolean => urgentReasons.has(reason);

export function nextJob({ id, attempts, reason, next_attempt_at }: Delivery): Job {
  const low = recoveryReasons.has(reason) ? { low: true } : {};
  return { deliveryId: id, attempt: attempts + 1, dueAt: next_attempt_at ?? 0, ...low };
}

export const jobsOf = (deliveries: readonly Delivery[], delayMs = 0): NewJob[] =>
  deliveries.map((delivery) => ({ ...nextJob(delivery), delayMs }));

/**
 * The columns that an optimistic update compares: it applies only if none of them has changed since they were read. A resend
 * may leave the other columns as they were, but not `updated_at`.
 */
export const seenOf = ({ status, attempts, next_attempt_at, updated_at }: Delivery) => ({
  status,
  attempts,
  next_attempt_at,
  updated_at,
});

/** Returns false if the job is stale: its attempt was made, moved, parked or ended after the job was queued. */
export function isCurrent(delivery: Delivery, { attempt, dueAt }: Job): boolean {
  const { status, parked, attempts, next_attempt_at } = delivery;
  return status === 'pending' && !parked && attempts === attempt - 1 && next_attempt_at === dueAt;
}
