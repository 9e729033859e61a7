import { StoreConflict, StoreUnavailable } from '../port.ts';

/** PostgreSQL's SQLSTATE, or Node's code of a connection that failed. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/**
 * Connection lost or refused, server stopping or starting, disk or memory full, time-outs: nothing the caller did.
 * An error with a code is judged by that alone, since PostgreSQL's messages quote what was sent.
 */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== '') return /^(08|53|57P|57014$|55P03$)|^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NET|NOTFOUND|NOENT|AI_AGAIN)/.test(code);
  return (
    error instanceof Error &&
    /terminat|not queryable|discarded|pool after calling end|driver has already been destroyed|timeout/i.test(error.message)
  );
}

/** Runs `work`, and throws the port's own errors for what the database says. */
export async function translated<R>(table: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) === '23505') throw new StoreConflict(table, `${table} has such a row already`, { cause: error });
    if (isUnreachable(error)) throw new StoreUnavailable('The database does not answer.', { cause: error });
    throw error;
  }
}
