import type { paths } from '../../lib/api.ts';
import { duration } from '../../lib/time.ts';
import { text } from '../../texts/shared.ts';

export type ReadDelivery = paths['/deliveries/{id}']['get']['responses'][200]['content']['application/json']['data'];

/** A delivery, with what these parts show of its event. */
export type Delivery = Omit<ReadDelivery, 'event' | 'owner'> & {
  event: Pick<NonNullable<ReadDelivery['event']>, 'body' | 'created_at'> | null;
};
export type Attempt = Delivery['attempts_made'][number];

/** The attempt with the number in the address, or the last one. */
export const selectedAttempt = ({ attempts_made }: Delivery, wanted: string | undefined): Attempt | undefined =>
  attempts_made.find(({ number }) => String(number) === wanted) ?? attempts_made.at(-1);

export const attemptLink = ({ id }: Delivery, number: number) => `/deliveries/${encodeURIComponent(id)}?attempt=${number}`;

const says = text.delivery.timeline;

/** Why the attempt after this one is made when it is, or why there is none. Null after a success. */
export const whyNext = ({ next_attempt_case: known, next_attempt_why: why }: Attempt): string | null =>
  (known && text.server.nextAttempts[known.case]?.(known.values)) ?? why;

/** The milliseconds between two times, never negative. */
export const elapsedMs = (from: string, to: string) => Math.max(0, Date.parse(to) - Date.parse(from));

/** The reason for the time of the next attempt: why it waits in turn, an operator, or the retry schedule. */
export function nextAttemptReason(
  { waits_for, attempts_made }: Delivery,
  cause: string | null,
  operatorReason: string | undefined,
): string {
  const last = attempts_made.at(-1);
  if (waits_for === 'turn') return cause ?? says.inTurn;
  return operatorReason ?? (last && whyNext(last)) ?? says.asSoonAsPossible;
}

/** A longer delay after its scheduled time means that an attempt waited for its endpoint's limits or for a worker. */
const reportedDelayMs = 1000;

export interface Wait {
  ms: number;
  why: string | null;
}

/** The wait before an attempt, and its reason: the schedule, and any delay after it. */
export function waitBefore(attempt: Attempt, before: Attempt | undefined, createdAt: string): Wait {
  const ms = elapsedMs(before?.ended_at ?? createdAt, attempt.started_at);
  const dueAt = before?.next_attempt_at ?? (before ? null : createdAt);
  const lateMs = attempt.manual || dueAt === null ? 0 : elapsedMs(dueAt, attempt.started_at);
  const delay = lateMs > reportedDelayMs ? (before ? says.partlyInTurn(duration(lateMs)) : says.allInTurn) : null;
  const resent = attempt.manual ? says.resent : null;
  return { ms, why: [(before && whyNext(before)) ?? resent, delay].filter(Boolean).join(' ') || null };
}
