import { notFound } from '../../base/errors.ts';
import type { Rows, Where } from '../../store/port.ts';
import { type Found, idsIn, type Period, search } from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';

interface PageInput {
  /** Where the page before ended. */
  cursor?: string | undefined;
  limit: number;
  /** For tests: see `search.ts`. */
  reach?: readonly number[];
}

export interface EventFilter extends PageInput, Period {
  type?: string | undefined;
  service?: string | undefined;
  /** The store or structure it is about. */
  subject?: string | undefined;
  /** Only those that no endpoint wanted. */
  unmatched?: boolean | undefined;
  /** Text in the body. */
  q?: string | undefined;
}

export interface DeliveryFilter extends PageInput, Period {
  endpoint_id?: string | undefined;
  event_id?: string | undefined;
  event_type?: string | undefined;
  status?: string | undefined;
  reason?: string | undefined;
  response_status?: number | undefined;
  waits_for?: 'time' | 'turn' | undefined;
  /** Text in the event's body. */
  q?: string | undefined;
}

export function listEvents(rows: Rows, filter: EventFilter): Promise<Found<'events'>> {
  const { type, service, subject, unmatched, q, limit, reach } = filter;
  const where: Where<'events'> = { type, service, subject, matched: unmatched ? 0 : undefined };
  const holdsText = async (events: Row<'events'>[]) => {
    const texts = writings(q ?? '');
    return events.filter(({ body }) => texts.some((text) => body.includes(text)));
  };
  return search(rows, {
    table: 'events',
    key: 'id',
    where,
    range: idsIn('evt', filter),
    indexed: eventIndexes(filter),
    ...(q ? { keep: holdsText } : {}),
    limit,
    reach,
  });
}

/** As `tables.ts` has them. A type is of one service only, so its own index leads to both. */
function eventIndexes({ type, service, subject, unmatched }: EventFilter): Where<'events'>[] {
  const parts: Where<'events'>[] = [];
  if (type !== undefined) parts.push({ type });
  else if (service !== undefined) parts.push({ service });
  if (subject !== undefined) parts.push({ subject });
  if (type !== undefined && service !== undefined && subject === undefined && !unmatched) parts.push({ type, service });
  return parts.length === 0 ? [{}] : parts;
}

/** A text as it is, and as JSON writes it (a quotation mark has a backslash there). */
const writings = (text: string): string[] => [...new Set([text, JSON.stringify(text).slice(1, -1)])];

/** An event and the deliveries it came to, at most `limit` of them. */
export async function readEvent(
  rows: Rows,
  id: string,
  limit: number,
): Promise<{ event: Row<'events'>; deliveries: Row<'deliveries'>[] }> {
  const event = await rows.get('events', { id });
  if (!event) throw notFound('id', `There is no event ${id}. GET /manage/v1/events lists those there are.`);
  return { event, deliveries: (await listDeliveries(rows, { event_id: id, limit })).data };
}

export async function listDeliveries(rows: Rows, filter: DeliveryFilter): Promise<Found<'deliveries'>> {
  const { cursor: _, limit, reach, from: __, to: ___, q, waits_for, ...columns } = filter;
  // Only what is pending waits.
  if (waits_for !== undefined && (columns.status ?? 'pending') !== 'pending') return { data: [], next: null, stopped: null };
  const where = waits_for === undefined ? columns : { ...columns, status: 'pending', parked: waits_for === 'turn' };
  return search(rows, {
    table: 'deliveries',
    key: 'id',
    where,
    range: idsIn('dlv', filter),
    indexed: indexedParts(where),
    ...(q ? { keep: (deliveries) => withText(rows, deliveries, q) } : {}),
    limit,
    reach,
  });
}

type DeliveryColumns = Pick<
  DeliveryFilter,
  'endpoint_id' | 'event_id' | 'event_type' | 'status' | 'reason' | 'response_status'
> & {
  parked?: boolean;
};

/** As `tables.ts` has them; an event has few deliveries, so that its id leads to all that is asked of them. */
function indexedParts(where: DeliveryColumns): DeliveryColumns[] {
  const { endpoint_id, event_id, event_type, status, reason, response_status } = where;
  if (event_id !== undefined) return [where];
  const parts: DeliveryColumns[] = [];
  if (endpoint_id !== undefined) parts.push(status === undefined ? { endpoint_id } : { endpoint_id, status });
  else if (status !== undefined) parts.push({ status });
  if (event_type !== undefined) parts.push(status === 'failed' ? { event_type, status } : { event_type });
  if (reason !== undefined) parts.push({ reason });
  if (response_status !== undefined && response_status >= 300) parts.push({ response_status });
  return parts.length === 0 && response_status === undefined ? [{}] : parts;
}

/** Those whose event holds the text. */
async function withText(rows: Rows, deliveries: Row<'deliveries'>[], q: string): Promise<Row<'deliveries'>[]> {
  const id = { in: [...new Set(deliveries.map(({ event_id }) => event_id))] };
  const found = await Promise.all(writings(q).map((text) => rows.list('events', { where: { id, body: { contains: text } } })));
  const events = new Set(found.flat().map((event) => event.id));
  return deliveries.filter(({ event_id }) => events.has(event_id));
}

export interface DeliveryStory {
  delivery: Row<'deliveries'>;
  event: Row<'events'> | undefined;
  endpoint: Row<'endpoints'> | undefined;
  /** In the order in which they were made. */
  attempts: Row<'attempts'>[];
}

export async function readDelivery(rows: Rows, id: string): Promise<DeliveryStory> {
  const delivery = await rows.get('deliveries', { id });
  if (!delivery) throw notFound('id', `There is no delivery ${id}. GET /manage/v1/deliveries lists those there are.`);
  const [event, endpoint, attempts] = await Promise.all([
    rows.get('events', { id: delivery.event_id }),
    rows.get('endpoints', { id: delivery.endpoint_id }),
    rows.list('attempts', { where: { delivery_id: id }, order: [['number', 'asc']] }),
  ]);
  return { delivery, event, endpoint, attempts };
}
