import { notFound } from '../../../base/errors.ts';
import type { UserRole } from '../../../store/tables/cohesion.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { insertNew } from './new-row.ts';

/** Throws `conflict` if another user has the same `email`. */
export async function createUser(change: Change, input: { name: string; email: string; role: UserRole }): Promise<Row<'users'>> {
  const row = { ...input, email: input.email.toLowerCase(), active: true, created_at: change.now };
  return insertNew(change, 'users', row, 'email');
}

export async function updateUser(
  change: Change,
  { id, ...patch }: { id: number; name?: string; role?: UserRole; active?: boolean },
): Promise<Row<'users'>> {
  const [user] = await change.tx.update('users', { id }, patch);
  if (!user) throw notFound('id', `There is no user ${id}.`);
  return user;
}
