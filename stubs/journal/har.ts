import { STATUS_CODES } from 'node:http';
import type { RecordedCall } from './call.ts';
import { addressOf, headerLines, shown } from './shown.ts';

interface NameValue {
  name: string;
  value: string;
}

interface HarEntry {
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

/** HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/). Sizes in bytes, -1 where unknown; times in ms. */
export interface Har {
  log: { version: '1.2'; creator: { name: string; version: string }; entries: HarEntry[] };
}

export function harOf(calls: readonly RecordedCall[], options: { secrets?: boolean } = {}): Har {
  const entries = calls.map((call) => entryOf(shown(call, options)));
  return { log: { version: '1.2', creator: { name: 'passerelle', version: '1' }, entries } };
}

function entryOf(call: RecordedCall): HarEntry {
  const comment = [call.operation, call.fault && `fault ${call.fault}`, call.refusal?.message].filter(Boolean).join(': ');
  return {
    startedDateTime: call.at,
    time: call.durationMs,
    request: requestOf(call),
    response: responseOf(call),
    cache: {},
    timings: { send: 0, wait: call.durationMs, receive: 0 },
    ...(comment !== '' && { comment }),
  };
}

function requestOf(call: RecordedCall): HarEntry['request'] {
  const query = new URL(addressOf(call), 'http://localhost').searchParams;
  const mimeType = String(call.requestHeaders['content-type'] ?? '');
  return {
    method: call.method,
    url: addressOf(call),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headerLines(call.requestHeaders),
    queryString: [...query].map(([name, value]) => ({ name, value })),
    ...(call.requestBody !== '' && { postData: { mimeType, text: call.requestBody } }),
    headersSize: -1,
    bodySize: Buffer.byteLength(call.requestBody),
  };
}

function responseOf(call: RecordedCall): HarEntry['response'] {
  const bytes = Buffer.byteLength(call.responseBody);
  return {
    status: call.status,
    statusText: STATUS_CODES[call.status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headerLines(call.responseHeaders),
    content: { size: bytes, mimeType: String(call.responseHeaders['content-type'] ?? ''), text: call.responseBody },
    redirectURL: String(call.responseHeaders.location ?? ''),
    headersSize: -1,
    bodySize: bytes,
  };
}
