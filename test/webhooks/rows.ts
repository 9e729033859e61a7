import { firstIdAt } from '../../gateway/base/ids.ts';
import type { Store } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';

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
  const events = Array.from(
    { length: count },
    (_, number): Row<'events'> => ({
      id: idAt('evt', at),
      service: 'pos',
      type: of.event_type ?? 'sale.completed',
      subject: null,
      body: body(number),
      created_at: at,
      fanned_out_at: at,
      matched: 1,
      traceparent: null,
      filtered: null,
      fanout_after: null,
      erased_by: null,
      position: 0,
      caused_by: null,
    }),
  );
  const deliveries = events.map(
    ({ id, type }): Row<'deliveries'> => ({
      id: idAt('dlv', at),
      event_id: id,
      event_type: type,
      status: 'failed',
      attempts: 1,
      reason: 'status',
      response_status: null,
      next_attempt_at: null,
      parked: false,
      test: false,
      recovered_at: null,
      delays: null,
      delivered_at: null,
      order_key: null,
      sequence: null,
      previous_event_id: null,
      updated_at: at,
      ...of,
    }),
  );
  await store.append('events', events);
  await store.append('deliveries', deliveries);
  return deliveries;
}
