import { once } from 'node:events';
import type { PostgresPool } from 'kysely';
import pg from 'pg';
import { SettingsError } from '../../base/errors.ts';
import { errorsSeldom, type Logger, textOf } from '../../base/log.ts';
import { type Store, StoreUnavailable } from '../port.ts';
import { isUnreachable } from './errors.ts';
import { openSqlStore } from './store.ts';

export interface PostgresOptions {
  url: string;
  /** At most this many connections. */
  connections: number;
  log: Logger;
}

const connectTimeoutMs = 5000;
const closeTimeoutMs = 2000;
/** The longest that a statement may take. A database that hangs is known by it. */
const queryTimeoutMs = 10_000;
const oldestVersion = 14;

/** What PostgreSQL says of a user, a password or a database that is wrong: no waiting mends it. */
const refusals = /^(28|3D000$|42501$)/;

/**
 * The store on a PostgreSQL of its own, brought up to date: by one process, while the others wait. Throws a SettingsError
 * for what only an operator can mend, and StoreUnavailable where waiting may help.
 */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  await prepare(options);
  const pool = openPool(options, { query_timeout: queryTimeoutMs, statement_timeout: queryTimeoutMs });
  try {
    return await openSqlStore(pool as unknown as PostgresPool);
  } catch (error) {
    await pool.end();
    throw asAway(error);
  }
}

const asAway = (error: unknown) => (isUnreachable(error) ? new StoreUnavailable(textOf(error), { cause: error }) : error);

async function prepare(options: PostgresOptions): Promise<void> {
  // A migration of much data takes its time, so nothing bounds a statement here.
  const pool = openPool({ ...options, connections: 2 }, {});
  try {
    const client = await pool.connect();
    try {
      await checkVersion(client);
      await client.query("select pg_advisory_lock(hashtextextended('passerelle migrations', 0))");
      // `create schema if not exists` fails where two do it at once, so the whole is one's at a time.
      await openSqlStore(pool as unknown as PostgresPool);
    } finally {
      // With its connection goes the lock.
      client.release(true);
    }
  } catch (error) {
    if (refusals.test((error as { code?: string }).code ?? ''))
      throw new SettingsError(`DATABASE_URL is refused by PostgreSQL: ${textOf(error)}`);
    throw asAway(error);
  } finally {
    await pool.end();
  }
}

async function checkVersion(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query("select current_setting('server_version_num') as number, version() as name");
  refuseOld(Number(rows[0]?.number), String(rows[0]?.name));
}

/** `number` is PostgreSQL's server_version_num, such as 170004. */
export function refuseOld(number: number, name: string): void {
  if (Math.floor(number / 10_000) >= oldestVersion) return;
  throw new SettingsError(`DATABASE_URL leads to ${name}; PostgreSQL ${oldestVersion} or newer is needed.`);
}

function openPool({ url, connections, log }: PostgresOptions, limits: pg.ClientConfig): pg.Pool {
  const pool = new ClosingPool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'passerelle',
    keepAlive: true,
    idle_in_transaction_session_timeout: 60_000,
    Client: AnsweringClient,
    ...limits,
  });
  // The pool opens another connection when one is needed. It listens to idle ones only; an error of one that is in use ends
  // the process if nobody hears it.
  const failed = errorsSeldom(log);
  const lost = (error: unknown) => failed(error, 'database.connection_lost');
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
  return pool;
}

/**
 * A pool that has ended when its connections have: the driver's own answers while they are still closing, and a database
 * that is dropped or restarted just then would be told of as lost.
 */
export class ClosingPool extends pg.Pool {
  readonly #open = new Set<pg.PoolClient>();

  constructor(options: pg.PoolConfig) {
    super(options);
    this.on('connect', (client) => this.#open.add(client));
    this.on('remove', (client) => this.#open.delete(client));
  }

  /** The longest wait for a server that no longer answers is closeTimeoutMs. */
  override async end(): Promise<void> {
    await super.end();
    const late = AbortSignal.timeout(closeTimeoutMs);
    while (this.#open.size > 0 && !late.aborted) await once(this, 'remove', { signal: late }).catch(() => {});
  }
}

/** Leaves a connection that did not answer in time: whoever had it next would wait behind the same statement. */
class AnsweringClient extends pg.Client {
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
