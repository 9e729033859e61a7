import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { newDelivery } from '../model/new-delivery.ts';
import { takeOrder } from './order.ts';
import type { NewDelivery } from './recent-deliveries.ts';
import { subscribersOf } from './subscriptions.ts';

/** A change with more events or deliveries leaves them to the background fan-out, so that its caller does not wait. */
const inlineLimits = { events: 10, deliveries: 50 };

/**
 * Returns the deliveries of a change's events and marks the events as fanned out; returns null above the limits. The change
 * stores them in its own transaction, which saves a second transaction between event and attempt.
 */
export async function fanOutInline(tx: Rows, events: Row<'events'>[], firstDelayMs: number): Promise<NewDelivery[] | null> {
  if (events.length > inlineLimits.events) return null;
  const subscribers = await subscribersOf(tx, events, inlineLimits.deliveries);
  if (!subscribers) return null;
  const matches = events.map((event) => ({ event, endpointIds: subscribers(event) }));
  if (matches.reduce((sum, { endpointIds }) => sum + endpointIds.length, 0) > inlineLimits.deliveries) return null;
  const ids = [...new Set(matches.flatMap(({ endpointIds }) => endpointIds))];
  const rows = ids.length > 0 ? await tx.list('endpoints', { where: { id: { in: ids }, deleted_at: null } }) : [];
  if (rows.some(({ ordered }) => ordered)) await takeOrder(tx, events);
  const endpoints = new Map(rows.map((endpoint) => [endpoint.id, endpoint]));
  return matches.flatMap(({ event, endpointIds }) => {
    const now = event.created_at;
    const matching = endpointIds.flatMap((id) => endpoints.get(id) ?? []);
    Object.assign(event, { fanned_out_at: now, matched: matching.length });
    const at = { now, firstAttemptAt: now + firstDelayMs };
    return matching.map((endpoint) => ({ delivery: newDelivery(event, endpoint, at), event, endpoint }));
  });
}
