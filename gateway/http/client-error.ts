import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Errors of Node's HTTP parser by code. Such a request has no URL yet, so it belongs to no API, and it is not recorded. */
const known: Readonly<Record<string, { status: string; code: string; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'headers_too_large',
    message: 'The request line and headers are larger than 16 KiB.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Payload Too Large',
    code: 'body_too_large',
    message: 'The chunk extensions are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'request_timeout',
    message: 'The request did not arrive in time.',
  },
};
const malformed = { status: '400 Bad Request', code: 'malformed_request', message: 'This is not a valid HTTP request.' };

/** Answers a request that Node could not parse, and closes the connection. */
export function answerMalformed(error: Error & { code?: string }, socket: Duplex): void {
  // A reply that has begun cannot be followed by another one.
  const isReplying = (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true;
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || isReplying) {
    socket.destroy();
    return;
  }
  const { status, ...refusal } = known[error.code ?? ''] ?? malformed;
  const body = JSON.stringify({ error: refusal });
  const headers = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
}
