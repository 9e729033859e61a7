import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoreDatabase } from '../../gateway/start/prepared-database.ts';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import { Random } from '../simulation/random.ts';
import type { Disk } from './disk.ts';

export interface CutResult {
  /** The entry of the recording before which the power was cut. */
  cut: number;
  acknowledged: number;
  /** What is wrong, or undefined. */
  wrong: string | undefined;
}

/** Cuts the power once, as a seed decides, and opens the store on what is left. */
export async function cutOnce(disk: Disk, seed: number): Promise<CutResult> {
  const random = new Random(seed);
  const cut = disk.anyCut(random);
  const acknowledged = disk.acknowledgedBefore(cut);
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-cut-'));
  try {
    disk.writeTo(folder, cut, random);
    const wrong = await wrongIn(folder, acknowledged, disk).catch((error) => `the store cannot be used: ${error.message}`);
    return { cut, acknowledged: acknowledged.length, wrong };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function wrongIn(folder: string, acknowledged: readonly string[], disk: Disk): Promise<string | undefined> {
  const key = acknowledged.length > 0 && disk.contentOf('master.key');
  if (key && !key.equals(readFileSync(join(folder, 'master.key')))) return 'the master key is another one';
  const path = join(folder, 'postgres');
  await restoreDatabase(path);
  const pool = await PglitePool.open(path);
  const store = await openSqlStore(pool);
  try {
    const { rows: sales } = await pool.query<{ id: string }>('select id from passerelle.sales');
    const { rows: events } = await pool.query<{ id: string }>(
      "select body::json->'data'->>'id' as id from passerelle.events where type = 'sale.completed'",
    );
    await readEverything(pool);
    const ahead = await pagesAhead(pool, path);
    if (ahead.length > 0) return `${ahead.length} pages say what the log does not: ${ahead.slice(0, 3).join(', ')}`;
    const [sold, announced] = [new Set(sales.map(({ id }) => id)), new Set(events.map(({ id }) => id))];
    const lost = acknowledged.filter((id) => !(sold.has(id) && announced.has(id)));
    return lost.length > 0 ? `${lost.length} acknowledged sales are lost: ${lost.slice(0, 3).join(', ')}` : undefined;
  } finally {
    await store.close();
  }
}

/** Reads each row, so that PostgreSQL checks each page. */
async function readEverything(pool: PglitePool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('passerelle', 'bullmq')",
  );
  for (const { name } of rows) await pool.query(`select sum(length(t::text)) from ${name} t`);
}

const pageBytes = 8192;

/**
 * Returns the pages of tables and indexes whose last change is not in the log (its position is in a page's first 8 bytes). Such a
 * page shows a transaction that never was, but perhaps only much later.
 */
async function pagesAhead(pool: PglitePool, path: string): Promise<string[]> {
  const { rows } = await pool.query<{ end: string }>("select pg_current_wal_insert_lsn() - '0/0' as end");
  const end = BigInt(rows[0]?.end as string);
  const files = readdirSync(join(path, 'base/5')).filter((name) => /^\d+(\.\d+)?$/.test(name));
  return files.flatMap((name) => {
    const content = readFileSync(join(path, 'base/5', name));
    const starts = Array.from({ length: Math.floor(content.length / pageBytes) }, (_, page) => page * pageBytes);
    const isAhead = (at: number) => (BigInt(content.readUInt32LE(at)) << 32n) + BigInt(content.readUInt32LE(at + 4)) > end;
    return starts.filter(isAhead).map((at) => `${name} at ${at}`);
  });
}
