import { z } from 'zod';
import { instant, moment, searchText, text, toInstant, toInstantOrNull } from '../../http/fields.ts';
import type { Found } from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';
import { adviceOn } from '../../webhooks/model/reasons.ts';
import { type DeliveryStatus, deliveryStatuses } from '../../webhooks/operator/ledger.ts';
import { type Service, services } from '../../webhooks/outbox/outbox.ts';

/** An id in a path or filter: any short text that a store can look for; an unknown one gives 404 or an empty list. */
export const idText = () => searchText(100);
export const idParams = z.object({ id: idText() });
/** Ids of several endpoints in one parameter. */
export const endpointIds = text(5000)
  .transform((list) => [...new Set(list.split(',').map((id) => id.trim()))].filter((id) => id !== ''))
  .pipe(z.array(z.string().max(100)).min(1, 'must name an endpoint').max(100, 'must name at most 100 endpoints'))
  .describe('Ids of endpoints, at most 100, with commas between them.')
  .meta({ type: 'string', items: undefined, minItems: undefined, maxItems: undefined, example: 'ep_1,ep_2' });

export const serviceField = () => z.enum(services);

export const period = {
  from: moment().optional().describe('Made at this instant or later.'),
  to: moment().optional().describe('Made before this instant.'),
};

export function viewSearched<T extends 'deliveries' | 'endpoints' | 'events' | 'notices', V>(
  { data, next, stopped }: Found<T>,
  view: (row: Row<T>) => V,
): { data: V[]; next: string | null; searched_to: string | null } {
  return { data: data.map(view), next, searched_to: stopped && toInstant(stopped.created_at) };
}

export const endpointView = z.object({
  id: z.string(),
  service: serviceField(),
  url: z.string(),
  description: z.string(),
  events: z.array(z.string()).nullable().describe('Event types wanted; null for every one of the service.'),
  perimeter: z
    .array(z.string())
    .nullable()
    .describe('Stores (pos) or structures (cohesion) whose events are wanted; null for all.'),
  active: z.boolean(),
  disabled_reason: z
    .string()
    .nullable()
    .describe('`operator`, `gone` where the receiver answered 410, or `failing` after days of nothing but failures.'),
  secrets: z
    .array(z.object({ id: z.string(), expires_at: instant().nullable().describe('When it stops signing; null for the newest.') }))
    .describe('Signing secrets in force, newest first, without their text.'),
  max_in_flight: z.number().int().nullable().describe('Attempts in flight at once; null for the setting.'),
  max_per_second: z.number().nullable().describe('Attempts begun in a second; null for as many as there are.'),
  ordered: z.boolean().describe('One delivery after another, in the order of the events.'),
  health: z.object({
    state: z
      .enum(['ok', 'held', 'probing'])
      .describe('`held`: nothing is sent until `held_until`. `probing`: one attempt tries whether it is well again.'),
    held_until: instant().nullable(),
    held_because: z.string().nullable().describe('`failing` or `slowed_down`.'),
    failing_since: instant().nullable().describe('Since when nothing but failures came.'),
  }),
  created_at: instant(),
  updated_at: instant(),
});

export function viewEndpoint(endpoint: Row<'endpoints'>, nowMs: number): z.input<typeof endpointView> {
  const { service, url, description, events, perimeter, active, disabled_reason } = endpoint;
  const secrets = endpoint.secrets
    .filter(({ expires_at }) => expires_at === null || expires_at > nowMs)
    .map(({ id, expires_at }) => ({ id, expires_at: toInstantOrNull(expires_at) }));
  const { id, max_in_flight, max_per_second, ordered, created_at, updated_at } = endpoint;
  return {
    id,
    service: service as Service,
    url,
    description,
    events,
    perimeter,
    active,
    disabled_reason,
    secrets,
    max_in_flight,
    max_per_second,
    ordered,
    health: healthOf(endpoint, nowMs),
    created_at: toInstant(created_at),
    updated_at: toInstant(updated_at),
  };
}

function healthOf({ held_until, held_because, failing_since }: Row<'endpoints'>, nowMs: number) {
  const state = held_until === null ? ('ok' as const) : held_until > nowMs ? ('held' as const) : ('probing' as const);
  return { state, held_until: toInstantOrNull(held_until), held_because, failing_since: toInstantOrNull(failing_since) };
}

export const eventView = z.object({
  id: z.string().describe('Sent as `webhook-id`.'),
  service: serviceField(),
  type: z.string(),
  subject: z.string().nullable().describe('The store or structure it is about.'),
  created_at: instant(),
  fanned_out_at: instant().nullable().describe('Null while its deliveries are still to be made.'),
  matched: z.number().int().nullable().describe('How many endpoints matched.'),
});

export function viewEvent({
  id,
  service,
  type,
  subject,
  created_at,
  fanned_out_at,
  matched,
}: Row<'events'>): z.input<typeof eventView> {
  return {
    id,
    service: service as Service,
    type,
    subject,
    created_at: toInstant(created_at),
    fanned_out_at: toInstantOrNull(fanned_out_at),
    matched,
  };
}

export const deliveryView = z.object({
  id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  endpoint_id: z.string(),
  status: z
    .enum(deliveryStatuses)
    .describe('`failed` is a dead letter: no attempt follows. `skipped` says in `reason` why none was made.'),
  attempts: z.number().int().describe('Attempts made so far; the evidence of old ones may be gone.'),
  reason: z
    .string()
    .nullable()
    .describe(
      'The last error class; or why it was skipped: `endpoint_disabled`, `endpoint_deleted`; or that an operator asked for the next attempt: `resend`, `brought_forward`, `recover`.',
    ),
  response_status: z.number().int().nullable().describe('The HTTP status of the last answer.'),
  waits_for: z
    .enum(['time', 'turn'])
    .nullable()
    .describe('While it is pending: `time` for `next_attempt_at`, `turn` for room at its endpoint.'),
  advice: z.string().nullable().describe('What can be done about the reason.'),
  next_attempt_at: instant().nullable(),
  created_at: instant(),
  updated_at: instant(),
});

export function viewDelivery({
  next_attempt_at,
  created_at,
  updated_at,
  parked,
  ...delivery
}: Row<'deliveries'>): z.input<typeof deliveryView> {
  const turn = parked ? 'turn' : 'time';
  return {
    ...delivery,
    waits_for: delivery.status === 'pending' ? turn : null,
    status: delivery.status as DeliveryStatus,
    advice: delivery.reason === null ? null : adviceOn(delivery.reason),
    next_attempt_at: toInstantOrNull(next_attempt_at),
    created_at: toInstant(created_at),
    updated_at: toInstant(updated_at),
  };
}

export const attemptView = z.object({
  id: z.string(),
  number: z.number().int().describe('From 1.'),
  manual: z.boolean().describe('An operator asked for it.'),
  outcome: z.string().describe('`success`, or the class of the error.'),
  error: z.string().nullable(),
  advice: z.string().nullable().describe('What can be done about it.'),
  url: z.string(),
  address: z.string().nullable().describe('The address connected to.'),
  request_headers: z.record(z.string(), z.string()),
  response_status: z.number().int().nullable(),
  response_headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).nullable(),
  response_body: z.string().nullable(),
  response_truncated: z.boolean().describe('The answer was longer than is kept, or broke off.'),
  timings: z
    .record(z.string(), z.number())
    .describe('Milliseconds: `dns`, `connect`, `tls` of a new connection; `first_byte` and `total` from the start.'),
  secret_ids: z.array(z.string()).describe('The signing secrets used, newest first.'),
  next_attempt_at: instant().nullable(),
  next_attempt_why: z.string().nullable(),
  started_at: instant(),
  ended_at: instant(),
});

export function viewAttempt({ delivery_id: _, endpoint_id: __, ...attempt }: Row<'attempts'>): z.input<typeof attemptView> {
  return {
    ...attempt,
    advice: adviceOn(attempt.outcome),
    next_attempt_at: toInstantOrNull(attempt.next_attempt_at),
    started_at: toInstant(attempt.started_at),
    ended_at: toInstant(attempt.ended_at),
  };
}
