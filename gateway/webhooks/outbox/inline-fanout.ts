import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { newDelivery } from '../model/new-delivery.ts';
import { thoseThatMatch } from '../model/payload-filter.ts';
import { takeOrder } from './order.ts';
import type { NewDelivery } from './recent-deliveries.ts';
import { subscribersTo, wants } from './subscriptions.ts';

/** A change with more events or deliveries leaves them to the background fan-out, so that its caller does not wait. */
const inlineLimits = { events: 10, deliveries: 50 };

/**
 * Returns the deliveries of a change's events and marks the events as fanned out; returns null above the limits. The change
 * stores them in its own transaction, which saves a second transaction between event and attempt.
 */
export async function fanOutInline(tx: Rows, events: Row<'events'>[], firstDelayMs: number): Promise<NewDelivery[] | null> {
  if (events.length > inlineLimits.events) return null;
  const where = { id: { of: subscribersTo(events) }, deleted_at: null };
  const endpoints = await tx.list('endpoints', { where, limit: inlineLimits.deliveries + 1 });
  if (endpoints.length > inlineLimits.deliveries) return null;
  if (endpoints.length === 0) {
    for (const event of events) markFannedOut(event, { matched: 0, filtered: 0 });
    return [];
  }
  endpoints.sort((a, b) => (a.id < b.id ? -1 : 1));
  const matches = events.map((event) => {
    const wanting = endpoints.filter((endpoint) => wants(endpoint, event));
    const matching = thoseThatMatch(wanting, event.body);
    return { event, matching, filtered: wanting.length - matching.length };
  });
  if (matches.reduce((sum, { matching }) => sum + matching.length, 0) > inlineLimits.deliveries) return null;
  if (matches.some(({ matching }) => matching.some(({ ordered }) => ordered))) await takeOrder(tx, events);
  return matches.flatMap(({ event, matching, filtered }) => {
    markFannedOut(event, { matched: matching.length, filtered });
    const now = event.created_at;
    const at = { now, firstAttemptAt: now + firstDelayMs };
    return matching.map((endpoint) => ({ delivery: newDelivery(event, endpoint, at), event, endpoint }));
  });
}

function markFannedOut(event: Row<'events'>, counts: { matched: number; filtered: number }): void {
  event.fanned_out_at = event.created_at;
  Object.assign(event, counts);
}
