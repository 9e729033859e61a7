import { BlockList } from 'node:net';
import ipaddr from 'ipaddr.js';

/** True for `localhost` and the loopback addresses: only this machine reaches them. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/** True for loopback addresses, and for names that mean them: `localhost` and `shop.localhost` (RFC 6761). */
export const isLoopbackHost = (host: string): boolean => isLoopback(host) || /^(.+\.)?localhost\.?$/i.test(host);

/**
 * The addresses on which programs listen everywhere. A system that is asked to connect to one connects to
 * itself.
 */
const unspecified: readonly string[] = ['0.0.0.0', '::'];

/**
 * True for hosts that never lead to another machine. Webhooks have a narrower rule: they may go to
 * `isLoopbackHost` only.
 */
export function isThisMachine(host: string): boolean {
  if (isLoopbackHost(host)) return true;
  return ipaddr.isValid(host) && unspecified.includes(ipaddr.process(host).toString());
}

/** Returns a list of addresses, and of networks such as 10.0.0.0/8. */
export function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
