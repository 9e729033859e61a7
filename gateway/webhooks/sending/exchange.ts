import type { Outcome } from '../../store/tables/webhooks.ts';

/** What was sent, what came back, and how long each phase took: an attempt's evidence. */
export interface Exchange {
  outcome: Outcome;
  /** The error's own words, where there was one. */
  error: string | null;
  address: string | null;
  status: number | null;
  headers: Record<string, string | string[]> | null;
  body: string | null;
  /** The body was longer than is kept, or could not be read whole. */
  truncated: boolean;
  /** Milliseconds: dns, connect, tls (of a new connection), first_byte and total (from the start). */
  timings: Record<string, number>;
  retryAfter: string | undefined;
}

/** An exchange of which nothing happened yet. */
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
