import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { redacted } from '../../../gateway/base/redact.ts';
import { setZodMessages } from '../../../gateway/http/messages.ts';
import { incomplete } from '../../../gateway/http/record/curl.ts';
import { type ServiceName, serviceNames, services } from '../../../spec/documents/services.ts';
import { findOperation } from '../../../spec/openapi/operations.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { count, firstOf } from '../reports/plain.ts';
import { Hider, secretsIn } from '../secrets.ts';
import { decoded } from '../verification/answers.ts';
import { textOf } from '../verification/sources.ts';
import { exchangeOf, type Recording } from './recorded.ts';

// Each program leaves out other fields, or fills them in another way. A size of -1 is unknown.
const text = z.string().catch('');
const size = z.number().catch(-1);
const header = z.object({ name: z.string(), value: z.union([z.string(), z.number().transform(String)]).catch('') });
const headers = z
  .array(header)
  .nullish()
  .transform((list) => headersOf(list ?? []));
const held = z.object({ text: z.string().optional().catch(undefined), encoding: text });
/** Fields of a form, and the name of a file that has the body, say that there was one. Neither is read. */
const postData = held.extend({ _file: text, params: z.array(z.unknown()).catch([]) }).nullish();
const entry = z.object({
  request: z.object({ method: z.string().min(1).toUpperCase(), url: z.string().min(1), headers, bodySize: size, postData }),
  response: z
    .object({ status: z.number().catch(0), headers, content: held.extend({ size }).optional().catch(undefined) })
    .nullish(),
});
type Entry = z.infer<typeof entry>;
const archive = z.object({ log: z.object({ entries: z.array(entry) }) });

const makers = 'Save it as an HTTP Archive 1.2 (.har): the network tab of a browser, Playwright and mitmproxy do so.';

/**
 * Reads the calls of one API from an HTTP Archive 1.2, as browsers, test runners and proxies write it. `source`: the file's name.
 * Secrets are replaced wherever they are. Throws `CouldNotRun` with one line if the file is not an archive or has no call of the
 * API.
 */
export function readHar({ bytes, source, service }: { bytes: Buffer; source: string; service: ServiceName }): Recording {
  const calls = entriesOf(bytes, source).map(seenOf);
  const groups = Map.groupBy(calls, (one) => reasonToSkip(one, service));
  const taken = groups.get(undefined) ?? [];
  groups.delete(undefined);
  const { text } = new Hider(secretsIn(calls.map(({ address }) => address)));
  const leftOut = [...groups].map(([why, same]) => {
    const names = new Set(same.map(({ method, url }) => `${method} ${url.split('?', 1)[0]}`));
    return text(`${count(same.length, 'call')} ${why}${why === ofNoOperation ? `: ${firstOf([...names], 5)}` : ''}`);
  });
  const none = `${source} has no call of ${service} that can be taken.`;
  if (taken.length === 0) throw new CouldNotRun([none, ...leftOut.map((line) => `Skipped ${line}.`)].join(' '));
  const bare = taken.filter(({ responseBody }) => responseBody === undefined).length;
  if (bare > 0) leftOut.push(`the reply's body of ${count(bare, 'call')}: the file does not contain it`);
  return { service, exchanges: withoutSecrets(taken).map((call) => exchangeOf(service, call)), deliveries: [], leftOut };
}

/** Reads the archive in a file. Throws `CouldNotRun`. */
export function readHarFile(source: string, service: ServiceName): Recording {
  try {
    return readHar({ bytes: readFileSync(source), source, service });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof CouldNotRun) throw error;
    const why = code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder: name the .har in it' : message;
    throw new CouldNotRun(`${source} ${why}.`);
  }
}

/** Returns the entries of an archive. Throws `CouldNotRun` with one line if the file is none. */
function entriesOf(bytes: Buffer, source: string): Entry[] {
  if (bytes.length === 0) throw new CouldNotRun(`${source} is empty. ${makers}`);
  setZodMessages();
  const { data, error } = archive.safeParse(jsonOf(bytes, source));
  if (data) return data.log.entries;
  const [issue] = error.issues;
  const [, , index, ...path] = issue?.path ?? [];
  if (index === undefined) throw new CouldNotRun(`${source} is no HTTP Archive: it has no list log.entries. ${makers}`);
  const place = ['', ...path].join('.');
  throw new CouldNotRun(`${source}, log.entries[${String(index)}]${place}: ${issue?.message ?? 'not valid'}.`);
}

function jsonOf(bytes: Buffer, source: string): unknown {
  try {
    return JSON.parse(textOf(bytes));
  } catch (error) {
    // The parser's message quotes the file, which may be a secret.
    const at = /position \d+/.exec((error as Error).message)?.[0];
    const why = at === undefined ? 'it ends too early, or is another kind of file' : `the error is at ${at}`;
    throw new CouldNotRun(`${source} is not valid JSON: ${why}. ${makers}`);
  }
}

/** The headers by their names in lower case, without the pseudo headers of HTTP/2 and HTTP/3. */
function headersOf(list: readonly z.infer<typeof header>[]): Record<string, string> {
  const own = Map.groupBy(list, ({ name }) => name.toLowerCase());
  const texts = [...own].map(([name, same]) => [name, same.map(({ value }) => value).join(', ')] as const);
  return Object.fromEntries(texts.filter(([name]) => !name.startsWith(':')));
}

/**
 * The index at which the path of an API begins, or -1. Each base address ends in /api/v1, and the token of pos is at /api/auth.
 * The part of the path before it is the provider's own.
 */
const rootOf = (path: string) => Math.max(path.lastIndexOf('/api/v1/'), path.search(/\/api\/auth\/?$/));

type Seen = ReturnType<typeof seenOf>;

/** Returns a call, with the API to which it belongs. A body is undefined if the file does not contain it. */
function seenOf({ request, response }: Entry) {
  const { method, url: address } = request;
  const { host, pathname, search } = URL.parse(address) ?? { host: '', pathname: address, search: '' };
  const at = host === '' ? -1 : rootOf(pathname);
  const path = pathname.slice(Math.max(at, 0));
  const service = serviceNames.find((name) => at >= 0 && findOperation(name, method, path) !== undefined);
  return {
    address,
    service,
    method,
    url: path + search,
    requestHeaders: request.headers,
    responseHeaders: response?.headers ?? {},
    status: response?.status ?? 0,
    requestBody: service && requestBodyOf(request),
    responseBody: service && replyBodyOf(response),
  };
}

/** The request's body; '' if it had none. */
function requestBodyOf({ postData, bodySize }: Entry['request']): string | undefined {
  const isElsewhere = postData?._file || postData?.params.length || bodySize > 0;
  return bodyOf(postData, '') || (isElsewhere ? undefined : '');
}

/** The reply's body; '' if it had none. Browsers drop bodies that they no longer need. */
function replyBodyOf(response: Entry['response']): string | undefined {
  const { content, status = 0, headers = {} } = response ?? {};
  const body = bodyOf(content, headers['content-encoding'] ?? '');
  if (body !== '') return incomplete.test(body) ? undefined : body;
  const isEmpty = content?.size === 0 || (content?.text === '' && content.size < 0) || status === 204 || status === 304;
  return isEmpty ? '' : undefined;
}

/** A body as text. An archive has bodies after decompression, but some programs keep the bytes of the wire, in base64. */
function bodyOf(body: z.infer<typeof held> | null | undefined, coding: string): string {
  if (body?.encoding.toLowerCase() !== 'base64') return body?.text ?? '';
  const bytes = Buffer.from(body.text ?? '', 'base64');
  try {
    return decoded(bytes, coding).toString();
  } catch {
    return bytes.toString();
  }
}

const ofNoOperation = `of no operation of ${serviceNames.join(' or ')}`;

/** Why a call is not taken, in words that follow `2 calls`. */
function reasonToSkip({ method, service, status, requestBody }: Seen, wanted: ServiceName): string | undefined {
  if (method === 'OPTIONS') return 'by which a browser asks for permission (OPTIONS)';
  if (service === undefined) return ofNoOperation;
  if (service !== wanted) return `of ${services[service].title}: they are taken by passerelle pact ${service}`;
  if (status < 100) return 'without a reply';
  if (requestBody === undefined) return 'whose request has a body that the file does not contain';
  return incomplete.test(requestBody) ? 'whose request body was cut when it was recorded' : undefined;
}

/**
 * Replaces secrets. It finds them by the names before them, and then by their values in the rest of the recording. Tokens get
 * numbers, because a token that was accepted in one call and refused in another has expired.
 */
function withoutSecrets(calls: readonly Seen[]) {
  const hider = new Hider(secretsIn(calls));
  const tokens = [...new Set(calls.map(({ requestHeaders }) => requestHeaders.authorization))];
  return calls.map((call) => {
    const hidden = hider.value(call) as Seen;
    const { authorization } = hidden.requestHeaders;
    const number = tokens.indexOf(call.requestHeaders.authorization) + 1;
    if (authorization !== undefined)
      hidden.requestHeaders.authorization = authorization.replace(redacted, `${redacted}-${number}`);
    return { ...hidden, requestBody: hidden.requestBody ?? '', responseBody: hidden.responseBody ?? '' };
  });
}
