import type { FastifyRequest } from 'fastify';
import { forbidden } from '../../base/errors.ts';

/** CSRF protection: a page of another site can send this header only after a CORS preflight, which the gateway refuses. */
const consoleHeader = 'x-passerelle-console';

/** Returns true for methods that only read. */
export const isReading = (request: FastifyRequest): boolean => request.method === 'GET' || request.method === 'HEAD';

/** Refuses a change that a page of another site may have sent with the user's cookie (CSRF). */
export function refuseForgedChange(request: FastifyRequest): void {
  if (isReading(request)) return;
  if (request.headers[consoleHeader] !== '1')
    throw forged(`A change with a session cookie needs the header ${consoleHeader}: 1.`);
  refuseForeignPage(request);
}

/** Refuses requests that a browser sent for a page of another origin. Programs send neither of these headers. */
export function refuseForeignPage(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw forged(`This request comes from a page of another site (Sec-Fetch-Site: ${shown(site)}).`);
  if (origin !== undefined && !isOwn(origin, request))
    throw forged(
      `This request comes from a page of ${shown(origin)}, but this host is ${shown(request.host)}. If a proxy is in front, configure it to forward the Host header.`,
    );
}

/** Compares as URLs do: a proxy may add a scheme's default port, which browsers leave out. */
function isOwn(origin: string, request: FastifyRequest): boolean {
  const page = URL.parse(origin);
  return page !== null && page.host !== '' && page.host === URL.parse(`${page.protocol}//${request.host}`)?.host;
}

const shown = (value: unknown) => String(value).slice(0, 100);
const forged = (message: string) => forbidden('forged_request', message);
