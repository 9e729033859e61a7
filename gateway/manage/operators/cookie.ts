import type { FastifyRequest } from 'fastify';

const name = 'passerelle_session';

/** The cookie outlives its session by a day, so that who comes back is told that the session ended, not that there was none. */
const afterlifeSeconds = 86_400;

/** The session that the request's cookie names, if it has one. */
export function sessionIdOf(request: FastifyRequest): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key = '', value = ''] = pair.split('=', 2);
    if (key.trim() === name && value.trim() !== '') return value.trim();
  }
  return undefined;
}

/** `Set-Cookie` for a session of so many seconds. Scripts cannot read it, and no other site's page can send it. */
export const sessionCookie = (request: FastifyRequest, sessionId: string, seconds: number): string =>
  cookie(request, sessionId, seconds + afterlifeSeconds);

/** `Set-Cookie` that takes it away. */
export const noCookie = (request: FastifyRequest): string => cookie(request, '', 0);

function cookie(request: FastifyRequest, value: string, maxAgeSeconds: number): string {
  const attributes = ['HttpOnly', 'SameSite=Strict', 'Path=/manage/v1', `Max-Age=${maxAgeSeconds}`];
  if (request.protocol === 'https') attributes.push('Secure');
  return [`${name}=${value}`, ...attributes].join('; ');
}
