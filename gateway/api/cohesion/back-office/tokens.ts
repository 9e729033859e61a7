import { invalid, notFound } from '../../../base/errors.ts';
import { newSecret } from '../../../base/keyring.ts';
import type { Ability } from '../../../store/tables/cohesion.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { tokenRow } from '../domain/rows.ts';
import { knownStructures } from './perimeter.ts';

export interface NewToken {
  userId: number;
  name: string;
  abilities: readonly Ability[];
  /** The perimeter: structures it may write for. Null means all (gap cohesion.perimeter). */
  structureIds: readonly number[] | null;
  /** Milliseconds since 1970; null means never (gap cohesion.token-lifetime). */
  expiresAt: number | null;
}

/** Returns the row, and the token `<id>|<secret>` that a client sends. Only the hash of the secret is stored. */
export async function createToken(change: Change, input: NewToken): Promise<{ row: Row<'tokens'>; token: string }> {
  const user = await change.tx.get('users', { id: input.userId });
  if (!user) throw notFound('id', `There is no user ${input.userId}.`);
  if (input.expiresAt !== null && input.expiresAt <= change.now) throw invalid('expires_at', 'future', 'must be in the future');
  const structureIds = await knownStructures(change.tx, input.structureIds);

  const secret = newSecret('');
  const { name, expiresAt: expires_at } = input;
  const abilities = [...new Set(input.abilities)];
  const made = tokenRow({ user_id: user.id, name, abilities, structure_ids: structureIds, secret, expires_at }, change.now);
  const [row] = await change.tx.insert('tokens', [made]);
  const stored = row as Row<'tokens'>;
  return { row: stored, token: `${stored.id}|${secret}` };
}

/** Keeps the row, so that records can still name the token. Revoking twice changes nothing. */
export async function revokeToken(change: Change, { id }: { id: number }): Promise<Row<'tokens'>> {
  const token = await change.tx.get('tokens', { id }, { lock: true });
  if (!token) throw notFound('id', `There is no token ${id}.`);
  if (token.revoked_at !== null) return token;
  const [revoked] = await change.tx.update('tokens', { id }, { revoked_at: change.now });
  return revoked as Row<'tokens'>;
}
