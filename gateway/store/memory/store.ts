import Big from 'big.js';
import {
  type Dependents,
  type Move,
  type Others,
  type Patch,
  type Query,
  type Rows,
  type Store,
  StoreConflict,
  type Where,
} from '../port.ts';
import { type Insert, type Row, type Table, type TableName, tables } from '../tables/index.ts';
import { MemoryTable } from './table.ts';
import { type AnyRow, decimalText, identity, isAddition } from './values.ts';

/**
 * The store of the stub tier. A transaction has the whole store to itself, as on the embedded tier's one
 * connection; its changes are undone one by one if it fails.
 */
export class MemoryStore implements Store {
  readonly #tables: Map<string, MemoryTable>;
  readonly #busy = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  /** Of a table that `keep` names at most so many rows are kept: the oldest go. */
  constructor(keep: Partial<Record<TableName, number>> = {}) {
    this.#tables = new Map(
      Object.entries(tables).map(([name, definition]) => [
        name,
        new MemoryTable(name, definition as unknown as Table, keep[name as TableName] ?? Number.POSITIVE_INFINITY),
      ]),
    );
  }

  /** Remembers everything that is stored. The function returned puts it back, in its turn, as often as it is called. */
  async remember(): Promise<() => Promise<void>> {
    const parts = await this.#inTurn(async () => [...this.#tables.values()].map((table) => table.remember()));
    return () =>
      this.#inTurn(async () => {
        for (const putBack of parts) putBack();
      });
  }

  insert: Rows['insert'] = (...args) => this.#inTurn((rows) => rows.insert(...args));
  append: Rows['append'] = (...args) => this.#inTurn((rows) => rows.append(...args));
  appendNew: Rows['appendNew'] = (...args) => this.#inTurn((rows) => rows.appendNew(...args));
  get: Rows['get'] = (...args) => this.#inTurn((rows) => rows.get(...args));
  list: Rows['list'] = (...args) => this.#inTurn((rows) => rows.list(...args));
  count: Rows['count'] = (...args) => this.#inTurn((rows) => rows.count(...args));
  newest: Rows['newest'] = (table, query) => this.#inTurn((rows) => rows.newest(table, query));
  summarize: Rows['summarize'] = (table, summary) => this.#inTurn((rows) => rows.summarize(table, summary));
  update: Rows['update'] = (...args) => this.#inTurn((rows) => rows.update(...args));
  advance: Rows['advance'] = (...args) => this.#inTurn((rows) => rows.advance(...args));
  revise: Rows['revise'] = (...args) => this.#inTurn((rows) => rows.revise(...args));
  tally: Rows['tally'] = (...args) => this.#inTurn((rows) => rows.tally(...args));
  remove: Rows['remove'] = (...args) => this.#inTurn((rows) => rows.remove(...args));

  transaction<R>(work: (tx: Rows) => Promise<R>): Promise<R> {
    return this.#inTurn(work);
  }

  async alone(name: string, work: () => Promise<void>): Promise<boolean> {
    if (this.#busy.has(name)) return false;
    this.#busy.add(name);
    try {
      await work();
      return true;
    } finally {
      this.#busy.delete(name);
    }
  }

  async ping(): Promise<void> {}
  async close(): Promise<void> {}

  #inTurn<R>(work: (tx: Rows) => Promise<R>): Promise<R> {
    const turn = this.#last.then(async () => {
      const tx = new MemoryTransaction(this.#tables);
      try {
        const result = await work(tx);
        tx.commit();
        return result;
      } catch (error) {
        tx.undo();
        throw error;
      }
    });
    this.#last = turn.catch(() => {});
    return turn;
  }
}

class MemoryTransaction implements Rows {
  readonly #tables: Map<string, MemoryTable>;
  readonly #undo: (() => void)[] = [];
  /** As in PostgreSQL, nothing runs or commits after a statement that failed, also where its error was caught. */
  #failure: unknown;

  constructor(all: Map<string, MemoryTable>) {
    this.#tables = all;
  }

  commit(): void {
    if (this.#failure) throw this.#failure;
  }

  undo(): void {
    for (const step of this.#undo.reverse()) step();
  }

  insert<T extends TableName>(name: T, inputs: readonly Insert<T>[], options: { onConflict?: 'ignore' } = {}): Promise<Row<T>[]> {
    return this.#statement(name, (table) => this.#add(table, inputs, options).map((row) => table.copy(row) as Row<T>));
  }

  async append<T extends TableName, D extends TableName>(
    name: T,
    inputs: readonly Insert<T>[],
    along?: Others<D>,
  ): Promise<void> {
    await this.#statement(name, (table) => void this.#add(table, inputs));
    if (along) await this.append(along.table, along.rows);
  }

  appendNew<T extends TableName>(name: T, inputs: readonly Insert<T>[]): Promise<string[]> {
    return this.#statement(name, (table) => this.#add(table, inputs, { onConflict: 'ignore' }).map((row) => String(row.id)));
  }

  get<T extends TableName>(name: T, where: Where<T>): Promise<Row<T> | undefined> {
    return this.#statement(name, (table) => {
      const row = table.matching(where)[0];
      return row && (table.copy(row) as Row<T>);
    });
  }

  list<T extends TableName>(name: T, query: Query<T> = {}): Promise<Row<T>[]> {
    const { where = {}, order, offset = 0, limit = Number.POSITIVE_INFINITY } = query;
    return this.#statement(name, (table) => {
      const found = table.matching(where);
      if (order) found.sort(table.comparison(order));
      return found.slice(offset, offset + limit).map((row) => table.copy(row) as Row<T>);
    });
  }

  count<T extends TableName>(name: T, where: Where<T> = {} as Where<T>, options: { atMost?: number } = {}): Promise<number> {
    const { atMost = Number.POSITIVE_INFINITY } = options;
    return this.#statement(name, (table) => Math.min(atMost, table.matching(where).length));
  }

  newest: Rows['newest'] = (name, { of, values, where = {}, columns, limit }) =>
    this.#statement(name, (table) => {
      const order = table.definition.key.map((column) => [column, 'desc'] as const);
      const found = table.matching({ ...where, [of]: { in: values } }).sort(table.comparison(order));
      const groups = Map.groupBy(found, (row) => row[of]);
      return found
        .filter((row) => (groups.get(row[of]) ?? []).indexOf(row) < limit)
        .map((row) => pick(table.copy(row), columns)) as never;
    });

  summarize: Rows['summarize'] = (name, summary) =>
    this.#statement(name, (table) => {
      const groups = new Map<string, AnyRow & { count: number }>();
      const sums = summary.sum ?? [];
      for (const row of table.matching(summary.where ?? {})) {
        const key = identity(row, summary.by);
        const group = groups.get(key) ?? {
          ...pick(row, summary.by),
          ...Object.fromEntries(sums.map((column) => [column, '0'])),
          count: 0,
        };
        group.count += 1;
        for (const column of sums) {
          const sum: AnyRow = group;
          sum[column] = decimalText(Big(sum[column] as string).plus((row[column] as string | number | null) ?? 0));
        }
        groups.set(key, group);
      }
      const order = summary.by.map((column) => [column, 'asc'] as const);
      return [...groups.values()].sort(table.comparison(order)) as never;
    });

  update<T extends TableName>(name: T, where: Where<T>, patch: Patch<T>): Promise<Row<T>[]> {
    return this.#statement(name, (table) =>
      table.matching(where).map((old) => {
        const row = table.normalize(patched(table, old, patch));
        this.#refuseConflict(table, row, table.keyOf(old));
        table.delete(old);
        table.put(row);
        this.#undo.push(() => {
          table.delete(row);
          table.put(old);
        });
        return table.copy(row) as Row<T>;
      }),
    );
  }

  async revise<T extends TableName>(name: T, rows: readonly Partial<Row<T>>[]): Promise<void> {
    const key = tables[name].key as readonly (keyof Row<T> & string)[];
    for (const row of rows) {
      const where = Object.fromEntries(key.map((column) => [column, row[column]])) as Where<T>;
      await this.update(name, where, row as Patch<T>);
    }
  }

  async advance<T extends TableName, D extends TableName>(
    name: T,
    moves: readonly Move<T>[],
    dependents?: Dependents<D>,
  ): Promise<string[]> {
    const moved: string[] = [];
    for (const { id, seen, next } of moves) {
      const changed = await this.update(name, { ...seen, id } as Where<T>, next as Patch<T>);
      if (changed.length > 0) moved.push(id);
    }
    if (!dependents) return moved;
    const { table, column, rows } = dependents;
    await this.append(
      table,
      rows.filter((row) => moved.includes(String((row as AnyRow)[column]))),
    );
    return moved;
  }

  tally<T extends TableName>(name: T, inputs: readonly Row<T>[]): Promise<void> {
    return this.#statement(name, (table) => {
      const keys = new Set(inputs.map((input) => table.keyOf(input)));
      if (keys.size < inputs.length) throw new Error(`A key of ${name} comes twice in what is to be tallied.`);
      if (!table.keeps) return;
      for (const input of inputs) {
        const old = table.rows.get(table.keyOf(input));
        const row = table.normalize(old ? tallied(table, old, input) : input);
        table.put(row);
        this.#undo.push(() => {
          if (old) table.put(old);
          else table.delete(row);
        });
      }
    });
  }

  remove<T extends TableName>(name: T, where: Where<T>, options: { limit?: number } = {}): Promise<number> {
    return this.#statement(name, (table) => {
      const gone = table.matching(where).slice(0, options.limit);
      for (const row of gone) {
        table.delete(row);
        this.#undo.push(() => table.put(row));
      }
      return gone.length;
    });
  }

  async #statement<R>(name: string, work: (table: MemoryTable) => R): Promise<R> {
    if (this.#failure)
      throw new Error('An earlier statement of this transaction failed, so it can only be undone.', { cause: this.#failure });
    try {
      return work(this.#tables.get(name) as MemoryTable);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  #add(table: MemoryTable, inputs: readonly AnyRow[], options: { onConflict?: 'ignore' } = {}): AnyRow[] {
    const added: AnyRow[] = [];
    for (const input of inputs) {
      const row = table.normalize(input);
      if (options.onConflict === 'ignore' && table.conflictOf(row)) continue;
      this.#refuseConflict(table, row);
      table.put(row);
      this.#undo.push(() => table.delete(row));
      added.push(row);
    }
    return added;
  }

  #refuseConflict(table: MemoryTable, row: AnyRow, except?: string): void {
    const conflict = table.conflictOf(row, except);
    if (conflict) throw new StoreConflict(table.name, `${table.name} has a row with this ${conflict} already`);
  }
}

function patched(table: MemoryTable, old: AnyRow, patch: AnyRow): AnyRow {
  const values: AnyRow = { ...old };
  for (const [column, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    const before = old[column];
    const kind = table.kind(column);
    if (!isAddition(value, kind)) values[column] = value;
    else if (before === null) values[column] = null;
    else if (kind === 'decimal') values[column] = decimalText(Big(before as string).plus(value.add));
    else values[column] = Number(before) + Number(value.add);
  }
  return values;
}

function tallied(table: MemoryTable, old: AnyRow, input: AnyRow): AnyRow {
  const { key, greatest = [] } = table.definition;
  const numbers = Object.keys(table.definition.columns).filter((column) => !key.includes(column));
  const patch = numbers.map((column) => {
    const [before, more] = [old[column] as number, input[column] as number];
    return [column, greatest.includes(column) ? Math.max(before, more) : { add: more }];
  });
  return patched(table, old, Object.fromEntries(patch));
}

function pick(row: AnyRow, columns: readonly string[]): AnyRow {
  return Object.fromEntries(columns.map((name) => [name, row[name]]));
}
