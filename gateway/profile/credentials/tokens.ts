import { createToken, type NewToken, revokeToken } from '../../api/cohesion/back-office/tokens.ts';
import { forbidden, notFound, Refusal } from '../../base/errors.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Change } from '../../webhooks/outbox/change.ts';
import type { ProfileCaller } from '../caller.ts';

/** Active tokens of one user. It bounds what one session can store. */
const mostTokens = 100;

type Bounds = Pick<Row<'tokens'>, 'abilities' | 'structure_ids'>;

/**
 * Creates a token of the caller's user. A caller who came with a token cannot make one that may do more, or lives longer: a
 * token that leaked must not turn into a stronger one.
 */
export async function createOwnToken(
  change: Change,
  { userId, token }: { userId: number; token: ProfileCaller['token'] },
  input: Omit<NewToken, 'userId'>,
) {
  // The lock keeps the perimeter of the user as it is until the token is stored.
  const user = await change.tx.get('users', { id: userId }, { lock: true });
  if (!user) throw notFound('id', 'There is no such user.');
  const active = await change.tx.count('tokens', { user_id: userId, revoked_at: null }, { atMost: mostTokens });
  if (active >= mostTokens)
    throw tooMany(`You have ${mostTokens} tokens that are not revoked. Revoke those that you do not use.`);
  refuseOutside(input.structureIds, user.structure_ids, 'your perimeter');
  if (token) refuseStronger(input, token);
  return createToken(change, { ...input, userId });
}

/** Revokes a token of the caller's user. A caller who came with a token cannot revoke a stronger one. */
export async function revokeOwnToken(
  change: Change,
  { userId, token }: { userId: number; token: ProfileCaller['token'] },
  id: number,
): Promise<Row<'tokens'>> {
  const found = await change.tx.get('tokens', { id, user_id: userId });
  if (!found) throw unknownToken(id);
  if (token && found.id !== token.id && !isWithin(found, token))
    throw forbidden(
      'stronger_token',
      `Token ${id} may do more than the token that you signed in with. Sign in with a token that may do as much, or ask the operator for a link.`,
    );
  return revokeToken(change, { id });
}

/** The same words for a token of another user and for one that does not exist. */
export const unknownToken = (id: number) => notFound('id', `There is no token ${id}.`);

/** Returns true if `one` may do nothing that `other` may not. */
export const isWithin = (one: Bounds, other: Bounds): boolean =>
  one.abilities.every((ability) => other.abilities.includes(ability)) && isSubset(one.structure_ids, other.structure_ids);

const isSubset = (ids: readonly number[] | null, of: readonly number[] | null): boolean =>
  of === null || (ids?.every((id) => of.includes(id)) ?? false);

/** Null means all of the user's structures, so it never reaches beyond them. */
function refuseOutside(ids: readonly number[] | null, perimeter: readonly number[] | null, what: string): void {
  if (perimeter === null || ids === null) return;
  const outside = ids.filter((id) => !perimeter.includes(id));
  if (outside.length === 0) return;
  const message = `Structure ${outside.join(', ')} is outside ${what}, or does not exist.`;
  throw new Refusal('forbidden', 'outside_perimeter', message, {
    details: [{ field: 'structure_ids', rule: 'outside_perimeter', message }],
  });
}

function refuseStronger(input: Omit<NewToken, 'userId'>, token: Row<'tokens'>): void {
  const more = input.abilities.filter((ability) => !token.abilities.includes(ability));
  if (more.length > 0) throw stronger('abilities', `has not got ${more.join(', ')}`);
  if (token.structure_ids !== null && input.structureIds === null)
    throw stronger('structure_ids', `covers structures ${token.structure_ids.join(', ') || 'none'} only, so name some of them`);
  refuseOutside(input.structureIds, token.structure_ids, 'the perimeter of the token that you signed in with');
  if (token.expires_at !== null && (input.expiresAt === null || input.expiresAt > token.expires_at))
    throw stronger('expires_at', `expires at ${new Date(token.expires_at).toISOString()}`);
}

function stronger(field: string, why: string): Refusal {
  const message = `A token cannot make one that may do more: the token that you signed in with ${why}. Sign in with a link of the operator, or with a token that may do as much.`;
  return new Refusal('forbidden', 'stronger_token', message, { details: [{ field, rule: 'stronger_token', message }] });
}

const tooMany = (message: string) => new Refusal('conflict', 'too_many_tokens', message);
