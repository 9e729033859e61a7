import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import { type Stub, type StubOptions, startStub } from '../../stubs/stub.ts';
import { sharedByTests } from '../helper.ts';
import { listening } from '../listening.ts';

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: replies have any shape
  body: any;
}

/** Starts a stub without a log. It is closed when the test ends. */
export async function openStub<A extends 'pos' | 'cohesion'>(api: A, options: StubOptions<A> = {}): Promise<Stub<A>> {
  const stub = await startStub(api, { logLevel: 'silent', ...options });
  onTestFinished(() => stub.close());
  return stub;
}

/** A stub for all tests of a file or a block, which must leave it as it is. */
export const sharedStub = <A extends 'pos' | 'cohesion'>(api: A, options: StubOptions<A> = {}) =>
  sharedByTests(async (atEnd): Promise<Stub<A>> => {
    const stub = await startStub(api, { logLevel: 'silent', ...options });
    atEnd(() => stub.close());
    return stub;
  });

/** Makes a call over a real connection. */
export async function call(
  stub: Pick<Stub, 'url'>,
  method: string,
  path: string,
  { token, body, headers = {} }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const reply = await fetch(`${stub.url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.includes('json') ?? false;
  return { status: reply.status, headers: reply.headers, body: isJson ? JSON.parse(text) : text };
}

type Key = Pick<Stub<'pos'>['credentials'], 'apiKey' | 'apiSecret'>;

/** Gets a pos token, as partners do. */
export async function signIn(
  stub: Pick<Stub, 'url'> & { credentials: Key },
  { apiKey, apiSecret }: Key = stub.credentials,
): Promise<string> {
  const { status, body } = await call(stub, 'POST', '/api/auth', { body: { api_key: apiKey, api_secret: apiSecret } });
  if (status !== 200) throw new Error(`POST /api/auth was answered with ${status}`);
  return body.token;
}

/** The token that the reference of a stub fills in for a document. */
export async function tokenOn(stub: Pick<Stub, 'url'>, name: string): Promise<string | undefined> {
  const { body } = await call(stub, 'GET', '/docs');
  const [, sources = ''] = /data-sources="([^"]*)"/.exec(body) ?? [];
  return JSON.parse(sources.replaceAll('&quot;', '"')).find((source: { name: string }) => source.name === name)?.token;
}

export const aSale = (quantity = 2) => ({
  store_id: 'STORE-ABJ-01',
  items: [{ product_id: 'PRD-0001', quantity, price: 4500 }],
  payment_method: 'cash',
  total: quantity * 4500,
});

/** The signature of a webhook, as the documents compute it. */
export const signatureOf = (secret: string | Buffer, body = '') =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

interface Received {
  headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  rawHeaders: string[];
  body: string;
}

/** A receiver of webhooks that answers with these statuses in turn, then with the last of them. */
export async function openReceiver(...statuses: number[]) {
  const received: Received[] = [];
  const url = await listening(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const status = statuses[Math.min(received.length, statuses.length - 1)] ?? 204;
    received.push({ headers: request.headers, rawHeaders: request.rawHeaders, body });
    response.writeHead(status).end();
  });
  return { url: `${url}/hook`, received };
}
