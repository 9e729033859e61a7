import { fill } from '../../base/template.ts';
import type { NextAttempt, NextAttemptCase } from '../../store/tables/webhooks.ts';

/** Why the next attempt of a delivery is made when it is, or why there is none, in English. */
export const nextAttemptTexts = {
  gone: 'The receiver answered 410 Gone: it wants no more deliveries.',
  single: 'This was a single attempt on request. It has no retries.',
  last: 'Attempt {attempt} was the last one of the schedule.',
  retry_after: 'The receiver asked for this delay: Retry-After: {retry_after}.',
  schedule: 'The schedule waits {seconds} s, plus or minus 10 %, before attempt {attempt}.',
  asked: 'Another attempt was requested while this one was running.',
  not_awaited: 'The delivery did not wait for this attempt: it had ended, or another process attempted it as well.',
} as const satisfies Record<NextAttemptCase, string>;

export const nextAttemptText = (next: NextAttempt): string => fill(nextAttemptTexts[next.case], next.values);
