import { createPostgresBackend, runMigrations } from 'bullmq';
import type { Logger } from '../base/log.ts';
import type { PglitePool } from '../store/pglite/pool.ts';
import { BullMqQueue } from './bullmq.ts';
import type { Queue } from './port.ts';

/**
 * Opens the queue of the embedded tier: BullMQ's PostgreSQL backend on the store's PGlite, in a schema of its own. The
 * caller closes the pool, after the queue.
 */
export async function openEmbeddedQueue(
  pool: PglitePool,
  options: { attemptDeadlineMs: number; lockMs?: number; log: Logger },
): Promise<Queue> {
  const client = await pool.connect();
  try {
    await runMigrations(client, 'bullmq');
    // BullMQ's statements name no schema. PGlite has one connection, so setting the path once is enough.
    await client.query('set search_path to bullmq, public');
  } finally {
    client.release();
  }
  const { attemptDeadlineMs, log } = options;
  const lockMs = options.lockMs ?? attemptDeadlineMs + 15_000;
  const connection = pool;
  const queue = new BullMqQueue({
    name: 'deliveries',
    connection,
    backend: createPostgresBackend,
    lockMs,
    attemptDeadlineMs,
    log,
  });
  // The data folder is locked to this process, so a killed process took every job that is still active.
  await queue.forgetActive();
  return queue;
}
