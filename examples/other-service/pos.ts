/**
 * A second point of sale, written from docs/spec/point-of-sale.md alone. It has other choices than Passerelle wherever the
 * document leaves one open; README.md lists them. It uses nothing of Passerelle.
 */
import { createSign, generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Product {
  product_id: string;
  name: string;
  price: number;
  quantity: number;
}

export interface Data {
  api_key: string;
  api_secret: string;
  /** The products of each store. */
  stores: Readonly<Record<string, Product[]>>;
}

interface Sale {
  id: string;
  store_id: string;
  total: number;
  method: string;
  made: string;
  isPaid: boolean;
}

type Fields = Record<string, unknown>;

/** An answer that ends the call. */
class Problem extends Error {
  readonly status: number;
  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
};
const invalid = (detail: string) => new Problem(422, detail);
const notFound = (detail: string) => new Problem(404, detail);
const lifetimeMs = 3_600_000;

class Service {
  readonly #data: Data;
  readonly #sales: Sale[] = [];
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

  constructor(data: Data) {
    this.#data = data;
  }

  readonly operations: Readonly<Record<string, Readonly<Record<string, (call: Call) => unknown>>>> = {
    '/api/auth': { POST: ({ body }) => this.#issueToken(body()) },
    '/api/v1/sales': { POST: (call) => this.#secured(call, () => this.#sell(call.body())) },
    '/api/v1/inventory': { GET: (call) => this.#secured(call, () => this.#productsOf(call.query.get('store_id'))) },
    '/api/v1/payment/mobile': { POST: (call) => this.#secured(call, () => this.#pay(call.body())) },
    '/api/v1/reports/sales': { GET: (call) => this.#secured(call, () => this.#report(call.query)) },
  };

  #issueToken({ api_key, api_secret }: Fields) {
    if (typeof api_key !== 'string') throw invalid('api_key must be a string');
    if (typeof api_secret !== 'string') throw invalid('api_secret must be a string');
    if (api_key !== this.#data.api_key || api_secret !== this.#data.api_secret) throw new Problem(401, 'Wrong credentials');
    const seconds = Math.floor(Date.now() / 1000);
    const claims = { sub: 'account-1', iat: seconds, exp: seconds + lifetimeMs / 1000 };
    const signed = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
    const signature = createSign('RSA-SHA256').update(signed.join('.')).sign(this.#keys.privateKey, 'base64url');
    return { success: true, token: [...signed, signature].join('.'), expires_in: lifetimeMs, token_type: 'Bearer' };
  }

  #secured<R>({ authorization }: Call, work: () => R): R {
    const [, head = '', claims = '', signature = ''] = /^Bearer ([^.]+)\.([^.]+)\.([^.]+)$/.exec(authorization) ?? [];
    const isOurs =
      signature !== '' &&
      verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), this.#keys.publicKey, Buffer.from(signature, 'base64url'));
    if (!isOurs) throw new Problem(401, 'A valid bearer token is needed');
    return work();
  }

  #productsOf(store: unknown): Product[] {
    if (typeof store !== 'string' || store === '') throw invalid('store_id is required');
    const products = this.#data.stores[store];
    if (!products) throw notFound('This store does not exist');
    return products;
  }

  #sell({ store_id, items, payment_method, customer_phone, total }: Fields) {
    if (!Array.isArray(items) || items.length === 0) throw invalid('items must be a list with one line or more');
    const lines = items as Fields[];
    for (const { product_id, quantity, price } of lines) {
      if (typeof product_id !== 'string') throw invalid('items: product_id must be a string');
      if (!Number.isInteger(quantity) || Number(quantity) < 1) throw invalid('items: quantity must be a whole number from 1');
      if (typeof price !== 'number' || price < 0) throw invalid('items: price must be a number from 0');
    }
    if (new Set(lines.map(({ product_id }) => product_id)).size < lines.length)
      throw invalid('items: the same product must not be on two lines');
    if (!['cash', 'card', 'mobile_money'].includes(String(payment_method))) throw invalid('payment_method is not supported');
    if (typeof total !== 'number' || total < 0) throw invalid('total must be a number from 0');
    if (payment_method === 'mobile_money' && customer_phone === undefined)
      throw invalid('customer_phone is required for mobile money');
    if (customer_phone !== undefined) checkPhone('customer_phone', customer_phone);
    const products = this.#productsOf(store_id);
    const sold = lines.map((line) => {
      const product = products.find(({ product_id }) => product_id === line.product_id);
      if (!product) throw notFound('This product does not exist');
      return { product, quantity: Number(line.quantity) };
    });
    for (const { product, quantity } of sold) product.quantity -= quantity;
    const sale: Sale = {
      id: randomUUID(),
      store_id: String(store_id),
      total,
      method: String(payment_method),
      made: new Date().toISOString(),
      isPaid: payment_method !== 'mobile_money',
    };
    this.#sales.push(sale);
    return { id: sale.id };
  }

  #pay({ amount, phone, provider, reference }: Fields) {
    if (typeof amount !== 'number' || amount <= 0) throw invalid('amount must be a number above 0');
    checkPhone('phone', phone);
    if (!['orange', 'mtn', 'moov'].includes(String(provider))) throw invalid('provider must be orange, mtn or moov');
    if (typeof reference !== 'string') throw invalid('reference is required');
    const sale = this.#sales.find(({ id }) => id === reference);
    if (!sale) throw notFound('This sale does not exist');
    if (sale.isPaid) throw invalid('This sale is paid already');
    if (amount !== sale.total) throw invalid('amount must be the total of the sale');
    sale.isPaid = true;
    return { transaction_id: randomUUID(), status: 'pending' };
  }

  #report(query: URLSearchParams) {
    const [first, last] = ['start_date', 'end_date'].map((name) => {
      const day = query.get(name) ?? '';
      if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw invalid(`${name} must be a date such as 2026-01-31`);
      return day;
    });
    this.#productsOf(query.get('store_id'));
    return this.#sales
      .filter(
        ({ store_id, made }) =>
          store_id === query.get('store_id') && made.slice(0, 10) >= `${first}` && made.slice(0, 10) <= `${last}`,
      )
      .map(({ id, total, made }) => ({ id, total, created_at: made }));
  }
}

function checkPhone(field: string, phone: unknown): void {
  if (typeof phone !== 'string' || !/^\+\d{8,15}$/.test(phone))
    throw invalid(`${field} must be a telephone number with + and the country code`);
}

interface Call {
  query: URLSearchParams;
  authorization: string;
  body(): Fields;
}

async function answer(request: IncomingMessage, operations: Service['operations']): Promise<unknown> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://service');
  const text = Buffer.concat(await request.toArray()).toString();
  const methods = operations[pathname];
  if (!methods) throw notFound('There is nothing here');
  const operation = methods[request.method ?? ''];
  if (!operation) throw new Problem(405, `Only ${Object.keys(methods).join(', ')}`);
  return operation({ query, authorization: request.headers.authorization ?? '', body: () => fieldsOf(request, text) });
}

function fieldsOf({ headers }: IncomingMessage, text: string): Fields {
  if (!headers['content-type']?.startsWith('application/json'))
    throw new Problem(400, 'The content type must be application/json');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // It is answered below.
  }
  throw new Problem(400, 'The body is not a JSON object');
}

function send(response: ServerResponse, status: number, type: string, body: unknown): void {
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
}

/** Starts the service. Port 0 takes a free one. */
export async function openOtherPos(data: Data, port = 0) {
  const { operations } = new Service(structuredClone(data));
  const server = createServer((request, response) => {
    answer(request, operations).then(
      (body) => send(response, 200, 'application/json', body),
      (error: Error) => {
        const status = error instanceof Problem ? error.status : 500;
        const detail = status === 500 ? 'Something went wrong' : error.message;
        if (status === 405) response.setHeader('allow', detail.replace('Only ', ''));
        send(response, status, 'application/problem+json', { type: 'about:blank', title: titles[status], status, detail });
      },
    );
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

if (import.meta.main) {
  const rice = { product_id: 'RICE-5', name: 'Rice, 5 kg', price: 4000, quantity: 20 };
  const { url } = await openOtherPos({ api_key: 'key-1', api_secret: 'secret-1', stores: { 'SHOP-1': [rice] } }, 4300);
  process.stdout.write(`${url}  api_key key-1, api_secret secret-1, store SHOP-1\n`);
}
