import Big from 'big.js';
import {
  type AnySelection,
  type Dependents,
  type InsertOptions,
  type Move,
  type Newest,
  type Others,
  type Patch,
  type Query,
  type Rows,
  type Scan,
  type Scanned,
  StoreConflict,
  type Where,
} from '../port.ts';
import { type Insert, type Row, type TableName, tables } from '../tables/index.ts';
import type { MemoryTable } from './table.ts';
import { type AnyRow, decimalText, identity } from './values.ts';

/** The statements of the port on the tables of a `MemoryStore`. Every change can be undone. */
export class MemoryTransaction implements Rows {
  readonly #tables: Map<string, MemoryTable>;
  readonly #changes: RowChange[] = [];
  /** As in PostgreSQL, no statement runs and nothing commits after a statement failed, even if its error was caught. */
  #failure: unknown;

  constructor(all: Map<string, MemoryTable>) {
    this.#tables = all;
  }

  get changes(): readonly RowChange[] {
    return this.#changes;
  }

  commit(): void {
    if (this.#failure) throw this.#failure;
  }

  undo(): void {
    for (const { table, row, isNew } of this.#changes.toReversed()) {
      if (isNew) table.delete(row);
      else table.put(row);
    }
  }

  insert<T extends TableName, C extends keyof Row<T> = keyof Row<T>>(
    name: T,
    inputs: readonly Insert<T>[],
    options: InsertOptions<C> = {},
  ): Promise<Pick<Row<T>, C>[]> {
    const { columns, onConflict } = options as InsertOptions<string>;
    return this.#statement(name, (table) =>
      inputs
        .map((input) => this.#add(table, input, onConflict))
        .filter((row) => row !== undefined)
        .map((row) => (columns ? pick(table.copy(row), columns) : table.copy(row)) as Row<T>),
    );
  }

  append<T extends TableName, D extends TableName>(name: T, inputs: readonly Insert<T>[], along?: Others<D>): Promise<void> {
    return this.#statement(name, (table) => {
      for (const input of inputs) this.#add(table, input);
      if (!along) return;
      const other = this.#tables.get(along.table) as MemoryTable;
      for (const input of along.rows) this.#add(other, input);
    });
  }

  get<T extends TableName>(name: T, where: Where<T>): Promise<Row<T> | undefined> {
    return this.#statement(name, (table) => {
      const row = this.#matching(table, where)[0];
      return row && (table.copy(row) as Row<T>);
    });
  }

  list<T extends TableName>(name: T, query: Query<T> = {}): Promise<Row<T>[]> {
    const { where = {}, order, offset = 0, limit = Number.POSITIVE_INFINITY } = query;
    return this.#statement(name, (table) => {
      const found = this.#matching(table, where);
      if (order) found.sort(table.comparison(order));
      return found.slice(offset, offset + limit).map((row) => table.copy(row) as Row<T>);
    });
  }

  scan<T extends TableName>(name: T, { where, key, candidates, anyOf, limit }: Scan<T>): Promise<Scanned<T>> {
    return this.#statement(name, (table) => {
      const read = table.matching(where).sort(table.comparison([[key, 'desc']]));
      const some = read.slice(0, candidates);
      const wanted = new Set(anyOf.flatMap((one) => table.matching(one)));
      const rows = some.filter((row) => wanted.has(row)).slice(0, limit);
      const end = rows.length < limit && some.length === candidates ? some.at(-1) : undefined;
      return { rows: rows.map((row) => table.copy(row) as Row<T>), end: end && (table.copy(end) as Row<T>) };
    });
  }

  count<T extends TableName>(name: T, where: Where<T> = {} as Where<T>, options: { atMost?: number } = {}): Promise<number> {
    const { atMost = Number.POSITIVE_INFINITY } = options;
    return this.#statement(name, (table) => Math.min(atMost, this.#matching(table, where).length));
  }

  newest<T extends TableName, C extends keyof Row<T> & string>(name: T, query: Newest<T, C>): Promise<Pick<Row<T>, C>[]> {
    const { of, by, values, where = {}, columns, limit, oldest = false } = query;
    return this.#statement(name, (table) => {
      const found = this.#matching(table, { ...where, [of]: { in: values } }).sort(
        table.comparison([[by, oldest ? 'asc' : 'desc']]),
      );
      const groups = Map.groupBy(found, (row) => row[of]);
      return found
        .filter((row) => (groups.get(row[of]) ?? []).indexOf(row) < limit)
        .map((row) => pick(table.copy(row), columns) as Row<T>);
    });
  }

  summarize: Rows['summarize'] = (name, summary) =>
    this.#statement(name, (table) => {
      const groups = new Map<string, AnyRow & { count: number }>();
      const sums = summary.sum ?? [];
      for (const row of this.#matching(table, summary.where ?? {})) {
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
      // The tables hold rows without their types.
      return [...groups.values()].sort(table.comparison(order)) as never;
    });

  update<T extends TableName>(name: T, where: Where<T>, patch: Patch<T>): Promise<Row<T>[]> {
    return this.#statement(name, (table) =>
      this.#matching(table, where).map((old) => {
        const row = table.patched(old, patch);
        if (table.identifiesBy(patch)) this.#move(table, old, row);
        else this.#replace(table, old, row);
        return table.copy(row) as Row<T>;
      }),
    );
  }

  #replace(table: MemoryTable, old: AnyRow, row: AnyRow): void {
    table.replace(row);
    this.#changes.push({ table, row: old, isNew: false });
  }

  #move(table: MemoryTable, old: AnyRow, row: AnyRow): void {
    table.delete(old);
    const conflict = table.add(row);
    if (conflict) {
      table.put(old);
      throw conflictIn(table, conflict);
    }
    this.#changes.push({ table, row: old, isNew: false }, { table, row, isNew: true });
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
      if (keys.size < inputs.length) throw new Error(`tally('${name}') got two rows with the same key.`);
      if (!table.keeps) return;
      for (const input of inputs) {
        const old = table.rows.get(table.keyOf(input));
        const row = old ? tallied(table, old, input) : table.normalize(input);
        table.put(row);
        this.#changes.push(old ? { table, row: old, isNew: false } : { table, row, isNew: true });
      }
    });
  }

  remove<T extends TableName>(name: T, where: Where<T>, options: { limit?: number } = {}): Promise<number> {
    return this.#statement(name, (table) => {
      const gone = this.#matching(table, where).slice(0, options.limit);
      for (const row of gone) {
        table.delete(row);
        this.#changes.push({ table, row, isNew: false });
      }
      return gone.length;
    });
  }

  #statement<R>(name: string, work: (table: MemoryTable) => R): Promise<R> {
    if (this.#failure) return Promise.reject(this.#failure);
    try {
      return Promise.resolve(work(this.#tables.get(name) as MemoryTable));
    } catch (error) {
      this.#failure = error;
      return Promise.reject(error);
    }
  }

  #matching(table: MemoryTable, where: AnyRow): AnyRow[] {
    let named = where;
    for (const column in where) {
      const of = (where[column] as { of?: AnySelection } | null | undefined)?.of;
      if (of) named = { ...named, [column]: { in: this.#selected(of) } };
    }
    return table.matching(named);
  }

  #selected({ table, column, where }: AnySelection): unknown[] {
    return this.#matching(this.#tables.get(table) as MemoryTable, where).map((row) => row[column]);
  }

  /** Returns the stored row; undefined if it was left out because of a conflict. */
  #add(table: MemoryTable, input: AnyRow, onConflict?: 'ignore'): AnyRow | undefined {
    const row = table.normalize(input);
    const conflict = table.add(row);
    if (conflict === undefined) {
      this.#changes.push({ table, row, isNew: true });
      return row;
    }
    if (onConflict === 'ignore') return undefined;
    throw conflictIn(table, conflict);
  }
}

/** A row that was added, or a row as it was before it was changed or removed. */
interface RowChange {
  table: MemoryTable;
  row: AnyRow;
  isNew: boolean;
}

const conflictIn = (table: MemoryTable, columns: string): StoreConflict =>
  new StoreConflict(table.name, `${table.name} already has a row with this ${columns}`);

function tallied(table: MemoryTable, old: AnyRow, input: AnyRow): AnyRow {
  const { key, greatest = [] } = table.definition;
  const numbers = Object.keys(table.definition.columns).filter((column) => !key.includes(column));
  const patch = numbers.map((column) => {
    const [before, more] = [old[column] as number, input[column] as number];
    return [column, greatest.includes(column) ? Math.max(before, more) : { add: more }];
  });
  return table.patched(old, Object.fromEntries(patch));
}

function pick(row: AnyRow, columns: readonly string[]): AnyRow {
  return Object.fromEntries(columns.map((name) => [name, row[name]]));
}
