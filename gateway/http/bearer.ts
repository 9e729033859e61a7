import type { FastifyRequest } from 'fastify';
import { unauthorized } from '../base/errors.ts';

/** Returns the token of `Authorization: Bearer TOKEN` (RFC 6750). Throws a 401 that says what is wrong, and ends with `hint`. */
export function bearerToken(request: FastifyRequest, hint: string): string {
  const header = request.headers.authorization;
  if (header === undefined || header === '') throw unauthorized('token_missing', `The Authorization header is missing. ${hint}`);
  const [scheme = '', token, ...rest] = header.split(' ');
  if (scheme.toLowerCase() !== 'bearer')
    throw unauthorized('wrong_scheme', `The Authorization header ${schemeShown(scheme)}, not with Bearer. ${hint}`);
  if (!token || rest.length > 0)
    throw unauthorized('token_malformed', `The Authorization header must be "Bearer", one space and the token. ${hint}`);
  return token;
}

const schemes = ['Basic', 'Digest', 'Token', 'ApiKey', 'JWT', 'Negotiate'];

/** A token that was sent without a scheme must not appear in replies, which are recorded. */
function schemeShown(sent: string): string {
  const known = schemes.find((scheme) => scheme.toLowerCase() === sent.toLowerCase());
  return known ? `begins with ${known}` : 'begins with another word';
}
