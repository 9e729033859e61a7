import { invalid, Refusal } from '../../base/errors.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { EventService, Visible } from '../../store/tables/webhooks.ts';
import { sees } from './subscriptions.ts';

/** An event's place in the order of commits: the position of its transaction, then its id. */
export type Place = Pick<Row<'events'>, 'position' | 'id'>;

/** Before every event. */
export const beginning: Place = { position: 0, id: '' };

export const isBefore = (one: Place, other: Place): boolean =>
  one.position < other.position || (one.position === other.position && one.id < other.id);

const later = (one: Place, other: Place): Place => (isBefore(one, other) ? other : one);

const textOf = ({ position, id }: Place) => `${position}.${id}`;
const form = /^(0|[1-9][0-9]{0,15})\.((?:evt_[0-9a-f]{32})?)$/;

function placeIn(text: string): Place | undefined {
  const [, position, id = ''] = form.exec(text) ?? [];
  return position === undefined ? undefined : { position: Number(position), id };
}

/** How far a reader has come. */
export interface Cursor {
  place: Place;
  /**
   * Up to here, removed events are no loss for the reader: they were gone when it began, or it has read them. Never before
   * `place`.
   */
  accepted: Place;
}

/** A cursor is opaque to its reader. */
export function textOfCursor({ place, accepted }: Cursor): string {
  const text = isBefore(place, accepted) ? `${textOf(place)}~${textOf(accepted)}` : textOf(place);
  return Buffer.from(text).toString('base64url');
}

/** What to send instead of a cursor that cannot be used. */
const instead = 'Leave out "after" to go on with the oldest event that is kept, or send "latest".';

/** Throws `invalid` for a text that no reply can have had. */
export function readCursor(text: string): Cursor {
  const [first = '', second = first] = Buffer.from(text, 'base64url').toString().split('~');
  const [place, accepted] = [placeIn(first), placeIn(second)];
  if (place && accepted && textOfCursor({ place, accepted }) === text) return { place, accepted };
  throw invalid('after', 'cursor', `"${text}" is no cursor. Send "next" of the last reply as it is. ${instead}`);
}

/** What a reader of events wants and may have. */
export interface Reader {
  service: EventService;
  visible: Visible;
  /** Undefined: all. */
  types?: ReadonlySet<string> | undefined;
}

/** Returns true if the reader may see the event and wants its type. Events that only try an endpoint are left out elsewhere. */
export const wantsEvent = ({ service, visible, types }: Reader, event: Pick<Row<'events'>, 'service' | 'subject' | 'type'>) =>
  event.service === service && sees(visible, event.subject) && (types === undefined || types.has(event.type));

/**
 * Returns the next events of all services in the order of their commits. They end before the oldest transaction in flight, so
 * nothing appears later between those that were returned.
 */
export async function nextEvents(rows: Rows, { position, id }: Place, limit: number): Promise<Row<'events'>[]> {
  const order = [
    ['position', 'asc'],
    ['id', 'asc'],
  ] as const;
  const ofSame = await rows.list('events', { where: { position, id: { gt: id } }, order, limit });
  if (ofSame.length === limit) return ofSame;
  const where = { position: { gt: position, settled: true } } as const;
  return [...ofSame, ...(await rows.list('events', { where, order, limit: limit - ofSame.length }))];
}

export interface FeedPage {
  events: Row<'events'>[];
  /** Where the next page begins. Every event before it that the reader wants was in this page or an earlier one. */
  next: Cursor;
  /** True if there may be more to read at once. */
  more: boolean;
}

/** One page compares about so many events at most, so that its cost does not grow with the events of others. */
const mostCompared = 400;

/** Returns the events after a cursor that the reader wants; without one, from the oldest on. Throws if events that it has not read are gone. */
export async function readFeed(rows: Rows, reader: Reader, after: Cursor | undefined, limit: number): Promise<FeedPage> {
  const from = after ?? { place: beginning, accepted: await lastRemoved(rows) };
  let [place, more] = [from.place, true];
  const wanted: Row<'events'>[] = [];
  const size = Math.max(limit, 100);
  for (let compared = 0; more && wanted.length < limit && compared < mostCompared; compared += size) {
    const candidates = await nextEvents(rows, place, size);
    wanted.push(...candidates.filter((event) => wantsEvent(reader, event)).slice(0, limit - wanted.length));
    const isFull = wanted.length === limit;
    place = placeOf((isFull ? wanted : candidates).at(-1) ?? place);
    more = isFull || candidates.length === size;
  }
  const events = await withoutTests(rows, wanted);
  // This check comes after the read, so that it notices events that retention removed meanwhile.
  if (after) await refuseLost(rows, after);
  return { events, next: { place, accepted: later(place, from.accepted) }, more };
}

const placeOf = ({ position, id }: Place): Place => ({ position, id });

/** Leaves out what was sent to try an endpoint. The subject of a test is that endpoint, or null, and it has one delivery. */
async function withoutTests(rows: Rows, events: readonly Row<'events'>[]): Promise<Row<'events'>[]> {
  const mayBeTest = ({ subject, matched }: Row<'events'>) => matched === 1 && (subject === null || subject.startsWith('ep_'));
  const ids = events.filter(mayBeTest).map(({ id }) => id);
  if (ids.length === 0) return [...events];
  const tests = await rows.list('deliveries', { where: { event_id: { in: ids }, test: true } });
  const tested = new Set(tests.map(({ event_id }) => event_id));
  return events.filter(({ id }) => !tested.has(id));
}

/** Returns the cursor after the newest event before which no running transaction can still add an event. */
export async function endOfFeed(rows: Rows): Promise<Cursor> {
  const order = [
    ['position', 'desc'],
    ['id', 'desc'],
  ] as const;
  const accepted = await lastRemoved(rows);
  const [last = beginning] = await rows.list('events', { where: { position: { settled: true } }, order, limit: 1 });
  return { place: placeOf(last), accepted: later(placeOf(last), accepted) };
}

/** Returns the time of the first stored event that waits for an older transaction; undefined if no event waits. */
export async function heldBackSince(rows: Rows, { position }: Place): Promise<number | undefined> {
  const [waiting] = await rows.list('events', { where: { position: { gt: position } }, order: [['position', 'asc']], limit: 1 });
  return waiting?.created_at;
}

/** The row of `event_order` with the place of the last event that was removed. */
const removed = { name: 'removed' };

/** Notes that events are removed. Call it in the transaction that removes them. */
export async function noteRemoved(tx: Rows, events: readonly Place[]): Promise<void> {
  if (events.length === 0) return;
  const last_id = textOf([await lastRemoved(tx), ...events].reduce(later));
  const [row] = await tx.update('event_order', removed, { last_id });
  if (!row) await tx.append('event_order', [{ ...removed, last_id }]);
}

async function lastRemoved(rows: Rows): Promise<Place> {
  const row = await rows.get('event_order', removed);
  return (row && placeIn(row.last_id)) ?? beginning;
}

/** Throws if an event after the cursor may be gone, or if this store never had the cursor's event. */
async function refuseLost(rows: Rows, { place, accepted }: Cursor): Promise<void> {
  const [gone, event] = await Promise.all([
    lastRemoved(rows),
    place.id === '' ? undefined : rows.get('events', { id: place.id }),
  ]);
  if (isBefore(accepted, gone))
    throw new Refusal(
      'conflict',
      'events_removed',
      `Events after this cursor may be gone: the gateway does not keep them for ever. ${instead}`,
    );
  const isKnown = place.id === '' || (event ? event.position === place.position : !isBefore(gone, place));
  if (isKnown) return;
  throw invalid(
    'after',
    'cursor',
    `This gateway has no event with this cursor. It is of another gateway, or the data was restored from an older backup. ${instead}`,
  );
}
