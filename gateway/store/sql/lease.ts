import { hostname } from 'node:os';
import { type Kysely, sql } from 'kysely';
import type { Lease } from '../port.ts';
import { translated } from './errors.ts';
import type { Database } from './rows.ts';

/** How long a lease lasts unless it is renewed. The work of a killed or suspended process can be taken over after this. */
const defaultLeaseMs = 10_000;
const renewalsPerLease = 4;

const holder = `${hostname()}:${process.pid}`;
/** The database's clock, because those of the processes may differ. */
export const nowMs = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** A row of `leases` that this process has taken. A timer renews it, which a suspended process cannot do. */
export class SqlLease implements Lease {
  readonly #db: Kysely<Database>;
  readonly #name: string;
  readonly #generation: number;
  readonly #leaseMs: number;
  readonly #timer: NodeJS.Timeout;
  /** When the last successful renewal was sent, by this process's monotonic clock. The lease lasts at least `leaseMs` from then. */
  #renewedMs: number;
  #lost = false;

  private constructor(db: Kysely<Database>, name: string, generation: number, renewedMs: number, leaseMs: number) {
    this.#db = db;
    this.#name = name;
    this.#generation = generation;
    this.#renewedMs = renewedMs;
    this.#leaseMs = leaseMs;
    this.#timer = setInterval(() => void this.#renew(), leaseMs / renewalsPerLease).unref();
  }

  /** Returns undefined if a process holds the lease. */
  static async take(db: Kysely<Database>, name: string, leaseMs = defaultLeaseMs): Promise<SqlLease | undefined> {
    const sentMs = performance.now();
    const { rows } = await translated('leases', () =>
      sql<{ generation: number }>`
        insert into passerelle.leases (name, holder, generation, expires_at)
        values (${name}, ${holder}, 1, ${nowMs} + ${leaseMs}::bigint)
        on conflict (name) do update
        set holder = excluded.holder, generation = leases.generation + 1, expires_at = excluded.expires_at
        where leases.expires_at <= ${nowMs}
        returning generation`.execute(db),
    );
    return rows[0] && new SqlLease(db, name, rows[0].generation, sentMs, leaseMs);
  }

  isHeld(): boolean {
    return !this.#lost && performance.now() - this.#renewedMs < this.#leaseMs;
  }

  /** Ends the lease, and its generation, so that a renewal under way does not extend it. If the store is away, it expires. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await sql`
      update passerelle.leases set expires_at = 0, generation = generation + 1
      where name = ${this.#name} and generation = ${this.#generation}`
      .execute(this.#db)
      .catch(() => {});
  }

  async #renew(): Promise<void> {
    const sentMs = performance.now();
    try {
      if (await this.#extend()) this.#renewedMs = sentMs;
      else this.#lost = true;
    } catch {
      // The store is away. The next renewal may succeed before the lease expires.
    }
  }

  /** Returns false if another process has taken the lease. */
  async #extend(): Promise<boolean> {
    const { numAffectedRows } = await sql`
      update passerelle.leases set expires_at = ${nowMs} + ${this.#leaseMs}::bigint
      where name = ${this.#name} and generation = ${this.#generation}`.execute(this.#db);
    return numAffectedRows === 1n;
  }
}
