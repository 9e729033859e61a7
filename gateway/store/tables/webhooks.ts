import { serviceNames } from '../../../spec/documents/services.ts';
import { type Failure, skipReasons } from '../../base/causes/cause.ts';
import { boolean, column, integer, json, nullable, oneOf, position, real, table, text, time, type ValueOf } from './columns.ts';

/** The sources of events: the services, and `operator` for the gateway's own notices. */
export const eventServices = [...serviceNames, 'operator'] as const;
export type EventService = (typeof eventServices)[number];

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Why an attempt failed. `webhooks/model/reasons.ts` has the words for each. */
export type ErrorClass =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'status'
  | 'redirect'
  | 'gone'
  | 'blocked_address'
  | 'response_too_large'
  | 'protocol'
  | 'secret_unreadable'
  | 'unknown';
export type Outcome = 'success' | ErrorClass;

export type SkipReason = (typeof skipReasons)[number];

/**
 * How an operator asked for a delivery's next attempt. For a finished delivery: `resend`, or `recover` in a recovery of many. For
 * a pending delivery: `brought_forward`, or `retry_now` in a recovery of many. `secret_test` marks a test event that only the newest
 * secret signs, and `verification` one for an endpoint that is not verified yet.
 */
export const manualReasons = ['resend', 'brought_forward', 'recover', 'retry_now', 'secret_test', 'verification'] as const;
export type ManualReason = (typeof manualReasons)[number];
export type DeliveryReason = ErrorClass | SkipReason | ManualReason;

/** Why an endpoint's circuit is open: too many failures, or the receiver asked for fewer deliveries. */
const holdReasons = ['failing', 'slowed_down'] as const;
export type HoldReason = (typeof holdReasons)[number];

/**
 * Why an endpoint is not active: an operator or its owner disabled it, its receiver answered 410, it failed for too long, or its
 * owner is inactive. `unverified`: its owner has never shown that its receiver works. `url_changed`: not at the new URL. Or it
 * was deleted.
 */
export const disabledReasons = [
  'operator',
  'owner',
  'gone',
  'failing',
  'owner_inactive',
  'unverified',
  'url_changed',
  'deleted',
] as const;
export type DisabledReason = (typeof disabledReasons)[number];
/** The reasons of an endpoint that waits for its verification. */
export const unverifiedReasons = ['unverified', 'url_changed'] as const satisfies readonly DisabledReason[];

/** Which deliveries of an ordered endpoint wait for each other: all of them, or those whose events are about the same subject. */
export const orderings = ['endpoint', 'subject'] as const;
export type OrderBy = (typeof orderings)[number];

/** At an ordered endpoint, what happens to the deliveries behind a dead letter: they are sent, or they wait until a person acts. */
export const deadLetterRules = ['skip', 'block'] as const;
export type DeadLetterRule = (typeof deadLetterRules)[number];

/** The failed attempts at an endpoint since its last success. */
export interface FailingWith {
  /** The failure of the last attempt. */
  failure: Failure;
  /** True if earlier failures were different. */
  mixed: boolean;
  attempts: number;
}

/** Why the next attempt of a delivery is made at its time, or why there is none. */
export type NextAttemptCase = 'gone' | 'single' | 'last' | 'retry_after' | 'schedule' | 'asked' | 'not_awaited';
export interface NextAttempt {
  case: NextAttemptCase;
  values: Record<string, string>;
}

export const noticeKinds = ['endpoint.held', 'endpoint.recovered', 'endpoint.disabled'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const recoveryStatuses = ['running', 'paused', 'canceled', 'done'] as const;
export type RecoveryStatus = (typeof recoveryStatuses)[number];

export const recoverableStatuses = ['pending', 'failed', 'skipped'] as const satisfies DeliveryStatus[];

/** The columns whose values select deliveries: in lists, recoveries and stubs. Text that is not a reason matches nothing. */
export const deliverySelectors = { endpoint_id: text, event_id: text, event_type: text, reason: text, response_status: integer };
export type DeliverySelector = keyof typeof deliverySelectors;

type Selected = { [C in DeliverySelector]?: ValueOf<(typeof deliverySelectors)[C]> | undefined };

/** Selects deliveries. A delivery must match every property that is given. */
export interface DeliverySelection extends Selected {
  /** Only deliveries to endpoints of this owner. */
  owner?: Owner | undefined;
  /** Text in the event's body. */
  q?: string | undefined;
  /** The delivery was created at or after `from` and before `to`, in milliseconds since 1970. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Selects the deliveries that a recovery sends. */
export interface RecoveryFilter extends DeliverySelection {
  statuses: (typeof recoverableStatuses)[number][];
}

/** Why a recovery could not send a delivery. */
export const recoveryRefusals = [...skipReasons, 'delivery_missing', 'skipped'] as const;
export type RecoveryRefusal = (typeof recoveryRefusals)[number];
export type RecoveryResult = 'queued' | 'delivered' | 'failed' | RecoveryRefusal;

export interface StoredSecret {
  id: string;
  sealed: string;
  created_at: number;
  /** When it stops signing; null for the newest secret. */
  expires_at: number | null;
}

/** The credentials that the gateway sends to a receiver in addition to its signature. Values are sealed. */
export interface Credentials {
  /** By the name of the header. */
  headers: Record<string, string>;
  basic: { username: string; password: string } | null;
}

/**
 * What made the change that emitted an event: the id of a recorded call (`call_...`), the outcome of attempts (notices about
 * an endpoint's health), or a stub's trigger.
 */
export type EventCause = `call_${string}` | 'attempts' | 'stub' | (string & {});

/**
 * Who an endpoint belongs to: `account:ID` (point of sale), `user:ID` (social cohesion), or `operator`. It is the caller's id
 * in recorded calls, except that a user has several tokens.
 */
export type Owner = 'operator' | `account:${string}` | `user:${number}`;

/** An owner that is not the operator. */
export type Partner = Exclude<Owner, 'operator'>;

/** What an owner may see: events about these subjects (null means all), and events without a subject. */
export interface Visible {
  subjects: string[] | null;
  unscoped: boolean;
}

/**
 * True for a delivery that a person skipped (`skipDelivery`) and that was not sent again since. After a recovery, its last
 * attempt is later than the skip.
 */
export const isSkippedByHand = ({
  status,
  skipped_at,
  updated_at,
}: {
  status: DeliveryStatus;
  skipped_at: number | null;
  updated_at: number;
}): boolean => status === 'failed' && skipped_at === updated_at;

/** The tables of webhooks: who gets which event, and how each delivery went. */
export const webhookTables = {
  endpoints: table({
    columns: {
      id: text,
      service: column<EventService>('text'),
      owner: column<Owner>('text'),
      /** What its owner may see, copied at the owner's last change; null for the operator, who may see everything. */
      visible: nullable(json<Visible>()),
      url: text,
      description: text,
      /** Subscribed event types; null means all types of the service. */
      events: nullable(json<string[]>()),
      /** Stores (pos) or structures (cohesion) whose events are sent; null means all. */
      perimeter: nullable(json<string[]>()),
      /** JSON of conditions on the payload (`webhooks/model/payload-filter.ts`); null means all. Text, because the fan-out groups by it. */
      filter: nullable(text),
      credentials: nullable(json<Credentials>()),
      active: boolean,
      disabled_reason: nullable(column<DisabledReason>('text')),
      /** Encrypted signing secrets, newest first. A secret that was rotated out expires at `expires_at`. */
      secrets: json<StoredSecret[]>(),
      /** Maximum attempts in flight; null means 20. */
      max_in_flight: nullable(integer),
      /** Maximum attempts started per second; null means no maximum. */
      max_per_second: nullable(real),
      /** For how long after its event a delivery is retried; null means for the schedule. */
      retry_for_hours: nullable(integer),
      /** Deliveries with the same key go out one after another, in the order of their events. */
      ordered: boolean,
      order_by: oneOf(orderings),
      on_dead_letter: oneOf(deadLetterRules),
      /** The delivery at the head of a lane that is ordered as a whole, until it has ended. */
      head_delivery_id: nullable(text),
      /** The circuit is open until then. After it, one attempt probes the receiver. */
      held_until: nullable(time),
      held_because: nullable(oneOf(holdReasons)),
      /** The number of times in a row that the circuit opened. Each hold is longer than the one before. */
      holds: integer,
      /** The first failure since the last success. */
      failing_since: nullable(time),
      /** How the attempts since `failing_since` failed. */
      failing_with: nullable(json<FailingWith>()),
      created_at: time,
      updated_at: time,
      /** A deleted endpoint gets nothing. Its row stays for the ledger. */
      deleted_at: nullable(time),
    },
    key: ['id'],
    indexes: [
      ['service', 'id'],
      { on: ['owner', 'id'], where: "owner <> 'operator'" },
      { on: ['id'], where: 'ordered' },
      { on: ['id'], where: "owner <> 'operator' and held_until is not null" },
      { on: ['id'], where: "owner <> 'operator' and not active and deleted_at is null" },
    ],
  }),
  /** One row for each event type and subject that an endpoint wants, or a stand-in (`webhooks/outbox/subscriptions.ts`). */
  subscriptions: table({
    columns: { service: column<EventService>('text'), event_type: text, subject: text, endpoint_id: text },
    key: ['service', 'event_type', 'subject', 'endpoint_id'],
    indexes: [['endpoint_id']],
  }),
  events: table({
    columns: {
      id: text,
      service: column<EventService>('text'),
      type: text,
      /** The store or structure the event is about. Endpoints with a perimeter match on it. */
      subject: nullable(text),
      /** Null for an event of a seed, and where the cause is not known. */
      caused_by: nullable(column<EventCause>('text')),
      /** The exact text that every delivery sends and signs. */
      body: text,
      /** The trace that the event belongs to (W3C Trace Context); null if there is none. */
      traceparent: nullable(text),
      created_at: time,
      /** When the last of its deliveries was created; null means that the fan-out is not finished. */
      fanned_out_at: nullable(time),
      matched: nullable(integer),
      /** The number of endpoints so far whose filter the event does not meet. */
      filtered: nullable(integer),
      /** The cursor of an unfinished fan-out: the last endpoint that has its delivery. */
      fanout_after: nullable(text),
      position,
    },
    key: ['id'],
    indexes: [
      ['position', 'id'],
      ['type', 'id'],
      ['service', 'id'],
      { on: ['subject', 'id'], where: 'subject is not null' },
      { on: ['caused_by', 'id'], where: 'caused_by is not null' },
      { on: ['id'], where: 'fanned_out_at is null' },
    ],
  }),
  /**
   * The row `events`, whose lock gives the events of ordered endpoints their order (`webhooks/outbox/order.ts`), and the row
   * `removed`: the place of the last event that retention has removed (`webhooks/outbox/feed.ts`).
   */
  event_order: table({ columns: { name: text, last_id: text }, key: ['name'] }),
  /** The last place that was given in each order, and the event that has it. */
  order_keys: table({ columns: { name: text, sequence: integer, event_id: nullable(text) }, key: ['name'] }),
  deliveries: table({
    columns: {
      id: text,
      event_id: text,
      endpoint_id: text,
      event_type: text,
      status: oneOf(deliveryStatuses),
      /** Attempts recorded so far. */
      attempts: integer,
      /** Why the delivery has its status; null before the first attempt and after a success. */
      reason: nullable(column<DeliveryReason>('text')),
      /** The HTTP status of the last response. */
      response_status: nullable(integer),
      next_attempt_at: nullable(time),
      /** Pending in its endpoint's lane: it has no job until there is room (`webhooks/delivery/lanes.ts`). */
      parked: boolean,
      /**
       * Deliveries with the same key wait for each other (`webhooks/outbox/order.ts`). Null if it waits for no other delivery,
       * and once it has ended. A dead letter that blocks its key keeps the key.
       */
      order_key: nullable(text),
      /** Its place among all deliveries of its key, from 1, and the event of the delivery before it. */
      sequence: nullable(integer),
      previous_event_id: nullable(text),
      /** True for an event that somebody sent to try the endpoint. Nobody is owed it, because nothing has happened. */
      test: boolean,
      /** When a person skipped it, so that those behind it are sent. */
      skipped_at: nullable(time),
      created_at: time,
      updated_at: time,
    },
    key: ['id'],
    unique: [['event_id', 'endpoint_id']],
    indexes: [
      ['endpoint_id', 'id'],
      ['endpoint_id', 'status', 'id'],
      ['status', 'id'],
      ['event_type', 'id'],
      { on: ['event_type', 'id'], where: "status = 'failed'" },
      { on: ['reason', 'id'], where: 'reason is not null' },
      { on: ['response_status', 'id'], where: 'response_status >= 300' },
      { on: ['next_attempt_at', 'id'], where: "status = 'pending' and not parked" },
      { on: ['endpoint_id', 'event_id'], where: 'parked' },
      { on: ['endpoint_id', 'next_attempt_at'], where: "status = 'pending' and not parked and attempts > 0" },
      { on: ['order_key', 'event_id'], where: 'order_key is not null' },
      { on: ['id'], where: 'order_key is not null and attempts > 0' },
      { on: ['endpoint_id', 'id'], where: "status = 'failed' and order_key is not null" },
    ],
  }),
  attempts: table({
    columns: {
      id: text,
      delivery_id: text,
      endpoint_id: text,
      number: integer,
      outcome: column<Outcome>('text'),
      error: nullable(text),
      url: text,
      address: nullable(text),
      request_headers: json<Record<string, string>>(),
      response_status: nullable(integer),
      response_headers: nullable(json<Record<string, string | string[]>>()),
      response_body: nullable(text),
      response_truncated: boolean,
      /** Milliseconds of each phase. */
      timings: json<Record<string, number>>(),
      /** The signing secrets that were used. */
      secret_ids: json<string[]>(),
      next_attempt_at: nullable(time),
      next_attempt_case: nullable(json<NextAttempt>()),
      /** True if an operator asked for it. */
      manual: boolean,
      started_at: time,
      ended_at: time,
    },
    // An attempt is stored in its delivery's day. So the key is unique over all days, and a delivery is read from one day.
    key: ['delivery_id', 'number'],
    daily: { by: 'delivery_id', prefix: 'dlv', age: 'ended_at' },
    indexes: [
      { on: ['endpoint_id', 'id'], where: "outcome <> 'success'" },
      { on: ['ended_at'], using: 'brin' },
    ],
  }),
  /** Changes of an endpoint's health that an operator should know about. */
  notices: table({
    columns: { id: text, kind: column<NoticeKind>('text'), endpoint_id: text, message: text, created_at: time },
    key: ['id'],
    indexes: [['endpoint_id', 'id']],
  }),
  /** Jobs that send many deliveries again. */
  recoveries: table({
    columns: {
      id: text,
      status: oneOf(recoveryStatuses),
      filter: json<RecoveryFilter>(),
      /** The filter's owner, for the index; null if it has none. */
      owner: nullable(column<Owner>('text')),
      /** Deliveries queued per second. */
      pace: integer,
      /** The number of deliveries that matched when the recovery was created. */
      total: integer,
      /** The number of processed deliveries. */
      done: integer,
      /** The cursor: the last delivery that was processed. */
      position: nullable(text),
      created_at: time,
      updated_at: time,
      ended_at: nullable(time),
    },
    key: ['id'],
    indexes: [['status', 'id'], { on: ['owner', 'id'], where: 'owner is not null' }],
  }),
  recovery_items: table({
    columns: {
      recovery_id: text,
      delivery_id: text,
      /** `queued` first, then how the attempt ended; or why it was refused. */
      result: column<RecoveryResult>('text'),
      /** The number of the delivery's attempts when it was queued. A higher number means that the recovery's attempt has ended. */
      attempts_before: integer,
      at: time,
    },
    key: ['recovery_id', 'delivery_id'],
    indexes: [{ on: ['delivery_id'], where: "result = 'queued'" }],
  }),
} as const;
