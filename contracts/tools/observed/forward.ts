import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { ServiceName } from '../../documents/services.ts';
import { askedBy, parsed } from '../assumptions/asked.ts';
import { isDeeperThan } from '../json.ts';
import type { SeenCall } from './finding.ts';
import {
  bodyOf,
  endToEnd,
  headersOf,
  type Listening,
  listening,
  mostBytes,
  mostLevels,
  NotForwarded,
  passOn,
  type Refused,
  textOf,
} from './passing.ts';
import { deadlineMs, type Upstream } from './upstream.ts';

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

/** Opens a server that forwards calls to the service unchanged, and shows each call with its reply. */
export async function openForwarding(options: ForwardOptions): Promise<Listening> {
  const { host = '127.0.0.1', port = 0, upstream } = options;
  const server = createServer((request, response) => {
    forward(request, response, options).catch((error: Error) => {
      options.onRefusal?.(error.message);
      if (response.headersSent) response.destroy();
      else refuse(response, options.api, refusalOf(error, upstream));
    });
  });
  return listening(server, host, port);
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
