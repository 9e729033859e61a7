import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { SettingsError } from '../../base/errors.ts';
import { type Logger, textOf } from '../../base/log.ts';
import { StoreUnavailable } from '../port.ts';
import { BatchClient, type BatchClientConfig } from './batch-client.ts';
import { codeOf, isUnreachable } from './errors.ts';
import { Hosts } from './hosts.ts';
import { openSqlStore, type SqlStore } from './store.ts';

export interface PostgresOptions {
  url: string;
  connections: number;
  log: Logger;
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
const limits = {
  statement_timeout: answerTimeoutMs,
  lock_timeout: lockTimeoutMs,
  // A suspended process keeps its row locks for no longer than this.
  idle_in_transaction_session_timeout: answerTimeoutMs,
};
/** How long callers wait for servers that refuse connections: a pooler restarts in less time. After this time they fail at once. */
const restartMs = 1000;
const connectAgainMs = 50;
/** How long a process that may not migrate yet waits before it tries again. */
const lockAgainMs = 100;
const oldestVersion = 13;

/** SQLSTATEs for a wrong user, password or database, or a missing permission, and Node's codes of certificates. Waiting does not help. */
const settingsErrors = /^(28|3D000$|42501$|ERR_TLS_|UNABLE_TO_|CERT_|DEPTH_ZERO_|SELF_SIGNED_)/;

/** The driver gives no code for a server without TLS or for parameters that contradict each other, and PgBouncer none for a wrong login. */
const settingsMessages = /does not support SSL|requires (SSL|specifying a CA)|SASL authentication failed|no such (database|user)/;

/** A certificate's file that cannot be opened has a code of Node. */
const isAboutSettings = (error: unknown): boolean =>
  settingsErrors.test(codeOf(error)) ||
  (error instanceof Error && (settingsMessages.test(error.message) || ('syscall' in error && error.syscall === 'open')));

/**
 * Opens the store on a PostgreSQL server. One process migrates the schema while the others wait. Throws a SettingsError if
 * an operator must act, and StoreUnavailable if waiting may help.
 */
export async function openPostgres(options: PostgresOptions): Promise<SqlStore> {
  const { isPooled } = await prepare(options);
  const pool = openPool(options, { query_timeout: answerTimeoutMs, ...(isPooled ? { pooledLimits: limits } : limits) });
  try {
    return await openSqlStore(pool);
  } catch (error) {
    await pool.end();
    throw asUnavailable(error);
  }
}

const asUnavailable = (error: unknown) => (isUnreachable(error) ? new StoreUnavailable(textOf(error), { cause: error }) : error);

/** Migrates the schema. Returns whether a pooler is between this process and the server. */
async function prepare(options: PostgresOptions): Promise<{ isPooled: boolean }> {
  // Migrating many rows may take long, so statements have no timeout here.
  const pool = openPool({ ...options, connections: 2 }, {});
  try {
    const client = await pool.connect();
    try {
      const isPooled = await checkServer(client);
      await lockMigrations(client);
      await openSqlStore(pool);
      return { isPooled };
    } finally {
      // Closing the connection ends the transaction.
      client.release(true);
    }
  } catch (error) {
    if (isAboutSettings(error)) throw new SettingsError(`PostgreSQL rejected DATABASE_URL: ${textOf(error)}`);
    throw asUnavailable(error);
  } finally {
    await pool.end();
  }
}

/**
 * Begins a transaction that locks out the migrations of other processes: two concurrent `create schema if not exists` fail. The
 * lock is the transaction's, because a pooler gives the connection to others after it. A process that waits for the lock keeps no
 * connection of a pooler meanwhile, because the migrations need one.
 */
async function lockMigrations(client: pg.PoolClient): Promise<void> {
  for (;;) {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0');
    const { rows } = await client.query(
      "select pg_try_advisory_xact_lock(hashtextextended('passerelle migrations', 0)) as locked",
    );
    if (rows[0]?.locked) return;
    await client.query('rollback');
    await delay(lockAgainMs);
  }
}

/** Throws a SettingsError for old versions. Returns true behind a pooler: its connections have process numbers of its own. */
async function checkServer(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query(
    "select current_setting('server_version_num') as number, version() as name, pg_backend_pid() as pid",
  );
  requireVersion(Number(rows[0]?.number), String(rows[0]?.name));
  // The driver's types leave out the number that it got at the login.
  return rows[0]?.pid !== (client as pg.PoolClient & { processID: number | null }).processID;
}

/** Throws a SettingsError for old versions. `number` is PostgreSQL's server_version_num, such as 170004. */
export function requireVersion(number: number, name: string): void {
  if (Math.floor(number / 10_000) >= oldestVersion) return;
  throw new SettingsError(`DATABASE_URL points to ${name}. PostgreSQL ${oldestVersion} or newer is required.`);
}

function openPool({ url, connections, log }: PostgresOptions, config: BatchClientConfig): pg.Pool {
  const hosts = new Hosts(url);
  const pool = new HostsPool(hosts, {
    max: connections,
    connectionTimeoutMillis: turnTimeoutMs,
    application_name: 'passerelle',
    keepAlive: true,
    ...config,
  });
  // The pool replaces lost connections, but it listens for errors of idle ones only. An unhandled error of a connection in
  // use would end the process.
  const lost = (error: unknown) => log.debug({ error: textOf(error) }, 'database.connection_lost');
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

/** Its connections lead to the host that accepts writes. */
class HostsPool extends ClosingPool {
  readonly #hosts: Hosts;
  /** When connections began to fail, after the last one that succeeded. */
  #awaySinceMs: number | undefined;

  constructor(hosts: Hosts, options: pg.PoolConfig) {
    class Client extends HostClient {
      constructor(config?: BatchClientConfig) {
        super(hosts, config);
      }
    }
    const onConnect = hosts.count > 1 ? { onConnect: (client: pg.ClientBase) => (client as HostClient).checkWrites() } : {};
    super({ ...options, ...onConnect, Client });
    this.#hosts = hosts;
  }

  override async connect(): Promise<pg.PoolClient> {
    for (let tries = 1; ; tries++) {
      const beganMs = performance.now();
      try {
        const client = await super.connect();
        this.#awaySinceMs = undefined;
        return client;
      } catch (error) {
        this.#awaySinceMs ??= beganMs;
        // A caller that has already waited too long for a connection, or for its opening, does not wait again.
        const mayRestart = performance.now() - this.#awaySinceMs <= restartMs && !/timeout/i.test(textOf(error));
        if (!isUnreachable(error) || !(mayRestart || tries < this.#hosts.count)) throw error;
        if (tries % this.#hosts.count === 0) await delay(connectAgainMs);
      }
    }
  }
}

/** SQLSTATE of a write at a server that is a standby: after a failover, or the primary once it was replaced. */
const readOnly = '25006';

/**
 * Closes a connection whose statement timed out, because its next user would wait behind the same statement, and one whose server
 * takes no writes any more.
 */
class HostClient extends BatchClient {
  readonly #hosts: Hosts;
  readonly #url: string;

  /** The pool's `connectionTimeoutMillis` is for the wait until it is a caller's turn. */
  constructor(hosts: Hosts, config?: BatchClientConfig) {
    const url = hosts.current;
    super({ ...config, connectionString: url, connectionTimeoutMillis: answerTimeoutMs });
    this.#hosts = hosts;
    this.#url = url;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver has a signature with a promise too; the pool gives a callback
  override connect(connected?: any): any {
    return super.connect((error: Error) => {
      if (error) this.#hosts.passOver(this.#url);
      connected?.(error, this);
    });
  }

  /** Throws if the server is a standby, with the SQLSTATE of a write there. */
  async checkWrites(): Promise<void> {
    const { rows } = await super.query('show transaction_read_only');
    if (rows[0]?.transaction_read_only === 'off') return;
    this.#hosts.passOver(this.#url);
    throw Object.assign(new Error(`${this.host}:${this.port} accepts no writes: it is a standby.`), { code: readOnly });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's signatures take texts, configurations and cursors
  override query(...input: any[]): any {
    const result = (super.query as (...args: unknown[]) => unknown).apply(this, input);
    if (result instanceof Promise)
      result.catch((error: Error) => {
        if (error.message === 'Query read timeout' || codeOf(error) === readOnly) void this.end();
      });
    return result;
  }
}
