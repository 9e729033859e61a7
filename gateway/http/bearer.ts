import type { FastifyRequest } from 'fastify';
import { unauthorized } from '../base/errors.ts';

/** The token of `Authorization: Bearer TOKEN` (RFC 6750), or a refusal that says what was sent instead. `hint` says where to get one. */
export function bearerToken(request: FastifyRequest, hint: string): string {
  const header = request.headers.authorization;
  if (header === undefined || header === '') throw unauthorized('token_missing', `The Authorization header is missing. ${hint}`);
  const [scheme = '', token, ...rest] = header.split(' ');
  if (scheme.toLowerCase() !== 'bearer')
    throw unauthorized('wrong_scheme', `The Authorization header has the scheme "${scheme.slice(0, 20)}", not Bearer. ${hint}`);
  if (!token || rest.length > 0)
    throw unauthorized('token_malformed', `The Authorization header must be "Bearer", one space and the token. ${hint}`);
  return token;
}
