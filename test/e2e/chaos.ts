import { expect } from 'vitest';
import type { Receiver } from '../webhooks/receiver.ts';
import { receiver } from '../webhooks/receiver.ts';
import { type Reply, until } from './process.ts';

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
export async function unreliableReceiver(random: () => number): Promise<Receiver & { recover(): void; accepted: string[] }> {
  let unreliable = true;
  const accepted: string[] = [];
  const { url, received } = await receiver((response, { headers }) => {
    const draw = unreliable ? random() : 1;
    if (draw < 0.05) return;
    if (draw < 0.15) return void response.socket?.destroy();
    if (draw < 0.3) return void response.writeHead(500).end('no');
    accepted.push(String(headers['webhook-id']));
    response.end('ok');
  });
  return {
    url,
    received,
    accepted,
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

/** Sells continuously, several at once, until stopped. Keeps the ids of acknowledged sales. */
export function sellWithoutPause(call: () => Call, account: Credentials, products: Product[]) {
  const acknowledged: string[] = [];
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
        if (sale.status === 201) acknowledged.push(sale.body.data.id);
        if (sale.status === 401) token = '';
      } catch {
        // The process was killed during this call, so the sale was not acknowledged.
        await new Promise((resolve) => setTimeout(resolve, 20));
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

/** Checks that every acknowledged sale reached the receiver, with the same bytes each time. Returns the duplicates. */
function checkReceived(
  { received, accepted }: Pick<Awaited<ReturnType<typeof unreliableReceiver>>, 'received' | 'accepted'>,
  acknowledged: string[],
): { events: number; duplicates: number } {
  const bodies = new Map<string, string>();
  for (const { headers, body } of received) {
    const id = String(headers['webhook-id']);
    expect(bodies.get(id) ?? body, `the bytes of ${id}`).toBe(body);
    bodies.set(id, body);
  }
  const distinct = new Set(accepted);
  const sold = new Set([...distinct].map((id) => JSON.parse(bodies.get(id) ?? '{}').data.id));
  expect(acknowledged.filter((id) => !sold.has(id))).toEqual([]);
  return { events: distinct.size, duplicates: accepted.length - distinct.size };
}

interface Ended {
  /** A label that is printed before the figures. */
  what: string;
  call: Call;
  operatorToken: string;
  receivers: Awaited<ReturnType<typeof unreliableReceiver>>[];
  acknowledged: string[];
}

/** Lets the receivers recover, waits until no delivery is due, and checks that none is lost. Prints the duplicates. */
export async function checkEnd({ what, call, operatorToken, receivers, acknowledged }: Ended): Promise<void> {
  for (const { recover } of receivers) recover();
  const ledger = await until(async () => {
    const { status, body } = await call('GET', '/manage/v1/ledger', { token: operatorToken });
    return status === 200 && body.data.awaiting_fan_out === 0 && body.data.deliveries.pending === 0 && body.data;
  });
  expect(ledger).toMatchObject({ unaccounted: 0, deliveries: { failed: 0, skipped: 0 } });
  const counts = receivers.map((each) => checkReceived(each, acknowledged));
  const sum = (of: 'events' | 'duplicates') => counts.reduce((total, count) => total + count[of], 0);
  expect(sum('events')).toBe(ledger.expected);
  const figures = `${acknowledged.length} acknowledged sales, ${ledger.expected} deliveries, none lost; accepted twice: ${sum('duplicates')}`;
  process.stdout.write(`${what}, ${figures}\n`);
}
