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

/** Rows with one of a few values in a column, which has an index ending in the key. */
export interface Among<T extends TableName> {
  column: keyof Row<T> & string;
  values: readonly string[];
  /** The part of the search's `where` that such an index has too. */
  where: Where<T>;
}

export interface Search<T extends TableName> {
  table: T;
  /** The text column that pages are ordered by, descending. */
  key: keyof Row<T> & string;
  /** Conditions on columns other than the key. */
  where: Where<T>;
  range: KeyRange;
  /**
   * Conditions that each have an index ending in the key, the one that fewest rows match first. Every row that matches
   * `where` matches each of them. If one has all conditions of `where`, the search needs no bound. Empty: none has an index.
   */
  indexed: readonly Where<T>[];
  /** A row must also be among these. In this case the search does not need `indexed`. */
  among?: Among<T>;
  /** A row must also match one of these, which have no index. */
  anyOf?: readonly Where<T>[];
  /** Filters rows that match `where`, for conditions that the store cannot express. */
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

/** Without an index, candidates lie next to each other on the same pages. */
const reachSideBySide = [10_000];
/** With an index, each candidate lies on another page. Text is compared with most of each candidate. Both cost more. */
const reachApart = [2000];
/** Rows for `keep` leave the store. The first step is small, because it fills most pages. */
const reachOfKept = [250, 750];

/**
 * Returns one page. If no index covers all conditions, few rows may match, and the database would scan the table to find
 * them. So the search is bounded: it looks at a limited number of candidates and returns the last one as `stopped`.
 */
export async function search<T extends TableName>(rows: Rows, input: Search<T>): Promise<Found<T>> {
  if (input.among) return searchAmong(rows, input, input.among);
  const { table, key, where, range, indexed, keep, anyOf, limit } = input;
  if (!keep && !anyOf && [{}, ...indexed].some((one) => covers(one, where))) {
    const covered = keyed(where, key, range);
    return cut(await rows.list(table, { where: covered, order: [[key, 'desc']], limit: limit + 1 }), key, limit);
  }
  const [given = {}] = indexed;
  const reachOfStore = anyOf || indexed.length > 0 ? reachApart : reachSideBySide;
  const wanted = anyOf?.map((one) => ({ ...where, ...one })) ?? [where];
  const found: Row<T>[] = [];
  let left = range;
  let stopped: Row<T> | null = null;
  for (const candidates of input.reach ?? (keep ? reachOfKept : reachOfStore)) {
    const most = keep ? candidates + 1 : limit + 1 - found.length;
    const scanned = await rows.scan(table, { where: keyed(given, key, left), key, candidates, anyOf: wanted, limit: most });
    found.push(...(keep ? await keep(scanned.rows) : scanned.rows));
    if (found.length > limit) return cut(found, key, limit);
    stopped = scanned.end ?? null;
    if (!stopped) return { data: found, next: null, stopped };
    left = { ...range, lt: stopped[key] as string };
  }
  return { data: found, next: stopped && (stopped[key] as string), stopped };
}

/** Candidates of a value lie on pages of their own, so fewer are read of each. */
const reachAmong = 1000;

const isCoveredBy = <T extends TableName>(among: Among<T>, { where, keep, anyOf }: Search<T>) =>
  !keep && !anyOf && covers(among.where, where);

/** Returns one page of the rows that are among a few values. Each value's newest candidates are read, and merged. */
async function searchAmong<T extends TableName>(rows: Rows, input: Search<T>, among: Among<T>): Promise<Found<T>> {
  const { table, key, where, range, keep, anyOf = [{}], limit } = input;
  // If the index has all conditions, each candidate is a row of the page.
  const candidates = isCoveredBy(among, input) ? limit + 1 : (input.reach?.at(-1) ?? reachAmong);
  const newest = await rows.newest(table, {
    of: among.column,
    by: key,
    values: among.values,
    where: keyed(among.where, key, range),
    columns: [key],
    limit: candidates,
  });
  const read = newest.slice(0, candidates).map((row) => row[key] as string);
  const found = await Promise.all(
    anyOf.map((one) => rows.list(table, { where: keyed({ ...where, ...one }, key, { in: read }), order: [[key, 'desc']] })),
  );
  const distinct = [...new Map(found.flat().map((row) => [row[key], row])).values()];
  const kept = (keep ? await keep(distinct) : distinct).sort((one, other) => (one[key] < other[key] ? 1 : -1));
  if (kept.length > limit) return cut(kept, key, limit);
  const end = read.length < candidates ? undefined : read.at(-1);
  const stopped = end === undefined ? null : ((await rows.get(table, keyed({}, key, { in: [end] }))) ?? null);
  return { data: kept, next: end ?? null, stopped };
}

/** How many rows match a search. */
export interface Counted<T extends TableName> {
  count: number;
  /** True if there may be more: the count ended at its bound. */
  more: boolean;
  /** The last candidate that was compared, if the count ended there. */
  stopped: Row<T> | null;
}

/** The result if no row can match. */
export const nothingFound: Found<never> = { data: [], next: null, stopped: null };
export const noneCounted: Counted<never> = { count: 0, more: false, stopped: null };

/** A count reads at most so many rows of an index. */
export const mostCounted = 10_000;
/** A search for text finds at most so many rows for a count, because they leave the store with all their columns. */
const mostFound = 100;

/** Counts what `search` would find on all pages, within bounds. */
export async function countFound<T extends TableName>(rows: Rows, input: Search<T>, most = mostCounted): Promise<Counted<T>> {
  const { table, key, where, range, indexed, keep, anyOf, among } = input;
  if (among && isCoveredBy(among, input)) {
    const counted = { ...where, [among.column]: { in: among.values } };
    const count = await rows.count(table, keyed(counted, key, range), { atMost: most + 1 });
    return { count: Math.min(count, most), more: count > most, stopped: null };
  }
  if (among || keep || anyOf) {
    const { data, next, stopped } = await search(rows, { ...input, limit: mostFound });
    return { count: data.length, more: next !== null, stopped };
  }
  const isCovered = [{}, ...indexed].some((one) => covers(one, where));
  const end = isCovered ? undefined : await candidateAt(rows, input, most);
  const compared = end === undefined ? range : { ...range, gt: end[key] as string };
  const count = await rows.count(table, keyed(where, key, compared), { atMost: most + 1 });
  const full = count > most;
  return { count: Math.min(count, most), more: full || end !== undefined, stopped: full ? null : (end ?? null) };
}

/** Rows with the same values, and how many they are. */
type Group<T extends TableName, By extends keyof Row<T> & string> = Pick<Row<T>, By> & { count: number };

/**
 * Counts what `search` would find on all pages, grouped by columns. It compares the first `most` candidates; a search for text
 * counts only the rows that one page of it would have.
 */
export async function groupFound<T extends TableName, By extends keyof Row<T> & string>(
  rows: Rows,
  input: Search<T>,
  by: readonly By[],
  most = mostCounted,
): Promise<{ groups: Group<T, By>[] } & Omit<Counted<T>, 'count'>> {
  const { table, key, where, range, anyOf } = input;
  if (anyOf) {
    const { data, next, stopped } = await search(rows, { ...input, limit: mostFound });
    return { groups: data.map((row) => ({ ...row, count: 1 })), more: next !== null, stopped };
  }
  const end = await candidateAt(rows, input, most);
  const compared = end === undefined ? range : { ...range, gt: end[key] as string };
  const groups = await rows.summarize(table, { by, where: keyed(where, key, compared) });
  return { groups: groups as Group<T, By>[], more: end !== undefined, stopped: end ?? null };
}

/** The first candidate after `most` others, if there are more than `most`. */
async function candidateAt<T extends TableName>(rows: Rows, { table, key, range, indexed }: Search<T>, most: number) {
  const [given = {}] = indexed;
  const where = keyed(given, key, range);
  const [found] = await rows.list(table, { where, order: [[key, 'desc']], offset: most, limit: 1 });
  return found;
}

/** Every row that a list finds, in blocks of a page. The next page is read when the last block was taken. */
export async function* blocksOf<T extends TableName>(
  page: (cursor: string | undefined) => Promise<Found<T>>,
): AsyncGenerator<Row<T>[]> {
  let cursor: string | undefined;
  do {
    const { data, next } = await page(cursor);
    yield data;
    cursor = next ?? undefined;
  } while (cursor !== undefined);
}

const covers = <T extends TableName>(one: Where<T>, where: Where<T>) =>
  Object.entries(where).every(([column, condition]) => condition === undefined || one[column as keyof Where<T>] === condition);

/** Cuts `limit` + 1 rows to a page. The extra row means that another page follows. */
export function cut<T extends TableName>(found: Row<T>[], key: keyof Row<T> & string, limit: number): Found<T> {
  const data = found.slice(0, limit);
  return { data, next: found.length > limit ? (data.at(-1)?.[key] as string) : null, stopped: null };
}

const keyed = <T extends TableName>(where: Where<T>, key: string, range: KeyRange | { in: string[] }) =>
  ({ ...where, [key]: range }) as Where<T>;
