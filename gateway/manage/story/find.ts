import { serviceNames } from '../../../spec/documents/services.ts';
import { timeOfId } from '../../base/ids.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { listEvents } from '../../webhooks/operator/queries.ts';
import { listCalls } from '../calls/queries.ts';

type Call = Row<'calls'>;
type Event = Row<'events'>;

export interface StoryQuery {
  /** An id, a reference, an idempotency key, or any text of a call or an event. */
  q: string;
  /** `next` of the page before. */
  cursor?: string | undefined;
  /** Maximum calls, and maximum events, that the text itself finds. */
  limit: number;
}

/** What belongs to a text, and what follows from it. Each list is in the order of time. */
export interface Story {
  calls: Call[];
  events: Event[];
  deliveries: Row<'deliveries'>[];
  attempts: Row<'attempts'>[];
  endpoints: Row<'endpoints'>[];
  /** Calls that caused an event of the story, and are no longer stored. */
  calls_gone: string[];
  /** True if there are more deliveries or attempts than a story shows. */
  cut: boolean;
  next: string | null;
  /** How far the search looked back, in milliseconds since 1970; null if it found a page or everything. */
  searchedTo: number | null;
}

const maxEvents = 100;
const maxDeliveries = 200;
const maxAttempts = 500;

/**
 * If the time of creation is known, the search looks around this time first, because a search by text may not reach so far back.
 */
const birthMs = { before: 1000, after: 60_000 };

interface Matches {
  calls: Call[];
  events: Event[];
  next: string | null;
  searchedTo: number | null;
}

/**
 * Finds what an id or a text belongs to, and follows its links: from a call to the events it caused, from an event to its call,
 * its deliveries and their attempts. Takes about ten statements, whatever the number of rows.
 */
export async function findStory(rows: Rows, query: StoryQuery): Promise<Story> {
  const { calls: found, events: matching, next, searchedTo } = await matchesOf(rows, query);
  const causes = matching.flatMap(({ caused_by }) => (caused_by?.startsWith('call_') ? [caused_by] : []));
  const known = new Set(found.map(({ id }) => id));
  const missing = [...new Set(causes)].filter((id) => !known.has(id));
  const callIds = [...known, ...missing];
  const [causing, caused] = await Promise.all([
    missing.length === 0 ? [] : rows.list('calls', { where: { id: { in: missing } } }),
    callIds.length === 0
      ? []
      : rows.list('events', { where: { caused_by: { in: callIds } }, order: [['id', 'desc']], limit: maxEvents + 1 }),
  ]);
  const calls = inOrder([...found, ...causing]);
  const kept = new Set(calls.map(({ id }) => id));
  const events = inOrder([...matching, ...caused.slice(0, maxEvents)]);
  const followed = await follow(rows, events);
  return {
    calls,
    events,
    ...followed,
    cut: followed.cut || caused.length > maxEvents,
    calls_gone: missing.filter((id) => !kept.has(id)),
    next,
    searchedTo,
  };
}

/** Reads the deliveries of the events, their attempts and their endpoints. */
async function follow(
  rows: Rows,
  events: readonly Event[],
): Promise<Pick<Story, 'deliveries' | 'attempts' | 'endpoints' | 'cut'>> {
  if (events.length === 0) return { deliveries: [], attempts: [], endpoints: [], cut: false };
  const where = { event_id: { in: events.map(({ id }) => id) } };
  const deliveries = await rows.list('deliveries', { where, order: [['id', 'desc']], limit: maxDeliveries + 1 });
  const shown = inOrder(deliveries.slice(0, maxDeliveries));
  if (shown.length === 0) return { deliveries: [], attempts: [], endpoints: [], cut: false };
  const [attempts, endpoints] = await Promise.all([
    rows.list('attempts', {
      where: { delivery_id: { in: shown.map(({ id }) => id) } },
      order: [['id', 'desc']],
      limit: maxAttempts + 1,
    }),
    rows.list('endpoints', { where: { id: { in: [...new Set(shown.map(({ endpoint_id }) => endpoint_id))] } } }),
  ]);
  const cut = deliveries.length > maxDeliveries || attempts.length > maxAttempts;
  return { deliveries: shown, attempts: inOrder(attempts.slice(0, maxAttempts)), endpoints, cut };
}

/** Rows once each, oldest first: the ids sort by time. */
const inOrder = <R extends { id: string }>(rows: readonly R[]): R[] =>
  [...new Map(rows.map((row) => [row.id, row])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));

const all = { next: null, searchedTo: null };

/** How an id of ours is looked up. Any other text is searched for. */
const lookups: Readonly<Record<string, (rows: Rows, id: string) => Promise<Matches>>> = {
  async call(rows, id) {
    const call = await rows.get('calls', { id });
    // A call that is not kept still has its events.
    const events = call ? [] : await rows.list('events', { where: { caused_by: id }, limit: maxEvents });
    return { calls: call ? [call] : [], events, ...all };
  },
  async evt(rows, id) {
    const event = await rows.get('events', { id });
    return { calls: [], events: event ? [event] : [], ...all };
  },
  async dlv(rows, id) {
    const delivery = await rows.get('deliveries', { id });
    const event = delivery && (await rows.get('events', { id: delivery.event_id }));
    return { calls: [], events: event ? [event] : [], ...all };
  },
};

async function matchesOf(rows: Rows, query: StoryQuery): Promise<Matches> {
  const prefix = /^([a-z]+)_[0-9a-f]{32}$/.exec(query.q)?.[1] ?? '';
  const lookUp = Object.hasOwn(lookups, prefix) ? lookups[prefix] : undefined;
  return lookUp ? lookUp(rows, query.q) : matchesOfText(rows, query);
}

async function matchesOfText(rows: Rows, { q, cursor, limit }: StoryQuery): Promise<Matches> {
  const [born, newest] = await Promise.all([
    cursor === undefined ? bornWith(rows, q, limit) : { calls: [], events: [] },
    newestWith(rows, { q, cursor, limit }),
  ]);
  return { ...newest, calls: inOrder([...born.calls, ...newest.calls]), events: inOrder([...born.events, ...newest.events]) };
}

/**
 * Finds calls and events that contain the text, around the time when the thing that it names was created. Ids contain this time.
 * For a sale's reference it is read from the sale.
 */
async function bornWith(rows: Rows, q: string, limit: number): Promise<{ calls: Call[]; events: Event[] }> {
  const bornAt = /^[a-z]+_[0-9a-f]{32}$/.test(q) ? timeOfId(q) : (await rows.get('sales', { reference: q }))?.created_at;
  if (bornAt === undefined) return { calls: [], events: [] };
  const period = { from: bornAt - birthMs.before, to: bornAt + birthMs.after };
  const [calls, events] = await Promise.all([
    listCalls(rows, { ...partnerCalls, q, ...period, limit }),
    listEvents(rows, { q, ...period, limit }),
  ]);
  return { calls: calls.data, events: events.data };
}

/** Calls of operators, who may have searched for the text, would crowd out those of the partners. */
const partnerCalls = { apis: serviceNames };

async function newestWith(rows: Rows, { q, cursor, limit }: StoryQuery): Promise<Matches> {
  const page = (prefix: string) => ({ cursor: cursor === undefined ? undefined : `${prefix}_${cursor}`, limit });
  const [calls, events] = await Promise.all([
    listCalls(rows, { ...partnerCalls, q, ...page('call') }),
    listEvents(rows, { q, ...page('evt') }),
  ]);
  // The list that ends later decides where the page ends, so that the next page leaves nothing out.
  const ends = [calls, events].flatMap(({ next }) => (next === null ? [] : [placeOf(next)]));
  const end = ends.sort().at(-1);
  const isOnPage = ({ id }: { id: string }) => end === undefined || placeOf(id) >= end;
  const stopped = [calls.stopped?.at, events.stopped?.created_at].filter((at) => at !== undefined);
  return {
    calls: calls.data.filter(isOnPage),
    events: events.data.filter(isOnPage),
    next: end ?? null,
    searchedTo: stopped.length === 0 ? null : Math.max(...stopped),
  };
}

/** The part of an id that sorts by time, whatever its prefix. */
const placeOf = (id: string): string => id.slice(id.indexOf('_') + 1);
