import type { Clock } from '../../gateway/base/clock.ts';
import type { ChosenFault } from './applied.ts';
import type { RateLimitFault, StatusFault, TokenExpiredFault } from './types.ts';

/** Builds an error body in the API's shape. `by` is the fault that caused it, for the member `help`. */
export type ErrorBody = (status: number, reason: { code: string; message: string }, by?: ChosenFault) => unknown;

/** A reply that a fault sends instead of the API's. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  reason: { code: string; message: string };
}

export const simulatedStatus = ({ status, retryAfterMs }: StatusFault, source: string): Answer => ({
  status,
  headers: retryAfterMs === undefined ? {} : { 'retry-after': String(seconds(retryAfterMs)) },
  reason: { code: 'fault', message: `This reply is simulated: ${source}` },
});

/** The same headers and words as the gateway's own 429 (`gateway/http/limit/`). */
export function rateLimited({ limit = 100, retryAfterMs = 60_000 }: RateLimitFault): Answer {
  const wait = String(seconds(retryAfterMs));
  return {
    status: 429,
    headers: { 'retry-after': wait, 'ratelimit-limit': String(limit), 'ratelimit-remaining': '0', 'ratelimit-reset': wait },
    reason: {
      code: 'rate_limited',
      message: `The limit "plan" of ${limit} calls in 60 s is reached. Try again in ${wait} s.`,
    },
  };
}

/** The same header and words as the API's own 401 for an expired token. */
export const tokenExpired = (_fault: TokenExpiredFault, _source: string, clock: Clock): Answer => ({
  status: 401,
  headers: { 'www-authenticate': 'Bearer' },
  reason: {
    code: 'token_expired',
    message: `The token expired at ${new Date(clock.now() - 1000).toISOString()}. Get another one.`,
  },
});

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
