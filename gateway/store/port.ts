import type { Insert, Row, TableName } from './tables/index.ts';

/** One row's condition on a column: a plain value means equality, `null` means "is null". */
export type Condition<V> =
  | V
  | null
  | { in: readonly V[] }
  | { not: V | null }
  | { gt?: V; gte?: V; lt?: V; lte?: V }
  /** The text holds this text, letter by letter (search on a folded column for more). */
  | { contains: string }
  /** The JSON array holds this element. */
  | { has: string | number };

/** A condition may name a text outside a column's vocabulary, such as a caller's filter: it matches nothing. */
type Searched<V> = V extends string ? V | (string & {}) : V;

/** A row must match the condition of every column that is given. */
export type Where<T extends TableName> = { [C in keyof Row<T>]?: Condition<Searched<NonNullable<Row<T>[C]>>> };

/** New values; `{ add: n }` adds to the number that is there. */
export type Patch<T extends TableName> = { [C in keyof Row<T>]?: Row<T>[C] | { add: string | number } };

export interface Query<T extends TableName> {
  where?: Where<T>;
  order?: readonly (readonly [keyof Row<T> & string, 'asc' | 'desc'])[];
  limit?: number;
  offset?: number;
  /** Hold these rows against other writers until the transaction ends. */
  lock?: boolean;
}

export interface Summary<T extends TableName, By extends keyof Row<T>, Sum extends keyof Row<T>> {
  where?: Where<T>;
  /** Columns to group by; the groups come back in their order. */
  by: readonly By[];
  /** Columns to add up; sums come back as decimal text. */
  sum?: readonly Sum[];
}

/** What a row of a table with an `id` should still be, and what it becomes. All moves name the same columns. */
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

/** Each of them names a row by its id in this column. */
export interface Dependents<D extends TableName> extends Others<D> {
  column: keyof Row<D> & string;
}

/** The newest rows, by the key, of each of these values of a column. An index on both leads to them. */
export interface Newest<T extends TableName, C extends keyof Row<T>> {
  of: keyof Row<T> & string;
  values: readonly string[];
  where?: Where<T>;
  /** Only these columns are read. */
  columns: readonly C[];
  /** How many for each value. */
  limit: number;
}

/** What can be done with rows, inside a transaction or each call on its own. */
export interface Rows {
  /** Stores rows that all have the same columns and returns them whole, in the order given; those ignored are absent. */
  insert<T extends TableName>(table: T, rows: readonly Insert<T>[], options?: { onConflict?: 'ignore' }): Promise<Row<T>[]>;
  /** Stores rows without reading them back, for large batches such as recorded calls; and others along with them. */
  append<T extends TableName, D extends TableName>(table: T, rows: readonly Insert<T>[], along?: Others<D>): Promise<void>;
  /** Stores those rows of a table whose `id` is text that collide with none, and returns their ids. */
  appendNew<T extends TableName>(table: T, rows: readonly Insert<T>[]): Promise<string[]>;
  get<T extends TableName>(table: T, where: Where<T>, options?: { lock?: boolean }): Promise<Row<T> | undefined>;
  list<T extends TableName>(table: T, query?: Query<T>): Promise<Row<T>[]>;
  /** `atMost` bounds what is read: that many means that many or more. */
  count<T extends TableName>(table: T, where?: Where<T>, options?: { atMost?: number }): Promise<number>;
  /** All values' rows together, by the table's key from the last to the first. The key is one column. */
  newest<T extends TableName, C extends keyof Row<T> & string>(table: T, query: Newest<T, C>): Promise<Pick<Row<T>, C>[]>;
  summarize<T extends TableName, By extends keyof Row<T> & string, Sum extends keyof Row<T> & string = never>(
    table: T,
    summary: Summary<T, By, Sum>,
  ): Promise<(Pick<Row<T>, By> & Record<Sum, string> & { count: number })[]>;
  /** Returns the rows changed, as they are now. */
  update<T extends TableName>(table: T, where: Where<T>, patch: Patch<T>): Promise<Row<T>[]>;
  /**
   * Gives each row that `rows` name by key the other values beside it, in one statement. All have the same columns; keys
   * that are not there are passed over.
   */
  revise<T extends TableName>(table: T, rows: readonly Partial<Row<T>>[]): Promise<void>;
  /**
   * Moves rows on that are still as they were seen, in one statement: gives them the values of `next`, and stores those
   * `dependents`, if any, whose column names a row that moved. Returns the ids that moved. Each id once.
   */
  advance<T extends TableName, D extends TableName>(
    table: T,
    moves: readonly Move<T>[],
    dependents?: Dependents<D>,
  ): Promise<string[]>;
  /**
   * Adds the numbers of these rows to those of the rows with the same keys, or stores them where there are none, in one
   * statement; of the table's `greatest` columns the greater stays. Beside the key there are numbers only. Each key once.
   */
  tally<T extends TableName>(table: T, rows: readonly Row<T>[]): Promise<void>;
  /** Returns how many rows went; `limit` bounds one call, for retention in small batches. */
  remove<T extends TableName>(table: T, where: Where<T>, options?: { limit?: number }): Promise<number>;
}

export interface TransactionOptions {
  /** Every reading in it sees the store as at its first. For sums that must agree; not for writing. */
  snapshot?: boolean;
}

/**
 * Where the truth is kept. Adapters: `memory.ts` (stub tier), `sql.ts` (embedded and scale tier); both pass
 * `test/store/conformance.ts`.
 */
export interface Store extends Rows {
  /** All that `work` does happens, or nothing does. `work` may run again after a deadlock, so it has no other effect. */
  transaction<R>(work: (tx: Rows) => Promise<R>, options?: TransactionOptions): Promise<R>;
  /** Runs `work` unless somebody does already under this name, in any process on this store; whether it did. */
  alone(name: string, work: () => Promise<void>): Promise<boolean>;
  /** Throws `StoreUnavailable` when the store does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A row with this key is there already. */
export class StoreConflict extends Error {
  override name = 'StoreConflict';
  readonly table: string;

  constructor(table: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.table = table;
  }
}

/** The store cannot be reached; what was asked may be tried again. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}
