import type { Clock } from '../../gateway/base/clock.ts';
import type { ChosenFault } from './faults.ts';
import type { Fault } from './types.ts';

/** The body of a refusal in the API's own shape; `reason` is what the real API would say, or which fault it is (`by`). */
export type ErrorBody = (status: number, reason: { code: string; message: string }, by?: ChosenFault) => unknown;

export interface Answer {
  status: number;
  headers: Record<string, string>;
  reason: { code: string; message: string };
}

type Of<Kind extends Fault['kind']> = Extract<Fault, { kind: Kind }>;
type Answers = { [Kind in Fault['kind']]?: (fault: Of<Kind>, source: string, clock: Clock) => Answer };

/** The faults that are a reply of their own, with the headers and words of the real ones. */
const answers: Answers = {
  status: ({ status, retryAfterMs }, source) => ({
    status,
    headers: retryAfter(retryAfterMs),
    reason: { code: 'fault', message: `This reply was asked for: ${source}` },
  }),
  'rate-limit': ({ limit = 100, retryAfterMs = 60_000 }) => {
    const wait = String(seconds(retryAfterMs));
    return {
      status: 429,
      headers: { 'retry-after': wait, 'ratelimit-limit': String(limit), 'ratelimit-remaining': '0', 'ratelimit-reset': wait },
      reason: {
        code: 'rate_limited',
        message: `The limit "plan" of ${limit} calls in 60 s is reached. Try again in ${wait} s.`,
      },
    };
  },
  'token-expired': (_fault, _source, clock) => ({
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    reason: {
      code: 'token_expired',
      message: `The token expired at ${new Date(clock.now() - 1000).toISOString()}. Get another one.`,
    },
  }),
};

/** The reply that a fault is; undefined where it is something else that happens to a reply. */
export function answerOf({ fault, source }: ChosenFault, clock: Clock): Answer | undefined {
  return answers[fault.kind]?.(fault as never, source, clock);
}

function retryAfter(ms: number | undefined): Record<string, string> {
  return ms === undefined ? {} : { 'retry-after': String(seconds(ms)) };
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
