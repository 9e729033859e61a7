import { type Made, making, type Send } from './making.ts';

/** The calls of a partner's tests of the point of sale: accepted and refused ones of each operation. */

export interface Partner {
  send: Send;
  apiKey: string;
  apiSecret: string;
  store: string;
  /** A product of the store, with its price. */
  product: string;
  price: number;
  provider: string;
  /** The header of the token. Default: Authorization. */
  tokenHeader?: string;
}

type Fields = Record<string, unknown>;

/** The id or the reference of a sale, in whichever envelope and under whichever name. */
const saleOf = (body: unknown): string => {
  const values = JSON.stringify(body ?? {});
  return /"reference":"([^"]+)"/i.exec(values)?.[1] ?? /"id":"([^"]+)"/i.exec(values)?.[1] ?? 'S-00000000-000000';
};

export async function makeCalls({
  send,
  apiKey,
  apiSecret,
  store,
  product,
  price,
  provider,
  tokenHeader,
}: Partner): Promise<Made[]> {
  let token = '';
  const { made, ask } = making(send, () =>
    token === '' ? {} : tokenHeader ? { [tokenHeader]: token } : { authorization: `Bearer ${token}` },
  );
  const right = { api_key: apiKey, api_secret: apiSecret };
  await ask('an inventory without a token', 'GET', `/api/v1/inventory?store_id=${store}`);
  await ask('a report without a token', 'GET', `/api/v1/reports/sales?store_id=${store}`);
  await ask('wrong credentials', 'POST', '/api/auth', { ...right, api_secret: 'no such secret' });
  await ask('credentials without a secret', 'POST', '/api/auth', { api_key: apiKey });
  await ask('a token below the base address', 'POST', '/api/v1/auth', right);
  token = (await ask('a token', 'POST', '/api/auth', right)).body.token;

  const inventory = (query: string, name = `inventory ${query}`) => ask(name, 'GET', `/api/v1/inventory${query}`);
  await inventory(`?store_id=${store}`, 'the inventory');
  await inventory('?store_id=NOWHERE-9', 'the inventory of an unknown store');
  await inventory('', 'the inventory of no store');
  await inventory(`?store_id=${store}&verbose=1`, 'an inventory with a surplus parameter');

  const line = (quantity: number) => ({ product_id: product, quantity, price });
  const fields: Fields = {
    store_id: store,
    items: [line(1)],
    payment_method: 'cash',
    customer_phone: '+2250701020304',
    total: price,
  };
  const sell = (name: string, changes: Fields = {}, headers?: Record<string, string>) =>
    ask(name, 'POST', '/api/v1/sales', { ...fields, ...changes }, headers);
  await sell('a sale at another price', { items: [{ ...line(1), price: price - 1 }], total: price - 1 });
  await sell('a sale');
  await sell('the same sale again');
  await sell('a sale with a key', {}, { 'idempotency-key': 'till-1' });
  await sell('the sale with its key again', {}, { 'idempotency-key': 'till-1' });
  await sell('a sale of no lines', { items: [] });
  await sell('a sale of one product twice', { items: [line(1), line(1)], total: price * 2 });
  await sell('a sale of half a product', { items: [line(0.5)], total: price / 2 });
  await sell('a sale of a negative quantity', { items: [line(-1)], total: -price });
  await sell('a sale with a local phone', { customer_phone: '0701020304' });
  await sell('a sale without a total', { total: undefined });
  await sell('a sale below its sum', { total: price - 1 });
  await sell('a sale over its sum', { total: price + 1 });
  await sell('a sale with a surplus field', { cashier: 'x' });
  await sell('a sale paid by orange_money', { payment_method: 'orange_money' });
  await sell('a sale in an unknown store', { store_id: 'NOWHERE-9' });
  await sell('a sale of no lines in an unknown store', { store_id: 'NOWHERE-9', items: [] });
  await sell('a sale of an unknown product', { items: [{ ...line(1), product_id: 'NOTHING-9' }] });
  await ask('a sale in plain text', 'POST', '/api/v1/sales', 'sold', { 'content-type': 'text/plain' });
  await ask('sales read', 'GET', '/api/v1/sales');
  await ask('an unknown path', 'GET', '/api/v1/tills');
  await sell('a mobile-money sale without a phone', { payment_method: 'mobile_money', customer_phone: undefined });
  const mobile = { payment_method: 'mobile_money' };
  await inventory(`?store_id=${store}`, 'the inventory before a pending sale');
  const reference = saleOf((await sell('a mobile-money sale', mobile)).body);
  await inventory(`?store_id=${store}`, 'the inventory with a pending sale');

  const pay = (name: string, changes: Fields = {}) =>
    ask(name, 'POST', '/api/v1/payment/mobile', { amount: price, phone: '+2250701020304', provider, reference, ...changes });
  await pay('a payment without a reference', { reference: undefined });
  await pay('a payment by wave', { provider: 'wave' });
  await pay('a payment by orange_money', { provider: 'orange_money', reference: 'S-00000000-000000' });
  await pay('a payment of an unknown sale', { reference: 'S-00000000-000000' });
  await pay('a payment with a local phone', { phone: '0701020304', reference: 'S-00000000-000000' });
  const third = saleOf((await sell('a mobile-money sale that is overpaid', mobile)).body);
  await pay('a payment over the total', { amount: price + 1, reference: third });
  await pay('a payment without a phone', { phone: undefined, reference: third });
  await inventory(`?store_id=${store}`, 'the inventory before a sale that is paid');
  const paid = saleOf((await sell('a mobile-money sale that is paid', mobile)).body);
  await inventory(`?store_id=${store}`, 'the inventory before the payment');
  await pay('a payment', { reference: paid });
  await inventory(`?store_id=${store}`, 'the inventory after the payment');
  await pay('a payment of a paid sale', { reference: paid });
  const other = saleOf((await sell('another mobile-money sale', mobile)).body);
  await pay('a part of a payment', { reference: other, amount: price - 1 });

  await inventory(`?store_id=${store}`, 'the inventory after the sales');
  await sell('a sale of more than the stock', { items: [line(100_000)], total: 100_000 * price });
  await inventory(`?store_id=${store}`, 'the inventory after too much');

  const report = (query: string, name: string) => ask(name, 'GET', `/api/v1/reports/sales?store_id=${store}${query}`);
  await report('', 'a report without dates');
  await report('&start_date=2026-01-01&end_date=2026-12-31', 'a report of a year');
  await report('&start_date=yesterday&end_date=today', 'a report of words');

  await sell('a sale paid by cheque', { payment_method: 'cheque' });
  await ask('an inventory as HTML', 'GET', `/api/v1/inventory?store_id=${store}`, undefined, { accept: 'text/html' });
  await ask('another token', 'POST', '/api/auth', right);
  await inventory(`?store_id=${store}`, 'the inventory with the first token');
  await ask('an inventory with a wrong token', 'GET', `/api/v1/inventory?store_id=${store}`, undefined, {
    authorization: 'Bearer wrong',
  });
  return made;
}
