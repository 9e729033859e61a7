import { newIdAfter } from '../../base/ids.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { isOrderedByKey, orderKeyOf } from '../model/order-key.ts';
import type { NewDelivery } from './recent-deliveries.ts';

const name = 'events';

/**
 * Gives events that an ordered endpoint may match ids in the order of their commits. Lanes sort by event id, so they send in
 * this order. Ids alone do not have it: transactions commit in another order than they begin, and clocks of processes
 * differ. Locks the order's row until the transaction ends, so call it last and only if an ordered endpoint is concerned.
 */
export async function takeOrder(tx: Rows, events: readonly Row<'events'>[]): Promise<void> {
  const order = (await lockOrder(tx)) ?? (await createOrder(tx));
  let last = order.last_id;
  for (const event of events) {
    event.id = newIdAfter('evt', last);
    last = event.id;
  }
  await tx.update('event_order', { name }, { last_id: last });
}

const lockOrder = (tx: Rows) => tx.get('event_order', { name }, { lock: true });

/** The first ordered event of an installation creates the row. */
async function createOrder(tx: Rows): Promise<Row<'event_order'>> {
  await tx.insert('event_order', [{ name, last_id: '' }], { onConflict: 'ignore' });
  return (await lockOrder(tx)) as Row<'event_order'>;
}

/**
 * Gives new deliveries their places among the deliveries of their keys, in the order of their events. Skipped deliveries get
 * places too, so that the receiver sees what a pause left out. Deliveries whose key has no earlier waiting delivery leave their
 * lanes at once. Call it after `takeOrder`, because of its lock, nobody else creates deliveries of the same keys meanwhile.
 */
export async function takePlaces(tx: Rows, created: readonly Required<NewDelivery>[]): Promise<void> {
  const placed = created.flatMap(({ delivery, event, endpoint }) => {
    const name = orderKeyOf(endpoint, event);
    return name === null ? [] : [{ delivery, endpoint, name }];
  });
  const names = [...new Set(placed.map(({ name }) => name))];
  const [rows, before] = await Promise.all([
    tx.list('order_keys', { where: { name: { in: names } } }),
    tx.newest('deliveries', { of: 'order_key', by: 'event_id', values: names, columns: ['order_key'], limit: 1 }),
  ]);
  const found = new Map(rows.map((row) => [row.name, row]));
  const keys = new Map(names.map((name) => [name, found.get(name) ?? { name, sequence: 0, event_id: null }]));
  const busy = new Set(before.map(({ order_key }) => order_key));
  for (const { delivery, endpoint, name } of placed) {
    const key = keys.get(name) as Row<'order_keys'>;
    key.sequence += 1;
    Object.assign(delivery, { sequence: key.sequence, previous_event_id: key.event_id });
    key.event_id = delivery.event_id;
    const isFree = isOrderedByKey(endpoint) && endpoint.held_until === null && !busy.has(name);
    if (isFree) delivery.parked = false;
    if (delivery.order_key !== null) busy.add(name);
  }
  const [known, added] = [names.filter((name) => found.has(name)), names.filter((name) => !found.has(name))];
  const rowsOf = (some: string[]) => some.map((name) => keys.get(name) as Row<'order_keys'>);
  await tx.append('order_keys', rowsOf(added));
  await tx.revise('order_keys', rowsOf(known));
}

/**
 * Returns the delivery that an ordered endpoint's lane may release now: the first one, unless an earlier event of the
 * endpoint still waits for its fan-out (`waits`). Undefined if the lane is empty.
 */
export async function firstInOrder(
  tx: Rows,
  endpoint: Row<'endpoints'>,
  readFirst: () => Promise<Row<'deliveries'> | undefined>,
): Promise<Row<'deliveries'> | 'waits' | undefined> {
  const seen = await readFirst();
  if (!seen) return undefined;
  if (await awaitsFanOut(tx, endpoint, seen.event_id)) return 'waits';
  // An earlier event may have been fanned out between these two reads. Then its delivery is visible now.
  return readFirst();
}

/** The clocks of the processes that stored the event and changed the endpoint differ by at most this. */
const clocksDifferMs = 60_000;

/** More events are not compared with their deliveries: the lane waits for their fan-out. */
const maxCompared = 100;

/**
 * Returns true if an event before `eventId` that the endpoint wants may have no delivery to it yet: it was stored before the endpoint was
 * ordered or came to want it.
 */
async function awaitsFanOut(tx: Rows, endpoint: Row<'endpoints'>, eventId: string): Promise<boolean> {
  const { service, events, perimeter, updated_at } = endpoint;
  const type = events === null ? undefined : { in: events };
  const subject = perimeter === null ? undefined : { in: perimeter };
  const where = { fanned_out_at: null, id: { lt: eventId }, service, type, subject } as const;
  const [first] = await tx.list('events', { where, order: [['id', 'asc']], limit: 1 });
  if (!first) return false;
  if (first.matched === null || (await tx.count('events', { ...where, matched: null }, { atMost: 1 })) > 0) return true;
  // Later events already have their deliveries to endpoints that were ordered, and wanted them, when they were stored.
  const maybeBefore = updated_at + clocksDifferMs;
  if (first.created_at > maybeBefore) return false;
  const since = { ...where, created_at: { lte: maybeBefore } };
  const awaited = await tx.list('events', { where: since, order: [['id', 'asc']], limit: maxCompared });
  const held = { endpoint_id: endpoint.id, event_id: { in: awaited.map(({ id }) => id) } };
  return awaited.length === maxCompared || (await tx.count('deliveries', held)) < awaited.length;
}
