/** An endpoint that webhooks go to. */
export interface StubEndpoint {
  id: string;
  url: string;
  /** Event types; null for all. */
  events: string[] | null;
  /** What its deliveries are signed with. */
  secret: string;
}

/** A delivery as the manage API shows it, with the evidence of its attempts. Instants are ISO 8601 in UTC. */
export interface StubDelivery {
  id: string;
  /** The `webhook-id`. */
  event_id: string;
  event_type: string;
  endpoint_id: string;
  /** Where it goes; null once the endpoint is deleted. */
  url: string | null;
  /** `failed` is a dead letter: no attempt follows. `skipped` says in `reason` why none was made. */
  status: 'pending' | 'delivered' | 'failed' | 'skipped';
  /** How many were made so far. */
  attempts: number;
  /** What is kept of each, oldest first. */
  attempts_made: StubAttempt[];
  /** The last error class, such as `timeout`; or why it was skipped; or that the next attempt was asked for: `resend`. */
  reason: string | null;
  /** What can be done about the reason, as a sentence. */
  advice: string | null;
  /** The HTTP status of the last answer. */
  response_status: number | null;
  /** While it is pending: `time` for `next_attempt_at`, `turn` for room at its endpoint. */
  waits_for: 'time' | 'turn' | null;
  /** Null where no attempt follows. */
  next_attempt_at: string | null;
  created_at: string;
  updated_at: string;
}

/** The evidence of one attempt. Instants are ISO 8601 in UTC. */
export interface StubAttempt {
  id: string;
  /** From 1. */
  number: number;
  /** It was asked for, as by `resend`. */
  manual: boolean;
  /** `success`, or the class of the error, such as `status`, `timeout`, `reset`. */
  outcome: string;
  /** The error's own words. */
  error: string | null;
  /** What can be done about it, as a sentence. */
  advice: string | null;
  url: string;
  /** The address connected to. */
  address: string | null;
  request_headers: Record<string, string>;
  /** Null where no answer came. */
  response_status: number | null;
  response_headers: Record<string, string | string[]> | null;
  response_body: string | null;
  /** The answer was longer than is kept, or broke off. */
  response_truncated: boolean;
  /** Milliseconds: `dns`, `connect`, `tls` of a new connection; `first_byte` and `total` from the start. */
  timings: Record<string, number>;
  /** Ids of the signing secrets used, newest first. */
  secret_ids: string[];
  /** The attempt after it; null where none follows. */
  next_attempt_at: string | null;
  /** Why it is then. */
  next_attempt_why: string | null;
  started_at: string;
  ended_at: string;
}

export interface TriggerOptions {
  /** False sends anything: an event type that there is not, fields of no schema. */
  validate?: boolean;
  /** How often each delivery is made again, with the same `webhook-id`. */
  duplicates?: number;
}

export interface EventToSend {
  event: string;
  /** Merged into the catalogue's example. */
  data?: Record<string, unknown> | undefined;
}

export interface Triggered {
  /** The `webhook-id`. */
  id: string;
  event: string;
  /** As they are after their first attempts. */
  deliveries: StubDelivery[];
}
