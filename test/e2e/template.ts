import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '../../gateway/base/log.ts';
import { openEmbeddedQueue } from '../../gateway/queue/embedded.ts';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';

/**
 * Makes one empty database for a run of the whole suite, which tests copy instead of making some sixty of their own
 * (`newDataDir`, `emptyDatabase`). A run of single files does without, and so does a test of a first start.
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
  // Nobody makes further databases from these two: without them a copy has half the files.
  for (const name of ['template0', 'template1']) {
    await pool.query(`alter database ${name} is_template false`);
    await pool.query(`drop database ${name}`);
  }
  await store.close();
}
