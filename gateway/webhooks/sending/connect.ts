import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction, Socket } from 'node:net';
import { promisify } from 'node:util';
import { buildConnector } from 'undici';
import { isLoopback } from '../../base/addresses.ts';
import { hostOf } from '../../base/hosts.ts';
import { skipInterimAnswers } from '../../base/interim-answers.ts';
import { type Allowed, blockedBecause, isInAllowedNetwork } from './guard.ts';
import { BlockedAddress } from './outcome.ts';
import type { ConnectProxy } from './proxy.ts';
import { noteConnection, type Tunnel } from './trace.ts';

export interface GuardOptions {
  allow: Allowed;
  connectTimeoutMs: number;
  /** By default the system's resolver. */
  lookup?: LookupFunction;
  /** By default connections are opened directly. */
  proxy?: ConnectProxy | undefined;
}

/**
 * Returns a connector for undici that connects to allowed addresses only. It checks the addresses of the same lookup that the
 * socket uses, so DNS rebinding cannot show one address to the check and another to the connection.
 */
export function guardedConnector({
  allow,
  connectTimeoutMs,
  lookup = systemLookup as LookupFunction,
  proxy,
}: GuardOptions): buildConnector.connector {
  skipInterimAnswers();
  const common = { timeout: connectTimeoutMs, allowH2: false, minVersion: 'TLSv1.2' } as const;
  const secure = (address: string) => blockedBecause(address, allow);
  const local = (address: string) => isLoopback(address) || isInAllowedNetwork(address, allow);
  const plain = (address: string) =>
    blockedBecause(address, allow) ??
    (local(address) ? null : 'plain http is allowed for loopback and WEBHOOK_ALLOW_NETWORKS only');
  const [secureLookup, plainLookup] = [checkedLookup(lookup, secure), checkedLookup(lookup, plain)];
  const openSecure = buildConnector({ ...common, lookup: secureLookup });
  const openPlain = buildConnector({ ...common, lookup: plainLookup });
  return (options, callback) => {
    const isSecure = options.protocol === 'https:';
    const [open, check, find] = isSecure ? [openSecure, secure, secureLookup] : [openPlain, plain, plainLookup];
    const host = hostOf(options.hostname);
    // A literal address has no lookup, so it is checked here.
    const why = isIP(host) > 0 ? check(host) : null;
    if (why !== null) return callback(new BlockedAddress(host, why), null);
    const beganMs = performance.now();
    if (!proxy) {
      const opened: unknown = open(options, callback);
      if (opened instanceof Socket) noteConnection(opened, beganMs);
      return;
    }
    const port = Number(options.port || (isSecure ? 443 : 80));
    openTunnel(proxy, { host, port, find }).then(
      ({ socket, ...tunnel }) => {
        const opened: unknown = isSecure ? open({ ...options, httpSocket: socket }, callback) : socket;
        if (opened instanceof Socket) noteConnection(opened, performance.now(), tunnel);
        if (!isSecure) callback(null, socket);
      },
      (error: Error) => callback(error, null),
    );
  };
}

interface Wanted {
  host: string;
  port: number;
  /** Rejects blocked addresses. */
  find: LookupFunction;
}

/**
 * Names the checked address to the proxy, and not the receiver's name: the proxy would look it up again, and could get an address that
 * nobody has checked.
 */
async function openTunnel(proxy: ConnectProxy, { host, port, find }: Wanted): Promise<Tunnel & { socket: Socket }> {
  const beganMs = performance.now();
  const phases: Tunnel['phases'] = {};
  let address = host;
  if (isIP(host) === 0) {
    const found = (await promisify(find)(host, { all: true })) as unknown as LookupAddress[];
    // Many proxies have no IPv6.
    address = (found.find(({ family }) => family === 4) ?? found[0])?.address ?? '';
    phases.dns = performance.now() - beganMs;
  }
  const askedMs = performance.now();
  const socket = await proxy.open(address, port);
  phases.connect = performance.now() - askedMs;
  return { socket, address, phases };
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
