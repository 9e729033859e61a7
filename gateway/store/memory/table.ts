import type { Condition } from '../port.ts';
import type { Table } from '../tables/index.ts';
import {
  type AnyRow,
  compareValues,
  copied,
  identitiesIn,
  identity,
  identityIn,
  isTrueOf,
  rejectNul,
  stored,
  storedText,
  sumOrValue,
  testOf,
} from './values.ts';

interface Column {
  name: string;
  kind: string;
  nullable: boolean;
}

/** Columns whose values together belong to one row, and the keys of the rows by these values. */
interface Unique {
  columns: readonly string[];
  keys: Map<string, string>;
}

const none: readonly never[] = [];

/** The rows of one table by key, in insertion order, with a map for each set of unique columns. */
export class MemoryTable {
  readonly name: string;
  readonly definition: Table;
  readonly rows = new Map<string, AnyRow>();
  readonly #uniques: readonly Unique[];
  readonly #columns: readonly Column[];
  /**
   * A row without values. New rows are copies of it, because a copy has room for all columns at once. A row that grows column by
   * column does not.
   */
  readonly #blank: AnyRow;
  readonly #columnsByName: ReadonlyMap<string, Column>;
  /** The columns by which rows are found. */
  readonly #identifying: ReadonlySet<string>;
  readonly #json: readonly string[];
  nextSerial = 1;
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
    this.#blank = JSON.parse(JSON.stringify(Object.fromEntries(this.#columns.map(({ name: column }) => [column, null]))));
    this.#columnsByName = new Map(this.#columns.map((column) => [column.name, column]));
    this.#identifying = new Set([...definition.key, ...(definition.unique ?? []).flat()]);
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

  /** True if the patch names a column by which rows are found. */
  identifiesBy(patch: AnyRow): boolean {
    for (const name in patch) if (this.#identifying.has(name)) return true;
    return false;
  }

  /** Assigns the serial number and converts each value to the form in which PostgreSQL returns it. */
  normalize(input: AnyRow): AnyRow {
    const row = { ...this.#blank };
    for (let at = 0; at < this.#columns.length; at++) {
      const column = this.#columns[at] as Column;
      const value = input[column.name];
      // The commonest kinds of values are tested first: texts, and numbers that are stored as they are.
      if (typeof value === 'string' && column.kind === 'text') row[column.name] = storedText(value);
      else row[column.name] = this.#converted(value ?? null, column);
    }
    return row;
  }

  #converted(given: unknown, { name, kind, nullable }: Column): unknown {
    let value = given;
    // Transactions run one after another, so the order of their rows is that of their commits.
    if (kind === 'position') return this.nextSerial++;
    if (kind === 'serial') {
      value ??= this.nextSerial;
      this.nextSerial = Math.max(this.nextSerial, Number(value) + 1);
    }
    if (value === null && !nullable) throw new Error(`Column "${name}" of ${this.name} must not be null.`);
    return value === null ? null : stored(value, kind);
  }

  /** Returns the row with new values, converted as `normalize` does. */
  patched(old: AnyRow, patch: AnyRow): AnyRow {
    const row = { ...old };
    for (const name in patch) {
      if (patch[name] === undefined) continue;
      const column = this.#column(name);
      row[name] = this.#converted(sumOrValue(old[name], patch[name], column.kind), column);
    }
    return row;
  }

  /** Adds a row. Returns undefined, or the columns in which another row has the same values although they must be unique. */
  add(row: AnyRow): string | undefined {
    const key = this.keyOf(row);
    if (this.rows.has(key)) return this.definition.key.join(', ');
    const identities = this.#uniques.length === 0 ? none : this.#uniques.map(({ columns }) => identity(row, columns));
    for (let at = 0; at < identities.length; at++) {
      const { columns, keys } = this.#uniques[at] as Unique;
      if (keys.has(identities[at] as string)) return columns.join(', ');
    }
    this.rows.set(key, row);
    for (let at = 0; at < identities.length; at++) this.#uniques[at]?.keys.set(identities[at] as string, key);
    this.#dropBeyondLimit();
    return undefined;
  }

  put(row: AnyRow): void {
    const key = this.keyOf(row);
    this.rows.set(key, row);
    for (const { columns, keys } of this.#uniques) keys.set(identity(row, columns), key);
    this.#dropBeyondLimit();
  }

  #dropBeyondLimit(): void {
    if (this.rows.size > this.#keep) this.delete(this.rows.values().next().value as AnyRow);
  }

  /** Puts a row in the place of another one with the same key and unique values. */
  replace(row: AnyRow): void {
    this.rows.set(this.keyOf(row), row);
  }

  /** Takes a snapshot; the returned function restores it. Rows are never changed in place, so they are not copied. */
  remember(): () => void {
    const rows = new Map(this.rows);
    const uniques = this.#uniques.map(({ keys }) => new Map(keys));
    const nextSerial = this.nextSerial;
    return () => {
      refill(this.rows, rows);
      for (const [at, { keys }] of this.#uniques.entries()) refill(keys, uniques[at] ?? new Map());
      this.nextSerial = nextSerial;
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
    const one = this.rows.size === 0 ? undefined : this.#rowBy(where);
    if (one !== null) return this.#fits(one, where) ? [one as AnyRow] : [];
    const tests: Test[] = [];
    for (const name in where) {
      if (where[name] !== undefined) tests.push(testOf(name, where[name] as Condition<unknown>, this.kind(name)));
    }
    const found: AnyRow[] = [];
    for (const row of this.#candidates(where)) if (fitsAll(row, tests)) found.push(row);
    return found;
  }

  /** Returns true if there is a row and it fits. A condition that PostgreSQL rejects is rejected without a row too. */
  #fits(row: AnyRow | undefined, where: AnyRow): boolean {
    let fits = row !== undefined;
    for (const name in where) {
      if (where[name] === undefined) continue;
      const kind = this.kind(name);
      rejectNul(where[name]);
      fits &&= isTrueOf((row as AnyRow)[name], where[name] as Condition<unknown>, kind);
    }
    return fits;
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

  /** The row with the key that a condition gives; null if the condition does not give a value for each column of the key. */
  #rowBy(where: AnyRow): AnyRow | undefined | null {
    const key = identityIn(where, this.definition.key);
    return key === undefined ? null : this.rows.get(key);
  }

  #rowsAt(keys: readonly string[]): AnyRow[] {
    return keys.map((key) => this.rows.get(key)).filter((row) => row !== undefined);
  }

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
    return this.#column(name).kind;
  }

  #column(name: string): Column {
    const column = this.#columnsByName.get(name);
    if (!column) throw new Error(`Table ${this.name} has no column ${name}.`);
    return column;
  }
}

type Test = (row: AnyRow) => boolean;

function fitsAll(row: AnyRow, tests: readonly Test[]): boolean {
  for (let at = 0; at < tests.length; at++) if (!(tests[at] as Test)(row)) return false;
  return true;
}

function refill<K, V>(map: Map<K, V>, from: ReadonlyMap<K, V>): void {
  map.clear();
  for (const [key, value] of from) map.set(key, value);
}
