import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../gateway/base/addresses.ts';
import { Refusal } from '../gateway/base/errors.ts';
import { sameSecret } from '../gateway/base/keyring.ts';

type Asking = Pick<FastifyRequest, 'headers' | 'ip' | 'protocol'>;

/** Throws `forbidden` unless the call comes from this machine and not from a foreign page, or carries the operator's token. */
export function refuseStrangers(request: Asking, operatorToken: string): void {
  const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
  if (scheme === 'Bearer' && sameSecret(token, operatorToken)) return;
  if (isFromHere(request) && !isOfForeignPage(request)) return;
  const message = "Only programs on this machine and the stub's own page may call /_stub without the operator's token.";
  throw new Refusal('forbidden', 'not_local', message);
}

/** Returns true for calls from this machine. After DNS rebinding, the Host header of a foreign page's calls has its own name. */
export function isFromHere({ headers, ip }: Asking): boolean {
  const named = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  return isLoopback(ip) && isLoopback(named);
}

/** Browsers send `Origin` or `Sec-Fetch-Site` with what a page asks for, and no page can change them. */
function isOfForeignPage({ headers, protocol }: Asking): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== `${protocol}://${host}`) return true;
  return site !== undefined && site !== 'none' && site !== 'same-origin';
}
