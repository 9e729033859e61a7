import type { Installation } from './installation.ts';
import type { SoakReceiver } from './receivers.ts';

export interface Load {
  readonly figures: { acknowledged: number; reads: number; refused: number; failed: number };
  /** The slowest and the usual call since the last `take`, in milliseconds. */
  takeLatency(): { p50: number; p99: number };
  stop(): Promise<void>;
}

const store = 'STORE-1';
const product = { product_id: 'P1', name: 'Rice', category: 'Food', price: 100, quantity: 100_000_000, low_threshold: 1 };
const sale = {
  store_id: store,
  items: [{ product_id: 'P1', quantity: 1, price: 100 }],
  payment_method: 'cash',
  customer_phone: '+22507010203',
  total: 100,
};

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
  receivers: readonly SoakReceiver[],
  perSecond: number,
): Promise<Load> {
  const gateways = members.filter(({ role }) => role === 'api');
  const manage = async (method: string, path: string, body?: unknown) => {
    const { call } = (gateways[0] as (typeof gateways)[0]).process;
    const reply = await call(method, `/manage/v1${path}`, { token: operatorToken, body });
    if (reply.status >= 300) throw new Error(`${method} ${path} gave ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  };
  const account = await manage('POST', '/pos/accounts', { name: 'Soak', plan: 'enterprise' });
  const key = await manage('POST', `/pos/accounts/${account.id}/keys`);
  await manage('POST', '/pos/stores', { id: store, name: 'Soak', city: 'Abidjan' });
  await manage('POST', `/pos/stores/${store}/products`, product);

  const figures = { acknowledged: 0, reads: 0, refused: 0, failed: 0 };
  let took: number[] = [];
  let token = '';
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
  const signIn = async () => {
    const body = { api_key: key.api_key, api_secret: key.api_secret };
    token = (await call('POST', '/pos/api/auth', { body })).body.token ?? '';
  };
  const sell = async () => {
    if (token === '') await signIn();
    const reply = await call('POST', '/pos/api/v1/sales', { token, body: sale });
    if (reply.status === 401) token = '';
    if (reply.status !== 201) return;
    figures.acknowledged += 1;
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
  await signIn();
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
