import type { JWT } from '@fastify/jwt';
import { unauthorized } from '../../../base/errors.ts';
import { matchesHash } from '../../../base/keyring.ts';
import type { Rows } from '../../../store/port.ts';

/** What a token says: the account, and the key it was issued for (gap pos.token-format). Times are seconds since 1970. */
export interface Claims {
  sub: string;
  key: string;
  iat: number;
  exp: number;
}

export const tokenLifetimeSeconds = 3600;

/** Settings of @fastify/jwt. Expiry is checked by us, on the gateway's clock, which a stub may move. */
export const jwtOptions = (secret: Buffer) => ({
  secret,
  sign: { algorithm: 'HS256' as const, iss: 'passerelle', aud: 'pos' },
  verify: {
    algorithms: ['HS256' as const],
    allowedIss: 'passerelle',
    allowedAud: 'pos',
    requiredClaims: ['iss', 'aud', 'sub', 'key', 'iat', 'exp'],
    ignoreExpiration: true,
  },
});

/** Issues a token for an API key and its secret. One message for unknown key and wrong secret (gap pos.error-conditions). */
export async function issueToken(rows: Rows, jwt: JWT, credentials: { api_key: string; api_secret: string }, now: number) {
  const key = await rows.get('api_keys', { id: credentials.api_key });
  const right = matchesHash(credentials.api_secret, key?.secret_hash);
  if (!key || !right) throw unauthorized('wrong_credentials', 'There is no such pair of api_key and api_secret.');
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

/** What is wrong with a token, by the code of fast-jwt's error; anything else is malformed. */
const refusals: Record<string, [code: string, message: string]> = {
  FAST_JWT_INVALID_SIGNATURE: [
    'token_signature',
    'The signature of the token is wrong: it was changed, or issued by another gateway.',
  ],
  FAST_JWT_MISSING_SIGNATURE: ['token_signature', 'The token has no signature.'],
  FAST_JWT_INVALID_ALGORITHM: ['token_signature', 'The token is not signed with HS256.'],
  FAST_JWT_INVALID_CLAIM_VALUE: ['token_foreign', 'The token was issued for another service.'],
  FAST_JWT_MISSING_REQUIRED_CLAIM: ['token_foreign', 'The token was issued for another service: a claim is missing.'],
};

const getAnother = 'Get another one with POST /api/auth.';

const verifiedAtMost = 1000;
/** Claims by the text of tokens whose signature was right: it is right for good. Only valid tokens are in it. */
const verified = new WeakMap<JWT, Map<string, Claims>>();

function verifiedBy(jwt: JWT): Map<string, Claims> {
  const known = verified.get(jwt) ?? new Map<string, Claims>();
  verified.set(jwt, known);
  return known;
}

/** The claims of a token that is ours and has not expired, or a 401 that says what is wrong. */
export function verifyToken(jwt: JWT, token: string, now: number): Claims {
  const known = verifiedBy(jwt);
  const claims = known.get(token) ?? claimsIn(jwt, token);
  if (claims.exp * 1000 <= now) {
    known.delete(token);
    throw unauthorized('token_expired', `The token expired at ${new Date(claims.exp * 1000).toISOString()}. ${getAnother}`);
  }
  if (known.size >= verifiedAtMost && !known.has(token)) known.delete(known.keys().next().value as string);
  known.set(token, claims);
  return claims;
}

function claimsIn(jwt: JWT, token: string): Claims {
  try {
    return jwt.verify<Claims>(token);
  } catch (error) {
    const [code, message] = refusals[(error as { code?: string }).code ?? ''] ?? ['token_malformed', 'The token is not a JWT.'];
    throw unauthorized(code, `${message} ${getAnother}`);
  }
}
