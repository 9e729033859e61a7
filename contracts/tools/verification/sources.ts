import { mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { withoutLogin } from '../../../gateway/base/hosts.ts';
import { serviceNames, services } from '../../../spec/documents/services.ts';
import { jsonOr } from '../../../spec/json.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { askFor, basicLogin } from '../outgoing.ts';
import { unescaped } from '../unescaped.ts';
import { type Beside, besideName, parseBeside } from './beside.ts';
import { type PactFile, PactFileError, readPact } from './pact-file.ts';
import type { Verifiable } from './result.ts';

/** A pact, and the file in which Pact's verifier finds it. */
export interface PactSource extends PactFile {
  file: string;
  /** What the partner wrote about the pacts of the same folder. */
  beside?: Beside | undefined;
  /** True if a broker says that its failures do not count. */
  isPending?: boolean;
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

/** A pact before it is read: it may be another provider's, and of a kind that `readPact` does not know. */
export interface FoundPact {
  source: string;
  /** The name of its provider; undefined if the file is not a pact. */
  provider: string | undefined;
  /** True if it was found in a folder, false if it was named. */
  isListed: boolean;
}

type Choose = (found: readonly FoundPact[]) => readonly FoundPact[];

interface ReadPacts {
  pacts: PactSource[];
  /** Why other files could not be used: one sentence each, which names the file. */
  unusable: string[];
  /** Removes the downloads. */
  close(): Promise<void>;
}

/**
 * Reads the chosen pacts from files, folders (their `.json` files, also those of their folders, sorted) and URLs. If one file is
 * not a pact, the others are still read. Throws `CouldNotRun` if a place has no pact, and `PactFileError` if no file is a pact.
 */
export async function readPacts(places: readonly string[], choose: Choose = (all) => all): Promise<ReadPacts> {
  const folder = places.some(isAddress) ? await mkdtemp(join(tmpdir(), 'passerelle-pacts-')) : '';
  const close = async () => (folder === '' ? undefined : rm(folder, { recursive: true, force: true }));
  try {
    const files: PactText[] = [];
    for (const [index, place] of places.entries()) {
      const at = isAddress(place) ? [await download(place, join(folder, `${index}.json`))] : await listed(place);
      files.push(...(await Promise.all(at.map(readText))));
    }
    const chosen = new Set(choose(files));
    const read = await Promise.all(files.filter((one) => chosen.has(one)).map(readSource));
    const wrong = read.filter((one) => one instanceof PactFileError);
    if (wrong[0] && wrong.length === read.length) throw wrong[0];
    return {
      pacts: read.flatMap((one) => (one instanceof PactFileError ? [] : [one])),
      unusable: wrong.map(({ message }) => message),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readSource({ text, source, file }: PactText): Promise<PactSource | PactFileError> {
  if (text instanceof PactFileError) return text;
  try {
    // Only a local file can have a partner's file beside it, not a download.
    return {
      ...readPact(text, source),
      file,
      beside: source === file ? await readBeside(join(dirname(file), besideName), false) : undefined,
    };
  } catch (error) {
    if (error instanceof PactFileError) return error;
    throw error;
  }
}

/** Reads the partner's file beside pacts, or that of the current folder. Returns undefined if there is none and nobody named it. */
export async function readBeside(given?: string, isNamed = given !== undefined): Promise<Beside | undefined> {
  const path = given ?? besideName;
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (!isNamed && error.code === 'ENOENT') return undefined;
    throw new CouldNotRun(`${path} could not be read: ${error.message}.`);
  });
  return bytes === undefined ? undefined : parseBeside(textOf(bytes), path);
}

const isAddress = (place: string) => /^https?:\/\//i.test(place);

interface PactPlace {
  name: string;
  file: string;
  isListed: boolean;
}

async function listed(place: string): Promise<PactPlace[]> {
  const found = await stat(place).catch(() => undefined);
  if (!found) throw new CouldNotRun(`There is no pact at ${withoutLogin(place)}: pass a file, a folder or a URL with --pact.`);
  // A pattern such as `pacts/*.json` names the file beside the pacts too.
  if (!found.isDirectory()) return basename(place) === besideName ? [] : [{ name: place, file: place, isListed: false }];
  const all = await filesIn(place);
  const files = all.filter((file) => /\.json$/i.test(file) && basename(file) !== besideName).sort();
  const others = all.length === 0 ? '' : ` Other files in it: ${all.length}.`;
  if (files.length === 0) throw new CouldNotRun(`The folder ${place} contains no .json file.${others}`);
  return files.map((file) => ({ name: file, file, isListed: true }));
}

/**
 * Returns the files of a folder and of its folders, also of linked ones, but not what is hidden or installed. `seen` has the real paths
 * of the folders so far: each is read once, wherever links lead.
 */
async function filesIn(folder: string, seen = new Set<string>()): Promise<string[]> {
  const real = await realpath(folder);
  if (seen.has(real)) return [];
  seen.add(real);
  const files: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    // A link that leads nowhere is a file that cannot be read.
    const found = await stat(path).catch(() => undefined);
    if (!found?.isDirectory()) files.push(path);
    else if (!name.startsWith('.') && name !== 'node_modules') files.push(...(await filesIn(path, seen)));
  }
  return files;
}

async function download(address: string, file: string): Promise<PactPlace> {
  const { origin, pathname, search, authorization } = readAddress(address);
  const name = `${origin}${pathname}`;
  const headers = { accept: 'application/json', ...(authorization && { authorization }) };
  const { status, bytes } = await askFor(`${name}${search}`, { headers }, name);
  if (status !== 200) throw new CouldNotRun(`${name} answered ${status} instead of a pact.`);
  await writeFile(file, bytes);
  return { name, file, isListed: false };
}

/**
 * Reads the address of a pact, which may have a login. Throws `CouldNotRun` without anything that may be a
 * password.
 */
function readAddress(address: string) {
  const url = URL.parse(address);
  const unread = address.slice(address.indexOf('//') + 2);
  const hasLogin = url !== null && (url.username !== '' || url.password !== '');
  // `http://till:80/secret@localhost` is an address of the host till, whose path would be printed.
  if (unread.includes('@') && !hasLogin) throw new CouldNotRun(`The address of a pact cannot be used. ${encoding}`);
  if (!url) throw new CouldNotRun(`${address} is not an address of a pact: pass one such as https://example.org/pact.json.`);
  const authorization = hasLogin ? basicLogin(unescaped(url.username), unescaped(url.password)) : undefined;
  return { origin: url.origin, pathname: url.pathname, search: url.search, authorization };
}

const encoding = 'In its user or password, write "/" as %2F, "?" as %3F and "#" as %23. Write the "@" of a path as %40.';

interface PactText extends FoundPact {
  file: string;
  text: string | PactFileError;
}

async function readText({ name, file, isListed }: PactPlace): Promise<PactText> {
  const text = await readFile(file).then(
    textOf,
    (error: Error) => new PactFileError(`${name} cannot be read: ${error.message}.`),
  );
  const provider = typeof text === 'string' ? providerIn(text) : undefined;
  return { source: name, file, isListed, text, provider };
}

const withProvider = z.object({ provider: z.object({ name: z.string() }) });

const providerIn = (text: string) => withProvider.safeParse(jsonOr(text, undefined)).data?.provider.name;

/** Returns the text of a file without its byte order mark: UTF-8, or UTF-16 as PowerShell writes it. */
export function textOf(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes);
}
