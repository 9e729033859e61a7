import { readdirSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Installation } from './installation.ts';
import type { Load } from './load.ts';
import type { SoakReceiver } from './receivers.ts';

/** What was true at one moment: the name of a series and its value. A value that could not be read is left out. */
export interface Sample {
  /** Seconds since the soak began. */
  atSeconds: number;
  values: Record<string, number>;
}

interface Sources {
  installation: Installation;
  load: Load;
  receivers: readonly SoakReceiver[];
}

const mebi = 1024 * 1024;

/** Reads everything that may grow, lag or go wrong. A service that is away leaves gaps. */
export async function takeSample({ installation, load, receivers }: Sources, atSeconds: number): Promise<Sample> {
  const parts = await Promise.all([
    ofProcesses(installation),
    ofDatabase(installation).catch(() => ({})),
    ofRedis(installation).catch(() => ({})),
    ofLedger(installation).catch(() => ({})),
  ]);
  return { atSeconds, values: Object.assign({}, ...parts, ofLoad(load), ofReceivers(receivers)) };
}

function ofProcesses({ members }: Installation): Record<string, number> {
  const values: Record<string, number> = {};
  for (const { name, process } of members) {
    const folder = `/proc/${process.child.pid}`;
    try {
      const status = readFileSync(`${folder}/status`, 'utf8');
      values[`memory of ${name}, MB`] = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
      values[`descriptors of ${name}`] = readdirSync(`${folder}/fd`).length;
    } catch {
      // The process has just been killed.
    }
  }
  return values;
}

async function ofDatabase({ postgres }: Installation): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: postgres.url, connectionTimeoutMillis: 2000, query_timeout: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query(
      `select pg_database_size(current_database())::float8 as size, sum(n_dead_tup)::float8 as dead, sum(n_live_tup)::float8 as live
       from pg_stat_user_tables`,
    );
    const [{ size, dead, live }] = rows;
    return { 'database, MB': size / mebi, 'dead rows': dead, 'live rows': live };
  } finally {
    await client.end().catch(() => {});
  }
}

async function ofRedis({ redis }: Installation): Promise<Record<string, number>> {
  const client = new Redis(redis.url, { commandTimeout: 2000, connectTimeout: 2000, retryStrategy: () => null });
  client.on('error', () => {});
  try {
    const info = await client.info('memory');
    return { 'Redis, MB': Number(/used_memory:(\d+)/.exec(info)?.[1]) / mebi };
  } finally {
    client.disconnect();
  }
}

async function ofLedger({ members, operatorToken }: Installation): Promise<Record<string, number>> {
  const [gateway] = members;
  const asked = gateway?.process.call('GET', '/manage/v1/ledger', { token: operatorToken });
  const reply = await Promise.race([asked, new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 5000))]);
  if (reply?.status !== 200) return {};
  const { deliveries, unaccounted } = reply.body.data;
  return { 'deliveries pending': deliveries.pending, 'deliveries failed': deliveries.failed, unaccounted };
}

function ofLoad(load: Load): Record<string, number> {
  const { acknowledged, refused, failed } = load.figures;
  const { p50, p99 } = load.takeLatency();
  return {
    'sales acknowledged': acknowledged,
    'calls refused': refused,
    'calls without a reply': failed,
    'call p50, ms': p50,
    'call p99, ms': p99,
  };
}

function ofReceivers(receivers: readonly SoakReceiver[]): Record<string, number> {
  const values: Record<string, number> = {
    'accepted again': receivers.reduce((sum, { figures }) => sum + figures.duplicates, 0),
  };
  for (const { name, owed } of receivers) {
    const oldest = owed.values().next().value;
    values[`oldest owed to ${name}, s`] = oldest === undefined ? 0 : (Date.now() - oldest) / 1000;
  }
  return values;
}
