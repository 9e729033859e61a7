import { notFound } from '../../../base/errors.ts';
import type { UserRole } from '../../../store/tables/cohesion.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { followOwner, stateOfUser } from '../../../webhooks/outbox/owners.ts';
import { insertNew } from './new-row.ts';
import { knownStructures } from './perimeter.ts';

export interface UserFields {
  name: string;
  role: UserRole;
  /** The perimeter: structures whose events the user's endpoints receive; null means all (gap cohesion.user-perimeter). */
  structure_ids: readonly number[] | null;
}

/** Throws `conflict` if another user has the same `email`. */
export async function createUser(
  change: Change,
  { structure_ids = null, email, ...input }: Omit<UserFields, 'structure_ids'> & Partial<UserFields> & { email: string },
): Promise<Row<'users'>> {
  const perimeter = await knownStructures(change.tx, structure_ids);
  const row = { ...input, email: email.toLowerCase(), structure_ids: perimeter, active: true, created_at: change.now };
  return insertNew(change, 'users', row, 'email');
}

/** The user's endpoints follow a change of role, perimeter or state. */
export async function updateUser(
  change: Change,
  { id, structure_ids, ...patch }: { id: number; active?: boolean } & Partial<UserFields>,
): Promise<Row<'users'>> {
  const perimeter = structure_ids === undefined ? {} : { structure_ids: await knownStructures(change.tx, structure_ids) };
  const [user] = await change.tx.update('users', { id }, { ...patch, ...perimeter });
  if (!user) throw notFound('id', `There is no user ${id}.`);
  await followOwner(change, stateOfUser(user));
  return user;
}
