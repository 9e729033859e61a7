import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { isBlocking } from '../model/order-key.ts';

/** What a delivery that has failed at an ordered endpoint holds back. */
export interface HeldBack {
  /** When its first attempt failed; null if that attempt is not kept any more. */
  since: number | null;
  /** Deliveries of its key that wait behind it. */
  waiting: number;
  /** True if there may be more: they are counted up to a bound. */
  more: boolean;
}

/** For each delivery of a page. A blocked endpoint may have a million that wait. */
export const heldBackCountedTo = 100;

/** Returns a function that says what each of these deliveries holds back; null for those that block nothing. Two queries read it for all. */
export async function readHeldBack(
  rows: Rows,
  deliveries: readonly Row<'deliveries'>[],
): Promise<(delivery: Row<'deliveries'>) => HeldBack | null> {
  const blocking = deliveries.filter(isBlocking);
  if (blocking.length === 0) return () => null;
  const limit = heldBackCountedTo + 1;
  const [firsts, inKeys] = await Promise.all([
    rows.newest('attempts', {
      of: 'delivery_id',
      by: 'number',
      values: blocking.map(({ id }) => id),
      where: { number: 1 },
      columns: ['delivery_id', 'ended_at'],
      limit: 1,
    }),
    // With the blocking delivery itself. Deliveries that have ended have no key.
    rows.newest('deliveries', {
      of: 'order_key',
      by: 'event_id',
      values: blocking.map(({ order_key }) => order_key as string),
      columns: ['order_key', 'event_id'],
      limit,
      oldest: true,
    }),
  ]);
  const since = new Map(firsts.map(({ delivery_id, ended_at }) => [delivery_id, ended_at]));
  const byKey = Map.groupBy(inKeys, ({ order_key }) => order_key);
  return (delivery) => {
    if (!isBlocking(delivery)) return null;
    const { id, order_key, event_id } = delivery;
    const ofKey = byKey.get(order_key) ?? [];
    const waiting = ofKey.filter((one) => one.event_id > event_id).length;
    return { since: since.get(id) ?? null, waiting, more: ofKey.length === limit };
  };
}

/** Returns the delivery that goes first in the order of a pending one; undefined if it waits for none. */
export async function readFirst(
  rows: Rows,
  { id, order_key, status }: Row<'deliveries'>,
): Promise<Row<'deliveries'> | undefined> {
  if (status !== 'pending' || order_key === null) return undefined;
  const [first] = await rows.list('deliveries', { where: { order_key }, order: [['event_id', 'asc']], limit: 1 });
  return first?.id === id ? undefined : first;
}
