import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction, Socket } from 'node:net';
import { buildConnector } from 'undici';
import { isLoopback } from '../../base/addresses.ts';
import { type Allowed, blockedBecause, hostOf, isInAllowedNetwork } from './guard.ts';
import { BlockedAddress } from './outcome.ts';
import { noteConnection } from './trace.ts';

export interface GuardOptions {
  allow: Allowed;
  connectTimeoutMs: number;
  /** By default the system's resolver. */
  lookup?: LookupFunction;
}

/**
 * Returns a connector for undici that connects to allowed addresses only. It checks the addresses of the same lookup that the
 * socket uses, so DNS rebinding cannot show one address to the check and another to the connection.
 */
export function guardedConnector({
  allow,
  connectTimeoutMs,
  lookup = systemLookup as LookupFunction,
}: GuardOptions): buildConnector.connector {
  const common = { timeout: connectTimeoutMs, allowH2: false, minVersion: 'TLSv1.2' } as const;
  const secure = (address: string) => blockedBecause(address, allow);
  const local = (address: string) => isLoopback(address) || isInAllowedNetwork(address, allow);
  const plain = (address: string) =>
    blockedBecause(address, allow) ??
    (local(address) ? null : 'plain http is allowed for loopback and WEBHOOK_ALLOW_NETWORKS only');
  const openSecure = buildConnector({ ...common, lookup: checkedLookup(lookup, secure) });
  const openPlain = buildConnector({ ...common, lookup: checkedLookup(lookup, plain) });
  return (options, callback) => {
    const [open, check] = options.protocol === 'https:' ? [openSecure, secure] : [openPlain, plain];
    const host = hostOf(options.hostname);
    // A literal address has no lookup, so it is checked here.
    const why = isIP(host) > 0 ? check(host) : null;
    if (why !== null) return callback(new BlockedAddress(host, why), null);
    const beganMs = performance.now();
    const opened: unknown = open(options, callback);
    if (opened instanceof Socket) noteConnection(opened, beganMs);
  };
}

/** Rejects a name if any of its addresses is blocked: a mix of public and private addresses is a sign of an attack. */
function checkedLookup(lookup: LookupFunction, check: (address: string) => string | null): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = Array.isArray(found) ? found : [];
      for (const { address } of addresses) {
        const why = check(address);
        if (why !== null) return callback(new BlockedAddress(address, why), []);
      }
      const [first] = addresses;
      if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}
