import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../base/log.ts';
import { schemaName } from './conditions.ts';
import { kyselyOn, type SqlPool } from './connection.ts';

/** An upgrade that read many rows. */
export interface Upgraded {
  calls: number;
  attempts: number;
  seconds: number;
}

/**
 * Rows that an upgrade reads in a second; calls are read once, attempts twice. Measured on two busy cores: 577,000 with
 * pages in memory. Pages on disk take longer, so the estimate is a third of that.
 */
const rowsPerSecond = 200_000;
/** An upgrade of fewer rows is not announced. */
const manyRows = 10_000;
const progressMs = 3000;

export interface Announcing {
  log: Logger;
  /** Other processes may write meanwhile. */
  isShared: boolean;
}

/**
 * Runs `work`, which upgrades the database. If it will read many rows of the version without partitions, logs first how many,
 * how long it takes and how long writes wait, then every few seconds the time it has taken so far.
 */
export async function announced<R>(
  pool: SqlPool,
  { log, isShared }: Announcing,
  work: () => Promise<R>,
): Promise<{ result: R; upgraded?: Upgraded }> {
  const db = kyselyOn(pool);
  const [calls, attempts] = [await oldRows(db, 'calls'), await oldRows(db, 'attempts')];
  if (calls + attempts < manyRows) return { result: await work() };
  const about_seconds = secondsOf(calls + 2 * attempts);
  const begun = performance.now();
  const elapsed = () => Math.round((performance.now() - begun) / 1000);
  const waiting = `Older processes go on; their record of an attempt waits for at most about ${secondsOf(attempts)} s.`;
  const message = `Upgrading ${shown(calls)} calls and ${shown(attempts)} attempts, about ${about_seconds} s; the gateway answers when it is done.`;
  log.warn({ calls, attempts, about_seconds }, isShared ? `${message} ${waiting}` : message);
  const progress = setInterval(() => {
    log.warn({ elapsed_seconds: elapsed(), about_seconds }, 'store.upgrading');
  }, progressMs);
  const result = await work().finally(() => clearInterval(progress));
  const upgraded = { calls, attempts, seconds: elapsed() };
  log.warn(upgraded, 'store.upgraded');
  return { result, upgraded };
}

const secondsOf = (rows: number) => Math.ceil(rows / rowsPerSecond);
const shown = (count: number) => count.toLocaleString('en-US');

/** Counts the rows of a table that has no partitions yet. */
async function oldRows(db: Kysely<unknown>, name: string): Promise<number> {
  const table = `${schemaName}.${name}`;
  const { rows } = await sql<{ kind: string }>`select relkind as kind from pg_class where oid = to_regclass(${table})`.execute(
    db,
  );
  if (rows[0]?.kind !== 'r') return 0;
  const counted = await sql<{ count: string }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return Number(counted.rows[0]?.count);
}
