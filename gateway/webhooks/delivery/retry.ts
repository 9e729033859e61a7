import type { Outcome } from '../../store/tables/webhooks.ts';
import { parseRetryAfter } from '../sending/retry-after.ts';

export const defaultRetrySeconds: readonly number[] = [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000];

/** A receiver may ask for more patience than the schedule has, but not for more than this. */
const longestRetryAfterMs = 24 * 3_600_000;
const jitterShare = 0.1;

export interface Attempted {
  outcome: Outcome;
  /** Which attempt this was, from 1. */
  attempt: number;
  /** When it ended, in milliseconds since 1970. */
  nowMs: number;
  /** The reply's Retry-After header, if there was one. */
  retryAfter: string | undefined;
  /** Delay before each attempt in seconds, the first included. */
  scheduleSeconds: readonly number[];
  /** The one attempt that an operator asked for of a finished delivery: none follows it. */
  once: boolean;
  /** A random number from 0 to 1 for the jitter. */
  random: number;
}

/** What becomes of a delivery after an attempt. */
export type Verdict = { kind: 'success' } | { kind: 'retry'; atMs: number; why: string } | { kind: 'dead'; why: string };

/** Decides by the outcome and the schedule (gaps cohesion.webhook-retries, pos.webhook-retries). */
export function judge({ outcome, attempt, nowMs, retryAfter, scheduleSeconds, once, random }: Attempted): Verdict {
  if (outcome === 'success') return { kind: 'success' };
  if (outcome === 'gone') return { kind: 'dead', why: 'The receiver answered 410: it wants no more deliveries.' };
  if (once) return { kind: 'dead', why: 'An operator asked for this one attempt of a finished delivery.' };
  const scheduled = scheduleSeconds[attempt];
  if (scheduled === undefined) {
    return { kind: 'dead', why: `Attempt ${attempt} was the last of the schedule.` };
  }
  // Without jitter everything that failed together would come back together.
  const delayMs = Math.round(scheduled * 1000 * (1 - jitterShare + 2 * jitterShare * random));
  const askedMs = Math.min(parseRetryAfter(retryAfter, nowMs) ?? 0, longestRetryAfterMs);
  if (askedMs > delayMs)
    return { kind: 'retry', atMs: nowMs + askedMs, why: `The receiver asked for it with Retry-After: ${retryAfter}.` };
  return {
    kind: 'retry',
    atMs: nowMs + delayMs,
    why: `The schedule has ${scheduled} s before attempt ${attempt + 1}, give or take 10 %.`,
  };
}
