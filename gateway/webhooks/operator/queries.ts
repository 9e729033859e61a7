import { notFound } from '../../base/errors.ts';
import { encodings } from '../../base/text.ts';
import type { Rows, Where } from '../../store/port.ts';
import {
  type Among,
  type Counted,
  countFound,
  type Found,
  idsIn,
  noneCounted,
  nothingFound,
  type Period,
  type Search,
  search,
} from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';
import type { DeliverySelection, DeliverySelector, Owner } from '../../store/tables/webhooks.ts';
import type { NamedPartner } from '../endpoints/endpoints.ts';
import { blockingOnes } from '../model/order-key.ts';
import { readableEvents } from './readable.ts';

interface PageInput {
  /** The last id of the previous page. */
  cursor?: string | undefined;
  limit: number;
  /** For tests; see `search.ts`. */
  reach?: readonly number[];
}

export interface EventFilter extends PageInput, Period {
  type?: string | undefined;
  service?: string | undefined;
  /** The id of the store or structure that the event is about. */
  subject?: string | undefined;
  /** Only events about one of these stores or structures. */
  subjects?: readonly string[] | undefined;
  /** What made the change, such as the id of a call. */
  caused_by?: string | undefined;
  /** Only events that matched no endpoint. */
  unmatched?: boolean | undefined;
  /** Text in the body. */
  q?: string | undefined;
}

export interface DeliveryFilter extends PageInput, DeliverySelection {
  status?: string | undefined;
  /** Pending deliveries only: `turn` for parked ones, `time` for the others. */
  waits_for?: 'time' | 'turn' | undefined;
  /** Only deliveries that block those behind them. */
  blocking?: boolean | undefined;
  /** The owner searches: text is looked for only in events that the owner may read. */
  byOwner?: boolean | undefined;
  /** Only deliveries to endpoints of these owners, or of events about these stores or structures. */
  partner?: NamedPartner | undefined;
}

/** Newest first. */
export async function listEvents(rows: Rows, filter: EventFilter): Promise<Found<'events'>> {
  const wanted = eventSearch(filter);
  return wanted === undefined ? nothingFound : search(rows, wanted);
}

/** How many events match the filter, within bounds. */
export async function countEvents(rows: Rows, filter: Omit<EventFilter, 'limit'>): Promise<Counted<'events'>> {
  const wanted = eventSearch({ ...filter, limit: 1 });
  return wanted === undefined ? noneCounted : countFound(rows, wanted);
}

/** Undefined if no event can match. */
function eventSearch(filter: EventFilter): Search<'events'> | undefined {
  const { type, service, caused_by, unmatched, q, limit, reach } = filter;
  const subject = subjectCondition(filter);
  if (subject === 'none') return undefined;
  const where: Where<'events'> = { type, service, subject, caused_by, matched: unmatched ? 0 : undefined };
  const withText = async (events: Row<'events'>[]) => {
    const texts = encodings(q ?? '');
    return events.filter(({ body }) => texts.some((text) => body.includes(text)));
  };
  return {
    table: 'events',
    key: 'id',
    where,
    range: idsIn('evt', filter),
    indexed: eventIndexes(where, filter),
    ...(q ? { keep: withText } : {}),
    limit,
    reach,
  };
}

/** The condition on the subject; `none` if no event can match. One subject has an index, several have none. */
function subjectCondition({ subject, subjects }: EventFilter): Where<'events'>['subject'] | 'none' {
  if (subjects === undefined) return subject;
  const wanted = subject === undefined ? subjects : subjects.filter((one) => one === subject);
  if (wanted.length === 0) return 'none';
  return wanted.length === 1 ? wanted[0] : { in: wanted };
}

/** The parts of the filter that have an index in `tables/`. Each type belongs to one service, so the type's index serves both. */
function eventIndexes({ subject, caused_by }: Where<'events'>, { type, service, unmatched }: EventFilter): Where<'events'>[] {
  const parts: Where<'events'>[] = [];
  if (caused_by !== undefined) parts.push({ caused_by });
  if (typeof subject === 'string') parts.push({ subject });
  if (type !== undefined) parts.push({ type });
  else if (service !== undefined) parts.push({ service });
  if (type !== undefined && service !== undefined && subject === undefined && !unmatched) parts.push({ type, service });
  return parts;
}

/** Returns an event with its newest deliveries. Throws `not_found`. */
export async function readEvent(
  rows: Rows,
  id: string,
  limit: number,
): Promise<{ event: Row<'events'>; deliveries: Row<'deliveries'>[] }> {
  const event = await rows.get('events', { id });
  if (!event) throw notFound('id', `There is no event ${id}. GET /manage/v1/events lists all of them.`);
  return { event, deliveries: (await listDeliveries(rows, { event_id: id, limit })).data };
}

/** Newest first. */
export async function listDeliveries(rows: Rows, filter: DeliveryFilter): Promise<Found<'deliveries'>> {
  const wanted = await deliverySearch(rows, filter);
  return wanted === undefined ? nothingFound : search(rows, wanted);
}

/** How many deliveries match the filter, within bounds. */
export async function countDeliveries(rows: Rows, filter: Omit<DeliveryFilter, 'limit'>): Promise<Counted<'deliveries'>> {
  const wanted = await deliverySearch(rows, { ...filter, limit: 1 });
  return wanted === undefined ? noneCounted : countFound(rows, wanted);
}

/** Undefined if no delivery can match. */
async function deliverySearch(rows: Rows, filter: DeliveryFilter): Promise<Search<'deliveries'> | undefined> {
  const { cursor: _, limit, reach, from: __, to: ___, q, owner, byOwner, partner, waits_for, blocking, ...columns } = filter;
  // Only pending deliveries wait.
  if (waits_for !== undefined && (columns.status ?? 'pending') !== 'pending') return undefined;
  if (partner && partner.owners.length + partner.subjects.length === 0) return undefined;
  const among = owner && (await amongEndpoints(rows, owner, columns));
  if (among?.values.length === 0) return undefined;
  const waiting = waits_for === undefined ? {} : { status: 'pending', parked: waits_for === 'turn' };
  const where = { ...columns, ...waiting, ...(blocking ? blockingOnes : {}), ...(among ? { endpoint_id: undefined } : {}) };
  const withText = q ? encodings(q).map((text) => ({ body: { contains: text } })) : undefined;
  const keep = async (deliveries: Row<'deliveries'>[]) => {
    const named = partner ? await ofPartner(rows, deliveries, partner) : deliveries;
    const found = withText ? await withEvent(rows, named, withText) : named;
    return byOwner ? readableOnly(rows, found) : found;
  };
  return {
    table: 'deliveries',
    key: 'id',
    where,
    range: idsIn('dlv', filter),
    indexed: indexedParts(where),
    ...(among ? { among } : {}),
    ...(q || partner ? { keep } : {}),
    limit,
    reach,
  };
}

/** An owner's deliveries are read by its endpoints: all present ones, and this number of those that it deleted last. */
const deletedShown = 100;

async function amongEndpoints(
  rows: Rows,
  owner: Owner,
  { endpoint_id: id, status }: DeliveryColumns,
): Promise<Among<'deliveries'>> {
  const [existing, deleted] = await Promise.all([
    rows.list('endpoints', { where: { owner, id, deleted_at: null } }),
    rows.list('endpoints', { where: { owner, id, deleted_at: { not: null } }, order: [['id', 'desc']], limit: deletedShown }),
  ]);
  return { column: 'endpoint_id', values: [...existing, ...deleted].map((endpoint) => endpoint.id), where: { status } };
}

/** Returns the deliveries to the partner's endpoints, and those of events about its subjects. */
async function ofPartner(
  rows: Rows,
  deliveries: Row<'deliveries'>[],
  { owners, subjects }: NamedPartner,
): Promise<Row<'deliveries'>[]> {
  const ids = [...new Set(deliveries.map(({ endpoint_id }) => endpoint_id))];
  const [owned, about] = await Promise.all([
    owners.length === 0 ? [] : rows.list('endpoints', { where: { id: { in: ids }, owner: { in: owners } } }),
    subjects.length === 0 ? [] : withEvent(rows, deliveries, [{ subject: { in: subjects } }]),
  ]);
  const endpoints = new Set(owned.map(({ id }) => id));
  const kept = new Set(about);
  return deliveries.filter((delivery) => kept.has(delivery) || endpoints.has(delivery.endpoint_id));
}

type DeliveryColumns = Pick<DeliveryFilter, DeliverySelector | 'status'> & { parked?: boolean } & Partial<typeof blockingOnes>;

/**
 * The parts of the filter that have an index in `tables/`, presumably rare ones first. An event has few deliveries, so its
 * id suffices for any filter.
 */
function indexedParts(where: DeliveryColumns): DeliveryColumns[] {
  const { endpoint_id, event_id, event_type, status, reason, response_status } = where;
  if (event_id !== undefined) return [where];
  if (where.order_key) return [blockingOnes];
  const parts: DeliveryColumns[] = [];
  const isFew = status !== undefined && status !== 'delivered' && status !== 'failed';
  if (endpoint_id !== undefined) parts.push(status === undefined ? { endpoint_id } : { endpoint_id, status });
  else if (isFew) parts.push({ status });
  if (reason !== undefined) parts.push({ reason });
  if (response_status !== undefined && response_status >= 300) parts.push({ response_status });
  if (event_type !== undefined) parts.push(status === 'failed' ? { event_type, status } : { event_type });
  if (endpoint_id === undefined && status !== undefined && !isFew) parts.push({ status });
  return parts;
}

/** Returns the deliveries whose event's body contains the text; for an owner only those whose event the owner may read. */
export async function withEventText(
  rows: Rows,
  deliveries: Row<'deliveries'>[],
  { q, byOwner }: { q: string; byOwner: boolean },
): Promise<Row<'deliveries'>[]> {
  const texts = encodings(q).map((text) => ({ body: { contains: text } }));
  const found = await withEvent(rows, deliveries, texts);
  return byOwner ? readableOnly(rows, found) : found;
}

async function readableOnly(rows: Rows, deliveries: Row<'deliveries'>[]): Promise<Row<'deliveries'>[]> {
  const eventOf = await readableEvents(rows, deliveries);
  return deliveries.filter((delivery) => eventOf(delivery) !== undefined);
}

/** Returns the deliveries whose event matches one of the conditions. */
async function withEvent(rows: Rows, deliveries: Row<'deliveries'>[], anyOf: Where<'events'>[]): Promise<Row<'deliveries'>[]> {
  const id = { in: [...new Set(deliveries.map(({ event_id }) => event_id))] };
  const found = await Promise.all(anyOf.map((where) => rows.list('events', { where: { id, ...where } })));
  const events = new Set(found.flat().map((event) => event.id));
  return deliveries.filter(({ event_id }) => events.has(event_id));
}

export interface DeliveryStory {
  delivery: Row<'deliveries'>;
  event: Row<'events'> | undefined;
  endpoint: Row<'endpoints'> | undefined;
  /** In the order of their numbers. */
  attempts: Row<'attempts'>[];
}

/**
 * Throws `not_found`. The event or the endpoint is undefined if it is not stored any more; for an owner the event is, too, if the
 * owner may not read it.
 */
export async function readDelivery(rows: Rows, id: string, { byOwner = false } = {}): Promise<DeliveryStory> {
  const delivery = await rows.get('deliveries', { id });
  if (!delivery) throw notFound('id', `There is no delivery ${id}. GET /manage/v1/deliveries lists all of them.`);
  const [event, endpoint, attempts] = await Promise.all([
    byOwner
      ? readableEvents(rows, [delivery]).then((eventOf) => eventOf(delivery))
      : rows.get('events', { id: delivery.event_id }),
    rows.get('endpoints', { id: delivery.endpoint_id }),
    rows.list('attempts', { where: { delivery_id: id }, order: [['number', 'asc']] }),
  ]);
  return { delivery, event, endpoint, attempts };
}
