import { once } from 'node:events';
import pg from 'pg';
import { SettingsError } from '../../base/errors.ts';
import { errorsSeldom, type Logger, textOf } from '../../base/log.ts';
import { prepareDays } from '../migrations/007-days.ts';
import { StoreUnavailable } from '../port.ts';
import { BatchClient } from './batch-client.ts';
import { kyselyOn } from './connection.ts';
import { isUnreachable } from './errors.ts';
import { openSqlStore, type SqlStore } from './store.ts';
import { announced, type Upgraded } from './upgrade.ts';

export interface PostgresOptions {
  url: string;
  /** Maximum connections. */
  connections: number;
  log: Logger;
  /** Called after an upgrade that read many rows. */
  onUpgraded?: (upgraded: Upgraded) => void;
}

const closeTimeoutMs = 2000;
/** Maximum time until a new connection or a statement is answered. It detects a database that hangs. */
const answerTimeoutMs = 10_000;
/** Maximum wait for a free connection. A slow machine needs this long for a burst of calls: the last one waits for all others. */
const turnTimeoutMs = 30_000;
/**
 * Maximum wait of a statement for a row that another transaction has locked. A transaction is run again after it, so it waits
 * four times as long. Longer than PostgreSQL needs to notice a deadlock (1 s).
 */
const lockTimeoutMs = 2000;
const oldestVersion = 14;

/** SQLSTATEs for a wrong user, password or database, or a missing permission. Waiting does not help. */
const settingsErrors = /^(28|3D000$|42501$)/;

/**
 * Opens the store on a PostgreSQL server. One process migrates the schema while the others wait. Throws a SettingsError if
 * an operator must act, and StoreUnavailable if waiting may help.
 */
export async function openPostgres(options: PostgresOptions): Promise<SqlStore> {
  await prepare(options);
  const pool = openPool(options, {
    query_timeout: answerTimeoutMs,
    statement_timeout: answerTimeoutMs,
    lock_timeout: lockTimeoutMs,
  });
  try {
    return await openSqlStore(pool);
  } catch (error) {
    await pool.end();
    throw asUnavailable(error);
  }
}

const asUnavailable = (error: unknown) => (isUnreachable(error) ? new StoreUnavailable(textOf(error), { cause: error }) : error);

async function prepare(options: PostgresOptions): Promise<void> {
  // Migrating many rows may take long, so statements have no timeout here.
  const pool = openPool({ ...options, connections: 2 }, {});
  try {
    const client = await pool.connect();
    try {
      await checkVersion(client);
      // Two concurrent `create schema if not exists` fail, so one process at a time runs all of it.
      await client.query("select pg_advisory_lock(hashtextextended('passerelle migrations', 0))");
      const { upgraded } = await announced(pool, { log: options.log, isShared: true }, async () => {
        await prepareDays(kyselyOn(pool));
        await openSqlStore(pool);
      });
      if (upgraded) options.onUpgraded?.(upgraded);
    } finally {
      // Closing the connection releases the lock.
      client.release(true);
    }
  } catch (error) {
    if (settingsErrors.test((error as { code?: string }).code ?? ''))
      throw new SettingsError(`PostgreSQL rejected DATABASE_URL: ${textOf(error)}`);
    throw asUnavailable(error);
  } finally {
    await pool.end();
  }
}

async function checkVersion(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query("select current_setting('server_version_num') as number, version() as name");
  requireVersion(Number(rows[0]?.number), String(rows[0]?.name));
}

/** Throws a SettingsError for old versions. `number` is PostgreSQL's server_version_num, such as 170004. */
export function requireVersion(number: number, name: string): void {
  if (Math.floor(number / 10_000) >= oldestVersion) return;
  throw new SettingsError(`DATABASE_URL points to ${name}. PostgreSQL ${oldestVersion} or newer is required.`);
}

function openPool({ url, connections, log }: PostgresOptions, limits: pg.ClientConfig): pg.Pool {
  const pool = new ClosingPool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: turnTimeoutMs,
    application_name: 'passerelle',
    keepAlive: true,
    // A suspended process keeps its row locks for no longer than this.
    idle_in_transaction_session_timeout: answerTimeoutMs,
    Client: TimeoutClient,
    ...limits,
  });
  // The pool replaces lost connections, but it listens for errors of idle ones only. An unhandled error of a connection in
  // use would end the process.
  const failed = errorsSeldom(log);
  const lost = (error: unknown) => failed(error, 'database.connection_lost');
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
  return pool;
}

/**
 * A pool whose `end` resolves once all connections are closed. The driver's resolves earlier, and a database that is dropped
 * right after would be logged as lost.
 */
export class ClosingPool extends pg.Pool {
  readonly #open = new Set<pg.PoolClient>();

  constructor(options: pg.PoolConfig) {
    super(options);
    this.on('connect', (client) => this.#open.add(client));
    this.on('remove', (client) => this.#open.delete(client));
  }

  /** Waits at most closeTimeoutMs for a server that does not answer. */
  override async end(): Promise<void> {
    await super.end();
    const late = AbortSignal.timeout(closeTimeoutMs);
    while (this.#open.size > 0 && !late.aborted) await once(this, 'remove', { signal: late }).catch(() => {});
  }
}

/** Closes a connection whose statement timed out. Its next user would wait behind the same statement. */
class TimeoutClient extends BatchClient {
  /** The pool's `connectionTimeoutMillis` is for the wait until it is a caller's turn. */
  constructor(options?: pg.ClientConfig) {
    super({ ...options, connectionTimeoutMillis: answerTimeoutMs });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's signatures take texts, configurations and cursors
  override query(...input: any[]): any {
    const result = (super.query as (...args: unknown[]) => unknown).apply(this, input);
    if (result instanceof Promise)
      result.catch((error: Error) => {
        if (error.message === 'Query read timeout') void this.end();
      });
    return result;
  }
}
