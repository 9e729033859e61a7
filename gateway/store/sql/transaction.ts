import type { Rows, TransactionOptions } from '../port.ts';
import type { SqlPool } from './connection.ts';
import { SqlRows } from './rows.ts';

/** Wraps an error that `work` threw itself, so that it is not translated as an error of the database. */
export class WorkFailed extends Error {}

/**
 * Runs `work` in a transaction on one connection. `begin` goes with the first statement, and `commit` with those that `work` did
 * not wait for: the server skips the commit if one of them fails.
 */
export async function runTransaction<R>(
  pool: SqlPool,
  work: (tx: Rows) => Promise<R>,
  { snapshot = false }: TransactionOptions,
): Promise<R> {
  const client = await pool.connect();
  const run = (text: string) => client.query({ text, values: [] });
  const rows = new SqlRows(client);
  // If it fails, so do the statements after it, and its error is the one to throw.
  run(`start transaction isolation level ${snapshot ? 'repeatable read' : 'read committed'}`).catch((error) => {
    rows.failure ??= error;
  });
  let broken: Error | undefined;
  try {
    const result = await doWork(rows, work);
    const [committed] = await Promise.allSettled([run('commit'), rows.settled()]);
    // After a failed statement the server skips the commit, or turns it into a rollback without an error.
    if (rows.failure) throw rows.failure;
    if (committed.status === 'rejected') throw committed.reason;
    return result;
  } catch (error) {
    await run('rollback').catch((failed: Error) => {
      broken = failed;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

async function doWork<R>(rows: SqlRows, work: (tx: Rows) => Promise<R>): Promise<R> {
  let result: R;
  try {
    result = await work(rows);
  } catch (error) {
    throw error === rows.failure ? error : new WorkFailed('', { cause: error });
  }
  if (rows.failure) throw rows.failure;
  return result;
}
