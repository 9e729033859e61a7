import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '../../base/addresses.ts';
import { isBlockedPort, metadataAddresses } from './blocked.ts';

/** The global unicast range of IPv6. Addresses outside it are local, reserved, or embed an IPv4 address. */
const globalIpv6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Targets that are allowed besides public addresses over https. */
export interface Allowed {
  /** This machine, also over http. */
  loopback: boolean;
  /** Private networks, also over http. For command line tools in the user's own network, never for the gateway. */
  privateNetworks?: boolean;
}

const privateRanges = new Set(['private', 'uniqueLocal']);
/** True for RFC 1918 and fc00::/7 addresses; ignores `Allowed`. */
export const isPrivate = (address: string) => ipaddr.isValid(address) && privateRanges.has(ipaddr.process(address).range());

/** Returns why deliveries to this address are blocked, or null if they are allowed. */
export function blockedBecause(address: string, allow: Allowed): string | null {
  if (!ipaddr.isValid(address)) return 'not an IP address';
  const parsed = ipaddr.process(address);
  if (metadataAddresses.has(parsed.toString())) return 'the metadata service of a cloud';
  const range = parsed.range();
  if (range === 'loopback') return allow.loopback ? null : 'loopback';
  if (allow.privateNetworks && privateRanges.has(range)) return null;
  if (range !== 'unicast') return range;
  if (parsed.kind() === 'ipv6' && !(parsed as ipaddr.IPv6).match(globalIpv6)) return 'not a global address';
  return null;
}

/**
 * Returns why this URL is rejected, or null if it is accepted. Does not look names up: their addresses are checked at each
 * connection (gap pos.webhook-target).
 */
export function refusedUrl(url: URL, allow: Allowed): string | null {
  const host = hostOf(url.hostname);
  const isLocal = isLoopback(host) || /^(.+\.)?localhost\.?$/.test(host);
  if (isLocal && !allow.loopback)
    return `${url.hostname} is this machine, which is allowed only with the development setting WEBHOOK_LOOPBACK`;
  if (url.port !== '' && isBlockedPort(Number(url.port), { isLocal }))
    return `port ${url.port} is for another service than a web server: leave it out, or use another`;
  if (isLocal) return url.protocol === 'https:' || url.protocol === 'http:' ? null : `${url.protocol} is not http or https`;
  // The addresses of a name are checked when a connection is opened.
  const plain = allow.privateNetworks === true && url.protocol === 'http:' && (isIP(host) === 0 || isPrivate(host));
  if (url.protocol !== 'https:' && !plain) return `${url.protocol}// is not https://`;
  const why = isIP(host) > 0 ? blockedBecause(host, allow) : null;
  return why === null ? null : `${host} is not a public address (${why})`;
}

/** Removes the brackets of an IPv6 address: `[::1]` becomes `::1`. */
export function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
