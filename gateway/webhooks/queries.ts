import { notFound } from '../errors.ts';
import type { Rows } from '../store/port.ts';
import type { Row } from '../store/tables.ts';

interface PageInput {
  /** The last id of the page before. */
  cursor?: string | undefined;
  /** How many rows to read, one more than the page has included. */
  limit: number;
}

export interface DeliveryFilter extends PageInput {
  endpoint_id?: string | undefined;
  event_id?: string | undefined;
  event_type?: string | undefined;
  status?: string | undefined;
}

const newestFirst = [['id', 'desc']] as const;
const before = (cursor: string | undefined) => (cursor === undefined ? undefined : { lt: cursor });

export function listEvents(
  rows: Rows,
  { type, service, cursor, limit }: PageInput & { type?: string | undefined; service?: string | undefined },
): Promise<Row<'events'>[]> {
  return rows.list('events', { where: { type, service, id: before(cursor) }, order: newestFirst, limit });
}

/** An event and the deliveries it came to, at most `limit` of them. */
export async function readEvent(
  rows: Rows,
  id: string,
  limit: number,
): Promise<{ event: Row<'events'>; deliveries: Row<'deliveries'>[] }> {
  const event = await rows.get('events', { id });
  if (!event) throw notFound('id', `There is no event ${id}. GET /manage/v1/events lists those there are.`);
  return { event, deliveries: await listDeliveries(rows, { event_id: id, limit }) };
}

export function listDeliveries(rows: Rows, { cursor, limit, ...filter }: DeliveryFilter): Promise<Row<'deliveries'>[]> {
  return rows.list('deliveries', { where: { ...filter, id: before(cursor) }, order: newestFirst, limit });
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
