import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Who guesses, for limits on failed logins: an IPv4 address, or the /64 of an IPv6 one, within which anybody has them all. */
export function guesserOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
