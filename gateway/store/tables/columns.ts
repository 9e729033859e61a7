type Kind = 'text' | 'integer' | 'serial' | 'position' | 'time' | 'real' | 'decimal' | 'boolean' | 'json';

export interface Column<V = unknown> {
  kind: Kind;
  nullable: boolean;
  /** The only values that SQL accepts, beside null. */
  values?: readonly string[];
  /** The TypeScript type of a value. Exists at compile time only. */
  value?: V;
}

export type ValueOf<C> = C extends Column<infer V> ? V : never;

/** A column whose values have a narrower type than its kind: `column<SaleStatus>('text')`. */
export const column = <V>(kind: Kind): Column<V> => ({ kind, nullable: false });
/** A text column for one of these values. A migration must add a new value to SQL before a process writes it. */
export const oneOf = <V extends string>(values: readonly V[]): Column<V> => ({ kind: 'text', nullable: false, values });
export const nullable = <V>(of: Column<V>): Column<V | null> => ({ ...of, nullable: true });

export const text = column<string>('text');
export const integer = column<number>('integer');
/** An integer that the store assigns, counting up, unless the row gives one. */
export const serial = column<number>('serial');
/**
 * The place of a row's transaction among all of the store. Only the store assigns it, so a new row has any number here. Positions
 * have the order in which transactions begin to write: `settled` says up to where no row can appear any more.
 */
export const position = column<number>('position');
/** Milliseconds since 1970 (UTC). */
export const time = column<number>('time');
export const real = column<number>('real');
/** An exact decimal number, as text: '1250.5'. */
export const decimal = column<string>('decimal');
export const boolean = column<boolean>('boolean');
export const json = <V>() => column<V>('json');

interface Index<C extends string> {
  on: readonly C[];
  /** SQL. The index covers only the rows that match it. */
  where?: string;
  /** Default: a B-tree. A `brin` index is tiny: it holds the range of values of each 128 pages. */
  using?: 'brin';
}

interface Daily<C extends string> {
  /** A text column of ids with this prefix. The time in the id decides the row's day (UTC). */
  by: C;
  prefix: string;
  /** The column that a row's age is counted from. Default: the time in `by`. */
  age?: C;
}

/** A table with the columns `C`, whose names are `N`. */
export interface Table<C extends Record<string, Column> = Record<string, Column>, N extends string = string> {
  columns: C;
  key: readonly N[];
  unique?: readonly (readonly N[])[];
  /** One index for each list that is read. */
  indexes?: readonly (readonly N[] | Index<N>)[];
  /** The table is append-only evidence, which SQL keeps in daily partitions. */
  daily?: Daily<N>;
  /** Columns in which `tally` keeps the maximum. It adds up the others. */
  greatest?: readonly N[];
}

type Named<C extends Record<string, Column>> = Table<C, keyof C & string>;
export const table = <const C extends Record<string, Column>>(definition: Named<C>): Named<C> => definition;
