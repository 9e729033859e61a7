import { type BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { blockListOf, isLoopback, isLoopbackHost } from '../../base/addresses.ts';
import { hostOf } from '../../base/hosts.ts';
import { isBlockedPort, metadataAddresses } from './blocked.ts';

/** The global unicast range of IPv6. Addresses outside it are local, reserved, or embed an IPv4 address. */
const globalIpv6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Targets that are allowed besides public addresses over https. */
export interface Allowed {
  /** This machine, also over http. */
  loopback: boolean;
  /**
   * Private addresses in these networks, also over http. Only for operators, who vouch for their receivers. Partners must not
   * reach these networks.
   */
  networks?: BlockList | undefined;
}

/** All networks of RFC 1918 and RFC 4193, for command line tools in the user's own network. */
export const privateNetworks = blockListOf(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']);

/** The only ranges of which networks can be allowed, so a list that is too wide allows no loopback or link-local address. */
const privateRanges = new Set(['private', 'carrierGradeNat', 'uniqueLocal']);

/** True for a private address in an allowed network. */
export function isInAllowedNetwork(address: string, { networks }: Allowed): boolean {
  if (!networks || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return privateRanges.has(parsed.range()) && networks.check(parsed.toString(), parsed.kind());
}

/**
 * IPv6 prefixes that embed an IPv4 address, which a gateway on the way forwards to, and the byte at which it begins. The embedded address must
 * be public. It is unknown where it begins in the local prefix of NAT64 (64:ff9b:1::/48, RFC 8215), which stays blocked.
 */
const embedding = [
  // NAT64 (RFC 6052): with DNS64 each name without IPv6 has such an address.
  { prefix: ipaddr.IPv6.parse('64:ff9b::'), bits: 96, at: 12 },
  // SIIT (RFC 6145).
  { prefix: ipaddr.IPv6.parse('::ffff:0:0:0'), bits: 96, at: 12 },
  // 6to4 (RFC 3056).
  { prefix: ipaddr.IPv6.parse('2002::'), bits: 16, at: 2 },
];

/** Returns the IPv4 address that an IPv6 address embeds, or the address itself. */
function judgedAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed;
  const found = embedding.find(({ prefix, bits }) => parsed.match(prefix, bits));
  return found ? ipaddr.fromByteArray(parsed.toByteArray().slice(found.at, found.at + 4)) : parsed;
}

/** Returns why deliveries to this address are blocked, or null if they are allowed. */
export function blockedBecause(address: string, allow: Allowed): string | null {
  // An address with a zone (`fd00::1%eth0`) would not be found among the metadata addresses.
  if (!ipaddr.isValid(address) || address.includes('%')) return 'not an IP address';
  const parsed = judgedAddress(address);
  if (metadataAddresses.check(parsed.toString(), parsed.kind())) return 'the metadata service of a cloud';
  const range = parsed.range();
  if (range === 'loopback') return allow.loopback && isLoopback(address) ? null : 'loopback';
  if (isInAllowedNetwork(address, allow)) return null;
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
  // undici would leave them out.
  if (url.username !== '' || url.password !== '') return 'a URL must have no user and no password';
  const isLocal = isLoopbackHost(host);
  if (isLocal && !allow.loopback)
    return `${url.hostname} is this machine, which is allowed only with the development setting WEBHOOK_LOOPBACK`;
  if (url.port !== '' && isBlockedPort(Number(url.port), { isLocal }))
    return `port ${url.port} is for another service than a web server: leave it out, or use another`;
  if (isLocal) return url.protocol === 'https:' || url.protocol === 'http:' ? null : `${url.protocol} is not http or https`;
  // The addresses of a name are checked when a connection is opened.
  const plain = url.protocol === 'http:' && (isIP(host) === 0 ? allow.networks !== undefined : isInAllowedNetwork(host, allow));
  if (url.protocol !== 'https:' && !plain) return `${url.protocol}// is not https://`;
  const why = isIP(host) > 0 ? blockedBecause(host, allow) : null;
  return why === null ? null : `${host} is not a public address (${why})`;
}
