import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface CorsOptions {
  /** Origins such as `https://app.example.org`, whose pages may call. `*` stands for every origin. */
  origins: readonly string[];
  /** True for the calls that pages may make. */
  covers(request: FastifyRequest): boolean;
}

/** The headers of replies that programs need, beside those that every page may read. */
const exposedHeaders = [
  ...['x-request-id', 'location', 'www-authenticate', 'idempotency-replayed'],
  ...['retry-after', 'ratelimit', 'ratelimit-policy', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'],
  ...['x-passerelle-fault', 'preference-applied', 'x-preference-ignored'],
].join(', ');

/** How long a browser may remember the answer to a preflight: ten minutes. Chromium remembers at most two hours. */
const maxAgeSeconds = '600';

/**
 * Lets pages of other origins call the APIs, by the CORS protocol (Fetch standard, section 3.3). Without credentials: tokens
 * travel in Authorization, and no API reads cookies. A preflight is answered here, so that it is neither identified, counted
 * nor recorded. A call of another origin gets no headers, and its browser keeps the reply from the page.
 */
export function allowOrigins(app: FastifyInstance, { origins, covers }: CorsOptions): void {
  const isOpen = origins.includes('*');
  app.addHook('onRequest', (request, reply, done) => {
    const { origin, 'access-control-request-headers': headers } = request.headers;
    if (isOpen && origin === undefined) return done();
    if (!covers(request)) return done();
    // Also without Origin: a cache must not give that reply to a page.
    if (!isOpen) reply.header('vary', 'Origin');
    if (origin === undefined || !(isOpen || origins.includes(origin))) return done();
    reply.header('access-control-allow-origin', isOpen ? '*' : origin);
    if (!isPreflight(request)) {
      reply.header('access-control-expose-headers', exposedHeaders);
      return done();
    }
    request.unrecorded = true;
    reply.headers({
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-max-age': maxAgeSeconds,
      ...(isHeaderList(headers) && { 'access-control-allow-headers': headers }),
    });
    void reply.code(204).send();
  });
}

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** Names of headers (RFC 9110, section 5.1), separated by commas. */
const isHeaderList = (text: string | undefined): text is string =>
  text !== undefined && text.length < 2000 && /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/.test(text);

/** Returns true for an origin as browsers send it, or `*`. */
export const isOrigin = (text: string): boolean =>
  text === '*' || (/^https?:\/\//.test(text) && URL.parse(text)?.origin === text);
