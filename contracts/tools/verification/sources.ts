import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { serviceNames, services } from '../../documents/services.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { type PactFile, readPact } from './pact-file.ts';
import type { Verifiable } from './result.ts';

/** A pact, and the file in which Pact's verifier finds it. */
export interface PactSource extends PactFile {
  file: string;
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

/** Returns the provider that a pact's provider name means, or undefined. Ignores case and punctuation. */
export function providerOf(name: string): Verifiable | undefined {
  const letters = lettersOf(name);
  if (letters === 'webhookreceiver' || letters === 'receiver') return 'webhook-receiver';
  return serviceNames.find((service) => {
    const { title, documentTitle } = services[service];
    return [service, title, `${title} API`, documentTitle].some((accepted) => lettersOf(accepted) === letters);
  });
}

/** Largest pact that is downloaded. */
const maxPactBytes = 20_000_000;
const answerDeadlineMs = 30_000;

/**
 * Reads pacts from files, folders (their `.json` files, sorted) and URLs. Downloads go to a folder that `close` removes.
 * Throws `CouldNotRun` if a place has no pact, and `PactFileError` if a file is not a pact.
 */
export async function readPacts(places: readonly string[]): Promise<{ pacts: PactSource[]; close(): Promise<void> }> {
  const folder = places.some(isAddress) ? await mkdtemp(join(tmpdir(), 'passerelle-pacts-')) : '';
  const close = async () => (folder === '' ? undefined : rm(folder, { recursive: true, force: true }));
  try {
    const files: { name: string; file: string }[] = [];
    for (const [index, place] of places.entries()) {
      files.push(...(isAddress(place) ? [await download(place, join(folder, `${index}.json`))] : await listed(place)));
    }
    return { pacts: await Promise.all(files.map(readSource)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const isAddress = (place: string) => /^https?:\/\//i.test(place);

async function listed(place: string): Promise<{ name: string; file: string }[]> {
  const found = await stat(place).catch(() => undefined);
  if (!found) throw new CouldNotRun(`There is no pact at ${place}: pass a file, a folder or a URL with --pact.`);
  if (!found.isDirectory()) return [{ name: place, file: place }];
  const names = (await readdir(place)).filter((name) => name.endsWith('.json')).sort();
  if (names.length === 0) throw new CouldNotRun(`The folder ${place} contains no .json file.`);
  return names.map((name) => join(place, name)).map((file) => ({ name: file, file }));
}

async function download(address: string, file: string): Promise<{ name: string; file: string }> {
  const { username, password, origin, pathname, search } = new URL(address);
  const name = `${origin}${pathname}`;
  const authorization = username === '' ? undefined : `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const reply = await request(`${name}${search}`, {
    headers: { accept: 'application/json', ...(authorization ? { authorization } : {}) },
    signal: AbortSignal.timeout(answerDeadlineMs),
  }).catch((error: Error) => {
    throw new CouldNotRun(`${name} did not answer: ${error.message}.`);
  });
  if (reply.statusCode !== 200) {
    await reply.body.dump();
    throw new CouldNotRun(`${name} answered ${reply.statusCode} instead of a pact.`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxPactBytes) throw new CouldNotRun(`${name} is larger than ${maxPactBytes} bytes.`);
    chunks.push(chunk);
  }
  await writeFile(file, chunks);
  return { name, file };
}

async function readSource({ name, file }: { name: string; file: string }): Promise<PactSource> {
  return { ...readPact(await readFile(file, 'utf8'), name), file };
}
