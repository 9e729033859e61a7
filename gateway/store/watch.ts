import type { Rows, Store } from './port.ts';
import type { Row, TableName } from './tables/index.ts';

/**
 * Calls `listener` after each write to `table` that this process committed, with the rows that were stored or changed, or
 * undefined when the statement does not name them. An update is not reported if it changes only columns in `ignore`.
 */
export type OnWrite = <T extends TableName>(
  table: T,
  listener: (rows: readonly Partial<Row<T>>[] | undefined) => void,
  options?: { ignore?: readonly (keyof Row<T> & string)[] },
) => void;

export interface WatchedStore {
  /** The same store. Writes through it are reported, inside and outside transactions. */
  store: Store;
  onWrite: OnWrite;
  /** Reports every watched table, because rows were replaced without this store. */
  reset(): void;
}

type AnyRows = readonly Record<string, unknown>[];

interface Write {
  table: string;
  rows?: AnyRows;
  /** The columns that an update names; absent for other writes. */
  columns?: readonly string[];
}

interface Watch {
  isWatched(table: string): boolean;
  report(write: Write): void;
}

/** Lists every statement, so that a new one does not compile until it is declared as reading or writing. */
const isWrite: Record<keyof Rows, boolean> = {
  insert: true,
  append: true,
  get: false,
  list: false,
  scan: false,
  count: false,
  newest: false,
  summarize: false,
  update: true,
  revise: true,
  advance: true,
  tally: true,
  remove: true,
};

/** Lets caches of rows follow the writes of this process. Other processes' writes are not seen. */
export function watchWrites(target: Store): WatchedStore {
  const listeners = new Map<string, { call(rows?: AnyRows): void; ignore: readonly string[] }[]>();
  const isWatched = (table: string) => listeners.has(table);
  const report = ({ table, rows, columns }: Write) => {
    for (const { call, ignore } of listeners.get(table) ?? [])
      if (columns === undefined || columns.some((column) => !ignore.includes(column))) call(rows);
  };
  const transaction: Store['transaction'] = async (work, options) => {
    const writes: Write[] = [];
    const collect = { isWatched, report: (write: Write) => writes.push(write) };
    try {
      return await target.transaction((tx) => work(watchedRows(tx, collect)), options);
    } finally {
      // After a failure too: a connection that breaks during the commit does not tell if the rows changed.
      for (const write of writes) report(write);
    }
  };
  const others: Omit<Store, keyof Rows> = {
    transaction,
    alone: (...args) => target.alone(...args),
    expire: (...args) => target.expire(...args),
    ping: () => target.ping(),
    close: () => target.close(),
  };
  return {
    store: Object.assign(watchedRows(target, { isWatched, report }), others),
    onWrite(table, listener, { ignore = [] } = {}) {
      const watching = { call: listener as (rows?: AnyRows) => void, ignore };
      listeners.set(table, [...(listeners.get(table) ?? []), watching]);
    },
    reset() {
      for (const table of listeners.keys()) report({ table });
    },
  };
}
type Statements = Record<keyof Rows, (...args: unknown[]) => Promise<unknown>>;

/** The statements of `Rows`, which report their writes. They are made once, because each transaction has such an object. */
class WatchedRows {
  readonly target: Statements;
  readonly watch: Watch;

  constructor(target: Statements, watch: Watch) {
    this.target = target;
    this.watch = watch;
  }

  static {
    for (const name of Object.keys(isWrite) as (keyof Rows)[])
      Object.defineProperty(WatchedRows.prototype, name, { value: isWrite[name] ? reporting(name) : passing(name) });
  }
}

/** TypeScript does not see the methods that the static block adds, nor that a statement accepts any arguments here. */
const watchedRows = (target: Rows, watch: Watch): Rows =>
  new WatchedRows(target as unknown as Statements, watch) as unknown as Rows;

/** Three is the most arguments that a statement of `Rows` has. */
function passing(name: keyof Rows) {
  return function pass(this: WatchedRows, table: unknown, second: unknown, third: unknown): Promise<unknown> {
    return this.target[name](table, second, third);
  };
}

function reporting(name: keyof Rows) {
  return function write(this: WatchedRows, table: string, second: unknown, third: unknown): Promise<unknown> {
    const { target, watch } = this;
    const result = target[name](table, second, third);
    const along = (third as { table?: string } | undefined)?.table;
    if (!watch.isWatched(table) && (along === undefined || !watch.isWatched(along))) return result;
    const writes = writesOf(name, [table, second, third]).filter((one) => watch.isWatched(one.table));
    return writes.length === 0 ? result : reportedAfter(result, name, writes, watch);
  };
}

async function reportedAfter(result: Promise<unknown>, name: keyof Rows, writes: readonly Write[], { report }: Watch) {
  let changed: AnyRows | undefined;
  try {
    const value = await result;
    if (name === 'insert' || name === 'update') changed = value as AnyRows;
    return value;
  } finally {
    for (const write of writes) report(changed ? { ...write, rows: changed } : write);
  }
}

/** The tables that a statement writes: its own, and that of the rows stored along with it. */
function writesOf(name: keyof Rows, [table, given, third]: unknown[]): Write[] {
  const own = { table: table as string };
  if (name === 'update') return [{ ...own, columns: Object.keys(third as object) }];
  if (name === 'append') return [{ ...own, rows: given as AnyRows }, ...alongside(third)];
  return name === 'advance' ? [own, ...alongside(third)] : [own];
}

const alongside = (along: unknown): Write[] => (along ? [{ table: (along as { table: string }).table }] : []);
