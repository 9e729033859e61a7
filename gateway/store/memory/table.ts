import type { Condition } from '../port.ts';
import type { Table } from '../tables/index.ts';
import { type AnyRow, compareValues, copied, identitiesIn, identity, stored, testOf } from './values.ts';

/** The rows of one table by key, in insertion order, with a map for each set of unique columns. */
export class MemoryTable {
  readonly name: string;
  readonly definition: Table;
  readonly rows = new Map<string, AnyRow>();
  readonly #uniques: { columns: readonly string[]; keys: Map<string, string> }[];
  readonly #columns: readonly { name: string; kind: string; nullable: boolean }[];
  readonly #json: readonly string[];
  #nextSerial = 1;
  readonly #keep: number;

  constructor(name: string, definition: Table, keep: number) {
    this.name = name;
    this.definition = definition;
    this.#keep = keep;
    this.#columns = Object.entries(definition.columns).map(([column, { kind, nullable }]) => ({
      name: column,
      kind,
      nullable: nullable ?? false,
    }));
    this.#json = this.#columns.filter(({ kind }) => kind === 'json').map((column) => column.name);
    this.#uniques = (definition.unique ?? []).map((columns) => ({ columns, keys: new Map() }));
  }

  /** False if the table is configured to keep no rows. */
  get keeps(): boolean {
    return this.#keep > 0;
  }

  keyOf(row: AnyRow): string {
    return identity(row, this.definition.key);
  }

  /** Assigns the serial number and converts each value to the form in which PostgreSQL returns it. */
  normalize(input: AnyRow): AnyRow {
    const row: AnyRow = {};
    for (const { name, kind, nullable } of this.#columns) {
      let value = input[name] ?? null;
      if (kind === 'serial') {
        value ??= this.#nextSerial;
        this.#nextSerial = Math.max(this.#nextSerial, Number(value) + 1);
      }
      if (value === null && !nullable) throw new Error(`Column "${name}" of ${this.name} must not be null.`);
      row[name] = value === null ? null : stored(value, kind);
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
    if (this.rows.size > this.#keep) this.delete(this.rows.values().next().value as AnyRow);
  }

  /** Takes a snapshot; the returned function restores it. Rows are never changed in place, so they are not copied. */
  remember(): () => void {
    const rows = new Map(this.rows);
    const uniques = this.#uniques.map(({ keys }) => new Map(keys));
    const nextSerial = this.#nextSerial;
    return () => {
      refill(this.rows, rows);
      for (const [at, { keys }] of this.#uniques.entries()) refill(keys, uniques[at] ?? new Map());
      this.#nextSerial = nextSerial;
    };
  }

  /** Returns a copy, so that the reader cannot change the stored row. */
  copy(row: AnyRow): AnyRow {
    const copy = { ...row };
    for (const name of this.#json) copy[name] = copied(copy[name]);
    return copy;
  }

  delete(row: AnyRow): void {
    this.rows.delete(this.keyOf(row));
    for (const { columns, keys } of this.#uniques) keys.delete(identity(row, columns));
  }

  /** Returns the matching rows. Uses a key or unique columns if the condition gives all of their values. */
  matching(where: AnyRow): AnyRow[] {
    const tests: ((row: AnyRow) => boolean)[] = [];
    for (const name in where) {
      if (where[name] !== undefined) tests.push(testOf(name, where[name] as Condition<unknown>, this.kind(name)));
    }
    const found: AnyRow[] = [];
    for (const row of this.#candidates(where)) if (tests.every((fits) => fits(row))) found.push(row);
    return found;
  }

  #candidates(where: AnyRow): Iterable<AnyRow> {
    const keys = identitiesIn(where, this.definition.key, this.rows.size);
    if (keys) return this.#rowsAt(keys);
    for (const unique of this.#uniques) {
      const held = identitiesIn(where, unique.columns, this.rows.size);
      if (held) return this.#rowsAt(held.map((one) => unique.keys.get(one) ?? ''));
    }
    return this.rows.values();
  }

  #rowsAt(keys: readonly string[]): AnyRow[] {
    return keys.map((key) => this.rows.get(key)).filter((row) => row !== undefined);
  }

  /** Returns a comparison function for this order. */
  comparison(order: readonly (readonly [string, 'asc' | 'desc'])[]): (one: AnyRow, other: AnyRow) => number {
    const steps = order.map(([name, direction]) => ({ name, kind: this.kind(name), direction: direction === 'asc' ? 1 : -1 }));
    return (one, other) => {
      for (const { name, kind, direction } of steps) {
        const difference = compareValues(one[name], other[name], kind);
        if (difference !== 0) return direction * difference;
      }
      return 0;
    };
  }

  kind(name: string): string {
    const column = this.definition.columns[name];
    if (!column) throw new Error(`Table ${this.name} has no column ${name}.`);
    return column.kind;
  }
}

function refill<K, V>(map: Map<K, V>, from: ReadonlyMap<K, V>): void {
  map.clear();
  for (const [key, value] of from) map.set(key, value);
}
