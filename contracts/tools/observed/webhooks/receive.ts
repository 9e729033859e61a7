import type { IncomingMessage, ServerResponse } from 'node:http';
import { isTooDeep, tooDeep } from '../../json.ts';
import { explainFailure } from '../../outgoing.ts';
import { bodyOf, headersOf, type Listening, type ListenOptions, NotForwarded, openPassing, passOn, textOf } from '../passing.ts';
import type { Upstream } from '../upstream.ts';
import { keyOf } from './signature.ts';
import type { Received } from './webhook.ts';

export interface ReceiveOptions extends ListenOptions {
  receiver: Upstream;
  /** The endpoint's signing secret. Without it, signatures are not checked. */
  secret?: string | undefined;
  /** Called after each POST that was passed on, whatever the receiver answered. */
  onWebhook(webhook: Received): void;
  now?: () => Date;
}

/** Opens a server for webhooks. It has a port of its own, so that a tunnel to it does not make the way to the service reachable too. */
export async function openReceiving(options: ReceiveOptions): Promise<Listening> {
  const { dispatcher, path } = options.receiver;
  const { url, close } = await openPassing({
    ...options,
    option: '--webhooks-port',
    dispatcher,
    pass: (request, response) => receive(request, response, options),
    bodyOf: ({ message }) => ({ message }),
  });
  return { url: `${url}${path}`, close };
}

async function receive(request: IncomingMessage, response: ServerResponse, options: ReceiveOptions): Promise<void> {
  const { secret, now = () => new Date() } = options;
  const { origin, path, urlWithoutQuery, dispatcher } = options.receiver;
  if (request.url !== path)
    throw new NotForwarded(404, 'not_the_receiver', `observe: webhooks are passed on under ${path.split('?')[0]} only.`);
  const at = now();
  const sent = await bodyOf(request);
  const gone = new AbortController();
  response.once('close', () => response.writableFinished || gone.abort());
  const { signal } = gone;
  const reply = await passOn(request, response, { origin, path, dispatcher, body: sent, signal }).catch((error: Error) => {
    const why = signal.aborted ? 'the service closed the connection before' : explainFailure(origin, error);
    return new NotForwarded(502, 'receiver_unreachable', `observe: the receiver at ${urlWithoutQuery} did not answer: ${why}.`);
  });
  const headers = headersOf(request.rawHeaders);
  const body = textOf(sent, headers);
  const answer = reply instanceof Error ? {} : { answer: { status: reply.status, headers: reply.headers } };
  if (request.method === 'POST' && isTooDeep(body))
    options.onRefusal?.(`a webhook whose JSON is ${tooDeep} was passed on, and not judged.`);
  else if (request.method === 'POST')
    options.onWebhook({
      at,
      endedAt: now(),
      headers,
      body,
      isGivenUp: signal.aborted,
      keyedWith: keyOf(secret, headers, sent),
      ...answer,
    });
  // The service gets it, if it still waits.
  if (reply instanceof Error) throw reply;
}
