import { readFileSync } from 'node:fs';
import { redacted } from '../../../gateway/base/redact.ts';
import { type ServiceName, serviceNames, services } from '../../../spec/documents/services.ts';
import { findOperation } from '../../../spec/openapi/operations.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { Hider, secretsIn } from '../secrets.ts';
import { type Entry, entriesOf, headersOf, isCut, replyBodyOf, requestBodyOf } from './archive.ts';
import { exchangeOf, type Recording } from './recorded.ts';

export interface HarOptions {
  bytes: Buffer;
  /** The file's name, for messages. */
  source: string;
  service: ServiceName;
}

export interface TakenRecording {
  recording: Recording;
  /** What was not taken, and why: a sentence each, without secrets. */
  notes: string[];
}

/**
 * Reads the calls of one API from an HTTP Archive 1.2, as browsers, test runners and proxies write it. Secrets are replaced
 * wherever they are. Throws `CouldNotRun` with one line if the file is not an archive or has no call of the API.
 */
export function readHar({ bytes, source, service }: HarOptions): TakenRecording {
  const seen = entriesOf(bytes, source).map(seenOf);
  const skipped = new Map(seen.map((one) => [one, reasonToSkip(one, service)]));
  const taken = seen.filter((one) => skipped.get(one) === undefined);
  const notes = notesOf(skipped, taken);
  if (taken.length === 0) throw new CouldNotRun([`${source} has no call of ${service} that can be taken.`, ...notes].join(' '));
  return {
    recording: { service, exchanges: withoutSecrets(taken).map((call) => exchangeOf(service, call)), deliveries: [] },
    notes,
  };
}

/** Reads the archive in a file. Throws `CouldNotRun`. */
export const readHarFile = (file: string, service: ServiceName): TakenRecording =>
  readHar({ service, bytes: bytesOf(file), source: file });

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder: name the .har in it' : message;
    throw new CouldNotRun(`${file} ${why}.`);
  }
}

/**
 * The index at which the path of an API begins, or -1. Each base address ends in /api/v1, and the token of pos is at /api/auth.
 * The part of the path before it is the provider's own.
 */
const rootOf = (path: string) => Math.max(path.lastIndexOf('/api/v1/'), path.search(/\/api\/auth\/?$/));

type Seen = ReturnType<typeof seenOf>;

/** Returns a call of an archive, with the API to which it belongs. */
function seenOf(entry: Entry) {
  const { request, response } = entry;
  const method = request.method.toUpperCase();
  const { host, pathname, search } = URL.parse(request.url) ?? { host: '', pathname: request.url, search: '' };
  const at = host === '' ? -1 : rootOf(pathname);
  const path = pathname.slice(Math.max(at, 0));
  const service = serviceNames.find((name) => at >= 0 && findOperation(name, method, path) !== undefined);
  const about = { address: request.url, service };
  const call = {
    method,
    url: path + search,
    requestHeaders: headersOf(request.headers),
    responseHeaders: headersOf(response?.headers),
    status: response?.status ?? 0,
    // Undefined if the file does not contain it.
    requestBody: service && requestBodyOf(entry),
    responseBody: service && replyBodyOf(entry),
  };
  return { about, call };
}

/** Why a call is not taken, in words that follow `Skipped 2 calls`, and its name in the list of these calls. */
function reasonToSkip({ about, call }: Seen, service: ServiceName): [why: string, name?: string] | undefined {
  if (call.method === 'OPTIONS') return ['by which a browser asks for permission (OPTIONS)'];
  if (about.service === undefined)
    return [`of no operation of ${serviceNames.join(' or ')}`, `${call.method} ${call.url.split('?', 1)[0]}`];
  if (about.service !== service)
    return [`of ${services[about.service].title}: they are taken by passerelle pact ${about.service}`];
  if (call.status < 100) return ['without a reply'];
  if (call.requestBody === undefined) return ['whose request has a body that the file does not contain'];
  return isCut(call.requestBody) ? ['whose request body was cut when it was recorded'] : undefined;
}

function notesOf(skipped: ReadonlyMap<Seen, ReturnType<typeof reasonToSkip>>, taken: readonly Seen[]): string[] {
  const hider = new Hider(secretsIn([...skipped.keys()].map(({ about }) => about.address)));
  const reasons = [...skipped.values()].filter((reason) => reason !== undefined);
  const notes = [...Map.groupBy(reasons, ([why]) => why)].map(([why, same]) => {
    const names = [...new Set(same.flatMap(([, name]) => name ?? []))];
    return `Skipped ${counted(same.length)} ${why}${names.length === 0 ? '' : `: ${listed(names)}`}.`;
  });
  const bare = taken.filter(({ call }) => call.responseBody === undefined).length;
  if (bare > 0) notes.push(`The file does not contain the reply's body of ${counted(bare)}.`);
  return notes.map(hider.text);
}

const counted = (calls: number) => `${calls} ${calls === 1 ? 'call' : 'calls'}`;

/** The maximum number of names that a message lists. */
const mostListed = 5;
const listed = (names: readonly string[]) =>
  names.length <= mostListed
    ? names.join(', ')
    : `${names.slice(0, mostListed).join(', ')} and ${names.length - mostListed} more`;

/**
 * Replaces secrets. It finds them by the names before them, and then by their values in the rest of the recording. Tokens get
 * numbers, because a token that was accepted in one call and refused in another has expired.
 */
function withoutSecrets(taken: readonly Seen[]) {
  const calls = taken.map(({ call }) => {
    return { ...call, requestBody: call.requestBody ?? '', responseBody: call.responseBody ?? '' };
  });
  const hider = new Hider(secretsIn(calls));
  const tokens = [...new Set(calls.map(({ requestHeaders }) => requestHeaders.authorization))];
  return calls.map((call) => {
    const hidden = hider.value(call) as typeof call;
    const { authorization } = hidden.requestHeaders;
    const number = tokens.indexOf(call.requestHeaders.authorization) + 1;
    if (authorization !== undefined)
      hidden.requestHeaders.authorization = authorization.replace(redacted, `${redacted}-${number}`);
    return hidden;
  });
}
