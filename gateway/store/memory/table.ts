import type { Condition } from '../port.ts';
import type { Table } from '../tables/index.ts';
import { type AnyRow, compareValues, copied, identitiesIn, identity, stored, testOf } from './values.ts';

/** One table's rows by their key, in the order they came, with a map for each unique set of columns. */
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

  /** False where nothing is ever stored. */
  get keeps(): boolean {
    return this.#keep > 0;
  }

  keyOf(row: AnyRow): string {
    return identity(row, this.definition.key);
  }

  /** Fills in a serial number and fixes the form of every value, as a database would. */
  normalize(input: AnyRow): AnyRow {
    const row: AnyRow = {};
    for (const { name, kind, nullable } of this.#columns) {
      let value = input[name] ?? null;
      if (kind === 'serial') {
        value ??= this.#nextSerial;
        this.#nextSerial = Math.max(this.#nextSerial, Number(value) + 1);
      }
      if (value === null && !nullable) throw new Error(`null value in column "${name}" of ${this.name}`);
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

  /** Remembers what is stored. Rows are never changed in place, so they need no copies. The function returned puts it back. */
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

  /** A copy that its reader may change without changing what is stored. */
  copy(row: AnyRow): AnyRow {
    const copy = { ...row };
    for (const name of this.#json) copy[name] = copied(copy[name]);
    return copy;
  }

  delete(row: AnyRow): void {
    this.rows.delete(this.keyOf(row));
    for (const { columns, keys } of this.#uniques) keys.delete(identity(row, columns));
  }

  /** The rows that fit, found by key where the condition names whole ones. */
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

  /** What sorts rows in this order. */
  comparison(order: readonly (readonly [string, 'asc' | 'desc'])[]): (one: AnyRow, other: AnyRow) => number {
    const steps = order.map(([name, direction]) => ({ name, kind: this.kind(name), sign: direction === 'asc' ? 1 : -1 }));
    return (one, other) => {
      for (const { name, kind, sign } of steps) {
        const difference = compareValues(one[name], other[name], kind);
        if (difference !== 0) return sign * difference;
      }
      return 0;
    };
  }

  kind(name: string): string {
    const column = this.definition.columns[name];
    if (!column) throw new Error(`${this.name} has no column ${name}`);
    return column.kind;
  }
}

function refill<K, V>(map: Map<K, V>, from: ReadonlyMap<K, V>): void {
  map.clear();
  for (const [key, value] of from) map.set(key, value);
}
