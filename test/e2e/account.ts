import type { Started } from './process.ts';

const store = 'STORE-1';
/** Sales of one product wait for each other, so they are spread over so many. */
const products = 50;
const product = { name: 'Rice', category: 'Food', price: 100, quantity: 100_000_000, low_threshold: 1 };
const sale = { store_id: store, payment_method: 'cash', customer_phone: '+22507010203', total: 100 };

export interface Account {
  credentials: { api_key: string; api_secret: string };
  token: string;
  /** Returns the body of another sale of 100 F. */
  nextSale(): object;
}

/** Creates a pos account without a limit, and a store with stock. Throws if a call is refused. */
export async function openAccount(call: Started['call'], operatorToken: string): Promise<Account> {
  const post = async (path: string, body?: unknown) => {
    const reply = await call('POST', path, { token: operatorToken, body });
    if (reply.status >= 300) throw new Error(`POST ${path} gave ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const account = (await post('/manage/v1/pos/accounts', { name: 'Soak', plan: 'enterprise' })).data;
  const key = (await post(`/manage/v1/pos/accounts/${account.id}/keys`)).data;
  await post('/manage/v1/pos/stores', { id: store, name: 'Soak', city: 'Abidjan' });
  for (let serial = 0; serial < products; serial++)
    await post(`/manage/v1/pos/stores/${store}/products`, { ...product, product_id: `P${serial}` });
  const credentials = { api_key: key.api_key, api_secret: key.api_secret };
  const { token } = await post('/pos/api/auth', credentials);
  let turn = 0;
  return {
    credentials,
    token,
    nextSale: () => ({ ...sale, items: [{ product_id: `P${turn++ % products}`, quantity: 1, price: 100 }] }),
  };
}
