import type { ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** Hop-by-hop headers (RFC 9110, section 7.6.1), and headers that each hop writes itself. */
const ofOneHop = new Set(
  'connection keep-alive proxy-authenticate proxy-connection te trailer transfer-encoding upgrade host content-length expect'.split(
    ' ',
  ),
);

/** Returns true if a proxy forwards this header. */
export const isEndToEnd = (name: string): boolean => !ofOneHop.has(name.toLowerCase());

/** Returns the headers that a proxy forwards: without those of one hop, and without those that Connection names. */
export function endToEnd<Value extends string | string[]>(
  headers: Readonly<Record<string, Value | undefined>>,
): Record<string, Value> {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/\s*,\s*/);
  const isKept = (entry: [string, Value | undefined]): entry is [string, Value] =>
    entry[1] !== undefined && isEndToEnd(entry[0]) && !named.includes(entry[0].toLowerCase());
  return Object.fromEntries(Object.entries(headers).filter(isKept));
}

/** Returns each header that has a value as one text. */
export const single = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));

/** Sends a message to Pact's verifier: its content as the body, its metadata in the header that the verifier reads. */
export function answerWithMessage(response: ServerResponse, metadata: Record<string, unknown>, body: string): void {
  response.setHeader('pact-message-metadata', Buffer.from(JSON.stringify(metadata)).toString('base64'));
  response.setHeader('content-type', String(metadata.contentType ?? 'application/json'));
  response.end(body);
}

/** A small body can be the code of gigabytes (a "zip bomb"). */
const largestBody = 64 * 2 ** 20;
const bounded = { maxOutputLength: largestBody };

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => gunzipSync(body, bounded),
  'x-gzip': (body) => gunzipSync(body, bounded),
  br: (body) => brotliDecompressSync(body, bounded),
  zstd: (body) => zstdDecompressSync(body, bounded),
  // Some servers send a deflate stream without the zlib header that RFC 9110 requires.
  deflate: (body) => ((body[0] ?? 0) % 16 === 8 ? inflateSync(body, bounded) : inflateRawSync(body, bounded)),
  identity: (body) => body,
};

/** Undoes the codings of a Content-Encoding header, the last one first. Throws an Error if the body is not coded like that, or is too large. */
export function decoded(body: Buffer, encodings: string): Buffer {
  // A reply to HEAD, a 204 and a 304 may have the header and no body.
  if (body.length === 0) return body;
  const names = encodings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  try {
    return names.reduceRight((coded, name) => (decoders[name] ?? unknownCoding)(coded), body);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new Error(`it has more than ${largestBody / 2 ** 20} MiB when it is decoded`);
  }
}

function unknownCoding(): never {
  throw new Error(`only ${Object.keys(decoders).join(', ')} can be decoded`);
}
