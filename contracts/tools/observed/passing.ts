/** What passes on requests and replies, for calls and for webhooks. */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parsed } from '../assumptions/asked.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { decoded, isEndToEnd } from '../verification/answers.ts';

/** Neither a request nor a reply that is judged is larger or deeper. */
export const mostBytes = 10 * 2 ** 20;
export const mostLevels = 100;

export interface Listening {
  url: string;
  close(): Promise<void>;
}

/** Listens until it is closed. Throws `CouldNotRun` if it cannot. */
export async function listening(server: Server, host: string, port: number, option = '--port'): Promise<Listening> {
  server.listen(port, host);
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
    },
  };
}

export interface Refused {
  status: number;
  code: string;
  message: string;
}

/** A call that observe answers itself. */
export class NotForwarded extends Error {
  readonly refused: Refused;
  constructor(refused: Refused) {
    super(refused.message);
    this.refused = refused;
  }
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > mostBytes)
      throw new NotForwarded({
        status: 413,
        code: 'too_large_to_observe',
        message: `observe: it forwards bodies of at most ${mostBytes / 2 ** 20} MiB. The service did not get this call.`,
      });
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** Resolves when the client takes more, or went away. The listener that loses is removed with the signal. */
async function drained(response: ServerResponse): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const first = ['drain', 'close'].map((event) => once(response, event, { signal }));
  for (const one of first) one.catch(() => {});
  await Promise.race(first);
  over.abort();
}

/** Sends the reply on as it comes. Returns it, or undefined if it is too large to be judged. */
export async function passOn(from: AsyncIterable<Buffer>, response: ServerResponse): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of from) {
    bytes += chunk.length;
    if (bytes <= mostBytes) chunks.push(chunk);
    if (!response.write(chunk)) await drained(response);
    if (response.destroyed) throw new Error('the client went away');
  }
  response.end();
  return bytes > mostBytes ? undefined : Buffer.concat(chunks);
}

export const textOf = (body: Buffer, headers: Record<string, string>): unknown => {
  try {
    return parsed(decoded(body, headers['content-encoding'] ?? '').toString());
  } catch {
    return undefined;
  }
};

/** Headers in pairs, as they were written, without those of one hop. */
export function endToEnd(raw: readonly string[], kept: readonly string[] = []): string[] {
  const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim());
  const isKept = (name: string) => kept.includes(name) || (isEndToEnd(name) && !named.includes(name));
  return pairs.filter(([name]) => isKept(name.toLowerCase())).flat();
}

export function headersOf(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    headers[name] = headers[name] === undefined ? (raw[at + 1] ?? '') : `${headers[name]}, ${raw[at + 1]}`;
  }
  return headers;
}
