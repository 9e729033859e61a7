import { invalid } from '../../base/errors.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';

/** Stands for any event type, or any subject. Neither is ever called that (`endpoints.ts` refuses it in a perimeter). */
export const any = '*';

const pairsAtMost = 10_000;

type Wishes = Pick<Row<'endpoints'>, 'id' | 'service' | 'events' | 'perimeter'>;

/** One row for each pair of event type and subject that an endpoint wants: of one event at most one of them is true. */
export function subscriptionsOf({ id, service, events, perimeter }: Wishes): Row<'subscriptions'>[] {
  const [types, subjects] = [events ?? [any], perimeter ?? [any]];
  const pairs = types.length * subjects.length;
  if (pairs > pairsAtMost) {
    throw invalid(
      'perimeter',
      'too_many_pairs',
      `${types.length} events for each of ${subjects.length} subjects are ${pairs} subscriptions; an endpoint has at most ` +
        `${pairsAtMost}. Name fewer, take every event (null), or make several endpoints.`,
    );
  }
  return types.flatMap((event_type) => subjects.map((subject) => ({ service, event_type, subject, endpoint_id: id })));
}

/** To be called in the transaction that makes an endpoint or changes its wishes; a disabled one keeps its own. */
export async function storeSubscriptions(tx: Rows, endpoint: Wishes): Promise<void> {
  const rows = subscriptionsOf(endpoint);
  await removeSubscriptions(tx, endpoint.id);
  await tx.append('subscriptions', rows);
}

export async function removeSubscriptions(tx: Rows, endpointId: string): Promise<void> {
  await tx.remove('subscriptions', { endpoint_id: endpointId });
}

type Subject = Pick<Row<'events'>, 'service' | 'type' | 'subject'>;

const typesOf = ({ type }: Subject) => [type, any];
/** What is about nothing in particular is for those who want everything. */
const subjectsOf = ({ subject }: Subject) => (subject === null ? [any] : [subject, any]);

/** The keys of all rows that an event can match. */
function keysOf(event: Subject): Pick<Row<'subscriptions'>, 'service' | 'event_type' | 'subject'>[] {
  const { service } = event;
  return typesOf(event).flatMap((event_type) => subjectsOf(event).map((subject) => ({ service, event_type, subject })));
}

const textOf = (key: Pick<Row<'subscriptions'>, 'service' | 'event_type' | 'subject'>) =>
  JSON.stringify([key.service, key.event_type, key.subject]);

/**
 * Who wants these events, as a function that gives each event's endpoints in the order of their ids; undefined where they
 * are more than `atMost` rows to read.
 */
export async function subscribersOf(
  tx: Rows,
  events: readonly Subject[],
  atMost: number,
): Promise<((event: Subject) => string[]) | undefined> {
  const distinct = <V extends string>(values: V[]) => ({ in: [...new Set(values)] });
  const where = {
    service: distinct(events.map(({ service }) => service)),
    event_type: distinct(events.flatMap(typesOf)),
    subject: distinct(events.flatMap(subjectsOf)),
  };
  const rows = await tx.list('subscriptions', { where, limit: atMost + 1 });
  if (rows.length > atMost) return undefined;
  const byKey = Map.groupBy(rows, textOf);
  return (event) =>
    keysOf(event)
      .flatMap((key) => byKey.get(textOf(key)) ?? [])
      .map(({ endpoint_id }) => endpoint_id)
      .sort();
}

/** The next endpoints that want this event, in the order of their ids: read along the index, however many there are. */
export async function nextSubscribersOf(tx: Rows, event: Subject, after: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (const key of keysOf(event)) {
    const where = { ...key, endpoint_id: { gt: after } };
    const rows = await tx.list('subscriptions', { where, order: [['endpoint_id', 'asc']], limit });
    found.push(...rows.map(({ endpoint_id }) => endpoint_id));
  }
  return found.sort().slice(0, limit);
}
