import type { PostgresPool } from 'kysely';
import type { Settings } from './config.ts';
import type { Logger } from './log.ts';
import { openEmbeddedQueue } from './queue/embedded.ts';
import type { Queue } from './queue/port.ts';
import { PglitePool } from './store/pglite-pool.ts';
import type { Store } from './store/port.ts';
import { openSqlStore } from './store/sql.ts';

/**
 * The embedded tier: one PGlite holds the store and the queue. Close the queue first, then the store. `ended` is called if
 * the database's thread ends by itself: nothing can be served any more then.
 */
export async function openEmbedded(
  databasePath: string,
  settings: Settings,
  log: Logger,
  ended: () => void,
): Promise<{ store: Store; queue: Queue }> {
  const pool = await PglitePool.open(databasePath);
  pool.on('error', (error) => {
    log.fatal({ err: error }, 'database.ended');
    ended();
  });
  const store = await openSqlStore(pool as unknown as PostgresPool);
  const queue = await openEmbeddedQueue(pool, { attemptDeadlineMs: settings.WEBHOOK_DEADLINE_MS, log });
  return { store, queue };
}
