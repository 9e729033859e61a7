import { openLog } from '../base/log.ts';
import { openEmbeddedQueue } from '../queue/embedded.ts';
import { PglitePool } from '../store/pglite/pool.ts';
import { openSqlStore } from '../store/sql/store.ts';

/** Creates a database with the tables of the store and the queue, which is ready to be copied. */
export async function makeEmptyDatabase(path: string): Promise<void> {
  const pool = await PglitePool.open(path);
  const store = await openSqlStore(pool);
  const queue = await openEmbeddedQueue(pool, { attemptDeadlineMs: 1000, log: openLog('silent') });
  await queue.close();
  // Nothing needs them, and they are half of the files.
  for (const name of ['template0', 'template1']) {
    await pool.query(`alter database ${name} is_template false`);
    await pool.query(`drop database ${name}`);
  }
  await store.close();
}
