import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '../../base/addresses.ts';

/** Today's global unicast addresses of IPv6. What lies outside is local, reserved, or IPv4 in another guise. */
const globalIpv6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** What is let through beside public addresses over https. */
export interface Allowed {
  /** This machine itself, http too. */
  loopback: boolean;
  /** Private networks, http too: for tools that someone runs against their own network, never for the gateway. */
  privateNetworks?: boolean;
}

const privateRanges = new Set(['private', 'uniqueLocal']);
/** Of a private network, whatever is allowed. */
export const isPrivate = (address: string) => ipaddr.isValid(address) && privateRanges.has(ipaddr.process(address).range());

/** Why deliveries may not go to this address; null if they may. */
export function blockedBecause(address: string, allow: Allowed): string | null {
  if (!ipaddr.isValid(address)) return 'it is not an address';
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === 'loopback') return allow.loopback ? null : 'loopback';
  if (allow.privateNetworks && privateRanges.has(range)) return null;
  if (range !== 'unicast') return range;
  if (parsed.kind() === 'ipv6' && !(parsed as ipaddr.IPv6).match(globalIpv6)) return 'not a global address';
  return null;
}

/**
 * Why this URL cannot be delivered to, whatever DNS says; null if it may be. Names are looked up, and their addresses
 * checked, at each connection (gap pos.webhook-target).
 */
export function refusedUrl(url: URL, allow: Allowed): string | null {
  const host = hostOf(url.hostname);
  const local = isLoopback(host) || /^(.+\.)?localhost\.?$/.test(host);
  if (local) {
    if (!allow.loopback)
      return `${url.hostname} is this machine itself, which only a development setting allows (WEBHOOK_LOOPBACK)`;
    return url.protocol === 'https:' || url.protocol === 'http:' ? null : `${url.protocol} is not http or https`;
  }
  // Where a name leads is known, and checked, when a connection is opened.
  const plain = allow.privateNetworks === true && url.protocol === 'http:' && (isIP(host) === 0 || isPrivate(host));
  if (url.protocol !== 'https:' && !plain) return `${url.protocol}// is not https://`;
  const why = isIP(host) > 0 ? blockedBecause(host, allow) : null;
  return why === null ? null : `${host} is not a public address (${why})`;
}

/** `[::1]` is `::1` where addresses are compared. */
export function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
