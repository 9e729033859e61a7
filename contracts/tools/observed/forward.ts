/** Servers that pass on requests and replies unchanged, for calls and for webhooks. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dispatcher } from 'undici';
import type { ServiceName } from '../../../spec/documents/services.ts';
import type { Exchange } from '../../../spec/gaps/is/is.ts';
import type { JsonReply } from '../../../spec/json.ts';
import { askedBy, parsed } from '../../../spec/openapi/asked.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { isTooDeep, tooDeep } from '../json.ts';
import { dispatcherFor, explainFailure } from '../outgoing.ts';
import { decoded, endToEnd, single } from '../verification/answers.ts';
import type { Upstream } from './upstream.ts';
import type { Webhook } from './webhook.ts';

/** The largest body that is passed on. */
const mostBytes = 10 * 2 ** 20;
const deadlineMs = 60_000;

/** A call that observe answers itself. */
class NotForwarded extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(`observe: ${message}`);
    this.status = status;
    this.code = code;
  }
}

interface Around {
  host?: string;
  port?: number;
  /** Called for a request that was not passed on, not answered or not judged, with the reason. */
  onRefusal?(reason: string): void;
}

interface Passing extends Around {
  to: Upstream;
  /** The API whose calls are passed on. Absent for webhooks. */
  api?: ServiceName;
  /** Returns the path to call, with its query. Throws `NotForwarded`. */
  pathOf(method: string, url: string): string;
  /** Called for a request that was answered. `url`: path and query. Names of headers are in lower case. */
  onPassed(asked: Webhook & { method: string; url: string }, reply: JsonReply): void;
}

export interface ForwardOptions extends Around {
  api: ServiceName;
  upstream: Upstream;
  /** False: only reads, and requests for a token, reach the service. */
  allowWrites: boolean;
  onCall(exchange: Exchange): void;
}

/** Opens a server that forwards calls to the service unchanged. It answers refusals of its own in the API's style. */
export const openForwarding = ({ api, upstream, allowWrites, onCall, ...around }: ForwardOptions) =>
  openPassing({
    ...around,
    api,
    to: upstream,
    pathOf(method, url) {
      if (!url.startsWith('/')) throw new NotForwarded(400, 'not_a_path', 'call it as the service itself, and not as a proxy.');
      const isToken = api === 'pos' && method === 'POST' && /^\/api(\/v1)?\/auth(\?|$)/.test(url);
      const advice = 'Start observe with --allow-writes if they may.';
      const why = `${method} calls may change data of ${upstream.origin}, so this one was not forwarded. ${advice}`;
      if (!allowWrites && !['GET', 'HEAD', 'OPTIONS'].includes(method) && !isToken)
        throw new NotForwarded(api === 'pos' ? 400 : 403, 'writes_not_allowed', why);
      return `${upstream.path}${url}`;
    },
    onPassed({ method, url, headers, body }, reply) {
      if (method === 'HEAD' || method === 'OPTIONS') return;
      onCall({ request: { ...askedBy(api, method, url, headers, ''), body }, reply });
    },
  });

export interface ReceiveOptions extends Around {
  receiver: Upstream;
  onWebhook(webhook: Webhook): void;
}

/** Opens a server for webhooks. It has a port of its own, so that a tunnel to it does not open the way to the service too. */
export async function openReceiving({ receiver, onWebhook, ...around }: ReceiveOptions) {
  const { path } = receiver;
  const listening = await openPassing({
    ...around,
    to: receiver,
    pathOf(_, url) {
      if (url === path) return path;
      throw new NotForwarded(404, 'not_the_receiver', `webhooks are passed on under ${path.split('?')[0]} only.`);
    },
    onPassed: ({ method, ...webhook }) => method === 'POST' && onWebhook(webhook),
  });
  return { ...listening, url: `${listening.url}${path}` };
}

/** Listens until it is closed. Throws `CouldNotRun` if it cannot. */
async function openPassing(passing: Passing) {
  const { host = '127.0.0.1', port = 0, api, onRefusal } = passing;
  const server = createServer((request, response) => {
    pass(request, response, passing).catch((error: Error) => {
      onRefusal?.(error.message);
      if (response.headersSent || !(error instanceof NotForwarded)) return response.destroy();
      // The header tells these answers from those of the service.
      const headers = { 'content-type': 'application/json; charset=utf-8', 'x-passerelle-observe': error.code };
      const { code, message } = error;
      const body = api === 'pos' ? { success: false, error: { code, message, details: [] } } : { message };
      return response.writeHead(error.status, { ...headers, connection: 'close' }).end(JSON.stringify(body));
    });
  }).listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === 'EADDRINUSE' ? `it is in use: choose another with ${api ? '--port' : '--webhooks-port'}` : error.message;
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
  const asked = { method, url, headers: own, body: textOf(sent, own) };
  try {
    if (isTooDeep(asked.body) || isTooDeep(reply.body)) throw new Error(`its JSON is ${tooDeep}`);
    passing.onPassed(asked, reply);
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
