import type { History } from './history.ts';
import type { Installation } from './installation.ts';
import type { SoakReceiver } from './receivers.ts';

export interface Load {
  readonly figures: { acknowledged: number; reads: number; refused: number; failed: number };
  /** The slowest and the usual call since the last `take`, in milliseconds. */
  takeLatency(): { p50: number; p99: number };
  stop(): Promise<void>;
}

const store = 'STORE-1';
/** Sales of one product wait for each other, so they are spread over so many. */
const products = 50;
const product = { name: 'Rice', category: 'Food', price: 100, quantity: 100_000_000, low_threshold: 1 };
const sale = { store_id: store, payment_method: 'cash', customer_phone: '+22507010203', total: 100 };

/** Creates an account without a limit, and a store with stock. Returns a token, and a function that returns the body of a sale. */
export async function openAccount({ members, operatorToken }: Pick<Installation, 'members' | 'operatorToken'>) {
  const { call } = (members[0] as Installation['members'][0]).process;
  const post = async (path: string, body?: unknown) => {
    const reply = await call('POST', path, { token: operatorToken, body });
    if (reply.status >= 300) throw new Error(`POST ${path} gave ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const account = (await post('/manage/v1/pos/accounts', { name: 'Soak', plan: 'enterprise' })).data;
  const { api_key, api_secret } = (await post(`/manage/v1/pos/accounts/${account.id}/keys`)).data;
  await post('/manage/v1/pos/stores', { id: store, name: 'Soak', city: 'Abidjan' });
  for (let serial = 0; serial < products; serial++)
    await post(`/manage/v1/pos/stores/${store}/products`, { ...product, product_id: `P${serial}` });
  const credentials = { api_key, api_secret };
  const { token } = await post('/pos/api/auth', credentials);
  let turn = 0;
  const nextSale = () => ({ ...sale, items: [{ product_id: `P${turn++ % products}`, quantity: 1, price: 100 }] });
  return { credentials, token: token as string, nextSale };
}

/** What is called besides sales, in turn: partners' reads and an operator's lists. */
const reads = [
  { path: '/pos/api/v1/inventory?store_id=STORE-1', as: 'partner' },
  { path: '/manage/v1/calls?limit=20', as: 'operator' },
  { path: '/pos/api/v1/sales', as: 'stranger' },
  { path: '/manage/v1/deliveries?status=pending&limit=20', as: 'operator' },
] as const;

/**
 * Makes `perSecond` sales and as many reads each second, whatever the replies are, through both gateways in turn. A sale that
 * gets no reply is not owed to anybody.
 */
export async function startLoad(
  { members, operatorToken }: Installation,
  { receivers, history }: { receivers: readonly SoakReceiver[]; history: History },
  perSecond: number,
): Promise<Load> {
  const gateways = members.filter(({ role }) => role === 'api');
  const account = await openAccount({ members, operatorToken });
  const figures = { acknowledged: 0, reads: 0, refused: 0, failed: 0 };
  let took: number[] = [];
  let { token } = account;
  let turn = 0;
  const pending = new Set<Promise<void>>();

  const call = async (method: string, path: string, options: { token?: string; body?: unknown }) => {
    const { process } = gateways[turn++ % gateways.length] as (typeof gateways)[0];
    const began = performance.now();
    const reply = await process.call(method, path, options);
    took.push(performance.now() - began);
    if (reply.status >= 400) figures.refused += 1;
    return reply;
  };
  const sell = async () => {
    if (token === '') token = (await call('POST', '/pos/api/auth', { body: account.credentials })).body.token ?? '';
    const reply = await call('POST', '/pos/api/v1/sales', { token, body: account.nextSale() });
    if (reply.status === 401) token = '';
    if (reply.status !== 201) return;
    figures.acknowledged += 1;
    history.write({ kind: 'acknowledged', event: reply.body.data.id, at: Date.now() });
    for (const receiver of receivers) receiver.sold(reply.body.data.id);
  };
  const read = async () => {
    const { path, as } = reads[figures.reads++ % reads.length] as (typeof reads)[0];
    await call('GET', path, { token: { partner: token, operator: operatorToken, stranger: 'nobody' }[as] });
  };
  const run = (work: () => Promise<void>) => {
    const running = work()
      .catch(() => {
        figures.failed += 1;
      })
      .finally(() => pending.delete(running));
    pending.add(running);
  };
  const timer = setInterval(() => {
    // While a gateway hangs, waiting calls must not use all memory of this process.
    if (pending.size > 50 * perSecond) return;
    run(sell);
    run(read);
  }, 1000 / perSecond);
  return {
    figures,
    takeLatency() {
      const sorted = took.toSorted((a, b) => a - b);
      took = [];
      const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
      return { p50: at(0.5), p99: at(0.99) };
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
    },
  };
}
