import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { askedBy } from '../assumptions/asked.ts';
import { isTooDeep, tooDeep } from '../json.ts';
import { explainFailure } from '../outgoing.ts';
import type { Exchanged } from './call.ts';
import { bodyOf, type Listening, type ListenOptions, mostBytes, NotForwarded, openPassing, passOn, textOf } from './passing.ts';
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

const unanswered = (error: Error & { code?: string }, { origin }: Upstream): NotForwarded =>
  /TIMEOUT/.test(error.code ?? '')
    ? new NotForwarded(504, 'upstream_timeout', `observe: ${origin} did not answer within ${deadlineMs / 1000} s.`)
    : new NotForwarded(502, 'upstream_unreachable', `observe: ${origin} did not answer: ${explainFailure(origin, error)}.`);

const reads = ['GET', 'HEAD', 'OPTIONS'];
const isToken = (api: ServiceName, method: string, path: string) =>
  api === 'pos' && method === 'POST' && /^\/api(\/v1)?\/auth$/.test(path);

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
  const asked = askedBy(method, url, request.headers, body.toString());
  const answered = textOf(received, reply.headers);
  if (isTooDeep(asked.body) || isTooDeep(answered))
    return onRefusal?.(`a call whose JSON is ${tooDeep} was forwarded, and not judged.`);
  try {
    onCall({ asked, reply: { ...reply, body: answered } });
  } catch (error) {
    // The client has its reply already. If the reply cannot be judged, the client's test must not fail.
    onRefusal?.(`a reply could not be judged: ${(error as Error).message}`);
  }
}
