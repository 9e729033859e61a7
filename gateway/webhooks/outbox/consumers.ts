import { invalid, notFound, Refusal } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Partner } from '../../store/tables/webhooks.ts';
import type { Change } from './change.ts';
import {
  type Cursor,
  endOfFeed,
  isBefore,
  type Reader,
  readAfter,
  readCursor,
  refuseLost,
  startOfFeed,
  textOfCursor,
} from './feed.ts';
import { readOwner, serviceOf } from './owners.ts';

export type Consumer = Row<'consumers'>;

/** Consumers of one partner. */
const mostConsumers = 20;

/** Where reading begins, in place of a cursor. */
const ends = { oldest: startOfFeed, latest: endOfFeed } as const;
export const endNames = Object.keys(ends) as (keyof typeof ends)[];

type Step = Pick<Change, 'tx' | 'now'>;

export interface NewConsumer {
  name: string;
  /** Null: all. */
  types: string[] | null;
  from: keyof typeof ends;
}

/** Throws a conflict if the name is taken, or if the partner has as many as it may have. */
export async function createConsumer({ tx, now }: Step, owner: Partner, { name, types, from }: NewConsumer): Promise<Consumer> {
  if ((await tx.count('consumers', { owner })) >= mostConsumers)
    throw new Refusal('conflict', 'too_many_consumers', `You have ${mostConsumers} consumers. Delete one first.`);
  const cursor = textOfCursor(await ends[from](tx));
  const row = { id: newId('csm'), owner, name, types, cursor, acknowledged_at: null, created_at: now };
  const [made] = await tx.insert('consumers', [row], { onConflict: 'ignore' });
  if (made) return made;
  throw new Refusal(
    'conflict',
    'consumer_exists',
    `There is a consumer "${name}" already. Delete it first, or choose another name.`,
  );
}

export async function readConsumer(
  rows: Rows,
  owner: Partner,
  name: string,
  { lock, field = 'name' }: { lock?: boolean; field?: 'name' | 'consumer' } = {},
): Promise<Consumer> {
  const found = await rows.get('consumers', { owner, name }, { lock });
  if (found) return found;
  throw notFound(field, `You have no consumer "${name}". GET /profile/v1/consumers lists all of yours.`);
}

/** Reads the consumer of any partner. Throws `not_found`. */
export async function readConsumerById(rows: Rows, id: string): Promise<Consumer> {
  const found = await rows.get('consumers', { id });
  if (!found) throw notFound('id', `There is no consumer ${id}. GET /manage/v1/consumers lists all of them.`);
  return found;
}

export interface Acknowledgement {
  /** The cursor of a page, `oldest` or `latest`. */
  cursor: string;
  /** Without it, the greatest cursor stays: acknowledgements may come in any order. */
  rewind: boolean;
}

/** Moves a consumer's cursor. Throws `invalid` for a cursor that no page can have had. */
export async function acknowledge(
  { tx, now }: Step,
  owner: Partner,
  name: string,
  { cursor: text, rewind }: Acknowledgement,
): Promise<Consumer> {
  const consumer = await readConsumer(tx, owner, name, { lock: true });
  const asked = text in ends ? await ends[text as keyof typeof ends](tx) : await readable(tx, text);
  const isBehind = isBefore(asked.place, readCursor(consumer.cursor).place);
  const cursor = isBehind && !rewind ? consumer.cursor : textOfCursor(asked);
  const [moved] = await tx.update('consumers', { owner, name }, { cursor, acknowledged_at: now });
  return moved as Consumer;
}

/** Throws for a cursor of another gateway, and for one after the newest event that can have been read. */
async function readable(rows: Rows, text: string): Promise<Cursor> {
  const cursor = readCursor(text, 'cursor');
  const { accepted: end } = await endOfFeed(rows);
  if (isBefore(end, cursor.accepted))
    throw invalid(
      'cursor',
      'not_read',
      'This cursor is after the newest event that you can have read. Send "next" of a page as it is.',
    );
  await refuseLost(rows, cursor, 'cursor');
  return cursor;
}

export async function removeConsumer({ tx }: Pick<Step, 'tx'>, owner: Partner, name: string): Promise<Consumer> {
  const found = await readConsumer(tx, owner, name);
  await tx.remove('consumers', { owner, name });
  return found;
}

/** What a consumer has not acknowledged. */
export interface Lag {
  /** Events that it may read now. */
  events: number;
  /** True if there may be more of them: they are counted up to a bound. */
  more: boolean;
  /** When the oldest of them was created; null if none was found. */
  oldestAt: number | null;
  /** True if retention removed events that it has not read. */
  lost: boolean;
}

/** How a consumer reads: without an owner that exists it may see nothing. */
export async function readerOf(rows: Rows, { owner, types }: Pick<Consumer, 'owner' | 'types'>): Promise<Reader> {
  const state = await readOwner(rows, owner);
  return {
    service: serviceOf(owner),
    visible: state?.visible ?? { subjects: [], unscoped: false },
    types: types === null ? undefined : new Set(types),
  };
}

/** Moves the cursor over a page without an event for the consumer, unless it was moved meanwhile. */
export async function passOver(rows: Rows, { id, cursor }: Consumer, next: Cursor): Promise<void> {
  await rows.update('consumers', { id, cursor }, { cursor: textOfCursor(next) });
}

/** The bounds of a lag: events that are counted, and pages that are read to find the first. */
const [mostCounted, mostPages] = [500, 10];

/** Returns how far each is behind. One that has acknowledged the newest event costs no query of its own. `count`: where counting ends. */
export async function lagsOf(rows: Rows, consumers: readonly Consumer[], count = mostCounted): Promise<Lag[]> {
  if (consumers.length === 0) return [];
  const [{ place: end }, { accepted: gone }] = await Promise.all([endOfFeed(rows), startOfFeed(rows)]);
  return Promise.all(
    consumers.map((consumer) => {
      const cursor = readCursor(consumer.cursor);
      const lag: Lag = { events: 0, more: false, oldestAt: null, lost: isBefore(cursor.accepted, gone) };
      return isBefore(cursor.place, end) ? countedLag(rows, consumer, lag, count) : lag;
    }),
  );
}

/** A consumer that has not acknowledged an event for this time lags. */
const lagsAfterMs = 3_600_000;
const consumersAtOnce = 500;

/** Yields the consumers that lag, with the time of the oldest event that each has not acknowledged. */
export async function* laggingConsumers(rows: Rows, now: number): AsyncGenerator<Consumer & { oldestAt: number }> {
  for (let after = ''; ; ) {
    const consumers = await rows.list('consumers', {
      where: { id: { gt: after }, created_at: { lte: now - lagsAfterMs } },
      order: [['id', 'asc']],
      limit: consumersAtOnce,
    });
    for (const [at, { oldestAt }] of (await lagsOf(rows, consumers, 1)).entries()) {
      const consumer = consumers[at] as Consumer;
      if (oldestAt !== null && oldestAt <= now - lagsAfterMs) yield { ...consumer, oldestAt };
    }
    if (consumers.length < consumersAtOnce) break;
    after = consumers.at(-1)?.id ?? '';
  }
}

async function countedLag(rows: Rows, consumer: Consumer, lag: Lag, count: number): Promise<Lag> {
  let from = readCursor(consumer.cursor);
  const reader = await readerOf(rows, consumer);
  for (let page = 0; page < mostPages && (page === 0 || lag.more) && lag.events === 0; page++) {
    const { events, next, more } = await readAfter(rows, reader, from, count);
    Object.assign(lag, { events: events.length, more, oldestAt: events[0]?.created_at ?? null });
    from = next;
  }
  return lag;
}
