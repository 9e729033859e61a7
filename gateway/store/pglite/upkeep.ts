import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { PglitePool } from './pool.ts';

const everyMs = 60_000;
/** Ours and BullMQ's, whose jobs come and go. */
const schemas = "('passerelle', 'bullmq')";
const pages = "pg_relation_size(relid) / current_setting('block_size')::integer";

/**
 * Tables a fifth of whose rows are dead or new, as with autovacuum; and those that have a fifth more pages than when they were
 * last looked at, since a kill takes the counts of rows along.
 */
const wanted = `select format('%I.%I', schemaname, stat.relname) as name
  from pg_stat_user_tables stat join pg_class on pg_class.oid = relid
  where schemaname in ${schemas}
    and (greatest(n_dead_tup, n_ins_since_vacuum) > 2000 + 0.2 * n_live_tup or ${pages} > 100 + 1.2 * relpages)`;

/**
 * PGlite has no autovacuum: nobody else uses the room of dead rows again, or gathers the statistics by which PostgreSQL
 * chooses an index; without them a page of a list takes seconds beside a million rows. Returns the tables looked after.
 */
export async function lookAfter(pool: PglitePool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(wanted);
  // A statement each, so that what waits gets its turn between two tables.
  for (const { name } of rows) await pool.query(`vacuum (analyze) ${name}`);
  return rows.map(({ name }) => name);
}

/** Looks now and each minute. Returns what stops it. */
export function keepUp(pool: PglitePool, { clock, log }: { clock: Clock; log: Logger }): () => Promise<void> {
  let stopped = false;
  let cancel = () => {};
  let running: Promise<void> = Promise.resolve();
  const look = async () => {
    await lookAfter(pool).catch((error) => log.error({ err: error }, 'upkeep.failed'));
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
