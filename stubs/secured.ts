import { hostname, networkInterfaces } from 'node:os';
import { httpsOptions, readCertified } from '../gateway/start/tls.ts';
import { defaultHost } from './listen-on.ts';
import type { StubOptions } from './types.ts';

/** How a stub serves https. */
export interface Secured {
  /** Options of Node's https server. */
  https: object;
  /** The authority of a certificate made on the spot, in PEM. */
  ca?: string;
}

/** Throws a SettingsError if the certificate or the key cannot be used. */
export async function securedBy(tls: NonNullable<StubOptions['tls']>, host = defaultHost): Promise<Secured> {
  if (typeof tls === 'object') return { https: httpsOptions(readCertified(tls)) };
  const { makeCertificate } = await import('./certificate.ts');
  const { ca, ...made } = makeCertificate(hostsOf(host), Date.now());
  return { https: httpsOptions(made), ca };
}

/**
 * The names and addresses under which clients may call a stub that listens on this host. If it listens on all addresses, these
 * are all of them and the machine's name.
 */
function hostsOf(host: string): string[] {
  const all = () => [
    hostname(),
    ...Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address)),
  ];
  const hosts = ['localhost', '127.0.0.1', '::1', ...(host === '0.0.0.0' || host === '::' ? all() : [host])];
  return [...new Set(hosts)].filter((one) => /^[\w.:-]+$/.test(one));
}
