import type { Job } from '../queue/port.ts';
import type { Row } from '../store/tables.ts';

type Delivery = Row<'deliveries'>;

/**
 * Reasons of a pending delivery whose next attempt an operator asked for: `resend` if it had been finished, so that one
 * attempt follows and no more; `brought_forward` if it was pending, so that its schedule goes on.
 */
export const manualReasons = ['resend', 'brought_forward'] as const;
export type ManualReason = (typeof manualReasons)[number];

export const manualReasonOf = ({ reason }: Pick<Delivery, 'reason'>): ManualReason | null =>
  manualReasons.find((one) => one === reason) ?? null;

/** Whether the next attempt is made at once, whatever the state of its endpoint: an operator asked for this very one. */
export const outOfTurn = (delivery: Pick<Delivery, 'reason'>): boolean => manualReasonOf(delivery) !== null;

/** The job of a delivery's next attempt. */
export function nextJob({ id, attempts, next_attempt_at }: Delivery): Job {
  return { deliveryId: id, attempt: attempts + 1, dueAt: next_attempt_at ?? 0 };
}

/** Whether the delivery still owes what the job stands for; since then it may have been made, moved, parked or ended. */
export function isCurrent(delivery: Delivery, { attempt, dueAt }: Job): boolean {
  const { status, parked, attempts, next_attempt_at } = delivery;
  return status === 'pending' && !parked && attempts === attempt - 1 && next_attempt_at === dueAt;
}
