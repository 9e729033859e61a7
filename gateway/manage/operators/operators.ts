import { notFound, Refusal } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { hashSecret, newSecret } from '../../base/keyring.ts';
import { type Rows, StoreConflict } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { OperatorRole } from '../../store/tables/operating.ts';
import type { Change } from '../../webhooks/outbox/change.ts';

/** The name of the installation's own token, which has no row. */
export const ownName = 'operator';

const prefixes = { operator: 'op_', viewer: 'vw_' } satisfies Record<OperatorRole, string>;

interface WithCredential {
  operator: Row<'operators'>;
  /** Returned here only; the store keeps its hash. */
  credential: string;
}

/** Creates an operator. Throws `conflict` if the name is taken. */
export async function createOperator({ tx, now }: Change, input: { name: string; role: OperatorRole }): Promise<WithCredential> {
  if (input.name === ownName) throw nameTaken(input.name);
  const credential = newSecret(prefixes[input.role]);
  const operator = { id: newId('opr'), ...input, secret_hash: hashSecret(credential), active: true, created_at: now };
  const [made] = await tx.insert('operators', [{ ...operator, last_used_at: null }]).catch(refuseTaken(input.name));
  return { operator: made as Row<'operators'>, credential };
}

/** Changes the given fields. A change of role or a deactivation ends the operator's sessions; `self` may not do either. */
export async function updateOperator(
  { tx }: Change,
  { id, self, ...patch }: { id: string; self: string | null; name?: string; role?: OperatorRole; active?: boolean },
): Promise<Row<'operators'>> {
  if (id === self && (patch.active === false || patch.role === 'viewer')) throw ownOperator();
  if (patch.name === ownName) throw nameTaken(patch.name);
  const before = await lockedOperator(tx, id);
  const [operator] = await tx.update('operators', { id }, patch).catch(refuseTaken(patch.name ?? before.name));
  if (patch.active === false || (patch.role !== undefined && patch.role !== before.role)) await endSessions(tx, id);
  return operator as Row<'operators'>;
}

/** Replaces the credential and ends its sessions. */
export async function rotateCredential({ tx }: Change, id: string): Promise<WithCredential> {
  const { role } = await lockedOperator(tx, id);
  const credential = newSecret(prefixes[role]);
  const [operator] = await tx.update('operators', { id }, { secret_hash: hashSecret(credential) });
  await endSessions(tx, id);
  return { operator: operator as Row<'operators'>, credential };
}

/** Locks the row, as a sign-in does (`sessions.ts`), so that no sign-in happens between a change and the end of the sessions. */
async function lockedOperator(tx: Rows, id: string): Promise<Row<'operators'>> {
  const operator = await tx.get('operators', { id }, { lock: true });
  if (!operator) throw notFound('id', `There is no operator ${JSON.stringify(id)}.`);
  return operator;
}

const endSessions = (tx: Rows, id: string) => tx.remove('sessions', { operator_id: id });

const refuseTaken =
  (name: string) =>
  (error: unknown): never => {
    throw error instanceof StoreConflict ? nameTaken(name) : error;
  };

function nameTaken(name: string): Refusal {
  const message = `An operator named ${JSON.stringify(name)} exists already. Choose another name.`;
  return new Refusal('conflict', 'already_exists', message, { details: [{ field: 'name', rule: 'unique', message }] });
}

const ownOperator = (): Refusal =>
  new Refusal('conflict', 'own_operator', 'You cannot deactivate or demote yourself. Another operator can.');
