import type { Row } from '../../store/tables/index.ts';
import type { NextAttempt, Outcome } from '../../store/tables/webhooks.ts';
import { parseRetryAfter } from '../sending/retry-after.ts';

/** Delay before each attempt in seconds, including the first. */
export const defaultRetrySeconds: readonly number[] = [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Retry-After may ask for a longer delay than the schedule has, up to this. */
const maxRetryAfterMs = 24 * 3_600_000;
const jitterShare = 0.1;
/** The schedule's last wait is repeated while there is time, but not more often than this. Schedules of tests end with 0 s. */
const leastRepeatedSeconds = 60;

export interface AttemptResult {
  outcome: Outcome;
  /** The attempt's number, from 1. */
  attempt: number;
  /** When the attempt ended, in milliseconds since 1970. */
  nowMs: number;
  /** The response's Retry-After header. */
  retryAfter: string | undefined;
  /** Delay before each attempt in seconds, including the first. */
  scheduleSeconds: readonly number[];
  /** No attempt is planned after this; null means that the schedule ends with its last wait. */
  retryUntilMs: number | null;
  /** True for an attempt that gets no retries, because an operator asked for it after the delivery was finished. */
  isSingle: boolean;
  /** A number from 0 to 1 for the jitter. */
  random: number;
}

/** The next step of a delivery after an attempt: delivered, another attempt, or dead letter. */
export type Verdict =
  | { kind: 'success' }
  | { kind: 'retry'; atMs: number; why: NextAttempt }
  | { kind: 'dead'; why: NextAttempt };

/** Decides by the outcome and the schedule (gaps cohesion.webhook-retries, pos.webhook-retries). */
export function decideNext(result: AttemptResult): Verdict {
  const { outcome, attempt, nowMs, retryAfter, scheduleSeconds, retryUntilMs, isSingle, random } = result;
  if (outcome === 'success') return { kind: 'success' };
  if (outcome === 'gone') return { kind: 'dead', why: { case: 'gone', values: {} } };
  if (isSingle) return { kind: 'dead', why: { case: 'single', values: {} } };
  const last: Verdict = { kind: 'dead', why: { case: 'last', values: { attempt: String(attempt) } } };
  const repeated = retryUntilMs === null ? undefined : Math.max(scheduleSeconds.at(-1) ?? 0, leastRepeatedSeconds);
  const scheduled = scheduleSeconds[attempt] ?? repeated;
  if (scheduled === undefined) return last;
  // Without jitter, deliveries that failed together would all be retried at the same moment.
  const delayMs = Math.round(scheduled * 1000 * (1 - jitterShare + 2 * jitterShare * random));
  const requestedMs = Math.min(parseRetryAfter(retryAfter, nowMs) ?? 0, maxRetryAfterMs);
  const atMs = nowMs + Math.max(delayMs, requestedMs);
  if (retryUntilMs !== null && atMs > retryUntilMs) return last;
  if (requestedMs > delayMs)
    return { kind: 'retry', atMs, why: { case: 'retry_after', values: { retry_after: retryAfter ?? '' } } };
  const values = { seconds: String(scheduled), attempt: String(attempt + 1) };
  return { kind: 'retry', atMs, why: { case: 'schedule', values } };
}

/**
 * Returns true if the attempts of a delivery were made faster than the schedule has them, because the end of a hold
 * sent it early. One that is ahead is not sent early again: otherwise a receiver that works at times would use up its
 * attempts within minutes.
 */
export function isAhead(
  { attempts, created_at, updated_at }: Pick<Row<'deliveries'>, 'attempts' | 'created_at' | 'updated_at'>,
  scheduleSeconds: readonly number[],
): boolean {
  const scheduled = scheduleSeconds.slice(0, attempts).reduce((sum, one) => sum + one, 0);
  return updated_at - created_at < scheduled * 1000 * (1 - jitterShare);
}
