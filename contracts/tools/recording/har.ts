import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { didYouMean } from '../../../gateway/base/nearest.ts';
import { redacted } from '../../../gateway/base/redact.ts';
import { type ServiceName, serviceNames, services } from '../../../spec/documents/services.ts';
import { findOperation } from '../../../spec/openapi/operations.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { Hider, secretsIn } from '../secrets.ts';
import { type Attached, type Entry, entriesOf, headersOf, isCut, replyBodyOf, requestBodyOf } from './archive.ts';
import type { RecordedCall, Recording } from './recorded.ts';

export interface HarOptions {
  bytes: Buffer;
  /** The file's name, for messages. */
  source: string;
  service: ServiceName;
  /** Returns a body that is in a separate file beside the archive, as Playwright writes it. */
  attached?: Attached | undefined;
  /**
   * Take only the calls of this host: `sandbox.example` or `sandbox.example:8443`. Default: the only host that has calls of the
   * API.
   */
  host?: string | undefined;
}

export interface TakenRecording {
  recording: Recording;
  /** What was not taken, and why: a sentence each, without secrets. */
  notes: string[];
}

/**
 * Reads the calls of one API from an HTTP Archive 1.2, as browsers, test runners and proxies write it, oldest first. Secrets are
 * replaced wherever they are. Throws `CouldNotRun` with one line if the file is not an archive or has no call of the API.
 */
export function readHar({ bytes, source, service, host, attached = () => undefined }: HarOptions): TakenRecording {
  const seen = entriesOf(bytes, source).map((one) => seenOf(one, attached));
  const chosen = hostOf(seen, { source, service, host });
  const fates = seen.map((one) => ({ ...one, fate: fateOf(one, service, chosen) }));
  const taken = fates.filter(({ fate }) => fate === 'taken');
  const notes = notesOf(fates, service);
  if (taken.length === 0) throw new CouldNotRun([`${source} has no call of ${service} that can be taken.`, ...notes].join(' '));
  const calls = inOrder(taken.map(callOf));
  return { recording: { service, calls: withoutSecrets(calls), deliveries: [] }, notes };
}

/** Reads the archive in a file, and the bodies beside it. Throws `CouldNotRun`. */
export function readHarFile(file: string, options: Pick<HarOptions, 'service' | 'host'>): TakenRecording {
  // An archive must not name files elsewhere.
  const beside = (name: string) => join(dirname(file), basename(name));
  const attached = (name: string) => (existsSync(beside(name)) ? readFileSync(beside(name)) : undefined);
  return readHar({ ...options, bytes: bytesOf(file), source: file, attached });
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder: name the .har in it' : message;
    throw new CouldNotRun(`${file} ${why}.`);
  }
}

/** An entry with what its URL says. */
interface Seen {
  entry: Entry;
  method: string;
  host: string;
  /** Path with query from the root of the API; the whole path if it is not a path of an API. */
  url: string;
  /** Absent if the call does not belong to an API. */
  service?: ServiceName;
  /** Undefined if the file does not contain it. */
  requestBody?: string | undefined;
  replyBody?: string | undefined;
}

/**
 * The index at which the path of an API begins, or -1. Each base address ends in /api/v1, and the token of pos is at /api/auth.
 * The part of the path before it is the provider's own.
 */
const rootOf = (path: string) => Math.max(path.lastIndexOf('/api/v1/'), path.search(/\/api\/auth\/?$/));

function seenOf(one: Entry, attached: Attached): Seen {
  const method = one.request.method.toUpperCase();
  const url = URL.parse(one.request.url);
  if (url === null) return { entry: one, method, host: '', url: one.request.url };
  const at = rootOf(url.pathname);
  const path = url.pathname.slice(Math.max(at, 0));
  const isOf = (name: ServiceName) => at >= 0 && findOperation(name, method, path) !== undefined;
  const service = serviceNames.find(isOf);
  const seen = { entry: one, method, host: url.host, url: path + url.search };
  return service ? { ...seen, service, requestBody: requestBodyOf(one, attached), replyBody: replyBodyOf(one, attached) } : seen;
}

/**
 * The host whose calls are taken; undefined if none has a call of the API. Throws `CouldNotRun` if the host is not in the file,
 * or if several hosts have calls of the API.
 */
function hostOf(
  seen: readonly Seen[],
  { source, service, host }: { source: string; service: ServiceName; host: string | undefined },
): string | undefined {
  const all = [...new Set(seen.map((one) => one.host).filter(Boolean))];
  if (host !== undefined) {
    const meant = all.find((one) => one === host.toLowerCase() || one.replace(/:\d+$/, '') === host.toLowerCase());
    if (meant !== undefined) return meant;
    throw new CouldNotRun(`${source} has no call of the host ${host}. ${didYouMean(host, all)}Its hosts are ${listed(all)}.`);
  }
  const fitting = [...new Set(seen.filter((one) => one.service === service).map((one) => one.host))];
  if (fitting.length > 1)
    throw new CouldNotRun(`${source} has calls of ${service} at ${fitting.join(' and ')}: pass one of them with --from-host.`);
  return fitting[0];
}

type Fate = 'taken' | 'other host' | 'preflight' | 'no reply' | 'other API' | 'neither' | 'no request body' | 'cut';

function fateOf(
  { entry: one, method, host, service: found, requestBody }: Seen,
  service: ServiceName,
  chosen: string | undefined,
): Fate {
  if (chosen !== undefined && host !== chosen) return 'other host';
  if (method === 'OPTIONS') return 'preflight';
  if (found === undefined) return 'neither';
  if (found !== service) return 'other API';
  if (one.response.status < 100) return 'no reply';
  if (requestBody === undefined) return 'no request body';
  return isCut(requestBody) ? 'cut' : 'taken';
}

type Fated = Seen & { fate: Fate };

/** For each fate: what the calls with it have in common. */
const sentences: Readonly<Record<Exclude<Fate, 'taken'>, (calls: readonly Fated[], service: ServiceName) => string>> = {
  'other host': (calls) => `of other hosts: ${listed([...new Set(calls.map(({ host }) => host || 'none'))])}`,
  preflight: () => 'by which a browser asks for permission (OPTIONS)',
  neither: (calls) => `of no operation of ${serviceNames.join(' or ')}: ${listed(requestsOf(calls))}`,
  'other API': (calls) =>
    `of ${services[calls[0]?.service ?? 'pos'].title}: they are taken by passerelle pact ${calls[0]?.service}`,
  'no reply': () => 'without a reply',
  'no request body': () => 'whose request has a body that the file does not contain',
  cut: () => 'whose request body was cut when it was recorded',
};

function notesOf(fates: readonly Fated[], service: ServiceName): string[] {
  const hider = new Hider(secretsIn(fates.map(({ entry: one }) => one.request.url)));
  const skipped = Object.entries(sentences).flatMap(([fate, sentence]) => {
    const calls = fates.filter((one) => one.fate === fate);
    return calls.length === 0 ? [] : [`Skipped ${counted(calls)} ${sentence(calls, service)}.`];
  });
  const bare = fates.filter(({ fate, replyBody }) => fate === 'taken' && replyBody === undefined);
  const without = bare.length === 0 ? [] : [`The file does not contain the reply's body of ${counted(bare)}.`];
  return [...skipped, ...without].map(hider.text);
}

const counted = (calls: readonly unknown[]) => `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`;
const requestsOf = (calls: readonly Seen[]) => [...new Set(calls.map(({ method, url }) => `${method} ${url.split('?', 1)[0]}`))];

/** The maximum number of names that a message lists. */
const mostListed = 5;
const listed = (names: readonly string[]) =>
  names.length <= mostListed
    ? names.join(', ')
    : `${names.slice(0, mostListed).join(', ')} and ${names.length - mostListed} more`;

function callOf({ entry: one, method, url, requestBody = '', replyBody = '' }: Seen): RecordedCall {
  const { startedDateTime, request, response } = one;
  const at = Date.parse(startedDateTime);
  return {
    method,
    url,
    requestHeaders: headersOf(request.headers),
    requestBody,
    status: response.status,
    responseHeaders: headersOf(response.headers),
    responseBody: replyBody,
    at: Number.isNaN(at) ? 0 : at,
  };
}

/**
 * Sorts calls, oldest first. A list that begins with the newest call is reversed first, so calls of the same time stay in order.
 */
function inOrder(calls: readonly RecordedCall[]): RecordedCall[] {
  const isNewestFirst = (calls[0]?.at ?? 0) > (calls.at(-1)?.at ?? 0);
  return (isNewestFirst ? calls.toReversed() : [...calls]).sort((one, other) => one.at - other.at);
}

/**
 * Replaces secrets. It finds them by the names before them, and then by their values in the rest of the recording. Tokens get
 * numbers, because a token that was first accepted and later refused has expired.
 */
function withoutSecrets(calls: readonly RecordedCall[]): RecordedCall[] {
  const hider = new Hider(secretsIn(calls));
  const tokens = [...new Set(calls.map(({ requestHeaders }) => requestHeaders.authorization))];
  return calls.map((call) => {
    const { at, requestHeaders, ...texts } = call;
    const headers = hider.value(requestHeaders) as Record<string, string>;
    const authorization = headers.authorization?.replace(
      redacted,
      `${redacted}-${tokens.indexOf(requestHeaders.authorization) + 1}`,
    );
    return {
      ...(hider.value(texts) as typeof texts),
      at,
      requestHeaders: { ...headers, ...(authorization !== undefined && { authorization }) },
    };
  });
}
