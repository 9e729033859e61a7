import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { isDeeperThan } from '../../json.ts';
import { bodyOf, endToEnd, headersOf, type Listening, listening, mostLevels, NotForwarded, passOn, textOf } from '../passing.ts';
import type { Receiver } from '../upstream.ts';
import { keyOf } from './signature.ts';
import type { Answer, SeenWebhook } from './webhook.ts';

export interface ReceiveOptions {
  receiver: Receiver;
  /** The endpoint's signing secret. Without it, signatures are not checked. */
  secret?: string | undefined;
  /** Called after each POST that was passed on, whatever the receiver answered. */
  onWebhook(webhook: Omit<SeenWebhook, 'number'>): void;
  /** Called for a request that was not passed on or not judged, with the reason. */
  onRefusal?(reason: string): void;
  host?: string;
  port?: number;
  now?: () => Date;
}

/**
 * Opens a server that passes webhooks on to the partner's receiver unchanged, and shows each with the receiver's answer. It has a
 * port of its own: a tunnel that makes it reachable for the service must not make the way to the service reachable too.
 */
export async function openReceiving(options: ReceiveOptions): Promise<Listening> {
  const { host = '127.0.0.1', port = 0, receiver } = options;
  const server = createServer((request, response) => {
    receive(request, response, options).catch((error: Error) => {
      options.onRefusal?.(error.message);
      if (response.headersSent) response.destroy();
      else refuse(response, error);
    });
  });
  const { url, close } = await listening(server, host, port, '--webhooks-port');
  return { url: `${url}${receiver.path}`, close };
}

function refuse(response: ServerResponse, error: Error): void {
  const { status, code, message } =
    error instanceof NotForwarded ? error.refused : { status: 502, code: 'receiver_unreachable', message: error.message };
  response.writeHead(status, { 'content-type': 'application/json', 'x-passerelle-observe': code, connection: 'close' });
  response.end(JSON.stringify({ message }));
}

async function receive(request: IncomingMessage, response: ServerResponse, options: ReceiveOptions): Promise<void> {
  const { receiver, secret, now = () => new Date() } = options;
  if (request.url !== receiver.path)
    throw new NotForwarded({
      status: 404,
      code: 'not_the_receiver',
      message: `observe: webhooks are passed on under ${receiver.path.split('?')[0]} only.`,
    });
  const at = now();
  const bytes = await bodyOf(request);
  const gone = new AbortController();
  response.once('close', () => response.writableFinished || gone.abort());
  const answer = await passedOn(request, bytes, response, receiver, gone.signal);
  if (answer instanceof Error) options.onRefusal?.(answer.message);
  if (request.method !== 'POST') return;
  const headers = headersOf(request.rawHeaders);
  const body = textOf(bytes, headers);
  if (isDeeperThan(mostLevels, body)) {
    options.onRefusal?.(`a webhook whose JSON is nested more than ${mostLevels} levels deep was passed on, and not judged.`);
    return;
  }
  options.onWebhook({
    ...{ at, endedAt: now(), headers, body, isGivenUp: gone.signal.aborted, keyedWith: keyOf(secret, headers, bytes) },
    ...(!(answer instanceof Error) && { answer }),
  });
}

/** Returns the receiver's answer, or why there was none. The service then gets a 502, if it still waits. */
async function passedOn(
  request: IncomingMessage,
  bytes: Buffer,
  response: ServerResponse,
  { origin, path, urlWithoutQuery, dispatcher }: Receiver,
  signal: AbortSignal,
): Promise<Answer | Error> {
  try {
    const reply = await dispatcher.request({
      ...{ origin, path, method: request.method as Dispatcher.HttpMethod, signal },
      headers: endToEnd(request.rawHeaders),
      body: bytes.length === 0 ? null : bytes,
      responseHeaders: 'raw',
    });
    const raw = reply.headers as unknown as string[];
    response.writeHead(reply.statusCode, endToEnd(raw, ['content-length']));
    await passOn(reply.body, response);
    return { status: reply.statusCode, headers: headersOf(raw) };
  } catch (error) {
    const why = signal.aborted ? 'the service closed the connection before' : (error as Error).message;
    const refused = new Error(`observe: the receiver at ${urlWithoutQuery} did not answer: ${why}.`);
    if (response.headersSent) response.destroy();
    else if (!signal.aborted) refuse(response, refused);
    return refused;
  }
}
