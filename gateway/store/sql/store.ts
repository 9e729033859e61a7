import { type Kysely, sql } from 'kysely';
import { dailyTables } from '../daily.ts';
import {
  type Expiry,
  type Lease,
  type Others,
  type Rows,
  type Store,
  StoreUnavailable,
  type TransactionOptions,
  type Where,
} from '../port.ts';
import { SharedReads } from '../shared-reads.ts';
import type { DailyTable, Insert, Row, TableName } from '../tables/index.ts';
import { schemaName } from './conditions.ts';
import { AnyConnection, kyselyOn, type SqlPool } from './connection.ts';
import { type CopyPool, copyText, isCopyPool } from './copy.ts';
import { addDays, expireRows } from './days.ts';
import { codeOf, lockTimeout, translated } from './errors.ts';
import { nowMs, SqlLease } from './lease.ts';
import { migrate } from './migrate.ts';
import { continuePositions } from './origin.ts';
import { type Database, givenColumns, SqlRows } from './rows.ts';
import { runTransaction, WorkFailed } from './transaction.ts';

/**
 * Opens the store on a pool shaped like that of `pg`: PGlite's (embedded tier) or a real one. Migrates the schema first.
 * Throws a SettingsError if a newer version of Passerelle wrote it, and this one cannot use it.
 */
export async function openSqlStore(pool: SqlPool): Promise<SqlStore> {
  const db = kyselyOn<Database>(pool);
  await migrate(db);
  await continuePositions(db);
  for (const table of dailyTables) await addDays(db, table, Date.now()).catch(unlessLocked);
  return new SqlStore(pool, db);
}

/** A row without its partition goes to the rest, and moves when `expire` adds the partition. */
function unlessLocked(error: unknown): void {
  if (codeOf(error) !== lockTimeout) throw error;
}

/** A serialization failure, a deadlock, and rows that others keep locked: many calls at once may change the same row. */
const retriedCodes = new Set(['40001', '40P01', lockTimeout]);
const transactionAttempts = 4;

const mayRunAgain = (error: unknown) => retriedCodes.has(codeOf(error instanceof StoreUnavailable ? error.cause : error));

export class SqlStore extends SqlRows implements Store {
  readonly #pool: SqlPool;
  readonly #copyPool: CopyPool | undefined;
  readonly #db: Kysely<Database>;
  readonly #sharedReads = new SharedReads({
    get: (name, where) => super.get(name, where),
    list: (name, query) => super.list(name, query),
  });

  /** `db` is on the same pool, and is destroyed when the store closes. */
  constructor(pool: SqlPool, db: Kysely<Database>) {
    super(new AnyConnection(pool));
    this.#pool = pool;
    this.#copyPool = isCopyPool(pool) ? pool : undefined;
    this.#db = db;
  }

  /** Through PGlite rows go in by COPY, which costs the database a third less than INSERT. */
  override async append<T extends TableName, D extends TableName>(
    name: T,
    rows: readonly Insert<T>[],
    along?: Others<D>,
  ): Promise<void> {
    const pool = this.#copyPool;
    if (!pool || rows.length === 0 || along) return super.append(name, rows, along);
    const columns = givenColumns(name, rows);
    await this.observed(name, () => pool.copyIn(`${schemaName}.${name}`, columns, copyText(name, columns, rows)));
    await this.raiseSequence(name, rows);
  }

  override async get<T extends TableName>(
    name: T,
    where: Where<T>,
    options: { lock?: boolean } = {},
  ): Promise<Row<T> | undefined> {
    return (options.lock ? undefined : this.#sharedReads.get(name, where)) ?? super.get(name, where, options);
  }

  async transaction<R>(work: (tx: Rows) => Promise<R>, options: TransactionOptions = {}): Promise<R> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await translated('', () => runTransaction(this.#pool, work, options));
      } catch (error) {
        if (error instanceof WorkFailed) throw error.cause;
        if (attempt < transactionAttempts && mayRunAgain(error)) continue;
        throw error;
      }
    }
  }

  async alone(name: string, work: (lease: Lease) => Promise<void>): Promise<boolean> {
    const lease = await SqlLease.take(this.#db, name);
    if (!lease) return false;
    try {
      await work(lease);
    } finally {
      await lease.release();
    }
    return true;
  }

  async expire<T extends DailyTable>(table: T, expiry: Expiry<T>): Promise<void> {
    const db = this.#db;
    // Ids have the time of the machine, whatever clock the caller has.
    await translated(table, () => addDays(db, table, Date.now()));
    await translated(table, () => expireRows(db, table, expiry));
  }

  async ping(): Promise<void> {
    const state = await translated('', () =>
      sql<{ read_only: string }>`select current_setting('transaction_read_only') as read_only`.execute(this.#db),
    );
    if (state.rows[0]?.read_only === 'on') throw new StoreUnavailable('The database is read-only.');
  }

  /** Returns the database's time, in milliseconds since 1970. */
  async readClock(): Promise<number> {
    const { rows } = await translated('', () => sql<{ now: string }>`select ${nowMs} as now`.execute(this.#db));
    return Number(rows[0]?.now);
  }

  async close(): Promise<void> {
    await this.#db.destroy();
  }
}
