import { firstIdAt } from '../base/ids.ts';
import type { Rows, Where } from './port.ts';
import type { Row, TableName } from './tables/index.ts';

/** Bounds of the key. Lists descend: `lt` and `lte` bound their start, `gt` and `gte` their end. */
export interface KeyRange {
  gte?: string;
  gt?: string;
  lte?: string;
  lt?: string;
}

export interface Period {
  /** Inclusive start, in milliseconds since 1970. */
  from?: number | undefined;
  /** Exclusive end, in milliseconds since 1970. */
  to?: number | undefined;
}

/** Returns the range of ids with this prefix that were created in a period and lie before the cursor. */
export function idsIn(prefix: string, { from, to, cursor }: Period & { cursor?: string | undefined }): KeyRange {
  const ends = [cursor, to === undefined ? undefined : firstIdAt(prefix, to)].filter((end) => end !== undefined).sort();
  return { gte: from === undefined ? undefined : firstIdAt(prefix, from), lt: ends[0] };
}

export interface Search<T extends TableName> {
  table: T;
  /** The text column that pages are ordered by, descending. */
  key: keyof Row<T> & string;
  /** Conditions on columns other than the key. */
  where: Where<T>;
  range: KeyRange;
  /**
   * Conditions that each have an index ending in the key. Every row that matches `where` matches each of them. If one has
   * all conditions of `where`, the search needs no bound.
   */
  indexed: readonly Where<T>[];
  /** A row must also match one of these, which have no index. */
  anyOf?: readonly Where<T>[];
  /** Filters a block of rows that match `where`, for conditions that the store cannot express. */
  keep?: (rows: Row<T>[]) => Promise<Row<T>[]>;
  limit: number;
  /** Maximum candidates in each step. A full page ends the search. */
  reach?: readonly number[];
}

export interface Found<T extends TableName> {
  data: Row<T>[];
  /** The cursor of the next page; null at the end. */
  next: string | null;
  /** The last candidate, if the search reached its bound before the page was full; else null. */
  stopped: Row<T> | null;
}

const blockRows = 500;
/** The first step is small, because it fills most pages. */
const reachByColumns = [1000, 9000];
const reachByText = [blockRows, 1500];

/**
 * Returns one page. If no index covers all conditions, few rows may match, and the database would scan the table to find
 * them. So the search is bounded: it looks at a limited number of candidates and returns the last one as `stopped`.
 */
export async function search<T extends TableName>(rows: Rows, input: Search<T>): Promise<Found<T>> {
  const { key, where, range, indexed, keep, anyOf, limit } = input;
  const reach = input.reach ?? (keep || anyOf ? reachByText : reachByColumns);
  if (!keep && !anyOf && indexed.some((one) => covers(one, where)))
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

const covers = <T extends TableName>(one: Where<T>, where: Where<T>) =>
  Object.entries(where).every(([column, condition]) => condition === undefined || one[column as keyof Where<T>] === condition);

/** Cuts `limit` + 1 rows to a page. The extra row means that another page follows. */
export function cut<T extends TableName>(found: Row<T>[], key: keyof Row<T> & string, limit: number): Found<T> {
  const data = found.slice(0, limit);
  return { data, next: found.length > limit ? (data.at(-1)?.[key] as string) : null, stopped: null };
}

function within<T extends TableName>(rows: Rows, { table, key, where }: Search<T>, range: KeyRange, limit: number) {
  return rows.list(table, { where: keyed(where, key, range), order: [[key, 'desc']], limit });
}

const keyed = <T extends TableName>(where: Where<T>, key: string, range: KeyRange) => ({ ...where, [key]: range }) as Where<T>;

/** Returns the row after `candidates` rows, by the index that reaches furthest; undefined if there are fewer. */
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
  const { key, where, keep, anyOf } = input;
  if (anyOf) {
    const found = await Promise.all(anyOf.map((one) => within(rows, { ...input, where: { ...where, ...one } }, stretch, wanted)));
    const distinct = new Map(found.flat().map((row) => [row[key] as string, row]));
    return [...distinct.values()].sort((a, b) => ((a[key] as string) < (b[key] as string) ? 1 : -1)).slice(0, wanted);
  }
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
