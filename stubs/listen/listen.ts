import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Forwarded, forward } from './forward.ts';
import { ManageClient } from './manage.ts';
import { wantedServices } from './wanted.ts';

export interface ListenOptions {
  /** The URL of the gateway or the stub. */
  at: string;
  /** The operator's token. */
  token: string;
  /** The URL that deliveries are forwarded to. Without it, deliveries are shown and answered with 200. */
  forwardTo?: string | undefined;
  /** Headers of the receiver's own, which are added to what is forwarded. */
  headers?: Readonly<Record<string, string>>;
  /** Event types. Default: all. */
  events?: readonly string[] | undefined;
  services?: readonly string[] | undefined;
  /** The target's deadline. It is shorter than the gateway's, so that a late target is reported here. Default 14000. */
  forwardTimeoutMs?: number;
  onDelivery(delivery: SeenDelivery): void;
}

/** One received attempt and the target's response. */
export interface SeenDelivery {
  /** When it arrived (ISO 8601, UTC). */
  at: string;
  service: string;
  event: string;
  /** `webhook-id`: the same in every attempt. */
  id: string;
  /** The number of attempts of this event received so far, this one included. */
  attempt: number;
  /** The status returned to the gateway: the target's, or 502 or 504 if there is an `error`. */
  status: number;
  ms: number;
  error: string | null;
  body: string;
}

export interface ListenEndpoint {
  id: string;
  service: string;
  /** Null means all. */
  events: string[] | null;
  /** The signing secret of this endpoint. */
  secret: string;
}

export interface Listening {
  endpoints: ListenEndpoint[];
  /** Removes the endpoints from the gateway and stops. Throws `CouldNotRun` if the gateway does not respond. */
  close(): Promise<void>;
}

/**
 * Registers endpoints on this machine with a running gateway, reports each delivery and forwards it unchanged, so that its
 * signature stays valid. The gateway gets the target's response, so retries and resends happen as in production. Throws
 * `CouldNotRun`.
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const manage = new ManageClient(options);
  const wanted = wantedServices(await manage.eventTypes(), options);
  // A secret path keeps other programs on this machine from posing as the gateway.
  const secretPath = `/${randomBytes(16).toString('hex')}`;
  const server = createServer(receiving(secretPath, options));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${secretPath}`;
  const endpoints: ListenEndpoint[] = [];
  const close = () => stop(server, endpoints, manage);
  try {
    for (const { service, events } of wanted) {
      endpoints.push({ service, events, ...(await manage.createEndpoint({ service, events, url: `${url}/${service}` })) });
    }
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
  return { endpoints, close };
}

async function stop(server: Server, endpoints: readonly ListenEndpoint[], manage: ManageClient): Promise<void> {
  try {
    for (const { id } of endpoints) await manage.removeEndpoint(id);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Bounds the memory for counting attempts. */
const eventsCounted = 10_000;

function receiving(secretPath: string, options: ListenOptions) {
  const attempts = new Map<string, number>();
  const count = (id: string): number => {
    const [oldest] = attempts.keys();
    if (attempts.size >= eventsCounted && oldest !== undefined) attempts.delete(oldest);
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    return attempt;
  };
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const [, path, service = ''] = (request.url ?? '').split('/');
    if (`/${path}` !== secretPath || request.method !== 'POST') return response.writeHead(404).end();
    const at = new Date().toISOString();
    const body = await buffer(request);
    const id = String(request.headers['webhook-id'] ?? '');
    const attempt = count(id);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await answerOf(request, body, gone.signal, options);
    const { status, ms, error } = answer;
    options.onDelivery({ at, service, event: eventOf(body), id, attempt, status, ms, error, body: body.toString('utf8') });
    return response.writeHead(status, answer.headers).end(answer.body);
  };
  return (request: IncomingMessage, response: ServerResponse): void => {
    // The gateway closed the connection. It will retry.
    receive(request, response).catch(() => response.destroy());
  };
}

async function answerOf(
  { rawHeaders }: IncomingMessage,
  body: Buffer,
  signal: AbortSignal,
  options: ListenOptions,
): Promise<Forwarded> {
  const { forwardTo, headers = {}, forwardTimeoutMs = 14_000 } = options;
  if (forwardTo === undefined) return { status: 200, headers: {}, body: Buffer.alloc(0), ms: 0, error: null };
  return forward(forwardTo, { rawHeaders, headers, body, signal }, forwardTimeoutMs);
}

function eventOf(body: Buffer): string {
  try {
    return String((JSON.parse(body.toString('utf8')) as { event?: unknown }).event);
  } catch {
    return '?';
  }
}
