import type { Rows, Where } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { KnownLanes } from '../model/lane.ts';
import { newDelivery } from '../model/new-delivery.ts';
import { thoseThatMatch } from '../model/payload-filter.ts';
import { takeOrder, takePlaces } from './order.ts';
import type { NewDelivery } from './recent-deliveries.ts';
import { subscribersTo, wants } from './subscriptions.ts';

/** A change with more events or deliveries leaves them to the background fan-out, so that its caller does not wait. */
const inlineLimits = { events: 10, deliveries: 50 };

/** The deliveries that are stored with their events, and whether the background fan-out must create others. */
export interface InlineFanout {
  created: NewDelivery[];
  isComplete: boolean;
}

/**
 * Returns the deliveries of a change's events and marks the events as fanned out. The change stores them in its own transaction,
 * which saves a second transaction between event and attempt. Above the limits it does so for ordered endpoints only.
 */
export async function fanOutInline(
  tx: Rows,
  events: Row<'events'>[],
  firstDelayMs: number,
  lanes?: KnownLanes,
): Promise<InlineFanout> {
  const matches = events.length > inlineLimits.events ? null : await matchesOf(tx, events, { deleted_at: null });
  if (matches === null || matches.reduce((sum, { matching }) => sum + matching.length, 0) > inlineLimits.deliveries) {
    const others = { id: { of: subscribersTo(events) }, deleted_at: null, ordered: false };
    const isComplete = (await tx.list('endpoints', { where: others, limit: 1 })).length === 0;
    return { created: await fanOutInOrder(tx, events, firstDelayMs, { isComplete }), isComplete };
  }
  markFannedOut(matches);
  return { created: await createIn(tx, events, matches, firstDelayMs, lanes), isComplete: true };
}

/**
 * Returns the deliveries of events at ordered endpoints. They are always stored with their events, so that their places have the
 * order of the commits. The background fan-out creates the others, and counts these, unless there are no others (`isComplete`).
 */
export async function fanOutInOrder(
  tx: Rows,
  events: Row<'events'>[],
  firstDelayMs: number,
  { isComplete } = { isComplete: false },
): Promise<NewDelivery[]> {
  const matches = (await matchesOf(tx, events, { deleted_at: null, ordered: true }, Number.POSITIVE_INFINITY)) ?? [];
  if (isComplete) markFannedOut(matches);
  const concerned = matches.filter(({ matching }) => matching.length > 0);
  for (const { event, matching } of concerned) event.matched = matching.length;
  return createIn(tx, events, concerned, firstDelayMs);
}

function markFannedOut(matches: readonly Match[]): void {
  for (const { event, matching, filtered } of matches)
    Object.assign(event, { fanned_out_at: event.created_at, matched: matching.length, filtered });
}

interface Match {
  event: Row<'events'>;
  matching: readonly Row<'endpoints'>[];
  /** The endpoints that want it by type and subject, but not by its payload. */
  filtered: number;
}

/** Returns null if there are more than `atMost` endpoints. */
async function matchesOf(
  tx: Rows,
  events: Row<'events'>[],
  where: Where<'endpoints'>,
  atMost: number = inlineLimits.deliveries,
): Promise<Match[] | null> {
  const limit = Number.isFinite(atMost) ? { limit: atMost + 1 } : {};
  const endpoints = await tx.list('endpoints', { where: { id: { of: subscribersTo(events) }, ...where }, ...limit });
  if (endpoints.length > atMost) return null;
  endpoints.sort((a, b) => (a.id < b.id ? -1 : 1));
  return events.map((event) => {
    const wanting = endpoints.filter((endpoint) => wants(endpoint, event));
    const matching = thoseThatMatch(wanting, event.body);
    return { event, matching, filtered: wanting.length - matching.length };
  });
}

/** Gives the events their order first, if an ordered endpoint is concerned: it changes their ids. */
async function createIn(
  tx: Rows,
  events: Row<'events'>[],
  matches: readonly Match[],
  firstDelayMs: number,
  lanes?: KnownLanes,
): Promise<NewDelivery[]> {
  const isOrdered = matches.some(({ matching }) => matching.some(({ ordered }) => ordered));
  if (isOrdered) await takeOrder(tx, events);
  const created = matches.flatMap(({ event, matching }) => {
    const at = { now: event.created_at, firstAttemptAt: event.created_at + firstDelayMs };
    return matching.map((endpoint) => {
      const hasLane = lanes?.mayHold(endpoint.id);
      return { delivery: newDelivery(event, endpoint, { ...at, hasLane }), event, endpoint };
    });
  });
  if (isOrdered) await takePlaces(tx, created);
  return created;
}
