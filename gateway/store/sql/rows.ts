import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely';
import type { Dependents, InsertOptions, Move, Newest, Others, Patch, Query, Rows, Scan, Scanned, Where } from '../port.ts';
import { type Insert, type Row, type Table, type TableName, tables } from '../tables/index.ts';
import { bound, columnOf, condition, schemaName } from './conditions.ts';
import { type Answer, type Connection, nameOf } from './connection.ts';
import { codeOf, translated } from './errors.ts';
import { windowsOf } from './windows.ts';

// The register types rows at the port. Towards the database, tables and columns are only names.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Database = any;
export type AnyRow = Record<string, unknown>;

/** SQLSTATE of a statement that was not run because an earlier one had failed. The caller gets the earlier one's error. */
const inFailedTransaction = '25P02';

/** Only compiles statements. A `Connection` runs them. */
const compiler = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** The statements of the port as SQL, on a connection pool or inside a transaction. */
export class SqlRows implements Rows {
  readonly #connection: Connection;

  /** The error of the first statement that failed. */
  failure: unknown;
  #last: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Sends a statement at once. A prepared one keeps its plan, so its best plan must not depend on its values. */
  #run<R = AnyRow>(table: string, statement: RawBuilder<R>, { prepared = false } = {}): Promise<Answer<R>> {
    const answer = this.observed(table, async () => {
      const { sql: text, parameters: values } = statement.compile(compiler);
      return (await this.#connection.query({ text, values, ...(prepared ? { name: nameOf(text) } : {}) })) as Answer<R>;
    });
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** Resolves when the statements given so far have been answered, which happens in their order. */
  async settled(): Promise<void> {
    await this.#last;
  }

  protected async observed<R>(table: string, work: () => Promise<R>): Promise<R> {
    try {
      return await translated(table, work);
    } catch (error) {
      this.failure ??= error;
      throw codeOf(error) === inFailedTransaction ? this.failure : error;
    }
  }

  async insert<T extends TableName, C extends keyof Row<T> = keyof Row<T>>(
    name: T,
    rows: readonly Insert<T>[],
    options: InsertOptions<C> = {},
  ): Promise<Pick<Row<T>, C>[]> {
    if (rows.length === 0) return [];
    const ignore = options.onConflict === 'ignore' ? sql` on conflict do nothing` : sql``;
    const returned = options.columns ? columnList(options.columns as readonly string[]) : allColumns(name);
    const statement = sql<AnyRow>`${insertion(name, rows)}${ignore} returning ${returned}`;
    const result = await this.#run(name, statement, { prepared: true });
    await this.raiseSequence(name, rows);
    return result.rows.map((row) => decode(name, row));
  }

  async append<T extends TableName, D extends TableName>(name: T, rows: readonly Insert<T>[], along?: Others<D>): Promise<void> {
    if (rows.length === 0) return along && this.append(along.table, along.rows);
    const others = along?.rows.length ? sql`with along as (${insertion(along.table, along.rows)}) ` : sql``;
    // In one turn, because a caller in a transaction may not wait for this.
    await Promise.all([
      this.#run(name, sql`${others}${insertion(name, rows)}`, { prepared: true }),
      this.raiseSequence(name, rows),
      along && this.raiseSequence(along.table, along.rows),
    ]);
  }

  /** PostgreSQL's sequence does not notice ids that are given with a row (fixtures), and would assign them again. */
  protected async raiseSequence(name: TableName, rows: readonly AnyRow[]): Promise<void> {
    const serial = Object.entries(tables[name].columns).find(([, { kind }]) => kind === 'serial')?.[0];
    if (serial === undefined || rows[0]?.[serial] === undefined) return;
    const last = rows.reduce((most, row) => Math.max(most, Number(row[serial])), 0);
    const sequence = sql.id(schemaName, `${name}_${serial}_seq`);
    const raised = sql`setval(${`${schemaName}.${name}_${serial}_seq`}::regclass, greatest(${last}::bigint, last_value))`;
    await this.#run(name, sql`select ${raised} from ${sequence}`);
  }

  async get<T extends TableName>(name: T, where: Where<T>, options: { lock?: boolean } = {}): Promise<Row<T> | undefined> {
    return (await this.list(name, { where, limit: 1, ...options }))[0];
  }

  async list<T extends TableName>(name: T, query: Query<T> = {}): Promise<Row<T>[]> {
    const windows = windowsOf(name, query);
    if (!windows) return this.#select(name, query);
    const found: Row<T>[] = [];
    for (const window of windows) {
      found.push(...(await this.#select(name, { ...window, limit: (query.limit as number) - found.length })));
      if (found.length === query.limit) break;
    }
    return found;
  }

  async scan<T extends TableName>(name: T, scan: Scan<T>): Promise<Scanned<T>> {
    const { where, key, limit } = scan;
    const order = [[key, 'desc']] as const;
    const keys: string[] = [];
    let end: string | undefined;
    for (const window of windowsOf(name, { where, order, limit }) ?? [{ where }]) {
      const found = await this.#scanWindow(name, { ...scan, where: window.where as Where<T>, limit: limit - keys.length });
      keys.push(...found.filter((one) => one.is_wanted).map((one) => one.key));
      if (keys.length === limit) break;
      end = found.find((one) => one.is_last)?.key;
      if (end !== undefined) break;
    }
    const read = [...new Set([...keys, ...(end === undefined ? [] : [end])])];
    if (read.length === 0) return { rows: [], end: undefined };
    // Other conditions may have changed meanwhile. A row whose key is found stays.
    const keyParts = Object.entries(where).filter(([column]) => (tables[name].key as readonly string[]).includes(column));
    const rows = await this.#select(name, { where: { ...Object.fromEntries(keyParts), [key]: { in: read } } as Where<T>, order });
    const wanted = new Set(keys);
    return { rows: rows.filter((row) => wanted.has(row[key] as string)), end: rows.find((row) => row[key] === end) };
  }

  /** Returns keys. Only keys are numbered, because numbering copies rows; the limits end the scan as soon as the page is full. */
  async #scanWindow<T extends TableName>(name: T, { where, key, candidates, anyOf, limit }: Scan<T>) {
    const order = sql`order by ${sql.ref(key)} desc`;
    const wanted = sql.join(
      anyOf.map((one) => sql`(${condition(name, one)})`),
      sql` or `,
    );
    const result = await this.#run(
      name,
      sql<{ key: string; is_wanted: boolean | null; is_last: boolean }>`select ${sql.ref(key)} as key, is_wanted, is_last from (
          select *, row_number() over (${order}) = ${candidates}::bigint as is_last from (
            select ${sql.ref(key)}, (${wanted}) as is_wanted from ${target(name)}
            where ${condition(name, where)} ${order} limit ${candidates}
          ) as candidates
        ) as numbered where is_wanted or is_last ${order} limit ${limit}`,
    );
    return result.rows;
  }

  async #select<T extends TableName>(name: T, query: Query<T>): Promise<Row<T>[]> {
    const order = (query.order ?? []).map(([column, direction]) => sql`${sql.ref(column)} ${sql.raw(direction)}`);
    const parts = [
      sql`select ${allColumns(name)} from ${target(name)} where ${condition(name, query.where)}`,
      order.length ? sql`order by ${sql.join(order)}` : sql``,
      query.limit === undefined ? sql`` : sql`limit ${query.limit}`,
      query.offset ? sql`offset ${query.offset}` : sql``,
      query.lock ? sql`for update` : sql``,
      query.lock === 'free' ? sql`skip locked` : sql``,
    ];
    const result = await this.#run(name, sql<AnyRow>`${sql.join(parts, sql` `)}`, { prepared: isByKey(name, query) });
    return result.rows.map((row) => decode(name, row));
  }

  async count<T extends TableName>(
    name: T,
    where: Where<T> = {} as Where<T>,
    { atMost }: { atMost?: number } = {},
  ): Promise<number> {
    const rows = sql`from ${target(name)} where ${condition(name, where)}`;
    const counted = atMost === undefined ? rows : sql`from (select 1 ${rows} limit ${atMost}) as bounded`;
    const result = await this.#run(name, sql<{ count: string }>`select count(*) as count ${counted}`);
    return Number(result.rows[0]?.count);
  }

  async newest<T extends TableName, C extends keyof Row<T> & string>(name: T, query: Newest<T, C>): Promise<Pick<Row<T>, C>[]> {
    const { of, by, values, where, columns, limit, oldest = false } = query;
    const direction = sql.raw(oldest ? 'asc' : 'desc');
    const each = sql`select * from ${target(name)} where ${sql.ref(of)} = given.one and ${condition(name, where)} order by ${sql.ref(by)} ${direction} limit ${limit}`;
    const wanted = sql.join(columns.map((column) => sql.ref(`found.${column}`)));
    const result = await this.#run(
      name,
      sql<AnyRow>`select ${wanted} from unnest(${[...new Set(values)]}::text[]) as given(one)
        cross join lateral (${each}) as found order by ${sql.ref(`found.${by}`)} ${direction}`,
      // Without `where`, only the index can find the rows, so every plan is the same.
      { prepared: where === undefined },
    );
    return result.rows.map((row) => decode(name, row));
  }

  summarize: Rows['summarize'] = async (name, summary) => {
    const by = summary.by.map((column) => sql.ref(column));
    const sums = (summary.sum ?? []).map((column) => sql`coalesce(sum(${summed(name, column)}), 0)::text as ${sql.ref(column)}`);
    const grouping = by.length ? sql`group by ${sql.join(by)} order by ${sql.join(by)}` : sql`having count(*) > 0`;
    const columns = sql.join([...by, ...sums, sql`count(*) as count`]);
    const rows = sql`${target(name)} where ${condition(name, summary.where)}`;
    const result = await this.#run(name, sql<AnyRow>`select ${columns} from ${rows} ${grouping}`);
    return result.rows.map((row) => {
      const added = (summary.sum ?? []).map((column) => [column, plainDecimal(row[column] as string)]);
      return { ...decode(name, row), ...Object.fromEntries(added), count: Number(row.count) };
    });
  };

  async update<T extends TableName>(name: T, where: Where<T>, patch: Patch<T>): Promise<Row<T>[]> {
    const changes = Object.entries(patch)
      .filter(([, value]) => value !== undefined)
      .map(([column, value]) => sql`${sql.ref(column)} = ${newValue(name, column, value)}`);
    if (changes.length === 0) return this.list(name, { where });
    const result = await this.#run(
      name,
      sql<AnyRow>`update ${target(name)} set ${sql.join(changes)} where ${condition(name, where)} returning ${allColumns(name)}`,
      { prepared: isByKey(name, { where }) },
    );
    return result.rows.map((row) => decode(name, row));
  }

  async revise<T extends TableName>(name: T, rows: readonly Partial<Row<T>>[]): Promise<void> {
    if (rows.length === 0) return;
    const key: readonly string[] = tables[name].key;
    const columns = Object.keys(rows[0] as AnyRow).filter((column) => !key.includes(column));
    const changes = columns.map((column) => sql`${sql.ref(column)} = given.${sql.ref(column)}`);
    const same = key.map((column) => sql`${target(name)}.${sql.ref(column)} = given.${sql.ref(column)}`);
    const given = sql`${recordset(name, rows)} as given`;
    const matching = sql`from ${given} where ${sql.join([...same, few(key[0] as string)], sql` and `)}`;
    await this.#run(name, sql`update ${target(name)} set ${sql.join(changes)} ${matching}`, { prepared: true });
  }

  async advance<T extends TableName, D extends TableName>(
    name: T,
    moves: readonly Move<T>[],
    dependents?: Dependents<D>,
  ): Promise<string[]> {
    const [first] = moves;
    if (!first) return [];
    const given = JSON.stringify(moves.map(({ id, seen, next }) => ({ id, seen, next })));
    const changes = Object.keys(first.next).map((one) => `"${one}" = (given.next)."${one}"`);
    const same = Object.keys(first.seen).map((one) => `stored."${one}" is not distinct from (given.seen)."${one}"`);
    const added = dependents?.rows.length
      ? sql`, added as (${insertion(dependents.table, dependents.rows)} where ${sql.ref(dependents.column)} in (select id from moved))`
      : sql``;
    // `seen` and `next` come from one recordset: PostgreSQL would join two of them row by row.
    const result = await this.#run(
      name,
      sql<{ id: string }>`with moved as (
        update ${target(name)} as stored set ${sql.raw(changes.join(', '))}
        from json_to_recordset(${given}::json) as given(id text, seen ${target(name)}, next ${target(name)})
        where stored.id = given.id and ${few('id')} and ${sql.raw(same.join(' and '))}
        returning stored.id
      )${added} select id from moved`,
      { prepared: true },
    );
    return result.rows.map((row) => row.id);
  }

  async tally<T extends TableName>(name: T, rows: readonly Row<T>[]): Promise<void> {
    if (rows.length === 0) return;
    const { columns, key, greatest = [] }: Table = tables[name];
    const changes = Object.keys(columns)
      .filter((column) => !key.includes(column))
      .map((column) => {
        const [before, more] = [sql.ref(`before.${column}`), sql.ref(`excluded.${column}`)];
        return sql`${sql.ref(column)} = ${greatest.includes(column) ? sql`greatest(${before}, ${more})` : sql`${before} + ${more}`}`;
      });
    const keys = sql.join(key.map((column) => sql.ref(column)));
    // Ordered by key, so that concurrent tallies lock rows in the same order and cannot deadlock.
    const summing = sql`on conflict (${keys}) do update set ${sql.join(changes)}`;
    await this.#run(name, sql`${insertion(name, rows, 'before')} order by ${keys} ${summing}`, { prepared: true });
  }

  async remove<T extends TableName>(name: T, where: Where<T>, options: { limit?: number } = {}): Promise<number> {
    const rows = options.limit === undefined ? condition(name, where) : someOf(name, where, options.limit);
    const result = await this.#run(name, sql`delete from ${target(name)} where ${rows}`);
    return result.rowCount ?? 0;
  }
}

const target = (name: TableName) => sql.id(schemaName, name);

/** Columns of the register as one text. Kysely would process each column name separately, in each statement. */
const columnList = (columns: readonly string[]) => sql.raw<unknown>(columns.map((column) => `"${column}"`).join(', '));

const columnLists = new Map(Object.entries(tables).map(([name, { columns }]) => [name, columnList(Object.keys(columns))]));

/** Named, because a prepared statement with `*` would fail once a newer version has added a column. */
const allColumns = (name: TableName) => columnLists.get(name) as RawBuilder<unknown>;

/**
 * Returns true if equality with a key, or with its first columns, selects the rows. Then the plan does not depend on the values.
 * For a daily table the plan does depend on the values, because they decide which partitions are read.
 */
function isByKey<T extends TableName>(name: T, { where = {}, lock }: Query<T>): boolean {
  const { key, daily }: Table = tables[name];
  const test = (where as AnyRow)[key[0] as string];
  return !daily && lock !== 'free' && (isPlain(test) || isSet(test));
}

const isSet = (test: unknown) => typeof test === 'object' && test !== null && ('in' in test || 'of' in test);
const isPlain = (test: unknown) => typeof test === 'string' || typeof test === 'number';

/** Returns the condition for at most `limit` of the rows. A `ctid` is unique within a partition only. */
function someOf<T extends TableName>(name: T, where: Where<T>, limit: number): RawBuilder<unknown> {
  const { key, daily }: Table = tables[name];
  if (!daily) return sql`ctid = any(array(select ctid from ${target(name)} where ${condition(name, where)} limit ${limit}))`;
  const keys = sql.join(key.map((column) => sql.ref(column)));
  return sql`(${keys}) in (select ${keys} from ${target(name)} where ${condition(name, where)} limit ${limit})`;
}

/** All rows as one parameter, so that the statement's text does not depend on the size of the batch. */
function recordset(name: TableName, rows: readonly object[]): RawBuilder<unknown> {
  return sql`json_populate_recordset(null::${target(name)}, ${JSON.stringify(rows)}::json)`;
}

/**
 * Always true of a recordset `given`. PostgreSQL assumes 100 rows of any recordset, so it plans to scan a table that is small, and
 * keeps the plan of a prepared statement while the table becomes large, until the next ANALYZE. This makes it assume one row, so it
 * looks up rows by their key.
 */
const few = (column: string): RawBuilder<unknown> => {
  const key = sql`given.${sql.ref(column)}::text`;
  return sql`${key} || '' = ${key}`;
};

/** The columns that new rows have values for: PostgreSQL assigns positions. */
export const givenColumns = (name: TableName, rows: readonly AnyRow[]): string[] =>
  Object.keys(rows[0] as AnyRow).filter((column) => columnOf(name, column).kind !== 'position');

function insertion(name: TableName, rows: readonly AnyRow[], alias?: string): RawBuilder<unknown> {
  const columns = columnList(givenColumns(name, rows));
  const into = alias === undefined ? target(name) : sql`${target(name)} as ${sql.ref(alias)}`;
  return sql`insert into ${into} (${columns}) select ${columns} from ${recordset(name, rows)}`;
}

/** PostgreSQL's cast from double precision to numeric keeps 15 digits. Casting its text keeps all of them. */
function summed(name: TableName, column: string): RawBuilder<unknown> {
  return columnOf(name, column).kind === 'real' ? sql`${sql.ref(column)}::text::numeric` : sql.ref(column);
}

function newValue(name: TableName, column: string, value: unknown): RawBuilder<unknown> {
  const { kind } = columnOf(name, column);
  if (kind !== 'json' && typeof value === 'object' && value !== null && 'add' in value) {
    return sql`${sql.ref(column)} + ${bound(kind, value.add)}`;
  }
  return bound(kind, value);
}

/** The columns of each table whose values some drivers return as text: `bigint` and `numeric`. */
const decodedColumns = Object.fromEntries(
  Object.entries(tables).map(([name, { columns }]) => [
    name,
    Object.entries(columns).filter(([, { kind }]) => kind === 'time' || kind === 'position' || kind === 'decimal'),
  ]),
);

/** Converts the driver's values to the port's, in place. */
function decode<T extends TableName>(name: T, row: AnyRow): Row<T> {
  for (const [column, { kind }] of decodedColumns[name] ?? []) {
    const value = row[column];
    if (value === null || value === undefined) continue;
    row[column] = kind === 'decimal' ? plainDecimal(String(value)) : Number(value);
  }
  return row as Row<T>;
}

/** `12.500` becomes `12.5`, as in the memory adapter. */
function plainDecimal(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
