import { type Filled, readerOf } from '../../base/template.ts';

/** Why the next attempt of a delivery is made when it is, or why there is none. An attempt's row keeps the text. */
export const nextAttemptTexts = {
  gone: 'The receiver answered 410 Gone: it wants no more deliveries.',
  single: 'This was a single attempt on request. It has no retries.',
  last: 'Attempt {attempt} was the last one of the schedule.',
  retry_after: 'The receiver asked for this delay: Retry-After: {retry_after}.',
  schedule: 'The schedule waits {seconds} s, plus or minus 10 %, before attempt {attempt}.',
  asked: 'Another attempt was requested while this one was running.',
  not_awaited: 'The delivery did not wait for this attempt: it had ended, or another process attempted it as well.',
} as const;

export type NextAttemptCase = keyof typeof nextAttemptTexts;

const read = readerOf<NextAttemptCase>(nextAttemptTexts);

/** Returns the case of a text, with its values. Null for no text, and for one of another version. */
export const nextAttemptCaseOf = (text: string | null): Filled<NextAttemptCase> | null => (text === null ? null : read(text));
