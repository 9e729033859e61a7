import type { Outcome } from '../../store/tables/webhooks.ts';

/** The result of one request: the response or the error, and how long each phase took. */
export interface Exchange {
  outcome: Outcome;
  /** The error's message; null if the receiver answered with success. */
  error: string | null;
  /** The IP address that the request was sent to. */
  address: string | null;
  /** The response's status; null if no response came. */
  status: number | null;
  headers: Record<string, string | string[]> | null;
  body: string | null;
  /** True if `body` is not the whole body. */
  truncated: boolean;
  /** In milliseconds: `dns`, `connect` and `tls` of a new connection; `first_byte` and `total` since the start. */
  timings: Record<string, number>;
  /** Set if the proxy failed, so that nothing is known about the receiver; with the proxy's answer. */
  proxyFailed?: { status: number | null };
  retryAfter: string | undefined;
}

/** Returns the exchange of a request that was not sent. */
export const unsent = (outcome: Outcome, error: string | null): Exchange => ({
  outcome,
  error,
  address: null,
  status: null,
  headers: null,
  body: null,
  truncated: false,
  timings: {},
  retryAfter: undefined,
});
