import type { Rows, Store } from './port.ts';
import type { Row, TableName } from './tables/index.ts';

/**
 * Calls `listener` after each write to `table` that this process committed, with the rows that were stored or changed, or
 * undefined when the statement does not name them. An update of no column but those in `ignore` is not reported.
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
      return await target.transaction((tx) => work(watched(tx, collect)), options);
    } finally {
      // After a failure too: a connection that breaks during the commit does not tell if the rows changed.
      writes.forEach(report);
    }
  };
  return {
    store: watched(target, { isWatched, report }, { transaction }),
    onWrite(table, listener, { ignore = [] } = {}) {
      const watching = { call: listener as (rows?: AnyRows) => void, ignore };
      listeners.set(table, [...(listeners.get(table) ?? []), watching]);
    },
    reset() {
      for (const table of listeners.keys()) report({ table });
    },
  };
}

function watched<R extends Rows>(rows: R, watch: Watch, replaced: Partial<R> = {}): R {
  return new Proxy(rows, {
    get(target, name) {
      const method: unknown = Reflect.get(Object.hasOwn(replaced, name) ? replaced : target, name);
      if (typeof method !== 'function') return method;
      if (!Object.hasOwn(isWrite, name) || !isWrite[name as keyof Rows]) return method.bind(target);
      return (...args: unknown[]) => {
        const result: Promise<unknown> = method.apply(target, args);
        const writes = writesOf(name as keyof Rows, args).filter(({ table }) => watch.isWatched(table));
        return writes.length === 0 ? result : reportedAfter(result, name as keyof Rows, writes, watch);
      };
    },
  });
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
