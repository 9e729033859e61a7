import { expect } from 'vitest';
import { HistoryCheck } from '../history/check.ts';
import type { Line } from '../history/line.ts';
import { receiver } from '../webhooks/receiver.ts';
import { allPages } from './operator-walk.ts';
import { type Reply, type Started, until } from './process.ts';

/** A seeded random generator (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A receiver that randomly answers 200, answers an error, resets or hangs, until `recover` is called. */
export async function unreliableReceiver(random: () => number) {
  let unreliable = true;
  /** For the checker of histories. A sale is named by its id, and another event by its own. */
  const history: Line[] = [];
  /** What each event is named by. */
  const names = new Map<string, string>();
  const { url } = await receiver((response, { headers, body }) => {
    const draw = unreliable ? random() : 1;
    const id = String(headers['webhook-id']);
    const { event, data } = JSON.parse(body);
    names.set(id, event === 'sale.completed' ? data.id : id);
    const status = draw < 0.15 ? {} : { status: draw < 0.3 ? 500 : 200 };
    history.push({ kind: 'received', event: names.get(id) ?? id, endpoint: url, at: Date.now(), digest: body, ...status });
    if (draw < 0.05) return;
    if (draw < 0.15) return void response.socket?.destroy();
    if (draw < 0.3) return void response.writeHead(500).end('no');
    response.end('ok');
  });
  return {
    url,
    history,
    names,
    recover: () => {
      unreliable = false;
    },
  };
}

export type Call = (
  method: string,
  path: string,
  options?: { token?: string; body?: unknown },
) => Promise<{ status: number; body: Reply }>;

export interface Credentials {
  apiKey: string;
  apiSecret: string;
}

const isUp = (call: Call): Promise<boolean> =>
  call('GET', '/healthz').then(
    () => true,
    () => false,
  );

/** Sells continuously, several at once, until stopped. Notes the acknowledged sales. */
export function sellWithoutPause(call: () => Call, account: Credentials, products: Product[]) {
  const acknowledged: Line[] = [];
  let going = true;
  const seller = async (turn: number) => {
    let token = '';
    for (let index = turn; going; index += 4) {
      const { store_id, product_id, price } = products[index % products.length] as Product;
      const body = { store_id, items: [{ product_id, quantity: 1, price }], payment_method: 'cash', total: price };
      try {
        token ||= (await call()('POST', '/pos/api/auth', { body: { api_key: account.apiKey, api_secret: account.apiSecret } }))
          .body.token;
        const sale = await call()('POST', '/pos/api/v1/sales', { token, body });
        if (sale.status === 201) acknowledged.push({ kind: 'acknowledged', event: sale.body.data.id, at: Date.now() });
        if (sale.status === 401) token = '';
      } catch {
        // The process was killed during this call, so the sale was not acknowledged. Another process may start only later.
        await until(async () => !going || isUp(call()));
      }
    }
  };
  const sellers = Promise.all([0, 1, 2, 3].map(seller));
  return {
    acknowledged,
    stop: async () => {
      going = false;
      await sellers;
    },
  };
}

export interface Product {
  store_id: string;
  product_id: string;
  price: number;
}

/** Returns the products of which a store has at least 20. */
export async function productsOf(call: Call, store_id: string, token: string): Promise<Product[]> {
  const { items } = (await call('GET', `/pos/api/v1/inventory?store_id=${store_id}`, { token })).body.data;
  return items
    .filter(({ quantity }: { quantity: number }) => quantity >= 20)
    .map(({ product_id, price }: Product) => ({ store_id, product_id, price }));
}

interface Ended {
  /** A label that is printed before the figures. */
  what: string;
  gateway: Started;
  operatorToken: string;
  receivers: Awaited<ReturnType<typeof unreliableReceiver>>[];
  acknowledged: readonly Line[];
}

/** Lets the receivers recover, waits until no delivery is due, and lets the checker of histories judge. Prints its figures. */
export async function checkEnd({ what, gateway, operatorToken: token, receivers, acknowledged }: Ended): Promise<void> {
  for (const { recover } of receivers) recover();
  const ledger = await until(async () => {
    const { status, body } = await gateway.call('GET', '/manage/v1/ledger', { token });
    return status === 200 && body.data.awaiting_fan_out === 0 && body.data.deliveries.pending === 0 && body.data;
  });
  expect(ledger).toMatchObject({ unaccounted: 0, deliveries: { failed: 0, skipped: 0 } });
  const lines: Line[] = [
    ...receivers.map(({ url }) => ({ kind: 'endpoint' as const, endpoint: url })),
    ...acknowledged,
    ...receivers.flatMap(({ history }) => history),
    ...(await recordedBy(gateway, token, new Map(receivers.flatMap(({ names }) => [...names])))),
  ];
  const check = new HistoryCheck(0);
  lines.forEach((line, at) => {
    check.add(line, at + 1);
  });
  const { findings, counts } = check.result();
  expect(findings).toEqual([]);
  expect(counts).toMatchObject({ acknowledged: acknowledged.length, pending: 0, given_up: 0 });
  process.stdout.write(`${what}, ${ledger.expected} deliveries, ${JSON.stringify(counts)}\n`);
}

/** What the gateway itself says of each delivery. */
async function recordedBy({ call }: Started, token: string, names: ReadonlyMap<string, string>): Promise<Line[]> {
  const endpoints = (await call('GET', '/manage/v1/endpoints', { token })).body.data as { id: string; url: string }[];
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));
  const get = async (path: string) => (await call('GET', path, { token })).body;
  const rows = await allPages(get, '/manage/v1/deliveries?');
  return rows.map(({ event_id, endpoint_id, status: state }) => {
    return { kind: 'ledger', event: names.get(event_id) ?? event_id, endpoint: urls.get(endpoint_id) ?? endpoint_id, state };
  });
}
