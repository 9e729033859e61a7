import type { FastifyRequest } from 'fastify';
import { forbidden } from '../../base/errors.ts';
import { isReading } from './reading.ts';

/**
 * Refuses a change that a page of another site may have sent with the user's cookie (CSRF). Such a page can send `header`, the
 * API's own, only after a CORS preflight, which the gateway refuses.
 */
export function refuseForgedChange(
  request: FastifyRequest,
  header: string,
  isOwn = (sent: unknown): boolean => sent === '1',
): void {
  if (isReading(request)) return;
  if (!isOwn(request.headers[header])) throw forged(`A change with a session cookie needs the header ${header}: 1.`);
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
