import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

type WithAddress = Pick<FastifyRequest, 'ip'>;

/**
 * Returns the key for limits by address: an IPv4 address, or the /64 network of an IPv6 address. One subscriber gets a
 * whole /64, so a limit by single IPv6 addresses would have no effect.
 */
export const addressKey = (request: WithAddress): string => keyOf(request, 64);

/** As `addressKey`, with the /48 network of an IPv6 address: one site may hold all of its 65,536 networks of /64. */
export const siteKey = (request: WithAddress): string => keyOf(request, 48);

function keyOf({ ip }: WithAddress, bits: 48 | 64): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const parts = (address as ipaddr.IPv6).parts.slice(0, bits / 16).map((part) => part.toString(16));
  return `${parts.join(':')}::/${bits}`;
}
