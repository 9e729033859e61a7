import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { PglitePool } from './pool.ts';

const everyMs = 60_000;
const maxLogBytes = 64 * 1024 * 1024;
/** The gateway's schema, and BullMQ's. */
const schemas = "('passerelle', 'bullmq')";
const pages = "pg_relation_size(relid) / current_setting('block_size')::integer";

/**
 * Selects tables of which a fifth of the rows are dead or new, as autovacuum does. Also tables that grew by a fifth of their
 * pages since the last vacuum, because a kill loses the counts of rows.
 */
const tablesToVacuum = `select format('%I.%I', schemaname, stat.relname) as name
  from pg_stat_user_tables stat join pg_class on pg_class.oid = relid
  where schemaname in ${schemas}
    and (greatest(n_dead_tup, n_ins_since_vacuum) > 2000 + 0.2 * n_live_tup or ${pages} > 100 + 1.2 * relpages)`;

/**
 * Vacuums and analyzes tables, because PGlite has no autovacuum. Without it, tables grow with dead rows, and without
 * statistics a page of a list takes seconds at a million rows. Returns the names of the tables.
 */
export async function vacuumTables(pool: PglitePool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(tablesToVacuum);
  // One statement per table, so that waiting statements run in between.
  for (const { name } of rows) await pool.query(`vacuum (analyze) ${name}`);
  return rows.map(({ name }) => name);
}

/**
 * Makes a checkpoint if the write-ahead log has grown much since the last one. PGlite makes none by itself while it is open:
 * the log would grow until the end of the process, and recovery after a kill would read all of it.
 */
export async function checkpointLog(pool: PglitePool): Promise<void> {
  const { rows } = await pool.query<{ bytes: string }>(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) as bytes from pg_control_checkpoint()',
  );
  if (Number(rows[0]?.bytes) > maxLogBytes) await pool.query('checkpoint');
}

/** Vacuums now and every minute, and bounds the write-ahead log. Returns a function that stops it. */
export function startUpkeep(pool: PglitePool, { clock, log }: { clock: Clock; log: Logger }): () => Promise<void> {
  let stopped = false;
  let cancel = () => {};
  let running: Promise<void> = Promise.resolve();
  const round = async () => {
    try {
      await vacuumTables(pool);
      await checkpointLog(pool);
    } catch (error) {
      log.error({ err: error }, 'upkeep.failed');
    }
    if (!stopped) cancel = clock.after(everyMs, run);
  };
  const run = () => {
    running = round();
  };
  run();
  return async () => {
    stopped = true;
    cancel();
    await running;
  };
}
