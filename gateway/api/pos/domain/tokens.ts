import fastifyJwt, { type JWT } from '@fastify/jwt';
import type { FastifyInstance } from 'fastify';
import { unauthorized } from '../../../base/errors.ts';
import type { Keyring } from '../../../base/keyring.ts';

/** A token's claims: the account, and the key it was issued for (gap pos.token-format). Times are seconds since 1970. */
export interface Claims {
  sub: string;
  key: string;
  iat: number;
  exp: number;
}

/** Lets the routes of a scope issue and verify tokens, with `server.jwt`. */
export const registerTokens = (app: Pick<FastifyInstance, 'register'>, keys: Keyring) =>
  void app.register(fastifyJwt, jwtOptions(keys.derive('pos tokens')));

/** Settings of @fastify/jwt. `verifyToken` checks the expiry, because a stub may move the gateway's clock. */
const jwtOptions = (secret: Buffer) => ({
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

/** Refusals by the code of fast-jwt's error. Any other code means that the token is malformed. */
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

const maxVerified = 1000;
/** Claims by token, for tokens whose signature was verified before: a valid signature stays valid. */
const verified = new WeakMap<JWT, Map<string, Claims>>();

function verifiedBy(jwt: JWT): Map<string, Claims> {
  const known = verified.get(jwt);
  if (known) return known;
  const first = new Map<string, Claims>();
  verified.set(jwt, first);
  return first;
}

/** Returns the claims of a token that this gateway issued and that has not expired. Throws a 401 that says what is wrong. */
export function verifyToken(jwt: JWT, token: string, now: number): Claims {
  const known = verifiedBy(jwt);
  const kept = known.get(token);
  const claims = kept ?? readClaims(jwt, token);
  if (claims.exp * 1000 <= now) {
    known.delete(token);
    throw unauthorized('token_expired', `The token expired at ${new Date(claims.exp * 1000).toISOString()}. ${getAnother}`);
  }
  if (kept) return kept;
  if (known.size >= maxVerified) known.delete(known.keys().next().value as string);
  known.set(token, claims);
  return claims;
}

function readClaims(jwt: JWT, token: string): Claims {
  try {
    return jwt.verify<Claims>(token);
  } catch (error) {
    const [code, message] = refusals[(error as { code?: string }).code ?? ''] ?? ['token_malformed', 'The token is not a JWT.'];
    throw unauthorized(code, `${message} ${getAnother}`);
  }
}
