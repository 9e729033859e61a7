import type { FastifyRequest } from 'fastify';

/** The cookie outlives its session by a day, so that returning users learn that their session expired. */
const afterlifeSeconds = 86_400;

/** The cookie of an API's sessions. Browsers send it to this API only. */
export class SessionCookie {
  readonly name: string;
  readonly #path: string;

  constructor({ name, path }: { name: string; path: string }) {
    this.name = name;
    this.#path = path;
  }

  idIn(request: FastifyRequest): string | undefined {
    for (const pair of (request.headers.cookie ?? '').split(';')) {
      const [key = '', value = ''] = pair.split('=', 2);
      if (key.trim() === this.name && value.trim() !== '') return value.trim();
    }
    return undefined;
  }

  /** Builds `Set-Cookie` for a session. Scripts cannot read the cookie, and pages of other sites cannot send it. */
  set(request: FastifyRequest, sessionId: string, seconds: number): string {
    return this.#text(request, sessionId, seconds + afterlifeSeconds);
  }

  /** Builds `Set-Cookie` that deletes the cookie. */
  clear(request: FastifyRequest): string {
    return this.#text(request, '', 0);
  }

  #text(request: FastifyRequest, value: string, maxAgeSeconds: number): string {
    const attributes = ['HttpOnly', 'SameSite=Strict', `Path=${this.#path}`, `Max-Age=${maxAgeSeconds}`];
    if (request.protocol === 'https') attributes.push('Secure');
    return [`${this.name}=${value}`, ...attributes].join('; ');
  }
}

/** The header of the OpenAPI document for replies that set or delete the cookie. */
export const setsCookie = {
  'Set-Cookie': { description: 'The cookie of the session.', schema: { type: 'string' } },
} as const;
