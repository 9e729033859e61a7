/** A server that passes on requests and replies, for calls and for webhooks. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { parsed } from '../assumptions/asked.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { decoded, isEndToEnd } from '../verification/answers.ts';

/** Neither a request nor a reply that is judged is larger. */
export const mostBytes = 10 * 2 ** 20;

/** A call that observe answers itself. */
export class NotForwarded extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface Listening {
  url: string;
  close(): Promise<void>;
}

export interface ListenOptions {
  /** Called for a request that was not passed on, not answered or not judged, with the reason. */
  onRefusal?(reason: string): void;
  host?: string;
  port?: number;
}

interface Passing extends ListenOptions {
  /** Closed with the server. */
  dispatcher: Dispatcher;
  /** The option of the port. */
  option: string;
  pass(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** The body of an answer of observe itself. */
  bodyOf(refused: NotForwarded): object;
}

/** Listens until it is closed. Throws `CouldNotRun` if it cannot. */
export async function openPassing(passing: Passing): Promise<Listening> {
  const { host = '127.0.0.1', port = 0, option, dispatcher, onRefusal } = passing;
  const server = createServer((request, response) => {
    passing.pass(request, response).catch((error: Error) => {
      onRefusal?.(error.message);
      if (response.headersSent || !(error instanceof NotForwarded)) response.destroy();
      else refuse(response, error, passing);
    });
  }).listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? `it is in use: choose another with ${option}` : error.message;
    throw new CouldNotRun(`observe cannot listen on ${host}:${port}: ${why}.`);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await dispatcher.destroy();
    },
  };
}

/** The header tells these answers from those of the service. */
function refuse(response: ServerResponse, refused: NotForwarded, { bodyOf }: Passing): void {
  const type = 'application/json; charset=utf-8';
  response.writeHead(refused.status, { 'content-type': type, 'x-passerelle-observe': refused.code, connection: 'close' });
  response.end(JSON.stringify(bodyOf(refused)));
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    const message = `observe: it forwards bodies of at most ${mostBytes / 2 ** 20} MiB. The service did not get this call.`;
    if (bytes > mostBytes) throw new NotForwarded(413, 'too_large_to_observe', message);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** Sends the reply on as it comes. Returns it, or undefined if it is too large to be judged. */
async function sentOn(from: AsyncIterable<Buffer>, response: ServerResponse): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  async function* seen() {
    for await (const chunk of from) {
      bytes += chunk.length;
      if (bytes <= mostBytes) chunks.push(chunk);
      yield chunk;
    }
  }
  // The call is judged before the client has its whole reply.
  await pipeline(seen, response, { end: false }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_STREAM_PREMATURE_CLOSE' ? new Error('the client went away') : error;
  });
  response.end();
  return bytes > mostBytes ? undefined : Buffer.concat(chunks);
}

type To = Pick<Dispatcher.RequestOptions, 'origin' | 'path' | 'signal'> & { dispatcher: Dispatcher; body: Buffer };

/** Passes a request on unchanged, and its reply back. `body`: of the request. */
export async function passOn(request: IncomingMessage, response: ServerResponse, { dispatcher, body, ...to }: To) {
  const reply = await dispatcher.request({
    ...to,
    method: request.method as Dispatcher.HttpMethod,
    headers: endToEnd(request.rawHeaders),
    body: body.length === 0 ? null : body,
    responseHeaders: 'raw',
  });
  // `responseHeaders: 'raw'` returns names and values in turn, which undici's type does not say.
  const raw = reply.headers as unknown as string[];
  response.writeHead(reply.statusCode, endToEnd(raw, ['content-length']));
  return { status: reply.statusCode, headers: headersOf(raw), body: await sentOn(reply.body, response) };
}

export const textOf = (body: Buffer, headers: Record<string, string>): unknown => {
  try {
    return parsed(decoded(body, headers['content-encoding'] ?? '').toString());
  } catch {
    return undefined;
  }
};

const pairsOf = (raw: readonly string[]) =>
  Array.from({ length: raw.length / 2 }, (_, at): [string, string] => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);

/** Headers in pairs, as they were written, without those of one hop. */
function endToEnd(raw: readonly string[], kept: readonly string[] = []): string[] {
  const named = (headersOf(raw).connection ?? '').toLowerCase().split(/\s*,\s*/);
  const isKept = (name: string) => kept.includes(name) || (isEndToEnd(name) && !named.includes(name));
  return pairsOf(raw)
    .filter(([name]) => isKept(name.toLowerCase()))
    .flat();
}

/** Headers by their names in lower case. */
export const headersOf = (raw: readonly string[]): Record<string, string> => Object.fromEntries(new Headers(pairsOf(raw)));
