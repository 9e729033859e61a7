import { Redis } from 'ioredis';
import pg from 'pg';
import { cpuSecondsOfTree } from './cpu-seconds.ts';

/** What PostgreSQL and Redis have used since they started. CPU is in microseconds, sizes are in bytes. */
export interface ServersUsage {
  cpu_of_postgresql_us: number;
  cpu_of_redis_us: number;
  redis_commands: number;
  postgresql_transactions: number;
  rows_inserted: number;
  rows_updated: number;
  wal_bytes: number;
  disk_bytes: number;
}

interface Server {
  url: string;
  pid(): number;
}

/** Reads the counters of a PostgreSQL and a Redis on this machine. `databaseUrl`: the database whose rows count. */
export async function serversUsage(postgres: Server, redis: Server, databaseUrl = postgres.url): Promise<ServersUsage> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  // Statistics of other backends arrive when they are idle, or after a second.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const { rows } = await client.query(`
    select xact_commit::float8 as commits, tup_inserted::float8 as inserted, tup_updated::float8 as updated,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal, pg_database_size(current_database())::float8 as size
    from pg_stat_database where datname = current_database()`);
  await client.end();
  const [{ commits, inserted, updated, wal, size }] = rows;
  const connection = new Redis(redis.url);
  const info = await connection.info();
  connection.disconnect();
  const field = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  return {
    cpu_of_postgresql_us: cpuSecondsOfTree(postgres.pid()) * 1e6,
    cpu_of_redis_us: (field('used_cpu_user') + field('used_cpu_sys')) * 1e6,
    redis_commands: field('total_commands_processed'),
    postgresql_transactions: commits,
    rows_inserted: inserted,
    rows_updated: updated,
    wal_bytes: wal,
    disk_bytes: size,
  };
}

/** Combines two records with the same names, number by number. */
export const combine = <T extends object>(one: T, other: T, by: (a: number, b: number) => number): T =>
  Object.fromEntries(Object.entries(one).map(([name, value]) => [name, by(value, other[name as keyof T] as number)])) as never;
