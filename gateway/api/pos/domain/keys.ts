import { unauthorized } from '../../../base/errors.ts';
import { matchesHash } from '../../../base/keyring.ts';
import type { Rows } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';

export interface KeyCredentials {
  api_key: string;
  api_secret: string;
}

/**
 * Finds the API key of credentials, and its active account, and stores that the key was used. An unknown key and a wrong
 * secret get the same message after the same work (gap pos.error-conditions).
 */
export async function checkKey(
  rows: Rows,
  credentials: KeyCredentials,
  now: number,
): Promise<{ key: Row<'api_keys'>; account: Row<'accounts'> }> {
  const key = await rows.get('api_keys', { id: credentials.api_key });
  const isRight = matchesHash(credentials.api_secret, key?.secret_hash);
  if (!key || !isRight) throw unauthorized('wrong_credentials', 'The api_key or the api_secret is wrong.');
  if (key.revoked_at !== null)
    throw unauthorized('key_revoked', `The API key ${key.id} was revoked. Use another one, or ask the operator for it.`);
  if (hasExpired(key.expires_at, now))
    throw unauthorized('key_expired', `The API key ${key.id} was replaced. Use the new one, or ask the operator for it.`);
  const account = await rows.get('accounts', { id: key.account_id });
  if (!account?.active) throw inactiveAccount(key.account_id);
  await rows.update('api_keys', { id: key.id }, { last_used_at: now });
  return { key, account };
}

/** Returns true if a rotation has ended the key. */
export const hasExpired = (expiresAt: number | null, now: number): boolean => expiresAt !== null && expiresAt <= now;

export const inactiveAccount = (accountId: string) =>
  unauthorized('account_inactive', `The account ${accountId} is not active. Ask the operator to activate it.`);
