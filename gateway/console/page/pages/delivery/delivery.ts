import type { paths } from '../../lib/api.ts';
import { duration } from '../../lib/time.ts';

export type Delivery = paths['/deliveries/{id}']['get']['responses'][200]['content']['application/json']['data'];
export type Attempt = Delivery['attempts_made'][number];

/** The attempt with the number in the address, or the last one. */
export function selectedAttempt({ attempts_made }: Delivery, wanted: string | undefined): Attempt | undefined {
  return attempts_made.find(({ number }) => String(number) === wanted) ?? attempts_made.at(-1);
}

export const attemptLink = ({ id }: Delivery, number: number) => `/deliveries/${encodeURIComponent(id)}?attempt=${number}`;

/** The milliseconds between two times, never negative. */
export const elapsedMs = (from: string, to: string) => Math.max(0, Date.parse(to) - Date.parse(from));

/** The reason for the time of the next attempt: the endpoint's state, an operator, or the retry schedule. */
export function nextAttemptReason(
  { waits_for, attempts_made }: Delivery,
  endpointBlock: string | null,
  operatorReason: string | undefined,
): string {
  if (waits_for === 'turn') return endpointBlock ?? 'Waiting in turn: other deliveries to this endpoint go first.';
  return operatorReason ?? attempts_made.at(-1)?.next_attempt_why ?? 'The first attempt is made as soon as possible.';
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
  const delay =
    lateMs > reportedDelayMs
      ? before
        ? `${duration(lateMs)} of it in turn behind other deliveries.`
        : 'In turn behind other deliveries.'
      : null;
  const resent = attempt.manual ? 'Resent by an operator.' : null;
  return { ms, why: [before?.next_attempt_why ?? resent, delay].filter(Boolean).join(' ') || null };
}
