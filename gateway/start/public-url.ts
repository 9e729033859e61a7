import type { AddressInfo } from 'node:net';
import type { Settings } from './config.ts';

/** Returns the gateway's address for links in alerts; null in a process that serves nothing and does not know another's. */
export function publicUrl(
  { PUBLIC_URL, ROLE, HOST, TLS_CERT }: Pick<Settings, 'PUBLIC_URL' | 'ROLE' | 'HOST' | 'TLS_CERT'>,
  listening: AddressInfo | string | null,
): string | null {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL.replace(/\/$/, '');
  if (ROLE === 'worker' || listening === null || typeof listening === 'string') return null;
  const host = HOST.includes(':') ? `[${HOST}]` : HOST;
  return `${TLS_CERT === undefined ? 'http' : 'https'}://${host}:${listening.port}`;
}
