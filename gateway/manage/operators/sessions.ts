import { createHmac } from 'node:crypto';
import { unauthorized } from '../../base/errors.ts';
import { hashSecret, type Keyring, newSecret, sameSecret } from '../../base/keyring.ts';
import type { Caller, Services } from '../../http/api.ts';
import { toInstant } from '../../http/fields.ts';
import { removeInBatches } from '../../store/batches.ts';
import type { Rows, Store } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { OperatorRole } from '../../store/tables/operating.ts';
import { ownName } from './operators.ts';

/** A caller of the manage API. `operatorId` is null for the installation's own token. */
export interface OperatorCaller extends Caller {
  operatorId: string | null;
  name: string;
  role: OperatorRole;
  lastUsedAt: number | null;
  /** Null if a bearer credential was sent. */
  session: { idHash: string; expiresAt: number } | null;
}

export interface IdentityParts {
  services: Services;
  operatorToken: string;
  sessionHours: number;
}

/** The accuracy of the last-used time of sessions and credentials. */
const touchEveryMs = 60_000;

/** Finds the holder of a credential; undefined if there is none. `lock` locks the row until the transaction ends. */
export async function callerWith(
  rows: Rows,
  credential: string,
  { operatorToken }: Pick<IdentityParts, 'operatorToken'>,
  lock = false,
): Promise<OperatorCaller | undefined> {
  if (sameSecret(credential, operatorToken)) return ownCaller();
  // The search is by a hash of 256 random bits, so its duration reveals nothing about them.
  const operator = await rows.get('operators', { secret_hash: hashSecret(credential), active: true }, { lock });
  return operator && callerOf(operator);
}

/** Signs in. Returns the cookie's value, which is not stored. */
export async function openSession(
  { services, operatorToken, sessionHours }: IdentityParts,
  { credential, ip, before }: { credential: string; ip: string; before: string | undefined },
): Promise<{ sessionId: string; caller: OperatorCaller; expiresAt: number }> {
  const { store, clock, keys } = services;
  const sessionId = newSecret('');
  const idHash = hashSecret(sessionId);
  return store.transaction(async (tx) => {
    const caller = await callerWith(tx, credential, { operatorToken }, true);
    if (!caller) throw unauthorized('wrong_credential', 'There is no active operator with this credential.');
    const now = clock.now();
    const expiresAt = now + sessionHours * 3_600_000;
    const { operatorId } = caller;
    const fingerprint = operatorId === null ? fingerprintOf(keys, operatorToken) : null;
    const times = { created_at: now, expires_at: expiresAt, last_seen_at: now };
    await tx.append('sessions', [{ id_hash: idHash, operator_id: operatorId, token_fingerprint: fingerprint, ...times, ip }]);
    if (before !== undefined) await tx.remove('sessions', { id_hash: hashSecret(before) });
    await touchOperator(tx, caller, now);
    return { sessionId, expiresAt, caller: { ...caller, session: { idHash, expiresAt } } };
  });
}

/** Finds a session's caller. An unknown id means that the session was ended by its operator, by a change of the credential, or by time. */
export async function callerOfSession({ services, operatorToken }: IdentityParts, sessionId: string): Promise<OperatorCaller> {
  const { store, clock, keys } = services;
  const session = await store.get('sessions', { id_hash: hashSecret(sessionId) });
  if (!session) throw sessionEnded('This session has ended.');
  const now = clock.now();
  if (session.expires_at <= now) throw sessionEnded(`This session expired at ${toInstant(session.expires_at)}.`);
  const caller = await ownerOf(store, session, fingerprintOf(keys, operatorToken));
  if (!caller) throw sessionEnded('The credential of this session is no longer valid.');
  if (session.last_seen_at <= now - touchEveryMs)
    await store.update('sessions', { id_hash: session.id_hash }, { last_seen_at: now });
  await touchOperator(store, caller, now);
  return { ...caller, session: { idHash: session.id_hash, expiresAt: session.expires_at } };
}

async function ownerOf(rows: Rows, session: Row<'sessions'>, fingerprint: string): Promise<OperatorCaller | undefined> {
  if (session.operator_id === null) return sameSecret(session.token_fingerprint ?? '', fingerprint) ? ownCaller() : undefined;
  const operator = await rows.get('operators', { id: session.operator_id, active: true });
  return operator && callerOf(operator);
}

/** Stores when an operator was last active, at most once a minute. */
export async function touchOperator(rows: Rows, { operatorId, lastUsedAt }: OperatorCaller, now: number): Promise<void> {
  if (operatorId === null || (lastUsedAt !== null && lastUsedAt > now - touchEveryMs)) return;
  await rows.update('operators', { id: operatorId }, { last_used_at: now });
}

export async function closeSession(store: Store, idHash: string): Promise<void> {
  await store.remove('sessions', { id_hash: idHash });
}

/** Removes expired sessions. */
export const forgetSessions = (store: Store, now: number): Promise<void> =>
  removeInBatches(store, 'sessions', { expires_at: { lte: now } });

const ownCaller = (): OperatorCaller => ({
  id: ownName,
  operatorId: null,
  name: ownName,
  role: 'operator',
  lastUsedAt: null,
  session: null,
});

const callerOf = ({ id, name, role, last_used_at }: Row<'operators'>): OperatorCaller => ({
  id: `operator:${name}`,
  operatorId: id,
  name,
  role,
  lastUsedAt: last_used_at,
  session: null,
});

/** A keyed hash, because a short operator token could be guessed from a plain one. */
const fingerprintOf = (keys: Keyring, operatorToken: string): string =>
  createHmac('sha256', keys.derive('operator token fingerprint')).update(operatorToken).digest('base64url');

const sessionEnded = (why: string) => unauthorized('session_expired', `${why} Sign in again.`);
