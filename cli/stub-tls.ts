import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { warnOfExpiry } from '../gateway/start/tls.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import type { Stub, StubOptions } from '../stubs/types.ts';
import { tell } from './command.ts';

export interface TlsOptions {
  tls?: true;
  tlsCa?: string;
  tlsCert?: string;
  tlsKey?: string;
}

export const withTlsOptions = (command: Command): Command =>
  command
    .option('--tls', 'serve https, with a certificate made on the spot')
    .option('--tls-ca <file>', 'with --tls: the file of its authority, which clients trust (default: one in your cache folder)')
    .option('--tls-cert <file>', 'serve https, with the certificate in this file (PEM)')
    .option('--tls-key <file>', 'the private key of the certificate (PEM)');

/** The option of `startStub`. Throws `CouldNotRun` for options that do not belong together. */
export function tlsOf({ tls, tlsCa, tlsCert, tlsKey }: TlsOptions): StubOptions['tls'] {
  if (tls && (tlsCert ?? tlsKey) !== undefined)
    throw new CouldNotRun('--tls makes a certificate, so it excludes --tls-cert and --tls-key. Leave out --tls, or those two.');
  if (tlsCa !== undefined && !tls)
    throw new CouldNotRun('--tls-ca names the file in which --tls writes its authority. Add --tls, or leave out --tls-ca.');
  if (tlsCert === undefined && tlsKey === undefined) return tls ?? false;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new CouldNotRun(`--tls-cert and --tls-key belong together: add ${tlsCert === undefined ? '--tls-cert' : '--tls-key'}.`);
  return { cert: tlsCert, key: tlsKey };
}

/** The file that clients of stubs must trust, and its end. */
export interface Trusted {
  /** Undefined if they need none, or if only the user knows it. */
  file?: string;
  remove(): Promise<void>;
}

/** Writes the authorities of the stubs' certificates, or looks for one in the certificate given. Warns if that has expired. */
export async function trustedBy(stubs: readonly Stub<ServiceName>[], { tlsCa, tlsCert }: TlsOptions): Promise<Trusted> {
  const kept = { remove: async () => {} };
  if (tlsCert !== undefined) {
    for (const warning of warnOfExpiry(tlsCert, Date.now())) tell(`passerelle: ${warning}`);
    const { issuer, subject } = new X509Certificate(await readFile(tlsCert));
    return issuer === subject ? { file: resolve(tlsCert), ...kept } : kept;
  }
  const [first] = stubs;
  if (first?.ca === undefined) return kept;
  try {
    const file = resolve(tlsCa ?? join(cacheFolder(), `${first.api}-${new URL(first.url).port}.pem`));
    if (tlsCa === undefined) await mkdir(dirname(file), { recursive: true });
    await writeFile(file, stubs.map(({ ca }) => ca).join('\n'));
    return { file, remove: tlsCa === undefined ? () => rm(file, { force: true }) : kept.remove };
  } catch (error) {
    const advice = tlsCa === undefined ? 'Name another file with --tls-ca' : 'Name a file in a folder that exists';
    throw new CouldNotRun(`The authority of the certificate could not be written: ${(error as Error).message}. ${advice}.`);
  }
}

/** Throws in a container whose user has no home. */
function cacheFolder(): string {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'passerelle');
  if (process.platform === 'darwin') return join(homedir(), 'Library/Caches/passerelle');
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'passerelle');
}
