import type { JWT } from '@fastify/jwt';
import { unauthorized } from '../../../base/errors.ts';
import { matchesHash } from '../../../base/keyring.ts';
import type { Rows } from '../../../store/port.ts';
import type { Claims } from '../domain/tokens.ts';

const tokenLifetimeSeconds = 3600;

/** Issues a token for an API key and its secret. An unknown key and a wrong secret get the same message (gap pos.error-conditions). */
export async function issueToken(rows: Rows, jwt: JWT, credentials: { api_key: string; api_secret: string }, now: number) {
  const key = await rows.get('api_keys', { id: credentials.api_key });
  const isRight = matchesHash(credentials.api_secret, key?.secret_hash);
  if (!key || !isRight) throw unauthorized('wrong_credentials', 'The api_key or the api_secret is wrong.');
  if (key.revoked_at !== null)
    throw unauthorized('key_revoked', `The API key ${key.id} was revoked. Use another one, or ask the operator for it.`);
  const account = await rows.get('accounts', { id: key.account_id });
  if (!account?.active)
    throw unauthorized('account_inactive', `The account ${key.account_id} is not active. Ask the operator to activate it.`);
  await rows.update('api_keys', { id: key.id }, { last_used_at: now });
  const iat = Math.floor(now / 1000);
  const claims: Claims = { sub: account.id, key: key.id, iat, exp: iat + tokenLifetimeSeconds };
  return { success: true as const, token: jwt.sign(claims), expires_in: tokenLifetimeSeconds, token_type: 'Bearer' as const };
}
