import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Forwarded, forward } from './forward.ts';
import { ManageClient } from './manage.ts';
import { wantedServices } from './wanted.ts';

export interface ListenOptions {
  /** Where the gateway or the stub is. */
  at: string;
  /** The operator's token. */
  token: string;
  /** Where deliveries go; without it they are shown only, and answered with 200. */
  forwardTo?: string | undefined;
  /** Types of events; every one by default. */
  events?: readonly string[] | undefined;
  services?: readonly string[] | undefined;
  /** The forward target's deadline: less than the gateway's own, so that it is this side that says what was late. */
  forwardTimeoutMs?: number;
  onDelivery(delivery: SeenDelivery): void;
}

/** One attempt of a delivery, as it came and what became of it. */
export interface SeenDelivery {
  /** When it came, as an ISO 8601 instant. */
  at: string;
  service: string;
  event: string;
  /** `webhook-id`: the same in every attempt. */
  id: string;
  /** Which attempt of this event it is here, from 1. */
  attempt: number;
  /** The target's status; that which the gateway was given in its stead where there is an `error`. */
  status: number;
  ms: number;
  error: string | null;
  body: string;
}

export interface ListenEndpoint {
  id: string;
  service: string;
  /** Null for every one. */
  events: string[] | null;
  /** What genuine deliveries to this endpoint are signed with. */
  secret: string;
}

export interface Listening {
  endpoints: ListenEndpoint[];
  /** Removes the endpoints from the gateway and stops. Throws `CouldNotRun` where the gateway is gone. */
  close(): Promise<void>;
}

/**
 * Registers endpoints on this machine with a running gateway, shows what it delivers to them, and forwards each request as it
 * came: same bytes, same headers, so that its signature stays genuine. The gateway gets the target's answer, so that retries
 * and resends happen as in production. Throws `CouldNotRun`.
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const manage = new ManageClient(options);
  const wanted = wantedServices(await manage.eventTypes(), options);
  // Nobody else on this machine may pass a request off as the gateway's.
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

/** Attempts of an event are counted for as many events. */
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
    // The gateway broke off in the middle: it tries again by itself.
    receive(request, response).catch(() => response.destroy());
  };
}

async function answerOf(
  { rawHeaders }: IncomingMessage,
  body: Buffer,
  signal: AbortSignal,
  options: ListenOptions,
): Promise<Forwarded> {
  const { forwardTo, forwardTimeoutMs = 14_000 } = options;
  if (forwardTo === undefined) return { status: 200, headers: {}, body: Buffer.alloc(0), ms: 0, error: null };
  return forward(forwardTo, { rawHeaders, body, signal }, forwardTimeoutMs);
}

function eventOf(body: Buffer): string {
  try {
    return String((JSON.parse(body.toString('utf8')) as { event?: unknown }).event);
  } catch {
    return '?';
  }
}
