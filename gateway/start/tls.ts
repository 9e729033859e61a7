import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { SettingsError } from '../base/errors.ts';
import type { Settings } from './config.ts';

/** A certificate or its chain, and its private key: the names of their files, or what messages call them, or their text in PEM. */
export interface Certified<T = string | Buffer> {
  cert: T;
  key: T;
}

/**
 * Fastify's options for https with HTTP/2 and HTTP/1.1; none if no certificate is set. Throws a SettingsError if the
 * certificate cannot be used.
 */
export function transportOf({ TLS_CERT: cert, TLS_KEY: key }: Settings): object {
  if (cert === undefined || key === undefined) return {};
  const named = { cert: `TLS_CERT=${cert}`, key: `TLS_KEY=${key}` };
  const { requireHostHeader, ...https } = httpsOptions(readCertified({ cert, key }, named));
  return { http2: true, https: { ...https, allowHTTP1: true, http1Options: { requireHostHeader } } };
}

export const httpsOptions = (certified: Certified) => ({
  ...certified,
  minVersion: 'TLSv1.2' as const,
  // As over plain http: the app answers a request without Host.
  requireHostHeader: false,
});

/** Reads a certificate and its key. Throws a SettingsError, in which the files have these names, if they cannot be used. */
export function readCertified(files: Certified<string>, names = files): Certified<Buffer> {
  const [cert, key] = [readPem(names.cert, files.cert), readPem(names.key, files.key)];
  const certificate = certificateOf(names.cert, cert);
  if (!certificate.checkPrivateKey(keyOf(names.key, files.key, key)))
    throw new SettingsError(`${names.key} is not the key of ${names.cert}: give both files of one certificate.`);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new SettingsError(`${names.cert} and ${names.key} cannot be used: ${(error as Error).message}.`);
  }
  return { cert, key };
}

/** Returns a warning if the certificate of this file, which can be used, has expired. */
export function warnOfExpiry(file: string, nowMs: number, name = file): string[] {
  const ended = certificateOf(name, readPem(name, file)).validToDate;
  return ended.getTime() > nowMs ? [] : [`${name} expired on ${ended.toISOString().slice(0, 10)}: clients refuse it. Renew it.`];
}

function readPem(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new SettingsError(`${name} cannot be read: ${(error as Error).message}.`);
  }
}

function certificateOf(name: string, pem: Buffer): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new SettingsError(`${name} is not a certificate in PEM: ${(error as Error).message}.`);
  }
}

function keyOf(name: string, file: string, pem: Buffer): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    // Node's message for it depends on the form of the key.
    if (pem.includes('ENCRYPTED'))
      throw new SettingsError(`${name} is encrypted. Decrypt it: openssl pkey -in ${file} -out decrypted.key`);
    throw new SettingsError(`${name} is not a private key in PEM: ${(error as Error).message}.`);
  }
}
