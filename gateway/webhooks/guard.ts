import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '../config.ts';

/** Today's global unicast addresses of IPv6. What lies outside is local, reserved, or IPv4 in another guise. */
const globalIpv6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Why deliveries may not go to this address; null if they may. */
export function blockedBecause(address: string, allow: { loopback: boolean }): string | null {
  if (!ipaddr.isValid(address)) return 'it is not an address';
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === 'loopback') return allow.loopback ? null : 'loopback';
  if (range !== 'unicast') return range;
  if (parsed.kind() === 'ipv6' && !(parsed as ipaddr.IPv6).match(globalIpv6)) return 'not a global address';
  return null;
}

/**
 * Why this URL cannot be delivered to, whatever DNS says; null if it may be. Names are looked up, and their addresses
 * checked, at each connection (gap pos.webhook-target).
 */
export function refusedUrl(url: URL, allow: { loopback: boolean }): string | null {
  const host = hostOf(url.hostname);
  const local = isLoopback(host) || /^(.+\.)?localhost\.?$/.test(host);
  if (local) {
    if (!allow.loopback)
      return `${url.hostname} is this machine itself, which only a development setting allows (WEBHOOK_LOOPBACK)`;
    return url.protocol === 'https:' || url.protocol === 'http:' ? null : `${url.protocol} is not http or https`;
  }
  if (url.protocol !== 'https:') return `${url.protocol}// is not https://`;
  const why = isIP(host) > 0 ? blockedBecause(host, allow) : null;
  return why === null ? null : `${host} is not a public address (${why})`;
}

/** `[::1]` is `::1` where addresses are compared. */
export function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
