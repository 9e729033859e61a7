import type { DailyTable, Insert, Row, TableName } from './tables/index.ts';

/**
 * The store port. It is frozen: no new methods. Both adapters, the conformance suite and every decorator of a store pay
 * for each one, and the methods below serve every caller. The batch methods exist because the hot path needs them, and
 * `expire` because dropping a day costs nothing (decision 035):
 *
 * - `append` beside `insert`: recorded calls are not read back. `along` stores an event and its deliveries in one statement.
 * - `revise`: many rows get different values in one statement, instead of one `update` for each.
 * - `advance`: compares and sets many rows, and inserts what depends on them, without a transaction around it.
 * - `tally`: adds to rows that other processes add to at the same time.
 * - `newest`, or the oldest: a limit for each value, which no `list` can express.
 * - `scan`: a filter without an index reads a bounded number of rows, each once.
 */

/** A condition on one column. A plain value means equality; `null` means "is null". */
export type Condition<V> =
  | V
  | null
  | { in: readonly V[] }
  /** The value is in a row of another table. */
  | { of: AnySelection }
  | { not: V | null }
  /** `settled` is for positions: every transaction up to this position has ended, so no row appears there any more. */
  | { gt?: V; gte?: V; lt?: V; lte?: V; settled?: true }
  /** The text, or the text of the JSON, contains this text, case-sensitive. Use a folded column for more. */
  | { contains: string }
  /** The JSON array contains this element. */
  | { has: string | number };

/** The values of a column in the rows that match. */
export interface Selection<T extends TableName> {
  table: T;
  column: keyof Row<T> & string;
  where: Where<T>;
}
export type AnySelection = { [T in TableName]: Selection<T> }[TableName];

/** A condition may name a text outside a column's vocabulary, such as a caller's filter: it matches nothing. */
type Searched<V> = V extends string ? V | (string & {}) : V;

/** A row must match the condition of every column that is given. */
export type Where<T extends TableName> = { [C in keyof Row<T>]?: Condition<Searched<NonNullable<Row<T>[C]>>> };

/** New values. `{ add: n }` adds to the stored number. */
export type Patch<T extends TableName> = { [C in keyof Row<T>]?: Row<T>[C] | { add: string | number } };

export interface Query<T extends TableName> {
  where?: Where<T>;
  order?: readonly (readonly [keyof Row<T> & string, 'asc' | 'desc'])[];
  limit?: number;
  offset?: number;
  /** Locks the rows against other writers until the transaction ends. `free` leaves out rows that others have locked. */
  lock?: boolean | 'free';
}

export interface InsertOptions<C> {
  /** Skips rows whose key or unique columns are taken. Without it, such a row throws `StoreConflict`. */
  onConflict?: 'ignore';
  /** Returns only these columns. Default: all. */
  columns?: readonly C[];
}

interface Summary<T extends TableName, By extends keyof Row<T>, Sum extends keyof Row<T>> {
  where?: Where<T>;
  /** Columns to group by. Groups are returned in their order. */
  by: readonly By[];
  /** Columns to add up. Sums are returned as decimal text. */
  sum?: readonly Sum[];
}

/** Sets `next` on a row that still has the values of `seen`. All moves of a batch name the same columns. */
export interface Move<T extends TableName> {
  id: string;
  seen: Partial<Row<T>>;
  next: Partial<Row<T>>;
}

/** New rows of another table. */
export interface Others<D extends TableName> {
  table: D;
  rows: readonly Insert<D>[];
}

/** New rows that belong to a moved row, whose id each has in `column`. */
export interface Dependents<D extends TableName> extends Others<D> {
  column: keyof Row<D> & string;
}

/** Selects the newest rows for each of `values`. An index on `of` and `by` must exist. */
export interface Newest<T extends TableName, C extends keyof Row<T>> {
  of: keyof Row<T> & string;
  /** The column with ids that sort by time. */
  by: keyof Row<T> & string;
  values: readonly string[];
  where?: Where<T>;
  /** Reads only these columns. */
  columns: readonly C[];
  /** Maximum rows for each value. */
  limit: number;
  /** Selects the oldest rows instead, in ascending order. */
  oldest?: boolean;
}

/** Reads a bounded number of candidates in descending order of `key`. An index on `where` and `key` must exist. */
export interface Scan<T extends TableName> {
  where: Where<T>;
  /** A text column. */
  key: keyof Row<T> & string;
  /** Maximum candidates. Tables with daily partitions may read so many in each of a few stretches of days. */
  candidates: number;
  /** Returns only candidates that match one of these. */
  anyOf: readonly Where<T>[];
  /** Ends the scan at so many rows. */
  limit: number;
}

export interface Scanned<T extends TableName> {
  rows: Row<T>[];
  /** The last candidate, if the scan ended there and not with a full page. There may be more after it. */
  end: Row<T> | undefined;
}

/** Statements on rows. Each runs on its own, or inside the transaction that provides it. */
export interface Rows {
  /** Stores rows that have the same columns. Returns the stored rows in the order given. */
  insert<T extends TableName, C extends keyof Row<T> = keyof Row<T>>(
    table: T,
    rows: readonly Insert<T>[],
    options?: InsertOptions<C>,
  ): Promise<Pick<Row<T>, C>[]>;
  /** Stores rows without reading them back. The rows of `along` are stored in the same statement. */
  append<T extends TableName, D extends TableName>(table: T, rows: readonly Insert<T>[], along?: Others<D>): Promise<void>;
  get<T extends TableName>(table: T, where: Where<T>, options?: { lock?: boolean }): Promise<Row<T> | undefined>;
  list<T extends TableName>(table: T, query?: Query<T>): Promise<Row<T>[]>;
  scan<T extends TableName>(table: T, scan: Scan<T>): Promise<Scanned<T>>;
  /** `atMost` stops counting there: a result of `atMost` means that many rows or more. */
  count<T extends TableName>(table: T, where?: Where<T>, options?: { atMost?: number }): Promise<number>;
  /** Returns the rows of all values together, in descending order of `by`; with `oldest` in ascending order. */
  newest<T extends TableName, C extends keyof Row<T> & string>(table: T, query: Newest<T, C>): Promise<Pick<Row<T>, C>[]>;
  summarize<T extends TableName, By extends keyof Row<T> & string, Sum extends keyof Row<T> & string = never>(
    table: T,
    summary: Summary<T, By, Sum>,
  ): Promise<(Pick<Row<T>, By> & Record<Sum, string> & { count: number })[]>;
  /** Returns the changed rows with their new values. */
  update<T extends TableName>(table: T, where: Where<T>, patch: Patch<T>): Promise<Row<T>[]>;
  /** Updates each row to the values given with its key. All rows have the same columns; unknown keys are skipped. */
  revise<T extends TableName>(table: T, rows: readonly Partial<Row<T>>[]): Promise<void>;
  /**
   * Applies the moves whose row still has the values of `seen`, and stores the dependents of the moved rows. Runs as one
   * statement and returns the ids that moved. Each id may occur once.
   */
  advance<T extends TableName, D extends TableName>(
    table: T,
    moves: readonly Move<T>[],
    dependents?: Dependents<D>,
  ): Promise<string[]>;
  /**
   * Adds the numbers of each row to the stored row with its key, or stores the row if there is none. The table's `greatest`
   * columns keep the maximum instead. All columns outside the key are numbers, and each key may occur once.
   */
  tally<T extends TableName>(table: T, rows: readonly Row<T>[]): Promise<void>;
  /** Returns the number of removed rows. `limit` bounds one call, so that retention can work in small batches. */
  remove<T extends TableName>(table: T, where: Where<T>, options?: { limit?: number }): Promise<number>;
}

/** Which rows of an append-only table are too old. */
export interface Expiry<T extends DailyTable> {
  /** Rows older than this instant expire, in milliseconds since 1970. */
  beforeMs: number;
  /** Keeps rows whose `column` is the key of a row of `table` that matches `where`. */
  unless?: Keeping<T, TableName>;
}

export interface Keeping<T extends DailyTable, K extends TableName> {
  column: keyof Row<T> & string;
  table: K;
  where: Where<K>;
}

export interface TransactionOptions {
  /** All reads see the store as of the first read. For sums that must agree; not for writing. */
  snapshot?: boolean;
}

/** The right to do a piece of work, which one process at a time has. It is renewed as long as its process runs. */
export interface Lease {
  /** False once the lease may have expired, for example because this process was suspended. Check it before each step. */
  isHeld(): boolean;
}

/** The durable state of a gateway. Adapters: `memory/` (stubs) and `sql/`; both pass `test/store/conformance.ts`. */
export interface Store extends Rows {
  /**
   * Commits everything `work` does, or nothing. After a deadlock `work` runs again, so it must have no other effects. Statements
   * run in the order in which they are given. Those of one turn of the event loop are sent together, so do not wait for one
   * before the next unless you need its result. The commit waits for all of them, and a failed one fails the transaction.
   */
  transaction<R>(work: (tx: Rows) => Promise<R>, options?: TransactionOptions): Promise<R>;
  /**
   * Runs `work` unless a process on this store holds the lease of that name. Returns true if it ran. A process that is killed
   * or hangs loses its lease, so `work` must tolerate that another process has taken over.
   */
  alone(name: string, work: (lease: Lease) => Promise<void>): Promise<boolean>;
  /**
   * Removes the expired rows of an append-only table. On SQL, rows lie in daily partitions and are removed when their whole
   * UTC day has expired. It also adds the partitions of the next days, so it must run at least daily. Throws
   * `StoreUnavailable` if other work locks the table; the next call tries again.
   */
  expire<T extends DailyTable>(table: T, expiry: Expiry<T>): Promise<void>;
  /** Throws `StoreUnavailable` if the store does not answer, or does not accept writes. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A row with this key, or with these unique columns, already exists. */
export class StoreConflict extends Error {
  override name = 'StoreConflict';
  readonly table: string;

  constructor(table: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.table = table;
  }
}

/** The store cannot be reached, or cannot write now. The caller may try again. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** A query took longer than its time limit. The store can be reached: the same call may succeed with less to read, or later. */
export class StoreTooSlow extends StoreUnavailable {
  override name = 'StoreTooSlow';
}
