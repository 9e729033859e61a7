import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { SettingsError } from '../base/errors.ts';
import type { Settings } from './config.ts';

/**
 * Fastify's options for https with HTTP/2 and HTTP/1.1; none if no certificate is set. Throws a SettingsError if the
 * certificate cannot be used.
 */
export function transportOf(settings: Settings): object {
  if (settings.TLS_CERT === undefined || settings.TLS_KEY === undefined) return {};
  const https = {
    allowHTTP1: true,
    cert: pem('TLS_CERT', settings.TLS_CERT),
    key: pem('TLS_KEY', settings.TLS_KEY),
    minVersion: 'TLSv1.2' as const,
    // As over plain http: the app answers a request without Host.
    http1Options: { requireHostHeader: false },
  };
  try {
    createSecureContext(https);
  } catch (error) {
    throw new SettingsError(`TLS_CERT and TLS_KEY cannot be used: ${(error as Error).message}.`);
  }
  return { http2: true, https };
}

function pem(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new SettingsError(`${name}=${file} cannot be read: ${(error as Error).message}.`);
  }
}
