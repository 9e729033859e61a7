import { StoreConflict, StoreTooSlow, StoreUnavailable } from '../port.ts';

/** SQLSTATE of `lock_timeout`. */
export const lockTimeout = '55P03';

/** Returns PostgreSQL's SQLSTATE, or Node's code of a failed connection. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/**
 * Connection lost (08), disk or memory full (53), server starting or stopping (57P), an error of the server's disk (58),
 * read-only after a failover (25006), transaction ended because it took too long (25P03, 25P04), statement or lock timeout.
 */
const unreachableStates = /^(08|53|57P|58|25006$|25P03$|25P04$|57014$|55P03$)/;
const unreachableNodeCodes = /^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NET|NOTFOUND|NOENT|AI_AGAIN)/;

/**
 * Returns true for errors that the caller did not cause, and that pass by themselves. If there is a code, only the code
 * counts, because PostgreSQL's messages quote the caller's input.
 */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== '') return unreachableStates.test(code) || unreachableNodeCodes.test(code);
  return (
    error instanceof Error &&
    /terminat|not queryable|discarded|pool after calling end|driver has already been destroyed|timeout/i.test(error.message)
  );
}

/** Runs `work` and translates errors of the database to the port's errors. */
export async function translated<R>(table: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) === '23505') throw new StoreConflict(table, `${table} already has a row with this key`, { cause: error });
    // PostgreSQL's statement_timeout.
    if (codeOf(error) === '57014') throw new StoreTooSlow('A query took longer than its time limit.', { cause: error });
    if (isUnreachable(error))
      throw new StoreUnavailable('The database does not answer, or does not accept writes now.', { cause: error });
    throw error;
  }
}
