/** What may be wrong with the sending of webhooks. */
export const rules = ['lost', 'duplicated', 'reordered', 'altered', 'misdirected', 'over_limit', 'late'] as const;
export type Rule = (typeof rules)[number];

/** A caller was told that its event was accepted for these endpoints. Default: all endpoints that are declared at this time. */
export interface Acknowledged {
  kind: 'acknowledged';
  event: string;
  /** Milliseconds since 1970, as all times in a history. */
  at: number;
  endpoints?: string[];
  digest?: string;
}

/** A receiver got a request, and answered it with `status`, unless it gave no answer. */
export interface Received {
  kind: 'received';
  event: string;
  endpoint: string;
  at: number;
  ended?: number;
  status?: number;
  digest?: string;
  sequence?: number | string;
  /** Rules that it may break for a reason outside the history, for example because an operator asked for it. */
  excuses?: ('duplicated' | 'reordered' | 'over_limit')[];
}

/** What holds for an endpoint from a time until another one. */
export interface Declared {
  kind: 'endpoint';
  endpoint: string;
  from?: number;
  until?: number;
  ordered?: boolean;
  max_in_flight?: number;
  max_per_second?: number;
  within_ms?: number;
}

/** What the sender's own records say of an event at an endpoint, and when that was recorded. */
export interface Recorded {
  kind: 'ledger';
  event: string;
  endpoint: string;
  state: 'pending' | 'delivered' | 'failed' | 'skipped';
  at?: number | undefined;
  reason?: string;
}

export type Line = Acknowledged | Received | Declared | Recorded;
