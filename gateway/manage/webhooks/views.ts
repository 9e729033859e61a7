import { z } from 'zod';
import { nearestOf } from '../../base/nearest.ts';
import { traceIdOf } from '../../base/tracing.ts';
import { type Blocked, blockedOf, withWaiting } from '../../figures/blocked.ts';
import { causeOfEndpoint, countWaiting, type Known } from '../../figures/cause.ts';
import { instant, moment, named, searchText, text, toInstant, toInstantOrNull, withInstants } from '../../http/fields.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { NextAttemptCase, Partner } from '../../store/tables/webhooks.ts';
import { deadLetterRules, deliveryStatuses, eventServices, orderings } from '../../store/tables/webhooks.ts';
import { viewCredentials } from '../../webhooks/endpoints/credentials.ts';
import { nextAttemptText, nextAttemptTexts } from '../../webhooks/model/next-attempt.ts';
import { isBlocking } from '../../webhooks/model/order-key.ts';
import { adviceOn, reasons } from '../../webhooks/model/reasons.ts';
import { leastRetryHours, mostRetryHours } from '../../webhooks/model/retry-for.ts';
import { signingAt } from '../../webhooks/model/secrets.ts';
import { readFilterMatches } from '../../webhooks/operator/filter-matches.ts';
import type { EventDefinition } from '../../webhooks/outbox/event.ts';
import { isPartner, type OwnerKindName, ownerKinds } from '../../webhooks/outbox/owners.ts';
import { ownersOf } from '../partners.ts';
import { causeView, viewCause } from './causes.ts';

/** An id in a path or filter: any short text. An unknown id gives 404 or an empty list. */
export const idText = () => searchText(100);
export const idParams = z.object({ id: idText() });
export const endpointIds = text(5000)
  .transform((list) => [...new Set(list.split(',').map((id) => id.trim()))].filter((id) => id !== ''))
  .pipe(
    z
      .array(z.string().max(100))
      .min(1, 'must contain at least one endpoint id')
      .max(100, 'must contain at most 100 endpoint ids'),
  )
  .describe('At most 100 endpoint ids, separated by commas.')
  .meta({ type: 'string', items: undefined, minItems: undefined, maxItems: undefined, example: 'ep_1,ep_2' });

/** A filter for one of some names. An unknown one would find nothing, so it is refused with the nearest. */
const filterOf = (field: z.ZodString, names: readonly string[], { what, rule }: { what: string; rule: string }) =>
  field
    .superRefine((name, context) => {
      if (names.includes(name)) return;
      const message = `there is no ${what} ${JSON.stringify(name)}; the nearest is ${nearestOf(name, names)}`;
      context.addIssue({ code: 'custom', message, params: { rule } });
    })
    .optional();

export const reasonFilter = (field: z.ZodString) =>
  filterOf(field, reasonNames, { what: 'reason', rule: 'unknown_reason' }).describe(
    'The class of the last error, or why the delivery was skipped.',
  );
const reasonNames = reasons.map(({ reason }) => reason);

/** Every event type of every service. */
export type Catalogue = readonly Pick<EventDefinition, 'type'>[];

export const eventTypeFilter = (field: z.ZodString, catalogue: Catalogue) =>
  filterOf(
    field,
    catalogue.map(({ type }) => type),
    { what: 'event type', rule: 'unknown_event' },
  );

export const serviceField = () => z.enum(eventServices);

export const period = {
  from: moment().optional().describe('Created at or after this time.'),
  to: moment().optional().describe('Created before this time.'),
};

export const orderByMeaning =
  'Beside `"ordered": true` only. What it applies to: all events of the endpoint (`endpoint`), or those of each store or structure by themselves (`subject`), so that one that fails delays no other. A change applies to events from now on, which do not wait for those that wait already, and dead letters block nothing any more.';
export const onDeadLetterMeaning =
  'Beside `"ordered": true` only. What follows a dead letter: the deliveries behind it are sent, and `webhook-previous-id` names what is missing (`skip`), or they wait until it is sent again with success or skipped: `POST /deliveries/{id}/skip` (`block`).';
export const retryForMeaning =
  `For how many hours after its event a delivery is retried, from ${leastRetryHours} to ${mostRetryHours}. The last wait of the schedule repeats until then, and no attempt is planned after it. ` +
  'A change applies from the next attempt on. An endpoint that only fails is not disabled before. Null means the schedule of the gateway, by default about 75 hours.';

/** Not `z.null()`, which typed clients take for a field that is not there. */
const shownValue = z.string().nullable().describe('Always null: values are never shown.');

const credentialsView = named('Credentials', {
  headers: z
    .record(z.string(), shownValue)
    .describe('Its own headers, by their names.')
    .meta({ example: { 'X-Api-Key': null } }),
  basic: z.object({ username: z.string(), password: shownValue }).nullable().describe('Basic authentication.'),
});

/** An endpoint as anybody sees it who may see it. */
export const endpointView = z.object({
  id: z.string(),
  service: serviceField(),
  url: z.string(),
  description: z.string(),
  events: z.array(z.string()).nullable().describe('Event types it receives; null means all of the service.'),
  perimeter: z
    .array(z.string())
    .nullable()
    .describe('Ids of the stores (pos) or structures (cohesion) whose events it receives; null means all.'),
  filter: z.record(z.string(), z.unknown()).nullable().describe('Conditions on the payload of its events; null means none.'),
  credentials: credentialsView.nullable().describe('What its receiver asks for beside the signature. Values are never shown.'),
  active: z.boolean(),
  disabled_reason: z
    .string()
    .nullable()
    .describe(
      '`operator` or `owner` (one of them disabled it), `gone` (the receiver answered 410), `failing` (only failures for days), `owner_inactive` (it follows its owner), `unverified` (its owner has never shown that its receiver works; its events get no deliveries), or `url_changed` (verified once, but not at its new URL; deliveries are skipped until it is).',
    ),
  secrets: z
    .array(
      z.object({
        id: z.string(),
        created_at: instant().describe('Since when it signs `webhook-signature`.'),
        expires_at: instant().nullable().describe('When it stops signing; null for the newest secret.'),
      }),
    )
    .describe(
      'The valid signing secrets, newest first. All of them sign `webhook-signature`, and the last one `X-SERVICE-Signature`.',
    ),
  max_in_flight: z.int().nullable().describe('Maximum attempts in flight; null means 20.'),
  max_per_second: z.number().nullable().describe('Maximum attempts per second; null means no limit.'),
  retry_for_hours: z.int().nullable().describe(retryForMeaning),
  ordered: z.boolean().describe('True delivers one event after another, in the order of the events.'),
  order_by: z.enum(orderings).describe(orderByMeaning),
  on_dead_letter: z.enum(deadLetterRules).describe(onDeadLetterMeaning),
  health: z.object({
    state: z
      .enum(['ok', 'held', 'probing'])
      .describe('`held`: nothing is sent until `held_until`. `probing`: one attempt tests whether the endpoint has recovered.'),
    held_until: instant().nullable(),
    held_because: z.string().nullable().describe('`failing` or `slowed_down`.'),
    failing_since: instant().nullable().describe('Time of the first failure since the last success.'),
  }),
  cause: causeView.nullable().describe('Why it gets nothing, or that it fails. Null if it is well.'),
  created_at: instant(),
  updated_at: instant(),
});

export function viewEndpoint(endpoint: Row<'endpoints'>, nowMs: number, known?: Known): z.input<typeof endpointView> {
  const { id, max_in_flight, max_per_second, retry_for_hours, ordered, order_by, on_dead_letter, created_at, updated_at } =
    endpoint;
  const { service, url, description, events, perimeter, filter, credentials, active, disabled_reason } = endpoint;
  return {
    id,
    service,
    url,
    description,
    events,
    perimeter,
    filter: filter && JSON.parse(filter),
    credentials: viewCredentials(credentials),
    active,
    disabled_reason,
    secrets: viewSecrets(endpoint.secrets, nowMs),
    max_in_flight,
    max_per_second,
    retry_for_hours,
    ordered,
    order_by,
    on_dead_letter,
    health: healthOf(endpoint, nowMs),
    cause: viewCause(causeOfEndpoint(endpoint, nowMs, known)),
    created_at: toInstant(created_at),
    updated_at: toInstant(updated_at),
  };
}

/** A partner in a body or filter. Its row may not exist. */
export const ownerField = z
  .custom<Partner>((value) => typeof value === 'string' && isPartner(value), {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be account:ID or user:ID'),
    params: { rule: 'owner' },
  })
  .meta({ type: 'string', example: 'account:acc_1' });
export const ownerFilter = ownerField.optional();

export const ownerKindNames = Object.keys(ownerKinds) as [OwnerKindName, ...OwnerKindName[]];

/** Whom an endpoint belongs to. */
export const ownerView = z
  .object({
    id: z.string().nullable().describe('`account:ID` (pos) or `user:ID` (cohesion); null for the operator.'),
    kind: z.enum(ownerKindNames).nullable(),
    name: z.string().nullable(),
  })
  .describe('Whom the endpoint belongs to. It receives only events that its owner may see. All fields are null for the operator.')
  .meta({ id: 'Owner' });

/** An endpoint as operators see it. */
export const ownedEndpointView = endpointView.extend({ owner: ownerView }).meta({ id: 'Endpoint' });

export const filterMatches = z
  .object({
    events: z.int().describe('Of the last 1,000 events of its service, those that it would get without its filter.'),
    matched: z.int().describe('Those of them that meet the filter.'),
    unmatched: z
      .object({
        event_id: z.string(),
        event_type: z.string(),
        path: z.string().describe('The field; empty for the whole payload.').meta({ example: 'data.total' }),
        condition: z.unknown().describe('The first condition that the event does not meet.'),
        value: z.unknown().describe('What the event has in that field; left out if it has nothing.'),
      })
      .nullable()
      .describe('The newest of them that does not meet the filter.'),
  })
  .describe('How its filter judges the newest events; null without a filter.');

/** One endpoint, read by itself. */
export const endpointDetail = ownedEndpointView
  .extend({ filter_matches: filterMatches.nullable() })
  .meta({ id: 'EndpointDetail' });

/** Views endpoints with their owners, whose names are read together. */
export async function viewOwned(
  rows: Rows,
  endpoints: readonly Row<'endpoints'>[],
  nowMs: number,
): Promise<z.input<typeof ownedEndpointView>[]> {
  const owners = endpoints.map(({ owner }) => owner);
  const [ownerOf, blocked] = await Promise.all([ownersOf(rows, owners), blockedOf(rows, endpoints)]);
  return endpoints.map((endpoint) => ({
    ...viewEndpoint(endpoint, nowMs, { blocked: blocked.get(endpoint.id) }),
    owner: ownerOf(endpoint.owner),
  }));
}

export async function viewOneOwned(
  rows: Rows,
  endpoint: Row<'endpoints'>,
  nowMs: number,
): Promise<z.input<typeof endpointDetail>> {
  const { id, owner } = endpoint;
  const [ownerOf, waiting, filter_matches, blocked] = await Promise.all([
    ownersOf(rows, [owner]),
    countWaiting(rows, id),
    readFilterMatches(rows, endpoint),
    readBlocked(rows, endpoint),
  ]);
  return {
    ...viewEndpoint(endpoint, nowMs, { waiting, blocked }),
    owner: ownerOf(owner),
    filter_matches,
  };
}

/** Its dead letters that block, with how many deliveries wait behind them. */
async function readBlocked(rows: Rows, endpoint: Row<'endpoints'>): Promise<Blocked | undefined> {
  const { id } = endpoint;
  const blocked = (await blockedOf(rows, [endpoint])).get(id);
  return blocked && withWaiting(rows, id, blocked);
}

function viewSecrets(secrets: Row<'endpoints'>['secrets'], nowMs: number): z.input<typeof endpointView>['secrets'] {
  return signingAt(secrets, nowMs).inForce.map(({ id, created_at, expires_at }) => ({
    id,
    created_at: toInstant(created_at),
    expires_at: toInstantOrNull(expires_at),
  }));
}

function healthOf({ held_until, held_because, failing_since }: Row<'endpoints'>, nowMs: number) {
  const state = held_until === null ? ('ok' as const) : held_until > nowMs ? ('held' as const) : ('probing' as const);
  return { state, held_until: toInstantOrNull(held_until), held_because, failing_since: toInstantOrNull(failing_since) };
}

export const eventView = named('Event', {
  id: z.string().describe('Sent as `webhook-id`.'),
  service: serviceField(),
  type: z.string(),
  subject: z.string().nullable().describe('The id of the store or structure that the event concerns.'),
  created_at: instant(),
  fanned_out_at: instant().nullable().describe('Null until its deliveries are created.'),
  matched: z.int().nullable().describe('Number of matching endpoints.'),
  filtered: z
    .int()
    .nullable()
    .describe(
      'Number of endpoints that subscribe to it, but whose filter it does not meet. Null until its deliveries are created.',
    ),
  trace_id: z.string().nullable().describe('The trace of the call that caused it (W3C Trace Context), if there is one.'),
  caused_by: z
    .string()
    .nullable()
    .describe(
      'What made the change: the id of a call (`call_...`), `attempts` (a notice about the health of an endpoint), `clock`, or `stub`; null for an event of a seed.',
    ),
});

export const viewEvent = ({
  body: _,
  fanout_after: __,
  position: ___,
  traceparent,
  ...event
}: Row<'events'>): z.input<typeof eventView> => ({
  ...withInstants(event, 'created_at', 'fanned_out_at'),
  trace_id: traceparent === null ? null : traceIdOf(traceparent),
});

export const deliveryView = named('Delivery', {
  id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  endpoint_id: z.string(),
  test: z.boolean().describe('An event that was sent to try the endpoint. Nothing happened, so recoveries leave it out.'),
  status: z
    .enum(deliveryStatuses)
    .describe('`failed` is a dead letter: no attempt follows. For `skipped`, `reason` says why no attempt was made.'),
  attempts: z.int().describe('Number of attempts made so far. Retention may have removed old attempts.'),
  reason: z
    .string()
    .nullable()
    .describe(
      'The class of the last error, why the delivery was skipped (`endpoint_disabled`, `endpoint_deleted`, `endpoint_unverified`, `owner_inactive`, `not_visible`, `event_missing`, and `lost` by a fault of a stub), or what requested the next attempt (`resend`, `brought_forward`, `recover`, `retry_now`, `secret_test`, `verification`).',
    ),
  response_status: z.int().nullable().describe('The HTTP status of the last response.'),
  waits_for: z
    .enum(['time', 'turn'])
    .nullable()
    .describe('A pending delivery waits until `next_attempt_at` (`time`), or for capacity or order at its endpoint (`turn`).'),
  advice: z.string().nullable().describe('How to fix the reason.'),
  sequence: z
    .int()
    .nullable()
    .describe('Its place at an ordered endpoint, as `webhook-sequence` says it; null if the endpoint was not ordered.'),
  blocking: z.boolean().describe('It has failed at an ordered endpoint, and those behind it wait for it.'),
  next_attempt_at: instant().nullable(),
  created_at: instant(),
  updated_at: instant(),
});

export const explainedDelivery = deliveryView.extend({
  cause: causeView.nullable().describe('Why it has not arrived; null if it has.'),
});

export function viewDelivery({ parked, ...delivery }: Row<'deliveries'>): z.input<typeof deliveryView> {
  const { status, reason, response_status } = delivery;
  const turn = parked ? 'turn' : 'time';
  return {
    ...withInstants(delivery, 'next_attempt_at', 'created_at', 'updated_at'),
    waits_for: status === 'pending' ? turn : null,
    blocking: isBlocking(delivery),
    advice: reason === null ? null : adviceOn(reason, response_status),
  };
}

export const attemptView = named('Attempt', {
  id: z.string(),
  number: z.int().describe('From 1.'),
  manual: z.boolean().describe('True if an operator requested it.'),
  outcome: z.string().describe('`success`, or the class of the error.'),
  error: z.string().nullable(),
  advice: z.string().nullable().describe('How to fix it.'),
  url: z.string(),
  address: z.string().nullable().describe('The IP address that the request was sent to.'),
  request_headers: z.record(z.string(), z.string()),
  response_status: z.int().nullable(),
  response_headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).nullable(),
  response_body: z.string().nullable(),
  response_truncated: z.boolean().describe('True if the response body was cut, or broke off.'),
  timings: z
    .record(z.string(), z.number())
    .describe('Milliseconds: `dns`, `connect` and `tls` of a new connection, `first_byte` and `total` since the start.'),
  secret_ids: z.array(z.string()).describe('Ids of the signing secrets used, newest first.'),
  next_attempt_at: instant().nullable(),
  next_attempt_why: z.string().nullable(),
  next_attempt_case: z
    .object({
      case: z.enum(Object.keys(nextAttemptTexts) as [NextAttemptCase, ...NextAttemptCase[]]),
      values: z.record(z.string(), z.string()),
    })
    .nullable()
    .describe('`next_attempt_why` as a code and the values of its text. Null if there is none.'),
  started_at: instant(),
  ended_at: instant(),
});

export const viewAttempt = ({ delivery_id: _, endpoint_id: __, ...attempt }: Row<'attempts'>): z.input<typeof attemptView> => ({
  ...withInstants(attempt, 'next_attempt_at', 'started_at', 'ended_at'),
  advice: adviceOn(attempt.outcome, attempt.response_status),
  next_attempt_why: attempt.next_attempt_case ? nextAttemptText(attempt.next_attempt_case) : null,
});
