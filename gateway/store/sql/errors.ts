import { StoreConflict, StoreUnavailable } from '../port.ts';

/** Returns PostgreSQL's SQLSTATE, or Node's code of a failed connection. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/**
 * Returns true for errors that the caller did not cause: connection lost, server starting or stopping, disk or memory
 * full, timeouts. If there is a code, only the code counts, because PostgreSQL's messages quote the caller's input.
 */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== '') return /^(08|53|57P|57014$|55P03$)|^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NET|NOTFOUND|NOENT|AI_AGAIN)/.test(code);
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
    if (isUnreachable(error)) throw new StoreUnavailable('The database does not answer.', { cause: error });
    throw error;
  }
}
