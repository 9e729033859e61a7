import { newIdAfter } from '../../base/ids.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';

const name = 'events';

/**
 * Gives events that an ordered endpoint may match ids in the order of their commits. Their deliveries are sent in
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

/** Calls `takeOrder` for events whose endpoints are not known yet, if there is any ordered endpoint. */
export async function takeOrderIfNeeded(tx: Rows, events: readonly Row<'events'>[]): Promise<void> {
  const [ordered] = await tx.list('endpoints', { where: { ordered: true, deleted_at: null }, limit: 1 });
  if (ordered) await takeOrder(tx, events);
}

/**
 * Returns true if an event waits for its fan-out. Then events after it must do so too, so that places are given in the order of
 * the events. Call it when the events have their order.
 */
export async function isBehindFanOut(tx: Rows, [first]: readonly Row<'events'>[]): Promise<boolean> {
  return (await tx.count('events', { fanned_out_at: null, id: { lt: first?.id ?? '' } }, { atMost: 1 })) > 0;
}

/** Gives new deliveries, in the order of their events, their places among those of their keys. Locks the keys until the transaction ends. */
export async function takePlaces(tx: Rows, created: readonly Row<'deliveries'>[]): Promise<void> {
  const ordered = created.filter((delivery) => delivery.order_key !== null);
  if (ordered.length === 0) return;
  const keys = await lockKeys(tx, [...new Set(ordered.map(({ order_key }) => order_key as string))]);
  for (const delivery of ordered) {
    const key = keys.get(delivery.order_key as string) as Row<'order_keys'>;
    key.sequence += 1;
    Object.assign(delivery, { sequence: key.sequence, previous_event_id: key.event_id });
    key.event_id = delivery.event_id;
    if (delivery.status === 'skipped') delivery.order_key = null;
  }
  await tx.revise('order_keys', [...keys.values()]);
}

async function lockKeys(tx: Rows, names: string[]): Promise<Map<string, Row<'order_keys'>>> {
  const read = async () => {
    const rows = await tx.list('order_keys', { where: { name: { in: names } }, order: [['name', 'asc']], lock: true });
    return new Map(rows.map((row) => [row.name, row]));
  };
  const found = await read();
  const added = names.filter((name) => !found.has(name));
  if (added.length === 0) return found;
  const rows = added.sort().map((name) => ({ name, sequence: 0, event_id: null }));
  await tx.insert('order_keys', rows, { onConflict: 'ignore', columns: ['name'] });
  return read();
}
