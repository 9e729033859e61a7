import type { FastifyRequest } from 'fastify';
import { forbidden } from '../../base/errors.ts';

/** A header of our own: another site's page cannot send it without asking this gateway first, which never allows it. */
const consoleHeader = 'x-passerelle-console';

/** Whether the method only reads. */
export const isReading = (request: FastifyRequest): boolean => request.method === 'GET' || request.method === 'HEAD';

/** Refuses a change whose cookie another site's page might have had sent. */
export function refuseForgedChange(request: FastifyRequest): void {
  if (isReading(request)) return;
  if (request.headers[consoleHeader] !== '1')
    throw forged(`A change made with the session's cookie needs the header ${consoleHeader}: 1.`);
  refuseForeignPage(request);
}

/** Refuses what a browser sent for the page of another origin. Programs send neither of these headers. */
export function refuseForeignPage(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw forged(`This request comes from another site's page (Sec-Fetch-Site: ${shown(site)}).`);
  if (origin !== undefined && !isOwn(origin, request))
    throw forged(
      `This request comes from a page of ${shown(origin)}, and this is ${shown(request.host)}. Behind a proxy, have it pass the Host header on.`,
    );
}

/** A browser leaves a scheme's default port out of both, and a proxy may put it in. */
function isOwn(origin: string, request: FastifyRequest): boolean {
  const page = URL.parse(origin);
  return page !== null && page.host !== '' && page.host === URL.parse(`${page.protocol}//${request.host}`)?.host;
}

const shown = (value: unknown) => String(value).slice(0, 100);
const forged = (message: string) => forbidden('forged_request', message);
