import { invalid } from '../../base/errors.ts';
import type { Rows, Selection } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Visible } from '../../store/tables/webhooks.ts';

/** The wildcard for every event type or every subject, and for events without a subject. */
const any = '*';
/** Stands for every subject, but not for events without one. */
const withSubject = '+';
const withoutSubject = '-';
/** The endpoint has too many pairs for rows of their own: it may want any event, and `wants` decides. */
const unsure = '?';

/** None of these is an id: ids begin with a letter or digit, and `endpoints.ts` rejects these in a perimeter. */
export const standIns: readonly string[] = [any, withSubject, withoutSubject, unsure];

const maxSubscriptions = 10_000;
/** Fewer for an owned endpoint: a change of its owner replaces the rows of all endpoints of the owner in one transaction. */
const maxOwnedSubscriptions = 2000;

type Filters = Pick<Row<'endpoints'>, 'id' | 'service' | 'events' | 'perimeter' | 'visible' | 'disabled_reason'>;

/** Returns true if an owner may see events about this subject; null is an event without one. The operator sees everything. */
export function sees(visible: Visible | null, subject: string | null): boolean {
  if (visible === null) return true;
  return subject === null ? visible.unscoped : visible.subjects === null || visible.subjects.includes(subject);
}

/** Returns the subjects in both the endpoint's perimeter and its owner's, or the stand-ins for them. */
function wantedSubjects({ perimeter, visible }: Filters): string[] {
  if (perimeter !== null) return perimeter.filter((subject) => sees(visible, subject));
  if (visible === null) return [any];
  if (visible.subjects === null) return [visible.unscoped ? any : withSubject];
  return visible.unscoped ? [...visible.subjects, withoutSubject] : visible.subjects;
}

/**
 * Returns one row for each pair of event type and subject that an endpoint wants. An event matches at most one of them. Throws
 * `invalid` if an operator's endpoint has too many. An owned one gets a single row then, because a change of its owner must not fail.
 */
export function subscriptionsOf(endpoint: Filters): Row<'subscriptions'>[] {
  const { id, service, events, visible, disabled_reason } = endpoint;
  if (disabled_reason === 'unverified') return [];
  const [types, subjects] = [events ?? [any], wantedSubjects(endpoint)];
  const pairs = types.length * subjects.length;
  if (visible === null && pairs > maxSubscriptions) throw tooMany(types.length, subjects.length);
  if (visible !== null && pairs > maxOwnedSubscriptions) return [{ service, event_type: any, subject: unsure, endpoint_id: id }];
  return types.flatMap((event_type) => subjects.map((subject) => ({ service, event_type, subject, endpoint_id: id })));
}

const tooMany = (types: number, subjects: number) =>
  invalid(
    'perimeter',
    'too_many_pairs',
    `${types} events times ${subjects} subjects are ${types * subjects} subscriptions, but an endpoint can have at most ` +
      `${maxSubscriptions}. Name fewer, subscribe to every event (null), or create several endpoints.`,
  );

/** Call this in the transaction that creates an endpoint. A disabled endpoint keeps its subscriptions. */
export async function storeSubscriptions(tx: Rows, endpoint: Filters): Promise<void> {
  await tx.append('subscriptions', subscriptionsOf(endpoint));
}

/** Call this in the transaction that changes the filters, owner's perimeter or verification of endpoints. Writes only what differs. */
export async function replaceSubscriptions(tx: Rows, changes: readonly { before: Filters; after: Filters }[]): Promise<void> {
  const rows = changes.flatMap(({ before, after }) => {
    const wanted = subscriptionsOf(after);
    const isSame = JSON.stringify(wanted) === JSON.stringify(subscriptionsOf(before));
    return isSame ? [] : [{ id: after.id, wanted }];
  });
  if (rows.length === 0) return;
  await tx.remove('subscriptions', { endpoint_id: { in: rows.map(({ id }) => id) } });
  const added = rows.flatMap(({ wanted }) => wanted);
  for (let from = 0; from < added.length; from += maxSubscriptions)
    await tx.append('subscriptions', added.slice(from, from + maxSubscriptions));
}

export async function removeSubscriptions(tx: Rows, endpointId: string): Promise<void> {
  await tx.remove('subscriptions', { endpoint_id: endpointId });
}

type Subject = Pick<Row<'events'>, 'service' | 'type' | 'subject'>;

const typesOf = ({ type }: Subject) => [type, any];
/** An event without a subject matches only endpoints without a perimeter. */
const subjectsOf = ({ subject }: Subject) => (subject === null ? [withoutSubject, any] : [subject, withSubject, any]);

function keysOf(event: Subject): Pick<Row<'subscriptions'>, 'service' | 'event_type' | 'subject'>[] {
  const { service } = event;
  const pairs = typesOf(event).flatMap((event_type) => subjectsOf(event).map((subject) => ({ service, event_type, subject })));
  return [...pairs, { service, event_type: any, subject: unsure }];
}

/** The different values of events. Most changes have one event. */
const distinct = <V>(events: readonly Subject[], valuesOf: (event: Subject) => V[]): V[] =>
  events.length === 1 ? valuesOf(events[0] as Subject) : [...new Set(events.flatMap(valuesOf))];

/** Selects the endpoints that may want one of these events; `wants` decides. */
export function subscribersTo(events: readonly Subject[]): Selection<'subscriptions'> {
  const where = {
    service: { in: distinct(events, ({ service }) => [service]) },
    event_type: { in: distinct(events, typesOf) },
    subject: { in: [...distinct(events, subjectsOf), unsure] },
  };
  return { table: 'subscriptions', column: 'endpoint_id', where };
}

/** Returns true if the endpoint wants the event and its owner may see it. */
export function wants(endpoint: Omit<Filters, 'id'>, { type, subject, ...event }: Subject): boolean {
  const { service, events, perimeter, visible, disabled_reason } = endpoint;
  const isWithin = perimeter === null || (subject !== null && perimeter.includes(subject));
  const isTyped = events === null || events.includes(type);
  return disabled_reason !== 'unverified' && service === event.service && isWithin && isTyped && sees(visible, subject);
}

const textOf = (key: Pick<Row<'subscriptions'>, 'service' | 'event_type' | 'subject'>) =>
  JSON.stringify([key.service, key.event_type, key.subject]);

interface Subscribers {
  /** Returns an event's endpoint ids in ascending order. */
  of(event: Subject): string[];
  /** The endpoints that want the event only if `wants` says so. */
  unsure: Set<string>;
}

const unsureOf = (rows: readonly Row<'subscriptions'>[]) =>
  new Set(rows.flatMap(({ subject, endpoint_id }) => (subject === unsure ? [endpoint_id] : [])));

/** Reads the subscribers of these events. Returns undefined if there are more than `maxRows` subscriptions to read. */
export async function subscribersOf(tx: Rows, events: readonly Subject[], maxRows: number): Promise<Subscribers | undefined> {
  const { table, where } = subscribersTo(events);
  const rows = await tx.list(table, { where, limit: maxRows + 1 });
  if (rows.length > maxRows) return undefined;
  const byKey = Map.groupBy(rows, textOf);
  const of = (event: Subject) =>
    keysOf(event)
      .flatMap((key) => byKey.get(textOf(key)) ?? [])
      .map(({ endpoint_id }) => endpoint_id)
      .sort();
  return { of, unsure: unsureOf(rows) };
}

/** Returns the event's next subscribers after the id `after`, in ascending order. Reads at most `limit` rows for each key. */
export async function nextSubscribersOf(
  tx: Rows,
  event: Subject,
  after: string,
  limit: number,
): Promise<{ ids: string[]; unsure: Set<string> }> {
  const found = await Promise.all(
    keysOf(event).map((key) => {
      const where = { ...key, endpoint_id: { gt: after } };
      return tx.list('subscriptions', { where, order: [['endpoint_id', 'asc']], limit });
    }),
  );
  const rows = found.flat();
  const ids = rows.map(({ endpoint_id }) => endpoint_id).sort();
  return { ids: ids.slice(0, limit), unsure: unsureOf(rows) };
}
