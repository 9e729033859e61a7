import { createHmac } from 'node:crypto';
import { unauthorized } from '../../base/errors.ts';
import { hashSecret, type Keyring, sameSecret } from '../../base/keyring.ts';
import type { Caller, Services } from '../../http/api.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { OperatorRole } from '../../store/tables/operating.ts';
import { callerOfSession, type OwnSession, type SignedIn, sessionEnded, touchEveryMs } from '../sessions.ts';
import { ownName } from './operators.ts';

/** A caller of the manage API. `operatorId` is null for the installation's own token. */
export interface OperatorCaller extends Caller {
  operatorId: string | null;
  name: string;
  role: OperatorRole;
  lastUsedAt: number | null;
  /** Null if a bearer credential was sent. */
  session: OwnSession | null;
}

export interface IdentityParts {
  services: Services;
  operatorToken: string;
  sessionHours: number;
}

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

export async function signInOperator(
  { services: { clock, keys }, operatorToken }: IdentityParts,
  tx: Rows,
  credential: string,
): Promise<SignedIn<'sessions', OperatorCaller>> {
  const caller = await callerWith(tx, credential, { operatorToken }, true);
  if (!caller) throw unauthorized('wrong_credential', 'There is no active operator with this credential.');
  await touchOperator(tx, caller, clock.now());
  const { operatorId } = caller;
  const fingerprint = operatorId === null ? fingerprintOf(keys, operatorToken) : null;
  return { caller, columns: { operator_id: operatorId, token_fingerprint: fingerprint } };
}

export const operatorOfSession = ({ services, operatorToken }: IdentityParts, sessionId: string): Promise<OperatorCaller> =>
  callerOfSession(services, 'sessions', sessionId, async (session) => {
    const { store, clock, keys } = services;
    const caller = await ownerOf(store, session, fingerprintOf(keys, operatorToken));
    if (!caller) throw sessionEnded('The credential of this session is no longer valid.');
    await touchOperator(store, caller, clock.now());
    return caller;
  });

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
