import { Refusal, unauthorized } from '../base/errors.ts';
import { hashSecret, newSecret } from '../base/keyring.ts';
import type { Services } from '../http/api.ts';
import { toInstant } from '../http/fields.ts';
import { removeInBatches } from '../store/batches.ts';
import type { Rows, Store } from '../store/port.ts';
import type { IdentifiedPartner, ProfileCaller } from './caller.ts';

/** The accuracy of the last-used time of sessions. */
const touchEveryMs = 60_000;

/**
 * Stores a session of the partner that `signIn` finds. Returns the cookie's value, which is not stored. `before` is the session
 * that the browser had.
 */
export async function openSession(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  { hours, ip, before, signIn }: SessionInput,
): Promise<{ sessionId: string; caller: ProfileCaller }> {
  const sessionId = newSecret('');
  const idHash = hashSecret(sessionId);
  return store.transaction(async (tx) => {
    const partner = await signIn(tx);
    const now = clock.now();
    const expiresAt = now + hours * 3_600_000;
    const { owner, credential, readOnly } = partner;
    const times = { created_at: now, expires_at: expiresAt, last_seen_at: now };
    await tx.append('profile_sessions', [{ id_hash: idHash, owner, credential, read_only: readOnly, ...times, ip }]);
    if (before !== undefined) await tx.remove('profile_sessions', { id_hash: hashSecret(before) });
    return { sessionId, caller: { ...partner, session: { idHash, expiresAt } } };
  });
}

interface SessionInput {
  hours: number;
  ip: string;
  before: string | undefined;
  signIn(tx: Rows): Promise<IdentifiedPartner>;
}

type FindPartner = (owner: ProfileCaller['owner'], credential: ProfileCaller['credential']) => Promise<IdentifiedPartner>;

/** Finds a session's caller. `find` throws if the credential has ended, or its owner is inactive: then the session ends too. */
export async function findSession(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  sessionId: string,
  find: FindPartner,
): Promise<ProfileCaller> {
  const idHash = hashSecret(sessionId);
  const session = await store.get('profile_sessions', { id_hash: idHash });
  if (!session) throw sessionEnded('This session has ended.');
  const now = clock.now();
  if (session.expires_at <= now) throw sessionEnded(`This session expired at ${toInstant(session.expires_at)}.`);
  const partner = await find(session.owner, session.credential).catch(async (error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    await closeSession(store, idHash);
    throw sessionEnded(`The credential of this session is no longer valid. ${error.message}`);
  });
  if (session.last_seen_at <= now - touchEveryMs)
    await store.update('profile_sessions', { id_hash: idHash }, { last_seen_at: now });
  return { ...partner, readOnly: session.read_only, session: { idHash, expiresAt: session.expires_at } };
}

export async function closeSession(store: Store, idHash: string): Promise<void> {
  await store.remove('profile_sessions', { id_hash: idHash });
}

/** Links are kept for a day after they expire, so that their users and operators learn that they did. */
const linksKeptMs = 24 * 3_600_000;

/** Removes expired sessions and old links. */
export async function forgetProfileSessions(store: Store, now: number): Promise<void> {
  await removeInBatches(store, 'profile_sessions', { expires_at: { lte: now } });
  await removeInBatches(store, 'profile_links', { expires_at: { lte: now - linksKeptMs } });
}

const sessionEnded = (why: string) => unauthorized('session_expired', `${why} Sign in again.`);
