import type { Job } from '../queue/port.ts';
import type { Row } from '../store/tables.ts';

/**
 * Reasons of a pending delivery whose next attempt an operator asked for: `resend` if it had been finished, so that one
 * attempt follows and no more; `brought_forward` if it was pending, so that its schedule goes on; `recover` like `resend`, by
 * a recovery of many.
 */
export const manualReasons = ['resend', 'brought_forward', 'recover'] as const;
export type ManualReason = (typeof manualReasons)[number];

export const manualReasonOf = ({ reason }: Pick<Row<'deliveries'>, 'reason'>): ManualReason | null =>
  manualReasons.find((one) => one === reason) ?? null;

/** Of these, the reasons that come to one attempt, and no schedule after it. */
export const onceReasons: ReadonlySet<string | null> = new Set(['resend', 'recover']);

/** The job of a delivery's next attempt. */
export function nextJob(delivery: Pick<Row<'deliveries'>, 'id' | 'attempts' | 'reason'>): Job {
  const low = delivery.reason === 'recover' ? { low: true } : {};
  return { deliveryId: delivery.id, attempt: delivery.attempts + 1, manual: manualReasonOf(delivery) !== null, ...low };
}
