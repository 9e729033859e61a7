import { createRequire } from 'node:module';
import { type HeaderValues, headerLines, type SentRequest } from './curl.ts';

// An `import` of node:http would load all of it, Node's own undici included, into every stub.
const { STATUS_CODES } = createRequire(import.meta.url)('node:http') as typeof import('node:http');

interface NameValue {
  name: string;
  value: string;
}

export interface HarEntry {
  startedDateTime: string;
  time: number;
  request: {
    method: string;
    url: string;
    httpVersion: string;
    cookies: NameValue[];
    headers: NameValue[];
    queryString: NameValue[];
    postData?: { mimeType: string; text: string };
    headersSize: number;
    bodySize: number;
  };
  response: {
    status: number;
    statusText: string;
    httpVersion: string;
    cookies: NameValue[];
    headers: NameValue[];
    content: { size: number; mimeType: string; text: string };
    redirectURL: string;
    headersSize: number;
    bodySize: number;
  };
  cache: object;
  timings: { send: number; wait: number; receive: number };
  comment?: string;
}

/** HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/). Sizes in bytes, -1 if unknown. Times in milliseconds. */
export interface Har {
  log: { version: '1.2'; creator: { name: string; version: string }; entries: HarEntry[] };
}

/** A request with its reply. */
export interface Exchanged extends SentRequest {
  /** When the request began, as ISO 8601. */
  at: string;
  durationMs: number;
  /** 0 if no reply began. */
  status: number;
  responseHeaders: HeaderValues;
  /** '' if there was none. */
  responseBody: string;
  /** '' for none. */
  comment: string;
}

export const harOf = (calls: readonly Exchanged[]): Har => ({
  log: { version: '1.2', creator: { name: 'passerelle', version: '1' }, entries: calls.map(entryOf) },
});

/** The text of an archive in chunks, one per block of calls, so that it is never in memory as a whole. */
export async function* harText(blocks: AsyncIterable<readonly Exchanged[]>): AsyncGenerator<string> {
  const [head = '', tail = ''] = JSON.stringify(harOf([])).split('[]');
  yield `${head}[`;
  let separator = '';
  for await (const calls of blocks) {
    if (calls.length === 0) continue;
    yield separator + calls.map((call) => JSON.stringify(entryOf(call))).join(',\n');
    separator = ',\n';
  }
  yield `]${tail}`;
}

function entryOf(call: Exchanged): HarEntry {
  const { at, durationMs, comment } = call;
  return {
    startedDateTime: at,
    time: durationMs,
    request: requestOf(call),
    response: responseOf(call),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    ...(comment !== '' && { comment }),
  };
}

function requestOf({ method, url, headers, body }: Exchanged): HarEntry['request'] {
  const query = URL.canParse(url) ? new URL(url).searchParams : [];
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headerLines(headers),
    queryString: [...query].map(([name, value]) => ({ name, value })),
    ...(body !== '' && { postData: { mimeType: String(headers['content-type'] ?? ''), text: body } }),
    headersSize: -1,
    bodySize: Buffer.byteLength(body),
  };
}

function responseOf({ status, responseHeaders, responseBody }: Exchanged): HarEntry['response'] {
  const bytes = Buffer.byteLength(responseBody);
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headerLines(responseHeaders),
    content: { size: bytes, mimeType: String(responseHeaders['content-type'] ?? ''), text: responseBody },
    redirectURL: String(responseHeaders.location ?? ''),
    headersSize: -1,
    bodySize: bytes,
  };
}
