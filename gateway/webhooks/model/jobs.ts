import type { Job } from '../../queue/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { ManualReason } from '../../store/tables/webhooks.ts';
import { operatorReasons } from './reasons.ts';

type Delivery = Row<'deliveries'>;

const manualReasons = Object.keys(operatorReasons) as ManualReason[];

export const manualReasonOf = ({ reason }: { reason: string | null }): ManualReason | null =>
  manualReasons.find((one) => one === reason) ?? null;

/** Of these, the reasons that come to one attempt, and no schedule after it. */
export const onceReasons: ReadonlySet<string | null> = new Set(['resend', 'recover']);

/** Reasons whose attempt is made at once, whatever the state of the endpoint: an operator asked for this very one. */
const urgentReasons: ReadonlySet<string | null> = new Set(['resend', 'brought_forward']);
export const outOfTurn = ({ reason }: Pick<Delivery, 'reason'>): boolean => urgentReasons.has(reason);

/** The job of a delivery's next attempt. */
export function nextJob({ id, attempts, reason, next_attempt_at }: Delivery): Job {
  const low = reason === 'recover' ? { low: true } : {};
  return { deliveryId: id, attempt: attempts + 1, dueAt: next_attempt_at ?? 0, ...low };
}

/** The jobs of deliveries whose next attempts are due after so long. */
export const jobsOf = (deliveries: readonly Delivery[], delayMs = 0): (Job & { delayMs: number })[] =>
  deliveries.map((delivery) => ({ ...nextJob(delivery), delayMs }));

/** What of a delivery must still be so, for an attempt to go on from it. */
export const seenOf = ({ status, attempts, next_attempt_at }: Delivery) => ({ status, attempts, next_attempt_at });

/** Whether the delivery still owes what the job stands for; since then it may have been made, moved, parked or ended. */
export function isCurrent(delivery: Delivery, { attempt, dueAt }: Job): boolean {
  const { status, parked, attempts, next_attempt_at } = delivery;
  return status === 'pending' && !parked && attempts === attempt - 1 && next_attempt_at === dueAt;
}
