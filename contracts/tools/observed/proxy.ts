/** A server that passes on requests and replies unchanged, for calls and for webhooks. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dispatcher } from 'undici';
import type { JsonReply } from '../../../spec/json.ts';
import { parsed } from '../../../spec/openapi/asked.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { isTooDeep, tooDeep } from '../json.ts';
import { dispatcherFor, explainFailure } from '../outgoing.ts';
import { decoded, endToEnd, single } from '../verification/answers.ts';
import type { Upstream } from './upstream.ts';

/** The largest body that is passed on. */
const mostBytes = 10 * 2 ** 20;
const deadlineMs = 60_000;

/** A call that observe answers itself. */
export class NotForwarded extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(`observe: ${message}`);
    this.status = status;
    this.code = code;
  }
}

/** A call that was answered. Names of headers are in lower case. */
export interface Passed {
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  body: unknown;
  reply: JsonReply;
}

export interface ListenOptions {
  host?: string;
  port?: number;
  /** Called for a request that was not passed on, not answered or not judged, with the reason. */
  onRefusal?(reason: string): void;
}

export interface Listening {
  url: string;
  close(): Promise<void>;
}

interface Passing extends ListenOptions {
  to: Upstream;
  /** The option of the port. */
  option: string;
  /** Returns the path to call, with its query. Throws `NotForwarded`. */
  pathOf(method: string, url: string): string;
  onPassed(passed: Passed): void;
  /** The body of an answer of observe itself. */
  bodyOf(refused: NotForwarded): object;
}

/** Listens until it is closed. Throws `CouldNotRun` if it cannot. */
export async function openPassing(passing: Passing): Promise<Listening> {
  const { host = '127.0.0.1', port = 0, option, onRefusal, bodyOf } = passing;
  const server = createServer((request, response) => {
    pass(request, response, passing).catch((error: Error) => {
      onRefusal?.(error.message);
      if (response.headersSent || !(error instanceof NotForwarded)) return response.destroy();
      // The header tells these answers from those of the service.
      const headers = { 'content-type': 'application/json; charset=utf-8', 'x-passerelle-observe': error.code };
      return response.writeHead(error.status, { ...headers, connection: 'close' }).end(JSON.stringify(bodyOf(error)));
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
    },
  };
}

async function pass(request: IncomingMessage, response: ServerResponse, passing: Passing): Promise<void> {
  const { to, onRefusal } = passing;
  const { method = 'GET', url = '/' } = request;
  const path = passing.pathOf(method, url);
  const sent = await bytesOf(request);
  const gone = new AbortController();
  response.once('close', () => response.writableFinished || gone.abort());
  const answer = async () => {
    const options = { origin: to.origin, path, method: method as Dispatcher.HttpMethod, headers: endToEnd(request.headers) };
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(deadlineMs)]);
    const body = sent.length === 0 ? null : sent;
    const reply = await dispatcherFor(to.origin).request({ ...options, body, signal });
    return { status: reply.statusCode, received: reply.headers, body: await bytesOf(reply.body) };
  };
  const { status, received, body } = await answer().catch((error) => {
    if (error instanceof NotForwarded || gone.signal.aborted) throw error;
    throw new NotForwarded(502, 'no_answer', `${to.origin} did not answer: ${explainFailure(to.origin, error)}.`);
  });
  const [own, headers] = [single(request.headers), single(received)];
  const reply = { status, headers, body: textOf(body, headers) };
  const passed = { method, url, headers: own, body: textOf(sent, own), reply };
  try {
    if (isTooDeep(passed.body) || isTooDeep(reply.body)) throw new Error(`its JSON is ${tooDeep}`);
    passing.onPassed(passed);
  } catch (error) {
    // If a call cannot be judged, the client's test must not fail.
    onRefusal?.(`a call was forwarded, and not judged: ${(error as Error).message}.`);
  }
  response.writeHead(status, endToEnd(received)).end(body);
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > mostBytes)
      throw new NotForwarded(413, 'too_large_to_observe', `a body is larger than ${mostBytes / 2 ** 20} MiB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function textOf(body: Buffer, headers: Record<string, string>): unknown {
  try {
    return parsed(decoded(body, headers['content-encoding'] ?? '').toString());
  } catch {
    return undefined;
  }
}
