import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceName } from '../../documents/services.ts';
import { askedBy, parsed } from '../assumptions/asked.ts';
import type { Exchanged } from './call.ts';
import {
  bodyOf,
  isTooDeep,
  type Listening,
  type ListenOptions,
  mostBytes,
  NotForwarded,
  openPassing,
  passOn,
  textOf,
  tooDeep,
} from './passing.ts';
import { deadlineMs, type Upstream } from './upstream.ts';

export interface ForwardOptions extends ListenOptions {
  api: ServiceName;
  upstream: Upstream;
  /** False: only reads, and requests for a token, reach the service. */
  allowWrites: boolean;
  /** Called after each call that the service answered. */
  onCall(call: Exchanged): void;
}

/** Opens a server that forwards calls to the service unchanged, and shows each call with its reply. It answers in the API's style. */
export const openForwarding = (options: ForwardOptions): Promise<Listening> =>
  openPassing({
    ...options,
    option: '--port',
    dispatcher: options.upstream.dispatcher,
    pass: (request, response) => forward(request, response, options),
    bodyOf: ({ code, message }) =>
      options.api === 'pos' ? { success: false, error: { code, message, details: [] } } : { message },
  });

function unanswered(error: Error & { code?: string }, { origin }: Upstream): NotForwarded {
  return /TIMEOUT/.test(error.code ?? '')
    ? new NotForwarded(504, 'upstream_timeout', `observe: ${origin} did not answer within ${deadlineMs / 1000} s.`)
    : new NotForwarded(502, 'upstream_unreachable', `observe: ${origin} did not answer: ${error.message}.`);
}

const reads = ['GET', 'HEAD', 'OPTIONS'];
const isToken = (api: ServiceName, method: string, path: string) =>
  api === 'pos' && method === 'POST' && /^\/api(\/v1)?\/auth$/.test(path);

/** Throws for a call that the service must not get. */
function checkAllowed({ api, upstream, allowWrites }: ForwardOptions, method: string, url: string): void {
  if (!url.startsWith('/'))
    throw new NotForwarded(400, 'not_a_path', 'observe: call it as the service itself, and not as a proxy.');
  if (allowWrites || reads.includes(method) || isToken(api, method, url.split('?')[0] ?? '')) return;
  const why = `observe: ${method} calls may change data of ${upstream.origin}, so this one was not forwarded.`;
  const advice = 'Start observe with --allow-writes if they may.';
  throw new NotForwarded(api === 'pos' ? 400 : 403, 'writes_not_allowed', `${why} ${advice}`);
}

async function forward(request: IncomingMessage, response: ServerResponse, options: ForwardOptions): Promise<void> {
  const { upstream, onCall, onRefusal } = options;
  const { method = 'GET', url = '/' } = request;
  checkAllowed(options, method, url);
  const body = await bodyOf(request);
  const { origin, path, dispatcher } = upstream;
  const to = { origin, path: `${path}${url}`, dispatcher, body };
  const { body: received, ...reply } = await passOn(request, response, to).catch((error) => {
    throw response.headersSent ? error : unanswered(error, upstream);
  });
  if (received === undefined) return onRefusal?.(`a reply over ${mostBytes / 2 ** 20} MiB was forwarded, and not judged.`);
  if (method === 'HEAD' || method === 'OPTIONS') return;
  const { pathname, searchParams } = new URL(`http://observe${url.startsWith('//') ? `/.${url}` : url}`);
  const query = Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]));
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat()]));
  const asked = askedBy({ method, path: pathname, query, headers, body: parsed(body.toString()) });
  const answered = textOf(received, reply.headers);
  if (isTooDeep(asked.body) || isTooDeep(answered)) return onRefusal?.(`a call ${tooDeep} was forwarded, and not judged.`);
  try {
    onCall({ asked, reply: { ...reply, body: answered } });
  } catch (error) {
    // The client has its reply: a reply that cannot be judged is no reason to fail its test.
    onRefusal?.(`a reply could not be judged: ${(error as Error).message}`);
  }
}
