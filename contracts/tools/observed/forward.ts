import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { isLoopback } from '../../../gateway/base/addresses.ts';
import { guardedConnector } from '../../../gateway/webhooks/sending/connect.ts';
import { hostOf, refusedUrl } from '../../../gateway/webhooks/sending/guard.ts';
import type { ServiceName } from '../../documents/services.ts';
import { askedBy, parsed } from '../assumptions/asked.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { isDeeperThan } from '../json.ts';
import { decoded, isEndToEnd } from '../verification/answers.ts';
import type { SeenCall } from './finding.ts';

export interface ForwardOptions {
  api: ServiceName;
  upstream: Upstream;
  /** False: only reads, and requests for a token, reach the service. */
  allowWrites: boolean;
  /** Called after each call that the service answered. */
  onCall(call: Omit<SeenCall, 'number'>): void;
  /** Called for a call that was not forwarded or not answered, with the reason. */
  onRefusal?(reason: string): void;
  host?: string;
  port?: number;
}

export interface Forwarding {
  url: string;
  close(): Promise<void>;
}

export interface Upstream {
  /** Without a path: `https://sandbox.example`. */
  origin: string;
  /** The path before that of each call, without a slash at its end. */
  prefix: string;
  dispatcher: Dispatcher;
}

/** Neither a request nor a reply that is judged is larger. */
const mostBytes = 10 * 2 ** 20;
const mostLevels = 100;
const deadlineMs = 60_000;

/**
 * Checks the address of the service, and opens connections to it. A name is looked up at each connection, and its addresses are
 * checked as those of webhooks are. Throws `CouldNotRun` for an address that may not be called.
 */
export function openUpstream(address: string, lookup?: LookupFunction): Upstream {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CouldNotRun('--upstream must be an address such as https://sandbox.example.');
  if (url.username !== '' || url.password !== '')
    throw new CouldNotRun('--upstream must have no user and no password. The calls carry their own credentials.');
  if (url.search !== '' || url.hash !== '') throw new CouldNotRun('--upstream must have no query and no fragment.');
  const host = hostOf(url.hostname);
  // Plain names of this machine are the user's own. Another name that leads here is not.
  const allow = { loopback: isLoopback(host) || /^(.+\.)?localhost\.?$/.test(host) };
  const refused = refusedUrl(url, allow);
  if (refused !== null) throw new CouldNotRun(`--upstream ${url.origin} may not be called: ${refused}.`);
  const connect = guardedConnector({ allow, connectTimeoutMs: 10_000, ...(lookup && { lookup }) });
  return {
    origin: url.origin,
    prefix: url.pathname.replace(/\/+$/, ''),
    dispatcher: new Agent({ connect, headersTimeout: deadlineMs, bodyTimeout: deadlineMs }),
  };
}

/** Opens a server that forwards calls to the service unchanged, and shows each call with its reply. */
export async function openForwarding(options: ForwardOptions): Promise<Forwarding> {
  const { host = '127.0.0.1', port = 0, upstream } = options;
  const server = createServer((request, response) => {
    forward(request, response, options).catch((error: Error) => {
      options.onRefusal?.(error.message);
      if (response.headersSent) response.destroy();
      else refuse(response, options.api, refusalOf(error, upstream));
    });
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? 'it is in use: choose another with --port' : error.message;
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

interface Refused {
  status: number;
  code: string;
  message: string;
}

/** A call that observe answers itself. */
class NotForwarded extends Error {
  readonly refused: Refused;
  constructor(refused: Refused) {
    super(refused.message);
    this.refused = refused;
  }
}

function refusalOf(error: Error & { code?: string }, { origin }: Upstream): Refused {
  if (error instanceof NotForwarded) return error.refused;
  const isSlow = /TIMEOUT/.test(error.code ?? '') || error.name === 'TimeoutError';
  return isSlow
    ? { status: 504, code: 'upstream_timeout', message: `observe: ${origin} did not answer within ${deadlineMs / 1000} s.` }
    : { status: 502, code: 'upstream_unreachable', message: `observe: ${origin} did not answer: ${error.message}.` };
}

/** Answers in the API's style. The header tells these answers from those of the service. */
function refuse(response: ServerResponse, api: ServiceName, { status, code, message }: Refused): void {
  const body = api === 'pos' ? { success: false, error: { code, message, details: [] } } : { message };
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'x-passerelle-observe': code,
    connection: 'close',
  });
  response.end(JSON.stringify(body));
}

const reads = ['GET', 'HEAD', 'OPTIONS'];
const isToken = (api: ServiceName, method: string, path: string) =>
  api === 'pos' && method === 'POST' && /^\/api(\/v1)?\/auth$/.test(path);

async function forward(request: IncomingMessage, response: ServerResponse, options: ForwardOptions): Promise<void> {
  const { api, upstream, allowWrites, onCall } = options;
  const { method = 'GET', url = '/' } = request;
  if (!url.startsWith('/'))
    throw new NotForwarded({
      status: 400,
      code: 'not_a_path',
      message: 'observe: call it as the service itself, and not as a proxy.',
    });
  const { pathname, searchParams } = new URL(`http://observe${url.startsWith('//') ? `/.${url}` : url}`);
  if (!allowWrites && !reads.includes(method) && !isToken(api, method, url.split('?')[0] ?? ''))
    throw new NotForwarded({
      status: api === 'pos' ? 400 : 403,
      code: 'writes_not_allowed',
      message: `observe: ${method} calls may change data of ${upstream.origin}, so this one was not forwarded. Start observe with --allow-writes if they may.`,
    });
  const body = await bodyOf(request);
  const reply = await upstream.dispatcher.request({
    origin: upstream.origin,
    path: `${upstream.prefix}${url}`,
    method: method as Dispatcher.HttpMethod,
    headers: endToEnd(request.rawHeaders),
    body: body.length === 0 ? null : body,
    responseHeaders: 'raw',
  });
  const raw = reply.headers as unknown as string[];
  response.writeHead(reply.statusCode, endToEnd(raw, ['content-length']));
  const received = await passOn(reply.body, response);
  if (received === undefined) {
    options.onRefusal?.(`a reply over ${mostBytes / 2 ** 20} MiB was forwarded, and not judged.`);
    return;
  }
  const headers = headersOf(raw);
  const states: [] = [];
  const query = Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]));
  const sent = Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat()]);
  const asked = askedBy(
    {
      method: method === 'HEAD' ? 'GET' : method,
      path: pathname,
      query,
      headers: Object.fromEntries(sent),
      body: parsed(body.toString()),
    },
    states,
  );
  if (method === 'HEAD' || method === 'OPTIONS') return;
  const answered = textOf(received, headers);
  if ([asked.body, answered].some((one) => isDeeperThan(mostLevels, one))) {
    options.onRefusal?.(`a call whose JSON is nested more than ${mostLevels} levels deep was forwarded, and not judged.`);
    return;
  }
  try {
    onCall({ asked, reply: { status: reply.statusCode, headers, body: answered }, sentBytes: body.length });
  } catch (error) {
    // The client has its reply: a reply that cannot be judged is no reason to fail its test.
    options.onRefusal?.(`a reply could not be judged: ${(error as Error).message}`);
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
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
async function passOn(from: AsyncIterable<Buffer>, response: ServerResponse): Promise<Buffer | undefined> {
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

const textOf = (body: Buffer, headers: Record<string, string>): unknown => {
  try {
    return parsed(decoded(body, headers['content-encoding'] ?? '').toString());
  } catch {
    return undefined;
  }
};

/** Headers in pairs, as they were written, without those of one hop. */
function endToEnd(raw: readonly string[], kept: readonly string[] = []): string[] {
  const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim());
  const isKept = (name: string) => kept.includes(name) || (isEndToEnd(name) && !named.includes(name));
  return pairs.filter(([name]) => isKept(name.toLowerCase())).flat();
}

function headersOf(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    headers[name] = headers[name] === undefined ? (raw[at + 1] ?? '') : `${headers[name]}, ${raw[at + 1]}`;
  }
  return headers;
}
