import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';
import type { PglitePool } from './pglite-pool.ts';

const everyMs = 60_000;

/** Tables with a fifth more pages than when they were last looked at, and those that grew large and never were. */
const outgrown = `select format('%I.%I', nspname, relname) as name
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = 'passerelle' and relkind = 'r'
    and pg_relation_size(pg_class.oid) / current_setting('block_size')::integer > 100 + 1.2 * relpages`;

/** A sample of 6000 rows: a fifth of the default's time, in which nothing else runs here. */
const sample = 'set local default_statistics_target = 20';

/**
 * PGlite has no autovacuum, so nobody else gathers the statistics by which PostgreSQL chooses an index: without them, a page
 * of a list takes seconds beside a million rows. Returns the tables looked at.
 */
export async function refreshStatistics(pool: PglitePool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(outgrown);
  // A statement each, so that what waits gets its turn between two tables.
  for (const { name } of rows) await pool.query(`do $$ begin ${sample}; analyze ${name}; end $$`);
  return rows.map(({ name }) => name);
}

/** Looks now and each minute. Returns what stops it. */
export function keepStatistics(pool: PglitePool, { clock, log }: { clock: Clock; log: Logger }): () => Promise<void> {
  let stopped = false;
  let cancel = () => {};
  let running: Promise<void> = Promise.resolve();
  const look = async () => {
    await refreshStatistics(pool).catch((error) => log.error({ err: error }, 'statistics.failed'));
    if (!stopped) cancel = clock.after(everyMs, run);
  };
  const run = () => {
    running = look();
  };
  run();
  return async () => {
    stopped = true;
    cancel();
    await running;
  };
}
