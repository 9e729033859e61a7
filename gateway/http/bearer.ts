import type { FastifyRequest } from 'fastify';
import { unauthorized } from '../base/errors.ts';

/** Returns the token of `Authorization: Bearer TOKEN` (RFC 6750). Throws a 401 that says what is wrong, and ends with `hint`. */
export function bearerToken(request: FastifyRequest, hint: string): string {
  const header = request.headers.authorization;
  if (header === undefined || header === '') throw unauthorized('token_missing', `The Authorization header is missing. ${hint}`);
  const space = header.indexOf(' ');
  const scheme = space === -1 ? header : header.slice(0, space);
  if (scheme.toLowerCase() !== 'bearer')
    throw unauthorized('wrong_scheme', `The Authorization header ${schemeShown(scheme)}, not with Bearer. ${hint}`);
  const token = header.slice(scheme.length + 1);
  if (token === '' || token.includes(' '))
    throw unauthorized('token_malformed', `The Authorization header must be "Bearer", one space and the token. ${hint}`);
  return token;
}

const schemes = ['Basic', 'Digest', 'Token', 'ApiKey', 'JWT', 'Negotiate'];

/** A token that was sent without a scheme must not appear in replies, which are recorded. */
function schemeShown(sent: string): string {
  const known = schemes.find((scheme) => scheme.toLowerCase() === sent.toLowerCase());
  return known ? `begins with ${known}` : 'begins with another word';
}
