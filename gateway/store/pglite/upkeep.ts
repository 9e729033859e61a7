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

/** The name of a fact: a time. The rows of all erasures that ended up to this time are gone from the files. */
const forgotten = 'erased_rows_forgotten';
const lastErasure = `select max(ended_at) as at from passerelle.erasures where not dry_run
  and ended_at > coalesce((select value::bigint from passerelle.facts where name = '${forgotten}'), 0)`;
const allTables = `select format('%I.%I', nspname, relname) as name
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace where nspname = 'passerelle' and relkind = 'r'`;

/**
 * After an erasure, takes what was erased out of the files: PostgreSQL leaves old versions of rows in tables, samples of values in
 * its statistics, and both in its log. Rewrites the tables, and removes the log instead of using its files again. Returns true if it did.
 */
export async function forgetErased(pool: PglitePool): Promise<boolean> {
  const at = (await pool.query<{ at: string | null }>(lastErasure)).rows[0]?.at ?? null;
  if (at === null) return false;
  const { rows } = await pool.query<{ name: string }>(allTables);
  for (const { name } of rows) await pool.query(`vacuum (full, analyze) ${name}`);
  await pool.query('vacuum full pg_catalog.pg_statistic');
  await pool.query('set wal_recycle = off');
  for (let round = 0; round < 2; round++) {
    await pool.query('select pg_switch_wal()');
    await pool.query('checkpoint');
  }
  await pool.query('reset wal_recycle');
  const fact = `('${forgotten}', '${Number(at)}', ${Number(at)})`;
  await pool.query(
    `insert into passerelle.facts (name, value, created_at) values ${fact} on conflict (name) do update set value = excluded.value`,
  );
  return true;
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
      await forgetErased(pool);
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
