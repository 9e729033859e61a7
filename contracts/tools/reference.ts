import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { JsonReply } from '../../spec/json.ts';
import type { CauseEvent, ReferenceGateways, Sent } from './reference-gateway.ts';
import { single } from './verification/answers.ts';

/** Deadline for a webhook to reach our receiver, in milliseconds. Gateway and receiver run in this process. */
const webhookDeadlineMs = 10_000;

export interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The body as it was received, which need not be UTF-8. */
  bytes?: Buffer;
  /**
   * The answers under the alternatives that change the reply, by `GAP=ALTERNATIVE`. Only present if the reference was asked for
   * them.
   */
  others?: Readonly<Record<string, JsonReply>>;
}

/** A received webhook. `rawHeaders` keeps the case of the header names. */
export interface Webhook {
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: string;
}

export interface SignedWebhook extends Webhook {
  secret: string;
}

/** An empty reference implementation in memory, for one interaction. */
export interface Reference {
  /** Sends a request to the provider, with a path from its root. */
  send(request: Sent): Promise<Reply>;
  /** Calls the manage API as the operator and returns `data`. Throws an Error with status and body if the call is refused. */
  manage(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Calls the provider with a token and returns the body. Throws an Error with status and body if the call is refused. */
  call(method: 'GET' | 'POST' | 'PUT', path: string, token?: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Makes the change that causes an event. */
  cause: CauseEvent;
  /** Runs `change` and returns the webhook of this event that follows, at an endpoint with these fields. Throws after 10 s without one. */
  webhookOf(event: string, change: () => Promise<unknown>, endpoint?: { owner?: string }): Promise<SignedWebhook>;
  /** Moves the clock by this many milliseconds, which may be negative. */
  shiftClock(byMs: number): void;
  now(): number;
  close(): Promise<void>;
}

/** Opens a reference implementation, in one of these gateways, and gives it back when it is closed. */
export async function openReference(provider: ServiceName, gateways: ReferenceGateways): Promise<Reference> {
  const gateway = await gateways.take();
  const { app, operatorToken, prefix } = gateway;
  const clock = await gateway.begin();

  const inject = async ({ method, path, headers, body }: Sent): Promise<Reply> => {
    const reply = await app.inject({
      method: method as 'GET',
      url: path,
      headers,
      ...(body === '' ? {} : { payload: body }),
    });
    return { status: reply.statusCode, headers: single(reply.headers), text: reply.payload };
  };
  const ask = async (method: string, path: string, token?: string, body?: unknown) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const reply = await inject({ method, path, headers, body: body === undefined ? '' : JSON.stringify(body) });
    if (reply.status >= 400) throw new Error(`${method} ${path} was answered with ${reply.status}: ${reply.text.slice(0, 500)}`);
    return JSON.parse(reply.text) as Record<string, unknown>;
  };
  const manage: Reference['manage'] = async (method, path, body) =>
    (await ask(method, `/manage/v1${path}`, operatorToken, body)).data as Record<string, unknown>;

  return {
    async send(request) {
      const sent = { ...request, path: `${prefix}${request.path}` };
      const others = await gateway.othersTo?.(sent);
      const reply = { ...(await inject(sent)), ...(others && { others }) };
      // The refusal of an unknown path quotes it.
      const [path = ''] = request.path.split('?');
      return reply.status === 404 ? { ...reply, text: reply.text.replaceAll(`${prefix}${path}`, () => path) } : reply;
    },
    manage,
    cause: gateway.cause,
    call: (method, path, token, body) => ask(method, `${prefix}${path}`, token, body),
    async webhookOf(event, change, endpoint = {}) {
      const receiver = await openReceiver();
      try {
        const { secret } = await manage('POST', '/endpoints', {
          ...endpoint,
          service: provider,
          url: receiver.url,
          events: [event],
        });
        await change();
        return { ...(await receiver.first(event)), secret: secret as string };
      } finally {
        receiver.close();
      }
    },
    shiftClock: (byMs) => clock.shift(byMs),
    now: () => clock.now(),
    async close() {
      await gateway.end();
      gateways.giveBack(gateway);
    },
  };
}

async function openReceiver() {
  const { promise, resolve, reject } = Promise.withResolvers<Webhook>();
  promise.catch(() => undefined);
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    response.writeHead(204).end();
    resolve({ headers: request.headers, rawHeaders: request.rawHeaders, body });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  let timer: NodeJS.Timeout | undefined;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    first: (event: string) => {
      timer = setTimeout(
        () => reject(new Error(`No webhook ${event} arrived within ${webhookDeadlineMs} ms.`)),
        webhookDeadlineMs,
      );
      return promise;
    },
    close: () => {
      clearTimeout(timer);
      server.close();
    },
  };
}
