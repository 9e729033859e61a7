import ipaddr from 'ipaddr.js';

/** True for `localhost` and the loopback addresses: only this machine reaches them. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
