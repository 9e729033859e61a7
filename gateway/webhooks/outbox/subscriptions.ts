import { invalid } from '../../base/errors.ts';
import type { Rows, Selection } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';

/** The wildcard for every event type or every subject. No real one has this name: `endpoints.ts` rejects it in a perimeter. */
export const any = '*';

const maxSubscriptions = 10_000;

type Filters = Pick<Row<'endpoints'>, 'id' | 'service' | 'events' | 'perimeter'>;

/** Returns one row for each pair of event type and subject that an endpoint wants. An event matches at most one of them. */
export function subscriptionsOf({ id, service, events, perimeter }: Filters): Row<'subscriptions'>[] {
  const [types, subjects] = [events ?? [any], perimeter ?? [any]];
  const pairs = types.length * subjects.length;
  if (pairs > maxSubscriptions) {
    throw invalid(
      'perimeter',
      'too_many_pairs',
      `${types.length} events times ${subjects.length} subjects are ${pairs} subscriptions, but an endpoint can have at most ` +
        `${maxSubscriptions}. Name fewer, subscribe to every event (null), or create several endpoints.`,
    );
  }
  return types.flatMap((event_type) => subjects.map((subject) => ({ service, event_type, subject, endpoint_id: id })));
}

/** Call this in the transaction that creates an endpoint or changes its filters. A disabled endpoint keeps its subscriptions. */
export async function storeSubscriptions(tx: Rows, endpoint: Filters): Promise<void> {
  const rows = subscriptionsOf(endpoint);
  await removeSubscriptions(tx, endpoint.id);
  await tx.append('subscriptions', rows);
}

export async function removeSubscriptions(tx: Rows, endpointId: string): Promise<void> {
  await tx.remove('subscriptions', { endpoint_id: endpointId });
}

type Subject = Pick<Row<'events'>, 'service' | 'type' | 'subject'>;

const typesOf = ({ type }: Subject) => [type, any];
/** An event without a subject matches only endpoints without a perimeter. */
const subjectsOf = ({ subject }: Subject) => (subject === null ? [any] : [subject, any]);

/** Returns the keys of all subscriptions that an event can match. */
function keysOf(event: Subject): Pick<Row<'subscriptions'>, 'service' | 'event_type' | 'subject'>[] {
  const { service } = event;
  return typesOf(event).flatMap((event_type) => subjectsOf(event).map((subject) => ({ service, event_type, subject })));
}

/** Selects the endpoints that want one of these events. Some may want a type and a subject of two different ones: see `wants`. */
export function subscribersTo(events: readonly Subject[]): Selection<'subscriptions'> {
  const distinct = <V extends string>(values: V[]) => ({ in: [...new Set(values)] });
  const where = {
    service: distinct(events.map(({ service }) => service)),
    event_type: distinct(events.flatMap(typesOf)),
    subject: distinct(events.flatMap(subjectsOf)),
  };
  return { table: 'subscriptions', column: 'endpoint_id', where };
}

/** Returns true if the endpoint has a subscription that the event matches. */
export function wants({ service, events, perimeter }: Filters, { type, subject, ...event }: Subject): boolean {
  const isWithin = perimeter === null || (subject !== null && perimeter.includes(subject));
  return service === event.service && isWithin && (events === null || events.includes(type));
}

const textOf = (key: Pick<Row<'subscriptions'>, 'service' | 'event_type' | 'subject'>) =>
  JSON.stringify([key.service, key.event_type, key.subject]);

/**
 * Reads the subscribers of these events. Returns a function from an event to its endpoint ids in ascending order, or
 * undefined if there are more than `maxRows` subscriptions to read.
 */
export async function subscribersOf(
  tx: Rows,
  events: readonly Subject[],
  maxRows: number,
): Promise<((event: Subject) => string[]) | undefined> {
  const { table, where } = subscribersTo(events);
  const rows = await tx.list(table, { where, limit: maxRows + 1 });
  if (rows.length > maxRows) return undefined;
  const byKey = Map.groupBy(rows, textOf);
  return (event) =>
    keysOf(event)
      .flatMap((key) => byKey.get(textOf(key)) ?? [])
      .map(({ endpoint_id }) => endpoint_id)
      .sort();
}

/** Returns the event's next subscribers after the id `after`, in ascending order. Reads at most `limit` rows for each key. */
export async function nextSubscribersOf(tx: Rows, event: Subject, after: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (const key of keysOf(event)) {
    const where = { ...key, endpoint_id: { gt: after } };
    const rows = await tx.list('subscriptions', { where, order: [['endpoint_id', 'asc']], limit });
    found.push(...rows.map(({ endpoint_id }) => endpoint_id));
  }
  return found.sort().slice(0, limit);
}
