import type { paths } from '../../lib/api.ts';
import { duration } from '../../lib/time.ts';
import type { Cause } from '../../lib/why.ts';
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

/** When a pending delivery is attempted next; null if it waits for its turn. What waits for its endpoint says why, and until when. */
export const nextAttemptAt = ({
  waits_for,
  next_attempt_at,
  cause,
}: Pick<Delivery, 'waits_for' | 'next_attempt_at'> & { cause: Cause | null }): string | null =>
  waits_for === 'turn' ? (cause?.values.next_at ?? null) : next_attempt_at;

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

/** A longer difference from its scheduled time means that an attempt waited for its endpoint or a worker, or was made earlier. */
const reportedDelayMs = 1000;

export interface Wait {
  ms: number;
  why: string | null;
}

/** The wait before an attempt, and its reason: the schedule, and any delay after it. */
export function waitBefore(
  attempt: Attempt,
  before: Attempt | undefined,
  delivery: Pick<Delivery, 'created_at' | 'event'>,
): Wait {
  const createdAt = delivery.event?.created_at ?? delivery.created_at;
  const ms = elapsedMs(before?.ended_at ?? createdAt, attempt.started_at);
  if (attempt.manual) return { ms, why: (before && whyNext(before)) ?? says.resent };
  const dueAt = before?.next_attempt_at ?? (before ? null : createdAt);
  if (dueAt !== null && elapsedMs(attempt.started_at, dueAt) > reportedDelayMs) return { ms, why: says.holdEnded };
  const lateMs = dueAt === null ? 0 : elapsedMs(dueAt, attempt.started_at);
  const late = lateMs > reportedDelayMs ? says.late(before ? duration(lateMs) : null) : null;
  return { ms, why: [before && whyNext(before), late].filter(Boolean).join(' ') || null };
}
