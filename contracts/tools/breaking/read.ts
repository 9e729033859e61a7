import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fetch } from 'undici';
import { parseDocument } from 'yaml';
import { isRecord } from '../../json.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { textOf } from '../verification/sources.ts';
import { eachReference, type Source, targetOf } from './references.ts';

/** A document, read from a file or URL, with those that it refers to. */
export interface ReadDocument extends Source {
  /** The place as the user named it, without credentials. */
  name: string;
}

const mostBytes = 50_000_000;
const mostDocuments = 500;
/** The most values of a document in YAML, where each use of an anchor counts as what it stands for. */
const mostValues = 5_000_000;

const isWeb = (place: string) => /^https?:\/\//i.test(place);

/**
 * Reads an OpenAPI document (3.0 or 3.1, JSON or YAML) and the documents that its references name. Each download may take `timeoutMs`.
 * Throws `CouldNotRun`, with one line that names the place.
 */
export async function readDocument(place: string, timeoutMs: number): Promise<ReadDocument> {
  const start = isWeb(place) ? await download(place, timeoutMs) : await readLocal(place);
  const name = isWeb(place) ? withoutCredentials(place) : place;
  const root = parsed(start.text, name);
  assertOpenApi(root, name);
  const documents = new Map<string, unknown>([[start.address, root]]);
  for (const [address, document] of documents) {
    eachReference(document, (reference) =>
      documents.set(targetOf(reference, address), documents.get(targetOf(reference, address))),
    );
    for (const [target, known] of documents) {
      if (known !== undefined) continue;
      if (documents.size > mostDocuments) throw new CouldNotRun(`${name} refers to more than ${mostDocuments} documents.`);
      documents.set(target, await readTarget(target, address, timeoutMs));
    }
  }
  return { name, address: start.address, documents };
}

/** Reads a document that another one refers to. A document from the web cannot make this machine read its own files. */
async function readTarget(target: string, from: string, timeoutMs: number): Promise<unknown> {
  if (target.startsWith('file:') && from.startsWith('file:')) {
    const path = fileURLToPath(target);
    return parsed((await readLocal(path)).text, path);
  }
  if (!isWeb(target)) throw new CouldNotRun(`${withoutCredentials(from)} refers to ${target}, which is not read.`);
  return parsed((await download(target, timeoutMs)).text, withoutCredentials(target));
}

async function readLocal(place: string): Promise<{ address: string; text: string }> {
  const bytes = await (place === '-' ? buffer(process.stdin) : readFile(place)).catch((error: NodeJS.ErrnoException) => {
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: `There is no file ${place}.`,
      EISDIR: `${place} is a folder: name the file of the OpenAPI document.`,
    };
    throw new CouldNotRun(reasons[error.code ?? ''] ?? `${place} cannot be read: ${error.message}.`);
  });
  return { address: pathToFileURL(resolve(place)).href, text: textOf(bytes) };
}

function withoutCredentials(address: string): string {
  const url = URL.parse(address);
  if (!url || url.protocol === 'file:') return address;
  return `${url.origin}${url.pathname}`;
}

/** Follows redirects. The credentials of the URL go to its own origin only. */
async function download(place: string, timeoutMs: number): Promise<{ address: string; text: string }> {
  const url = URL.parse(place);
  const name = withoutCredentials(place);
  if (!url) throw new CouldNotRun(`${place} is no address.`);
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers = {
    accept: 'application/json, application/yaml, text/yaml, */*;q=0.1',
    ...(login === ':' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
  };
  url.username = '';
  url.password = '';
  try {
    const reply = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
    if (reply.status !== 200) {
      await reply.body?.cancel();
      throw new CouldNotRun(`${name} answered ${reply.status} instead of an OpenAPI document.`);
    }
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of reply.body ?? []) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new CouldNotRun(`${name} is larger than ${mostBytes} bytes.`);
      chunks.push(chunk);
    }
    return { address: reply.url, text: textOf(Buffer.concat(chunks)) };
  } catch (error) {
    if (error instanceof CouldNotRun) throw error;
    const { name: kind, message, cause } = error as Error;
    if (kind === 'TimeoutError') throw new CouldNotRun(`${name} did not answer within ${timeoutMs / 1000} s.`);
    throw new CouldNotRun(`${name} did not answer: ${(cause as Error | undefined)?.message || message}.`);
  }
}

/** JSON is read as YAML too, except that JSON's own parser is fast and names the line of an error. */
function parsed(text: string, name: string): unknown {
  const trimmed = text.trimStart();
  if (trimmed === '') throw new CouldNotRun(`${name} is empty.`);
  if (trimmed.startsWith('<'))
    throw new CouldNotRun(`${name} is HTML or XML, not an OpenAPI document: name the address of the JSON or YAML itself.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (trimmed.startsWith('{')) {
      const yaml = parsedYaml(text);
      if ('value' in yaml) return yaml.value;
      throw new CouldNotRun(`${name} is not valid JSON: ${(error as Error).message.split('\n')[0]}`);
    }
  }
  const yaml = parsedYaml(text);
  if ('value' in yaml) return yaml.value;
  throw new CouldNotRun(`${name} is not valid YAML: ${yaml.wrong}`);
}

function parsedYaml(text: string): { value: unknown } | { wrong: string } {
  try {
    const document = parseDocument(text, { merge: true, logLevel: 'silent' });
    const [error] = document.errors;
    if (error) return { wrong: (error.message.split('\n')[0] ?? '').replace(/:$/, '.') };
    const value: unknown = document.toJS({ maxAliasCount: -1 });
    return countValues(value) > mostValues ? { wrong: `it has more than ${mostValues} values.` } : { value };
  } catch (error) {
    return { wrong: (error as Error).message };
  }
}

/** Counts a shared object wherever it is used. One that contains itself has values without end. */
function countValues(value: unknown, known = new Map<object, number>()): number {
  if (typeof value !== 'object' || value === null) return 1;
  const count = known.get(value);
  if (count !== undefined) return count;
  known.set(value, Number.POSITIVE_INFINITY);
  const total = Object.values(value).reduce<number>((sum, one) => sum + countValues(one, known), 1);
  known.set(value, total);
  return total;
}

function assertOpenApi(document: unknown, name: string): void {
  if (!isRecord(document)) throw new CouldNotRun(`${name} is no OpenAPI document: it has no field "openapi".`);
  const { openapi, swagger } = document;
  if (swagger !== undefined)
    throw new CouldNotRun(`${name} is a Swagger ${String(swagger)} document. Convert it to OpenAPI 3.0 or 3.1 first.`);
  if (openapi === undefined) throw new CouldNotRun(`${name} is no OpenAPI document: it has no field "openapi".`);
  if (!/^3\.[01](\.|$)/.test(String(openapi)))
    throw new CouldNotRun(`${name} is written in OpenAPI ${String(openapi)}. This command reads OpenAPI 3.0 and 3.1.`);
}
