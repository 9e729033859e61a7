import { firstIdAt } from '../base/ids.ts';
import type { Rows, Where } from './port.ts';
import type { Row, TableName } from './tables/index.ts';

/** Bounds of the key: `gte` and `gt` where the list ends, `lt` and `lte` where it begins. */
export interface KeyRange {
  gte?: string;
  gt?: string;
  lte?: string;
  lt?: string;
}

export interface Period {
  /** From when on, in milliseconds since 1970. */
  from?: number | undefined;
  /** Before when. */
  to?: number | undefined;
}

/** The ids of this prefix that were made in a period, before the cursor. */
export function idsIn(prefix: string, { from, to, cursor }: Period & { cursor?: string | undefined }): KeyRange {
  const ends = [cursor, to === undefined ? undefined : firstIdAt(prefix, to)].filter((end) => end !== undefined).sort();
  return { gte: from === undefined ? undefined : firstIdAt(prefix, from), lt: ends[0] };
}

export interface Search<T extends TableName> {
  table: T;
  /** The text column that the pages follow, from its greatest value down. */
  key: keyof Row<T> & string;
  /** Conditions on other columns than the key. */
  where: Where<T>;
  range: KeyRange;
  /** The parts of `where` that have an index each, in the key's order. */
  indexed: readonly Where<T>[];
  /** Of a block of rows that fit `where`, those that are wanted. */
  keep?: (rows: Row<T>[]) => Promise<Row<T>[]>;
  limit: number;
  /** How many candidates to look at in each step, until the page is full. */
  reach?: readonly number[];
}

export interface Found<T extends TableName> {
  data: Row<T>[];
  /** The cursor of what follows, null at the end. */
  next: string | null;
  /** The last row looked at, where the search stopped before it knew the page to be full. */
  stopped: Row<T> | null;
}

const blockRows = 500;
/** Few at first: most pages are full after these. */
const reachByColumns = [1000, 9000];
const reachByText = [blockRows, 1500];

/**
 * One page. Where no index has all of the conditions, few rows may fit and a database would walk through everything to
 * find them: so it looks at a bounded number of candidates, and says how far it came.
 */
export async function search<T extends TableName>(rows: Rows, input: Search<T>): Promise<Found<T>> {
  const { key, where, range, indexed, keep, limit } = input;
  const reach = input.reach ?? (keep ? reachByText : reachByColumns);
  if (!keep && indexed.some((one) => conditionsIn(one) === conditionsIn(where)))
    return cut(await within(rows, input, range, limit + 1), key, limit);
  const found: Row<T>[] = [];
  let before = range;
  let end: Row<T> | undefined;
  for (const candidates of reach) {
    end = await furthest(rows, input, before, candidates);
    const stretch = end ? { ...before, gte: end[key] as string } : before;
    found.push(...(await wantedWithin(rows, input, stretch, limit + 1 - found.length)));
    if (found.length > limit) return cut(found, key, limit);
    if (!end) return { data: found, next: null, stopped: null };
    before = { ...range, lt: end[key] as string };
  }
  return { data: found, next: (end?.[key] as string | undefined) ?? null, stopped: end ?? null };
}

const conditionsIn = (where: object) => Object.values(where).filter((condition) => condition !== undefined).length;

/** A page of rows, of which there is one more where another page follows. */
export function cut<T extends TableName>(found: Row<T>[], key: keyof Row<T> & string, limit: number): Found<T> {
  const data = found.slice(0, limit);
  return { data, next: found.length > limit ? (data.at(-1)?.[key] as string) : null, stopped: null };
}

function within<T extends TableName>(rows: Rows, { table, key, where }: Search<T>, range: KeyRange, limit: number) {
  return rows.list(table, { where: keyed(where, key, range), order: [[key, 'desc']], limit });
}

const keyed = <T extends TableName>(where: Where<T>, key: string, range: KeyRange) => ({ ...where, [key]: range }) as Where<T>;

/** The row up to which that many candidates lie, by the index that comes furthest with them; none where there are fewer. */
async function furthest<T extends TableName>(
  rows: Rows,
  { table, key, indexed }: Search<T>,
  range: KeyRange,
  candidates: number,
): Promise<Row<T> | undefined> {
  const all: Where<T> = {};
  const ends = await Promise.all(
    (indexed.length > 0 ? indexed : [all]).map((one) =>
      rows.list(table, { where: keyed(one, key, range), order: [[key, 'desc']], limit: 1, offset: candidates - 1 }),
    ),
  );
  if (ends.some(([end]) => end === undefined)) return undefined;
  return ends.map(([end]) => end as Row<T>).reduce((a, b) => ((a[key] as string) < (b[key] as string) ? a : b));
}

async function wantedWithin<T extends TableName>(
  rows: Rows,
  input: Search<T>,
  stretch: KeyRange,
  wanted: number,
): Promise<Row<T>[]> {
  const { key, keep } = input;
  if (!keep) return within(rows, input, stretch, wanted);
  const found: Row<T>[] = [];
  let range = stretch;
  for (;;) {
    const block = await within(rows, input, range, blockRows);
    found.push(...(await keep(block)));
    if (found.length >= wanted || block.length < blockRows) return found.slice(0, wanted);
    range = { ...stretch, lt: block.at(-1)?.[key] as string };
  }
}
