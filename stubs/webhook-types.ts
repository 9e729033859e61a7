import type { DeliverySelector } from '../gateway/store/tables/webhooks.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import type { EventName, OtherText, OwnerName } from './names.ts';

/** An endpoint of the stub, which receives its webhooks. */
export interface StubEndpoint {
  id: string;
  url: string;
  /** Event types it receives; null means all. */
  events: string[] | null;
  /** The signing secret of its deliveries, `whsec_` and base64. */
  secret: string;
  /** The account or user that it belongs to, whose events it receives; null means the operator, who may see all. */
  owner: OwnerName | null;
}

/** An endpoint to register. */
export interface NewStubEndpoint<A extends ServiceName = ServiceName> {
  url: string;
  /** Event types it receives; null, the default, means all. */
  events?: (EventName<A> | OtherText)[] | null;
  /** Conditions on the payload, such as `{ data: { total: { $gte: 10000 } } }`. Null, the default, means none. */
  filter?: Record<string, unknown> | null;
  /** Its signing secret, `whsec_` and the base64 of 24 to 64 bytes. Default: that of the stub. */
  secret?: string;
  /** The account (`account:ID`) or user (`user:ID`) whose events alone it receives. Default: the operator, who may see all. */
  owner?: OwnerName<A> | OtherText;
}

/** A delivery as the manage API shows it, with its attempts. Times are ISO 8601 in UTC. */
export interface StubDelivery {
  id: string;
  /** The `webhook-id`. */
  event_id: string;
  event_type: string;
  /** The event was sent to try the endpoint. */
  test: boolean;
  endpoint_id: string;
  /** The endpoint's URL; null if the endpoint is deleted. */
  url: string | null;
  /** The body of every attempt, as text. */
  body: string | null;
  /** `failed` is a dead letter: no attempt follows. For `skipped`, `reason` says why no attempt was made. */
  status: 'pending' | 'delivered' | 'failed' | 'skipped';
  /** The number of attempts made so far. */
  attempts: number;
  /** The attempts, oldest first. */
  attempts_made: StubAttempt[];
  /** The class of the last error, such as `timeout`, why it was skipped, or `resend` if a resend was requested. */
  reason: string | null;
  /** How to fix the reason, as a sentence. */
  advice: string | null;
  /** The HTTP status of the last response. */
  response_status: number | null;
  /** A pending delivery waits until `next_attempt_at` (`time`) or until its endpoint has capacity (`turn`). */
  waits_for: 'time' | 'turn' | null;
  /** Its place at an ordered endpoint, from 1. */
  sequence: number | null;
  /** It has failed at an ordered endpoint, and those behind it wait for it. */
  blocking: boolean;
  /** Null if no attempt follows. */
  next_attempt_at: string | null;
  created_at: string;
  updated_at: string;
}

/** Selects the deliveries that match every given field. */
export interface DeliveryFilter<A extends ServiceName = ServiceName>
  extends Partial<Pick<StubDelivery, DeliverySelector | 'status'>> {
  event_type?: EventName<A> | OtherText;
  /** The endpoint's URL. */
  url?: string;
  where?: (delivery: StubDelivery) => boolean;
}

/** One attempt: the request and the response. Times are ISO 8601 in UTC. */
export interface StubAttempt {
  id: string;
  /** From 1. */
  number: number;
  /** True if it was requested, for example by `resend`. */
  manual: boolean;
  /** `success`, or the class of the error, such as `status`, `timeout`, `reset`. */
  outcome: string;
  /** The error's message. */
  error: string | null;
  /** How to fix it, as a sentence. */
  advice: string | null;
  url: string;
  /** The IP address that the request was sent to. */
  address: string | null;
  request_headers: Record<string, string>;
  /** Null if no response arrived. */
  response_status: number | null;
  response_headers: Record<string, string | string[]> | null;
  response_body: string | null;
  /** True if the response body was cut, or broke off. */
  response_truncated: boolean;
  /** Milliseconds: `dns`, `connect` and `tls` of a new connection, `first_byte` and `total` since the start. */
  timings: Record<string, number>;
  /** Ids of the signing secrets used, newest first. */
  secret_ids: string[];
  /** When the next attempt is due; null if none follows. */
  next_attempt_at: string | null;
  /** Why it is due at that time. */
  next_attempt_why: string | null;
  /** The same as a code and the values of its text. */
  next_attempt_case: {
    case: 'gone' | 'single' | 'last' | 'retry_after' | 'schedule' | 'asked' | 'not_awaited';
    values: Record<string, string>;
  } | null;
  started_at: string;
  ended_at: string;
}

export interface TriggerOptions {
  /** False sends any event type and any data. Default true. */
  validate?: boolean;
  /** The number of times that each delivery is repeated, with the same `webhook-id`. Default 0. */
  duplicates?: number;
  /** A URL that also gets these events. It gets no later event. */
  to?: string;
  /** The signing secret of the deliveries to `to`. Default: that of the stub. */
  secret?: string;
  /** The account or user to whom the endpoint at `to` belongs. Events that it may not see are skipped. Default: any endpoint there. */
  owner?: string;
}

export interface EventToSend<A extends ServiceName = ServiceName> {
  /** Without validation, any text. */
  event: EventName<A> | OtherText;
  /** Merged into the example of the event catalogue. With data, also with `{}`, nothing changes; without, the change is made that causes the event. */
  data?: Record<string, unknown> | undefined;
  /**
   * The record to change: the id of an intervention or indicator, the year of a plan or report, a store, a product
   * (`inventory.low`), or a sale's reference (`payment.received`). Default: one that allows the change.
   */
  on?: string | number | undefined;
}

export interface Triggered {
  /** The `webhook-id`. */
  id: string;
  event: string;
  /** False if a change caused it, so that the API shows what the event says. True if nothing changed. */
  example: boolean;
  /** What changed, or why nothing did, as a sentence. */
  because: string;
  /** The event's deliveries, after their first attempts. */
  deliveries: StubDelivery[];
}
