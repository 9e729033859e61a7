import type { AddressInfo } from 'node:net';
import type { Settings } from './config.ts';

/** Returns the console's address for links in alerts; null in a process that serves none and does not know another's. */
export function consoleUrl(
  { PUBLIC_URL, ROLE, HOST, TLS_CERT }: Pick<Settings, 'PUBLIC_URL' | 'ROLE' | 'HOST' | 'TLS_CERT'>,
  listening: AddressInfo | string | null,
): string | null {
  if (PUBLIC_URL !== undefined) return `${PUBLIC_URL.replace(/\/$/, '')}/console`;
  if (ROLE === 'worker' || listening === null || typeof listening === 'string') return null;
  const host = HOST.includes(':') ? `[${HOST}]` : HOST;
  return `${TLS_CERT === undefined ? 'http' : 'https'}://${host}:${listening.port}/console`;
}
