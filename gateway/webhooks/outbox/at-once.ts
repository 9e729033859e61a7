import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { newDelivery } from '../model/new-delivery.ts';
import type { FreshDelivery } from './fresh.ts';
import { subscribersOf } from './subscriptions.ts';

/** More than this would keep a call waiting: it is left to the fan-out. */
const atMost = { events: 10, deliveries: 50 };

/**
 * The deliveries of a change's events, made in the change's own transaction where they are few, which saves a transaction on
 * the way from event to attempt. Marks the events as fanned out; null where they are too many.
 */
export async function fanOutAtOnce(tx: Rows, events: Row<'events'>[], firstDelayMs: number): Promise<FreshDelivery[] | null> {
  if (events.length > atMost.events) return null;
  const subscribers = await subscribersOf(tx, events, atMost.deliveries);
  if (!subscribers) return null;
  const wanted = events.map((event) => ({ event, endpointIds: subscribers(event) }));
  const ids = [...new Set(wanted.flatMap(({ endpointIds }) => endpointIds))];
  if (wanted.reduce((sum, { endpointIds }) => sum + endpointIds.length, 0) > atMost.deliveries) return null;
  const rows = ids.length > 0 ? await tx.list('endpoints', { where: { id: { in: ids }, deleted_at: null } }) : [];
  const endpoints = new Map(rows.map((endpoint) => [endpoint.id, endpoint]));
  return wanted.flatMap(({ event, endpointIds }) => {
    const now = event.created_at;
    const matching = endpointIds.flatMap((id) => endpoints.get(id) ?? []);
    Object.assign(event, { fanned_out_at: now, matched: matching.length });
    const at = { now, firstAttemptAt: now + firstDelayMs };
    return matching.map((endpoint) => ({ delivery: newDelivery(event, endpoint, at), event, endpoint }));
  });
}
