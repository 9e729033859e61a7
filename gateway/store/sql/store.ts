import { Kysely, PostgresDialect, type PostgresPool, sql, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import { SettingsError } from '../../base/errors.ts';
import { migrations } from '../migrations/index.ts';
import type { Others, Rows, Store, TransactionOptions, Where } from '../port.ts';
import { SharedReads } from '../shared-reads.ts';
import type { Insert, Row, TableName } from '../tables/index.ts';
import { type CopyPool, copyText, isCopyPool } from './copy.ts';
import { codeOf, translated } from './errors.ts';
import { type AnyRow, type Database, SqlRows, schemaName } from './rows.ts';

/**
 * Opens the store on a pool shaped like that of `pg`: PGlite's (embedded tier) or a real one. Migrates the schema first.
 * Throws a SettingsError if a newer version of Passerelle wrote it.
 */
export async function openSqlStore(pool: PostgresPool): Promise<SqlStore> {
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  await translated('migrations', () => sql`create schema if not exists ${sql.id(schemaName)}`.execute(db));
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations }, migrationTableSchema: schemaName });
  const { error } = await migrator.migrateToLatest();
  if (error instanceof Error && error.message.includes('corrupted migrations')) {
    throw new SettingsError(
      `The data was written by a newer version of Passerelle (${error.message}). Start that version, or point DATA_DIR or DATABASE_URL elsewhere.`,
    );
  }
  if (error) throw error;
  return new SqlStore(db, isCopyPool(pool) ? pool : undefined);
}

/** SQLSTATE of a serialization failure and of a deadlock. */
const retriedCodes = new Set(['40001', '40P01']);
const transactionAttempts = 4;

/** Wraps an error that `work` threw itself, so that it is not translated as an error of the database. */
class WorkFailed extends Error {}

/** After a failed statement, PostgreSQL turns COMMIT into a silent rollback. So a failure that `work` caught is thrown here. */
async function workOn<R>(tx: Transaction<Database>, work: (tx: Rows) => Promise<R>): Promise<R> {
  const rows = new SqlRows(tx);
  let result: R;
  try {
    result = await work(rows);
  } catch (error) {
    throw error === rows.failure ? error : new WorkFailed('', { cause: error });
  }
  if (rows.failure) throw rows.failure;
  return result;
}

export class SqlStore extends SqlRows implements Store {
  readonly #running = new Set<string>();
  readonly #copyPool: CopyPool | undefined;
  readonly #sharedReads = new SharedReads({
    get: (name, where) => super.get(name, where),
    list: (name, query) => super.list(name, query),
  });

  constructor(db: Kysely<Database>, copyPool: CopyPool | undefined) {
    super(db);
    this.#copyPool = copyPool;
  }

  /** Through PGlite rows go in by COPY, which costs the database a third less than INSERT. */
  override async append<T extends TableName, D extends TableName>(
    name: T,
    rows: readonly Insert<T>[],
    along?: Others<D>,
  ): Promise<void> {
    const pool = this.#copyPool;
    if (!pool || rows.length === 0 || along) return super.append(name, rows, along);
    const columns = Object.keys(rows[0] as AnyRow);
    await this.run(name, () => pool.copyIn(`${schemaName}.${name}`, columns, copyText(name, columns, rows)));
    await this.raiseSequence(name, rows);
  }

  override async get<T extends TableName>(
    name: T,
    where: Where<T>,
    options: { lock?: boolean } = {},
  ): Promise<Row<T> | undefined> {
    return (options.lock ? undefined : this.#sharedReads.get(name, where)) ?? super.get(name, where, options);
  }

  async transaction<R>(work: (tx: Rows) => Promise<R>, { snapshot = false }: TransactionOptions = {}): Promise<R> {
    const isolation = snapshot ? 'repeatable read' : 'read committed';
    const begin = () => (this.db as Kysely<Database>).transaction().setIsolationLevel(isolation);
    for (let attempt = 1; ; attempt++) {
      try {
        return await translated('', () => begin().execute((tx) => workOn(tx, work)));
      } catch (error) {
        if (error instanceof WorkFailed) throw error.cause;
        if (attempt < transactionAttempts && retriedCodes.has(codeOf(error))) continue;
        throw error;
      }
    }
  }

  /** An advisory lock, which ends with its connection, excludes other processes. A set of names excludes this process. */
  async alone(name: string, work: () => Promise<void>): Promise<boolean> {
    if (this.#running.has(name)) return false;
    this.#running.add(name);
    const key = sql`hashtextextended(${`passerelle ${name}`}, 0)`;
    try {
      return await (this.db as Kysely<Database>).connection().execute(async (connection) => {
        const taken = await translated('', () =>
          sql<{ taken: boolean }>`select pg_try_advisory_lock(${key}) as taken`.execute(connection),
        );
        if (!taken.rows[0]?.taken) return false;
        try {
          await work();
        } finally {
          await translated('', () => sql`select pg_advisory_unlock(${key})`.execute(connection));
        }
        return true;
      });
    } finally {
      this.#running.delete(name);
    }
  }

  async ping(): Promise<void> {
    await translated('', () => sql`select 1`.execute(this.db));
  }

  async close(): Promise<void> {
    await this.db.destroy();
  }
}
