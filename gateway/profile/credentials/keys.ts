import { createApiKey, revokeApiKey, rotateApiKey } from '../../api/pos/back-office/accounts.ts';
import { hasExpired } from '../../api/pos/domain/keys.ts';
import { Refusal } from '../../base/errors.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Change } from '../../webhooks/outbox/change.ts';
import type { ProfileCaller } from '../caller.ts';

/** Keys of one account that can be used. It bounds what one session can store. */
const mostKeys = 20;

export async function createOwnKey(change: Change, accountId: string) {
  await refuseMoreKeys(change, accountId);
  return createApiKey(change, accountId);
}

export async function rotateOwnKey(change: Change, input: Parameters<typeof rotateApiKey>[1]) {
  await refuseMoreKeys(change, input.accountId);
  return rotateApiKey(change, input);
}

async function refuseMoreKeys({ tx, now }: Change, accountId: string): Promise<void> {
  const usable = await usableKeys(tx, accountId, now);
  if (usable.length < mostKeys) return;
  throw new Refusal('conflict', 'too_many_keys', `You have ${usable.length} API keys. Revoke those that you do not use.`);
}

/**
 * Revokes a key. Unless `confirmed`, throws `conflict` for the last key, without which nothing can sign in, and for the key of
 * the caller's own session.
 */
export async function revokeOwnKey(
  change: Change,
  { accountId, credential }: { accountId: string; credential: ProfileCaller['credential'] },
  { keyId, confirmed }: { keyId: string; confirmed: boolean },
): Promise<Row<'api_keys'>> {
  const usable = await usableKeys(change.tx, accountId, change.now);
  const isUsable = usable.some(({ id }) => id === keyId);
  if (!confirmed && isUsable && usable.length === 1)
    throw confirmFirst(`${keyId} is the last API key of the account: without it you can only get in by a link of the operator.`);
  if (!confirmed && isUsable && credential === `key:${keyId}`)
    throw confirmFirst(`You signed in with the API key ${keyId}: this session ends with it.`);
  return revokeApiKey(change, accountId, keyId);
}

/** Locks the keys, so that two calls cannot each revoke the last but one. */
async function usableKeys(tx: Rows, accountId: string, now: number): Promise<Row<'api_keys'>[]> {
  const keys = await tx.list('api_keys', {
    where: { account_id: accountId, revoked_at: null },
    order: [['id', 'asc']],
    lock: true,
  });
  return keys.filter(({ expires_at }) => !hasExpired(expires_at, now));
}

const confirmFirst = (why: string) => new Refusal('conflict', 'confirm_needed', `${why} To revoke it, send {"confirm": true}.`);
