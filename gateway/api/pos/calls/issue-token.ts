import type { JWT } from '@fastify/jwt';
import type { Rows } from '../../../store/port.ts';
import { checkKey, type KeyCredentials } from '../domain/keys.ts';
import type { Claims } from '../domain/tokens.ts';

/** Seconds that a token lives (gap pos.token-lifetime). */
const tokenLifetime = 3600;

/** Issues a token for an API key and its secret. It ends no later than its key. */
export async function issueToken(rows: Rows, jwt: JWT, credentials: KeyCredentials, now: number) {
  const { key, account } = await checkKey(rows, credentials, now);
  const iat = Math.floor(now / 1000);
  const left = key.expires_at === null ? tokenLifetime : Math.max(1, Math.floor(key.expires_at / 1000) - iat);
  const expires_in = Math.min(tokenLifetime, left);
  const claims: Claims = { sub: account.id, key: key.id, iat, exp: iat + expires_in };
  return { success: true as const, token: jwt.sign(claims), expires_in, token_type: 'Bearer' as const };
}
