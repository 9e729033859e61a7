import { unauthorized } from '../base/errors.ts';
import { hashSecret, newSecret } from '../base/keyring.ts';
import type { Services } from '../http/api.ts';
import { toInstant } from '../http/fields.ts';
import { removeInBatches } from '../store/batches.ts';
import type { Rows, Store, Where } from '../store/port.ts';
import type { Row } from '../store/tables/index.ts';

/** Sessions of operators, and of partners. */
export type SessionTable = 'sessions' | 'profile_sessions';

/** The session of a call. */
export interface OwnSession {
  idHash: string;
  expiresAt: number;
}

/** The accuracy of the last-used time of sessions and credentials. */
export const touchEveryMs = 60_000;

export interface SignedIn<T extends SessionTable, C> {
  caller: C;
  /** The columns of the session that say whose it is. */
  columns: Omit<Row<T>, 'id_hash' | 'created_at' | 'expires_at' | 'last_seen_at' | 'ip'>;
}

export interface NewSession<T extends SessionTable, C> {
  table: T;
  hours: number;
  ip: string;
  /** The session that the browser had. It ends. */
  before: string | undefined;
  /** Finds the caller in the transaction that stores the session. Throws if nobody has the credential. */
  signIn(tx: Rows): Promise<SignedIn<T, C>>;
}

/** Signs in. Returns the cookie's value, which is not stored. */
export async function openSession<T extends SessionTable, C>(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  { table, hours, ip, before, signIn }: NewSession<T, C>,
): Promise<{ sessionId: string; caller: C & { session: OwnSession } }> {
  const sessionId = newSecret('');
  const idHash = hashSecret(sessionId);
  return store.transaction(async (tx) => {
    const { caller, columns } = await signIn(tx);
    const now = clock.now();
    const expiresAt = now + hours * 3_600_000;
    const session = { id_hash: idHash, ...columns, created_at: now, expires_at: expiresAt, last_seen_at: now, ip };
    await tx.append(table as SessionTable, [session as Row<SessionTable>]);
    if (before !== undefined) await tx.remove<SessionTable>(table, { id_hash: hashSecret(before) });
    return { sessionId, caller: { ...caller, session: { idHash, expiresAt } } };
  });
}

/**
 * Finds a session's caller. An unknown id means that the session was ended by its user, by a change of the credential, or by time.
 * `find` throws if the session's credential has ended.
 */
export async function callerOfSession<T extends SessionTable, C>(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  table: T,
  sessionId: string,
  find: (session: Row<T>) => Promise<C>,
): Promise<C & { session: OwnSession }> {
  const where: Where<SessionTable> = { id_hash: hashSecret(sessionId) };
  const session = await store.get<SessionTable>(table, where);
  if (!session) throw sessionEnded('This session has ended.');
  const { id_hash: idHash, expires_at: expiresAt, last_seen_at } = session;
  const now = clock.now();
  if (expiresAt <= now) throw sessionEnded(`This session expired at ${toInstant(expiresAt)}.`);
  const caller = await find(session as Row<T>);
  if (last_seen_at <= now - touchEveryMs) await store.update<SessionTable>(table, where, { last_seen_at: now });
  return { ...caller, session: { idHash, expiresAt } };
}

export async function closeSession(store: Store, table: SessionTable, idHash: string): Promise<void> {
  await store.remove<SessionTable>(table, { id_hash: idHash });
}

export const sessionEnded = (why: string) => unauthorized('session_expired', `${why} Sign in again.`);

/** Links are kept for a day after they expire, so that their users and operators learn that they did. */
const linksKeptMs = 24 * 3_600_000;

/** Removes expired sessions and old links to profiles. */
export async function forgetSessions(store: Store, now: number): Promise<void> {
  for (const table of ['sessions', 'profile_sessions'] as const)
    await removeInBatches(store, table, { expires_at: { lte: now } });
  await removeInBatches(store, 'profile_links', { expires_at: { lte: now - linksKeptMs } });
}
