import { firstIdAt } from '../../gateway/base/ids.ts';
import type { Store } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { delivery, event } from '../store/rows.ts';

let made = 0;

/** Returns a new id of this time. Each is greater than those before it. */
export const idAt = (prefix: string, atMs: number) => `${firstIdAt(prefix, atMs)}${String(made++).padStart(20, '0')}`;

/** Stores deliveries created at this time, by default failed after one attempt, each with its own event. */
export async function storeDeliveries(
  store: Store,
  count: number,
  of: Partial<Row<'deliveries'>> & { endpoint_id: string; created_at: number },
  body = (number: number) => JSON.stringify({ event: 'sale.completed', data: { number } }),
): Promise<Row<'deliveries'>[]> {
  const at = of.created_at;
  const events = Array.from({ length: count }, (_, number) => {
    const { event_type: type = 'sale.completed' } = of;
    return event(idAt('evt', at), { type, body: body(number), created_at: at, fanned_out_at: at, matched: 1 });
  });
  const deliveries = events.map(({ id, type: event_type }) => {
    const failed = { event_type, status: 'failed', attempts: 1, reason: 'status', updated_at: at } as const;
    return delivery(idAt('dlv', at), id, of.endpoint_id, { ...failed, ...of });
  });
  await store.append('events', events);
  await store.append('deliveries', deliveries);
  return deliveries;
}
