import { toInstant, toInstantOrNull } from '../../http/fields.ts';
import type { Exchanged } from '../../http/record/har.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { readableEvents } from '../../webhooks/operator/readable.ts';
import { isTestOf } from '../../webhooks/outbox/owners.ts';
import type { Column } from '../lists/csv.ts';
import { asCsv, asCurl, asHar } from '../lists/formats.ts';
import { type NamedOwner, namesOf, ownersOf } from '../partners.ts';
import { viewAttempt, viewDelivery, viewEvent, type viewOwned } from './views.ts';

/** A store or structure that an event is about. */
export interface About {
  subject: string | null;
  subject_name: string | null;
}

/** The events with the names of their subjects, which are read together. */
export async function aboutEvents<E extends Pick<Row<'events'>, 'service' | 'subject'>>(
  rows: Rows,
  events: readonly E[],
): Promise<(E & About)[]> {
  const nameOf = await namesOf(rows, events);
  return events.map((event) => ({ ...event, subject_name: nameOf(event) }));
}

const nobody: About = { subject: null, subject_name: null };

/**
 * Returns a function that says which store or structure a delivery's event is about. With `byOwner` it names only what the owner of
 * the endpoint may read, and no endpoint as the subject of a test.
 */
export async function aboutDeliveries(
  rows: Rows,
  deliveries: readonly Row<'deliveries'>[],
  { byOwner = false } = {},
): Promise<(delivery: Row<'deliveries'>) => About> {
  const eventOf = byOwner ? await readableEvents(rows, deliveries) : await eventsOf(rows, deliveries);
  const nameOf = await namesOf(
    rows,
    deliveries.flatMap((delivery) => eventOf(delivery) ?? []),
  );
  return (delivery) => {
    const event = eventOf(delivery);
    if (!event || (byOwner && isTestOf({ id: delivery.endpoint_id }, event))) return nobody;
    return { subject: event.subject, subject_name: nameOf(event) };
  };
}

async function eventsOf(rows: Rows, deliveries: readonly Row<'deliveries'>[]) {
  const id = { in: [...new Set(deliveries.map(({ event_id }) => event_id))] };
  const events = new Map((await rows.list('events', { where: { id } })).map((event) => [event.id, event]));
  return ({ event_id }: Row<'deliveries'>) => events.get(event_id);
}

/** The endpoint that a delivery goes to. */
export interface Receiver {
  url: string;
  owner: NamedOwner;
}

/** Returns a function to the endpoints of deliveries. Their rows and their owners' names are read together. */
export async function receiversOf(
  rows: Rows,
  deliveries: readonly Pick<Row<'deliveries'>, 'endpoint_id'>[],
): Promise<(delivery: Pick<Row<'deliveries'>, 'endpoint_id'>) => Receiver | undefined> {
  const ids = [...new Set(deliveries.map(({ endpoint_id }) => endpoint_id))];
  const endpoints = await rows.summarize('endpoints', { by: ['id', 'url', 'owner'], where: { id: { in: ids } } });
  const ownerOf = await ownersOf(
    rows,
    endpoints.map(({ owner }) => owner),
  );
  const receivers = new Map(endpoints.map(({ id, url, owner }) => [id, { url, owner: ownerOf(owner) }]));
  return ({ endpoint_id }) => receivers.get(endpoint_id);
}

type DeliveryLine = ReturnType<typeof viewDelivery> &
  About & { endpoint_url: string | null; owner: string | null; owner_name: string | null };

const deliveryColumns: readonly Column<DeliveryLine>[] = [
  ['id', ({ id }) => id],
  ['created_at', ({ created_at }) => created_at],
  ['status', ({ status }) => status],
  ['reason', ({ reason }) => reason],
  ['response_status', ({ response_status }) => response_status],
  ['attempts', ({ attempts }) => attempts],
  ['waits_for', ({ waits_for }) => waits_for],
  ['sequence', ({ sequence }) => sequence],
  ['next_attempt_at', ({ next_attempt_at }) => next_attempt_at],
  ['updated_at', ({ updated_at }) => updated_at],
  ['event_id', ({ event_id }) => event_id],
  ['event_type', ({ event_type }) => event_type],
  ['subject', ({ subject }) => subject],
  ['subject_name', ({ subject_name }) => subject_name],
  ['endpoint_id', ({ endpoint_id }) => endpoint_id],
  ['endpoint_url', ({ endpoint_url }) => endpoint_url],
  ['owner', ({ owner }) => owner],
  ['owner_name', ({ owner_name }) => owner_name],
];

export const deliveryFormats = { csv: asCsv(deliveryColumns) };

export async function deliveryLines(
  rows: Rows,
  deliveries: readonly Row<'deliveries'>[],
  { byOwner }: { byOwner: boolean },
): Promise<DeliveryLine[]> {
  const [aboutOf, receiverOf] = await Promise.all([
    aboutDeliveries(rows, deliveries, { byOwner }),
    receiversOf(rows, deliveries),
  ]);
  return deliveries.map((one) => ({
    ...viewDelivery(one),
    ...aboutOf(one),
    endpoint_url: receiverOf(one)?.url ?? null,
    owner: receiverOf(one)?.owner.id ?? null,
    owner_name: receiverOf(one)?.owner.name ?? null,
  }));
}

/** An attempt, with what was sent. */
type AttemptLine = ReturnType<typeof viewAttempt> &
  Pick<Row<'deliveries'>, 'event_id' | 'event_type' | 'endpoint_id'> & {
    delivery_id: string;
    /** Empty if the event was removed by retention. */
    body: string;
  };

const attemptColumns: readonly Column<AttemptLine>[] = [
  ['id', ({ id }) => id],
  ['started_at', ({ started_at }) => started_at],
  ['ended_at', ({ ended_at }) => ended_at],
  ['delivery_id', ({ delivery_id }) => delivery_id],
  ['number', ({ number }) => number],
  ['manual', ({ manual }) => manual],
  ['outcome', ({ outcome }) => outcome],
  ['error', ({ error }) => error],
  ['response_status', ({ response_status }) => response_status],
  ['total_ms', ({ timings }) => timings.total],
  ['url', ({ url }) => url],
  ['address', ({ address }) => address],
  ['next_attempt_at', ({ next_attempt_at }) => next_attempt_at],
  ['event_id', ({ event_id }) => event_id],
  ['event_type', ({ event_type }) => event_type],
  ['endpoint_id', ({ endpoint_id }) => endpoint_id],
  ['response_body', ({ response_body }) => response_body],
];

export const attemptFormats = { csv: asCsv(attemptColumns), curl: asCurl(exchangeOf), har: asHar(exchangeOf) };

/** All attempts of the deliveries, in the order of the deliveries; those of one delivery oldest first. */
export async function attemptLines(rows: Rows, deliveries: readonly Row<'deliveries'>[]): Promise<AttemptLine[]> {
  const delivery_id = { in: deliveries.map(({ id }) => id) };
  const [attempts, eventOf] = await Promise.all([
    rows.list('attempts', { where: { delivery_id }, order: [['number', 'asc']] }),
    eventsOf(rows, deliveries),
  ]);
  const made = Map.groupBy(attempts, (attempt) => attempt.delivery_id);
  return deliveries.flatMap((delivery) => {
    const { id, event_id, event_type, endpoint_id } = delivery;
    const about = { delivery_id: id, event_id, event_type, endpoint_id, body: eventOf(delivery)?.body ?? '' };
    return (made.get(id) ?? []).map((attempt) => ({ ...viewAttempt(attempt), ...about }));
  });
}

function exchangeOf(attempt: AttemptLine): Exchanged {
  const { id, delivery_id, number, outcome, error } = attempt;
  return {
    at: attempt.started_at,
    durationMs: attempt.timings.total ?? 0,
    method: 'POST',
    url: attempt.url,
    headers: attempt.request_headers,
    body: attempt.body,
    status: attempt.response_status ?? 0,
    responseHeaders: attempt.response_headers ?? {},
    responseBody: attempt.response_body ?? '',
    comment: [`${id} (attempt ${number} of ${delivery_id})`, outcome, error].filter(Boolean).join(': '),
  };
}

const eventColumns: readonly Column<Row<'events'> & About>[] = [
  ['id', ({ id }) => id],
  ['created_at', ({ created_at }) => toInstant(created_at)],
  ['service', ({ service }) => service],
  ['type', ({ type }) => type],
  ['subject', ({ subject }) => subject],
  ['subject_name', ({ subject_name }) => subject_name],
  ['matched', ({ matched }) => matched],
  ['filtered', ({ filtered }) => filtered],
  ['fanned_out_at', ({ fanned_out_at }) => toInstantOrNull(fanned_out_at)],
  ['body', ({ body }) => body],
];

export const eventFormats = { csv: asCsv(eventColumns) };

export const viewAboutEvent = (event: Row<'events'> & About) => ({ ...viewEvent(event), subject_name: event.subject_name });

const endpointColumns: readonly Column<Awaited<ReturnType<typeof viewOwned>>[number]>[] = [
  ['id', ({ id }) => id],
  ['service', ({ service }) => service],
  ['url', ({ url }) => url],
  ['description', ({ description }) => description],
  ['active', ({ active }) => active],
  ['disabled_reason', ({ disabled_reason }) => disabled_reason],
  ['health', ({ health }) => health.state],
  ['held_until', ({ health }) => health.held_until],
  ['failing_since', ({ health }) => health.failing_since],
  ['events', ({ events }) => events?.join(' ')],
  ['perimeter', ({ perimeter }) => perimeter?.join(' ')],
  ['filter', ({ filter }) => filter && JSON.stringify(filter)],
  ['max_in_flight', ({ max_in_flight }) => max_in_flight],
  ['max_per_second', ({ max_per_second }) => max_per_second],
  ['ordered', ({ ordered }) => ordered],
  ['order_by', ({ order_by }) => order_by],
  ['on_dead_letter', ({ on_dead_letter }) => on_dead_letter],
  ['created_at', ({ created_at }) => created_at],
  ['updated_at', ({ updated_at }) => updated_at],
  ['owner', ({ owner }) => owner.id],
  ['owner_name', ({ owner }) => owner.name],
  ['retry_for_hours', ({ retry_for_hours }) => retry_for_hours],
];

export const endpointFormats = { csv: asCsv(endpointColumns) };
