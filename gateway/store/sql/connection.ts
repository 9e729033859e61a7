import { createHash } from 'node:crypto';
import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPool } from 'kysely';

export interface Statement {
  text: string;
  values: readonly unknown[];
  /** Under this name PostgreSQL keeps the parsed and planned statement. PGlite plans each time (`pglite/statements.ts`). */
  name?: string;
}

export interface Answer<R = Record<string, unknown>> {
  rows: R[];
  rowCount: number | null;
}

/** A database connection. Statements run in the order in which they are given, also if their caller waits for none of them. */
export interface Connection {
  query(statement: Statement): Promise<Answer>;
}

/** A connection that is taken from a pool until it is released. */
interface Client extends Connection {
  /** Closes the connection if an error is given. */
  release(broken?: Error): void;
}

/** What the store needs of a pool. `PglitePool` and the pool of `pg` have it. */
export interface SqlPool {
  connect(): Promise<Client>;
  end(): Promise<void>;
  options: object;
}

/**
 * Leaves out Kysely's lock of migrations, which belongs to a session. A pooler may unlock in another session, and then the lock
 * stays. `postgres.ts` has a lock of its own.
 */
class AdapterWithoutLock extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class Dialect extends PostgresDialect {
  override createAdapter = () => new AdapterWithoutLock();
}

/** Opens Kysely on a pool. Destroying it ends the pool. */
export function kyselyOn<Tables = unknown>(pool: SqlPool): Kysely<Tables> {
  // Kysely's type has cursors too. They are for streams, which the store does not use and PGlite does not have.
  return new Kysely<Tables>({ dialect: new Dialect({ pool: pool as unknown as PostgresPool }) });
}

/** Runs each statement on any connection of the pool. */
export class AnyConnection implements Connection {
  readonly #pool: SqlPool;

  constructor(pool: SqlPool) {
    this.#pool = pool;
  }

  async query(statement: Statement): Promise<Answer> {
    const client = await this.#pool.connect();
    try {
      return await client.query(statement);
    } finally {
      client.release();
    }
  }
}

const names = new Map<string, string>();

/**
 * Returns the name of a statement for PostgreSQL. It follows from the text alone: behind PgBouncer, processes share
 * connections, and a name must mean the same statement for all of them.
 */
export function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return name;
}
