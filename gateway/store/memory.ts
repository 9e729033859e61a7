import Big from 'big.js';
import { type Condition, type Patch, type Query, type Rows, type Store, StoreConflict, type Where } from './port.ts';
import { type Insert, type Row, type Table, type TableName, tables } from './tables.ts';

type AnyRow = Record<string, unknown>;

/** One table's rows by their key, in the order they came, with a map for each unique set of columns. */
class MemoryTable {
  readonly name: string;
  readonly definition: Table;
  readonly rows = new Map<string, AnyRow>();
  readonly #uniques: { columns: readonly string[]; keys: Map<string, string> }[];
  #nextSerial = 1;

  constructor(name: string, definition: Table) {
    this.name = name;
    this.definition = definition;
    this.#uniques = (definition.unique ?? []).map((columns) => ({ columns, keys: new Map() }));
  }

  keyOf(row: AnyRow): string {
    return identity(row, this.definition.key);
  }

  /** Fills in a serial number and fixes the form of every value, as a database would. */
  normalize(input: AnyRow): AnyRow {
    const row: AnyRow = {};
    for (const [name, { kind }] of Object.entries(this.definition.columns)) {
      let value = input[name] ?? null;
      if (kind === 'serial') {
        value ??= this.#nextSerial;
        this.#nextSerial = Math.max(this.#nextSerial, Number(value) + 1);
      } else if (kind === 'decimal' && value !== null) value = decimalText(value as string);
      else if (kind === 'json' && value !== null) value = structuredClone(value);
      row[name] = value;
    }
    return row;
  }

  conflictOf(row: AnyRow, except?: string): string | undefined {
    const key = this.keyOf(row);
    if (key !== except && this.rows.has(key)) return this.definition.key.join(', ');
    for (const { columns, keys } of this.#uniques) {
      const holder = keys.get(identity(row, columns));
      if (holder !== undefined && holder !== except) return columns.join(', ');
    }
    return undefined;
  }

  put(row: AnyRow): void {
    const key = this.keyOf(row);
    this.rows.set(key, row);
    for (const { columns, keys } of this.#uniques) keys.set(identity(row, columns), key);
  }

  delete(row: AnyRow): void {
    this.rows.delete(this.keyOf(row));
    for (const { columns, keys } of this.#uniques) keys.delete(identity(row, columns));
  }

  /** The rows that fit, found by key where the condition names the whole of one. */
  matching(where: AnyRow): AnyRow[] {
    const conditions = Object.entries(where).filter(([, condition]) => condition !== undefined);
    const fits = (row: AnyRow) => conditions.every(([name, condition]) => holds(row[name], condition as Condition<unknown>, this.#kind(name)));
    if (this.definition.key.every((name) => isPlain(where[name]))) {
      const row = this.rows.get(identity(where, this.definition.key));
      return row && fits(row) ? [row] : [];
    }
    for (const { columns, keys } of this.#uniques) {
      if (!columns.every((name) => isPlain(where[name]))) continue;
      const row = this.rows.get(keys.get(identity(where, columns)) ?? '');
      return row && fits(row) ? [row] : [];
    }
    return [...this.rows.values()].filter(fits);
  }

  compare(a: AnyRow, b: AnyRow, order: readonly (readonly [string, 'asc' | 'desc'])[]): number {
    for (const [name, direction] of order) {
      const difference = compareValues(a[name], b[name], this.#kind(name));
      if (difference !== 0) return direction === 'asc' ? difference : -difference;
    }
    return 0;
  }

  #kind(name: string): string {
    return this.definition.columns[name]?.kind ?? 'text';
  }
}

/**
 * The store of the stub tier. A transaction has the whole store to itself, as on the embedded tier's one
 * connection; its changes are undone one by one if it fails.
 */
export class MemoryStore implements Store {
  readonly #tables = new Map(Object.entries(tables).map(([name, definition]) => [name, new MemoryTable(name, definition as unknown as Table)]));
  #last: Promise<unknown> = Promise.resolve();

  insert: Rows['insert'] = (...args) => this.#alone((rows) => rows.insert(...args));
  append: Rows['append'] = (...args) => this.#alone((rows) => rows.append(...args));
  get: Rows['get'] = (...args) => this.#alone((rows) => rows.get(...args));
  list: Rows['list'] = (...args) => this.#alone((rows) => rows.list(...args));
  count: Rows['count'] = (...args) => this.#alone((rows) => rows.count(...args));
  summarize: Rows['summarize'] = (table, summary) => this.#alone((rows) => rows.summarize(table, summary));
  update: Rows['update'] = (...args) => this.#alone((rows) => rows.update(...args));
  remove: Rows['remove'] = (...args) => this.#alone((rows) => rows.remove(...args));

  transaction<R>(work: (tx: Rows) => Promise<R>): Promise<R> {
    return this.#alone(work);
  }

  async ping(): Promise<void> {}
  async close(): Promise<void> {}

  #alone<R>(work: (tx: Rows) => Promise<R>): Promise<R> {
    const turn = this.#last.then(async () => {
      const tx = new MemoryTransaction(this.#tables);
      try {
        return await work(tx);
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

  constructor(all: Map<string, MemoryTable>) {
    this.#tables = all;
  }

  undo(): void {
    for (const step of this.#undo.reverse()) step();
  }

  async insert<T extends TableName>(name: T, inputs: readonly Insert<T>[], options: { onConflict?: 'ignore' } = {}): Promise<Row<T>[]> {
    const table = this.#table(name);
    const inserted: AnyRow[] = [];
    // One statement is all or nothing, also outside a transaction.
    const mark = this.#undo.length;
    for (const input of inputs) {
      const row = table.normalize(input as AnyRow);
      const conflict = table.conflictOf(row);
      if (conflict && options.onConflict === 'ignore') continue;
      if (conflict) {
        for (const step of this.#undo.splice(mark).reverse()) step();
        throw new StoreConflict(name, `${name} has a row with this ${conflict} already`);
      }
      table.put(row);
      this.#undo.push(() => table.delete(row));
      inserted.push(row);
    }
    return inserted.map((row) => ({ ...row })) as Row<T>[];
  }

  async append<T extends TableName>(name: T, rows: readonly Insert<T>[]): Promise<void> {
    await this.insert(name, rows);
  }

  async get<T extends TableName>(name: T, where: Where<T>): Promise<Row<T> | undefined> {
    const row = this.#table(name).matching(where)[0];
    return row && ({ ...row } as Row<T>);
  }

  async list<T extends TableName>(name: T, query: Query<T> = {}): Promise<Row<T>[]> {
    const table = this.#table(name);
    const found = table.matching(query.where ?? {});
    const { order } = query;
    if (order) found.sort((a, b) => table.compare(a, b, order));
    const from = query.offset ?? 0;
    return found.slice(from, query.limit === undefined ? undefined : from + query.limit).map((row) => ({ ...row })) as Row<T>[];
  }

  async count<T extends TableName>(name: T, where: Where<T> = {} as Where<T>): Promise<number> {
    return this.#table(name).matching(where).length;
  }

  summarize: Rows['summarize'] = async (name, summary) => {
    const table = this.#table(name);
    const groups = new Map<string, AnyRow & { count: number }>();
    for (const row of table.matching(summary.where ?? {})) {
      const key = identity(row, summary.by);
      const group = groups.get(key) ?? { ...pick(row, summary.by), ...Object.fromEntries((summary.sum ?? []).map((c) => [c, '0'])), count: 0 };
      group.count += 1;
      for (const column of summary.sum ?? []) {
        const sum: AnyRow = group;
        sum[column] = decimalText(Big(sum[column] as string).plus((row[column] as string | number | null) ?? 0));
      }
      groups.set(key, group);
    }
    const order = summary.by.map((name) => [name, 'asc'] as const);
    return [...groups.values()].sort((a, b) => table.compare(a, b, order)) as never;
  };

  async update<T extends TableName>(name: T, where: Where<T>, patch: Patch<T>): Promise<Row<T>[]> {
    const table = this.#table(name);
    const updated: AnyRow[] = [];
    for (const old of table.matching(where)) {
      const values: AnyRow = { ...old };
      for (const [column, value] of Object.entries(patch)) {
        if (value === undefined) continue;
        const { kind } = table.definition.columns[column] as { kind: string };
        if (!isAddition(value)) values[column] = value;
        else if (kind === 'decimal') values[column] = decimalText(Big(old[column] as string).plus(value.add));
        else values[column] = Number(old[column]) + Number(value.add);
      }
      const row = table.normalize(values);
      const conflict = table.conflictOf(row, table.keyOf(old));
      if (conflict) throw new StoreConflict(name, `${name} has a row with this ${conflict} already`);
      const moved = table.keyOf(row) !== table.keyOf(old);
      if (moved || table.definition.unique) table.delete(old);
      table.put(row);
      this.#undo.push(() => {
        table.delete(row);
        table.put(old);
      });
      updated.push(row);
    }
    return updated.map((row) => ({ ...row })) as Row<T>[];
  }

  async remove<T extends TableName>(name: T, where: Where<T>, options: { limit?: number } = {}): Promise<number> {
    const table = this.#table(name);
    const gone = table.matching(where).slice(0, options.limit);
    for (const row of gone) {
      table.delete(row);
      this.#undo.push(() => table.put(row));
    }
    return gone.length;
  }

  #table(name: string): MemoryTable {
    return this.#tables.get(name) as MemoryTable;
  }
}

function identity(row: AnyRow, columns: readonly string[]): string {
  return columns.length === 1 ? String(row[columns[0] as string]) : JSON.stringify(columns.map((name) => row[name]));
}

function pick(row: AnyRow, columns: readonly string[]): AnyRow {
  return Object.fromEntries(columns.map((name) => [name, row[name]]));
}

function isPlain(condition: unknown): boolean {
  return condition !== undefined && condition !== null && typeof condition !== 'object';
}

function isAddition(value: unknown): value is { add: string | number } {
  return typeof value === 'object' && value !== null && 'add' in value && Object.keys(value).length === 1;
}

function decimalText(value: string | Big): string {
  return Big(value).toFixed();
}

function compareValues(a: unknown, b: unknown, kind: string): number {
  if (a === b) return 0;
  // As in PostgreSQL: nulls last when ascending.
  if (a === null) return 1;
  if (b === null) return -1;
  if (kind === 'decimal') return Big(a as string).cmp(b as string);
  return (a as string) < (b as string) ? -1 : 1;
}

function holds(value: unknown, condition: Condition<unknown>, kind: string): boolean {
  if (condition === null || typeof condition !== 'object') {
    return condition === null ? value === null : value !== null && compareValues(value, condition, kind) === 0;
  }
  const test = condition as { in?: readonly unknown[]; not?: unknown; contains?: string; has?: unknown } & Record<string, unknown>;
  if (test.in) return test.in.some((one) => holds(value, one as Condition<unknown>, kind));
  if ('not' in test) return test.not === null ? value !== null : value !== null && compareValues(value, test.not, kind) !== 0;
  if (value === null) return false;
  if (test.contains !== undefined) return String(value).includes(test.contains);
  if (test.has !== undefined) return (value as unknown[]).includes(test.has);
  const difference = (other: unknown) => compareValues(value, other, kind);
  return (
    (test.gt === undefined || difference(test.gt) > 0) &&
    (test.gte === undefined || difference(test.gte) >= 0) &&
    (test.lt === undefined || difference(test.lt) < 0) &&
    (test.lte === undefined || difference(test.lte) <= 0)
  );
}
