import type { FastifyRequest } from 'fastify';

const name = 'passerelle_session';

/** The cookie outlives its session by a day, so that returning users learn that their session expired. */
const afterlifeSeconds = 86_400;

/** Returns the session id in the request's cookie, if there is one. */
export function sessionIdOf(request: FastifyRequest): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key = '', value = ''] = pair.split('=', 2);
    if (key.trim() === name && value.trim() !== '') return value.trim();
  }
  return undefined;
}

/** Builds `Set-Cookie` for a session. Scripts cannot read the cookie, and pages of other sites cannot send it. */
export const sessionCookie = (request: FastifyRequest, sessionId: string, seconds: number): string =>
  cookie(request, sessionId, seconds + afterlifeSeconds);

/** Builds `Set-Cookie` that deletes the cookie. */
export const noCookie = (request: FastifyRequest): string => cookie(request, '', 0);

function cookie(request: FastifyRequest, value: string, maxAgeSeconds: number): string {
  const attributes = ['HttpOnly', 'SameSite=Strict', 'Path=/manage/v1', `Max-Age=${maxAgeSeconds}`];
  if (request.protocol === 'https') attributes.push('Secure');
  return [`${name}=${value}`, ...attributes].join('; ');
}
