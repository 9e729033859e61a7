import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '../../gateway/base/log.ts';
import { openEmbeddedQueue } from '../../gateway/queue/embedded.ts';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';

/**
 * Creates one empty database for a run of the whole suite. Tests copy it instead of creating about sixty of their own
 * (`newDataDir`, `emptyDatabase`). Runs of single files and tests of a first start do not use it.
 */
export default async function makeTemplate(): Promise<(() => void) | undefined> {
  if (process.argv.slice(2).some((argument) => /^(test|contracts)\//.test(argument))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-template-'));
  await makeDatabase(join(folder, 'postgres'));
  process.env.PASSERELLE_EMPTY_TEMPLATE = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

async function makeDatabase(path: string): Promise<void> {
  const pool = await PglitePool.open(path);
  const store = await openSqlStore(pool as never);
  const queue = await openEmbeddedQueue(pool, { attemptDeadlineMs: 1000, log: openLog('silent') });
  await queue.close();
  // Not needed to copy the folder. Without these two, a copy has half the files.
  for (const name of ['template0', 'template1']) {
    await pool.query(`alter database ${name} is_template false`);
    await pool.query(`drop database ${name}`);
  }
  await store.close();
}
