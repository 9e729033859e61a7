// The suite that bench/probe.ts probes as `reads`: 25 tests of a till that reads the fields of replies, as most clients do. It is ready for
// whatever a client can be ready for, but for the dependencies that PLANTED names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, type Reply, sale, signIn } from '../../examples/probe/till.ts';

const token = await signIn();
const planted = new Set((process.env.PLANTED ?? '').split(','));
const item = sale.items[0] as (typeof sale.items)[number];
const store = 'store_id=STORE-ABJ-01';
const today = new Date().toISOString().slice(0, 10);
const isSuccess = ({ status }: Reply) => status >= 200 && status < 300;
const isRefusal = ({ status }: Reply) => status >= 400 && status < 500;

type Fields = Record<string, unknown>;
const recordOf = ({ body }: Reply): Fields => body.data ?? body;
const rowsOf = (reply: Reply): Fields[] => {
  const record = recordOf(reply);
  return (Array.isArray(record) ? record : record.items) as Fields[];
};

let sold = 0;
/** No two sales are the same, so that none is taken for a repetition. */
const sell = (other: object = {}) => {
  sold += 1;
  return call('POST', '/api/v1/sales', {
    token,
    body: { ...sale, items: [{ ...item, quantity: sold }], total: item.price * sold, ...other },
  });
};
const sellByPhone = () => sell({ payment_method: 'mobile_money', customer_phone: '+2250701020304' });
const pay = async (other: object = {}) => {
  const { reference, total } = recordOf(await sellByPhone());
  const body = { amount: total, phone: '+2250701020304', provider: 'orange_money', reference, ...other };
  return call('POST', '/api/v1/payment/mobile', { token, body });
};
const inventory = () => call('GET', `/api/v1/inventory?${store}`, { token });
const report = () => call('GET', `/api/v1/reports/sales?${store}&start_date=${today}&end_date=${today}`, { token });
const signInWrongly = () => call('POST', '/api/auth', { body: { api_key: 'nobody', api_secret: 'wrong' } });
const productOf = async () => rowsOf(await inventory()).find(({ product_id }) => product_id === item.product_id);

const tests: Readonly<Record<string, () => Promise<void>>> = {
  'sells for cash': async () => {
    const { status } = await sell();
    assert.ok(planted.has('201') ? status === 201 : status < 300);
  },
  'lists the inventory': async () => {
    const reply = await inventory();
    assert.ok(planted.has('items') ? reply.body.data.items.length > 0 : rowsOf(reply).length > 0);
  },
  'shows why it may not sign in': async () => {
    const reply = await signInWrongly();
    assert.ok(planted.has('error-code') ? typeof reply.body.error.code === 'string' : isRefusal(reply));
  },
  'has received a payment': async () => {
    const { status } = recordOf(await pay());
    assert.ok(planted.has('received') ? status === 'received' : typeof status === 'string');
  },
  'sells by card': async () => assert.ok(isSuccess(await sell({ payment_method: 'card' }))),
  'sells for a mobile payment': async () => assert.ok(isSuccess(await sellByPhone())),
  'keeps the id of a sale': async () => assert.equal(typeof recordOf(await sell()).id, 'string'),
  'keeps the reference of a sale': async () => assert.equal(typeof recordOf(await sell()).reference, 'string'),
  'shows the total of a sale': async () => assert.equal(Number(recordOf(await sell()).total), item.price * sold),
  'shows the currency of a sale': async () => assert.equal(recordOf(await sell()).currency, 'XOF'),
  'shows the lines of a sale': async () =>
    assert.equal((recordOf(await sell()).items as Fields[])[0]?.product_id, item.product_id),
  'shows the state of a sale': async () => assert.equal(typeof recordOf(await sell()).status, 'string'),
  'shows when it sold': async () => assert.ok(!Number.isNaN(Date.parse(String(recordOf(await sell()).created_at)))),
  'takes a mobile payment': async () => assert.ok(isSuccess(await pay())),
  'keeps the id of a payment': async () => assert.equal(typeof recordOf(await pay()).id, 'string'),
  'shows the amount of a payment': async () => assert.ok(Number(recordOf(await pay()).amount) > 0),
  'shows who carries a payment': async () => assert.equal(recordOf(await pay()).provider, 'orange_money'),
  'shows the names of products': async () => assert.equal(typeof (await productOf())?.name, 'string'),
  'shows the prices of products': async () => assert.equal(Number((await productOf())?.price), item.price),
  'shows what is in stock': async () => assert.ok(Number((await productOf())?.quantity) > 0),
  'reports the sales of a day': async () => assert.ok(Number((recordOf(await report()).totals as Fields).sales) >= 0),
  'reports what was taken': async () => assert.ok(Number((recordOf(await report()).totals as Fields).amount) >= 0),
  'may not sell without goods': async () => assert.ok(isRefusal(await sell({ items: [] }))),
  'may not sell in an unknown store': async () => assert.ok(isRefusal(await sell({ store_id: 'STORE-NOWHERE' }))),
  'may not read without a token': async () => assert.ok(isRefusal(await call('GET', `/api/v1/reports/sales?${store}`))),
};

for (const [name, check] of Object.entries(tests)) test(name, check);
