import Big from 'big.js';
import {
  type AnySelection,
  type Dependents,
  type InsertOptions,
  type Move,
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
import { type AnyRow, decimalText, identity, isAddition } from './values.ts';

/** The statements of the port on the tables of a `MemoryStore`. Every change can be undone. */
export class MemoryTransaction implements Rows {
  readonly #tables: Map<string, MemoryTable>;
  readonly #undo: (() => void)[] = [];
  /** As in PostgreSQL, no statement runs and nothing commits after a statement failed, even if its error was caught. */
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

  insert<T extends TableName, C extends keyof Row<T> = keyof Row<T>>(
    name: T,
    inputs: readonly Insert<T>[],
    options: InsertOptions<C> = {},
  ): Promise<Pick<Row<T>, C>[]> {
    const { columns } = options as InsertOptions<string>;
    return this.#statement(name, (table) =>
      this.#add(table, inputs, options).map((row) => (columns ? pick(table.copy(row), columns) : table.copy(row)) as Row<T>),
    );
  }

  append<T extends TableName, D extends TableName>(name: T, inputs: readonly Insert<T>[], along?: Others<D>): Promise<void> {
    return this.#statement(name, (table) => {
      this.#add(table, inputs);
      if (along) this.#add(this.#tables.get(along.table) as MemoryTable, along.rows);
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

  newest: Rows['newest'] = (name, { of, by, values, where = {}, columns, limit }) =>
    this.#statement(name, (table) => {
      const found = this.#matching(table, { ...where, [of]: { in: values } }).sort(table.comparison([[by, 'desc']]));
      const groups = Map.groupBy(found, (row) => row[of]);
      return found
        .filter((row) => (groups.get(row[of]) ?? []).indexOf(row) < limit)
        .map((row) => pick(table.copy(row), columns)) as never;
    });

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
      return [...groups.values()].sort(table.comparison(order)) as never;
    });

  update<T extends TableName>(name: T, where: Where<T>, patch: Patch<T>): Promise<Row<T>[]> {
    return this.#statement(name, (table) =>
      this.#matching(table, where).map((old) => {
        const row = table.normalize(patched(table, old, patch));
        this.#throwOnConflict(table, row, table.keyOf(old));
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
      if (keys.size < inputs.length) throw new Error(`tally('${name}') got two rows with the same key.`);
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
      const gone = this.#matching(table, where).slice(0, options.limit);
      for (const row of gone) {
        table.delete(row);
        this.#undo.push(() => table.put(row));
      }
      return gone.length;
    });
  }

  async #statement<R>(name: string, work: (table: MemoryTable) => R): Promise<R> {
    if (this.#failure) throw this.#failure;
    try {
      return work(this.#tables.get(name) as MemoryTable);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  #matching(table: MemoryTable, where: AnyRow): AnyRow[] {
    const selections = Object.entries(where).flatMap(([column, test]) => {
      const of = (test as { of?: AnySelection } | null | undefined)?.of;
      return of ? [[column, { in: this.#selected(of) }]] : [];
    });
    return table.matching(selections.length === 0 ? where : { ...where, ...Object.fromEntries(selections) });
  }

  #selected({ table, column, where }: AnySelection): unknown[] {
    return this.#matching(this.#tables.get(table) as MemoryTable, where).map((row) => row[column]);
  }

  #add(table: MemoryTable, inputs: readonly AnyRow[], options: { onConflict?: 'ignore' } = {}): AnyRow[] {
    const added: AnyRow[] = [];
    for (const input of inputs) {
      const row = table.normalize(input);
      if (options.onConflict === 'ignore' && table.conflictOf(row)) continue;
      this.#throwOnConflict(table, row);
      table.put(row);
      this.#undo.push(() => table.delete(row));
      added.push(row);
    }
    return added;
  }

  #throwOnConflict(table: MemoryTable, row: AnyRow, except?: string): void {
    const conflict = table.conflictOf(row, except);
    if (conflict) throw new StoreConflict(table.name, `${table.name} already has a row with this ${conflict}`);
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
