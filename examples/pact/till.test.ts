// Twenty tests of a till, as its authors wrote them: they know nothing of Pact. `passerelle pact` writes the pact:
//   npx --no -- passerelle pact pos --consumer till -- node --test till.test.ts
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { before, test } from 'node:test';
import { Refused, type Sale, Till } from './till.ts';

const root = process.env.PASSERELLE_POS_URL ?? 'http://127.0.0.1:4010';
const key = process.env.PASSERELLE_POS_API_KEY ?? '';
const secret = process.env.PASSERELLE_POS_API_SECRET ?? '';
const store = 'STORE-ABJ-01';
/** Different at each run, as in many suites. */
const phone = `+22507${randomInt(10_000_000, 100_000_000)}`;

const till = new Till(root);
const refused = (status: number) => (error: unknown) => error instanceof Refused && error.status === status;

const saleOf = (payment_method: Sale['payment_method'], quantity = 1): Sale => ({
  store_id: store,
  items: [{ product_id: 'PRD-0001', quantity, price: 4500 }],
  payment_method,
  total: 4500 * quantity,
});

before(async () => {
  await till.signIn(key, secret);
});

test('signs in', async () => {
  const { token, token_type, expires_in } = await new Till(root).signIn(key, secret);
  assert.equal(token_type, 'Bearer');
  assert.ok(token.length > 0 && expires_in > 0);
});

test('does not sign in with a wrong secret', () => assert.rejects(new Till(root).signIn(key, 'wrong'), refused(401)));
test('does not sign in with an unknown key', () => assert.rejects(new Till(root).signIn('nobody', 'wrong'), refused(401)));
test('does not sign in without a secret', () => assert.rejects(new Till(root).signIn(key, ''), refused(400)));

test('sells for cash', async () => assert.equal((await till.sell(saleOf('cash', randomInt(1, 4)))).status, 'completed'));
test('sells by card', async () => assert.equal((await till.sell(saleOf('card'))).payment_method, 'card'));

test('sells several products, one by weight', async () => {
  const items = [
    { product_id: 'PRD-0001', quantity: 1, price: 4500 },
    { product_id: 'PRD-0003', quantity: 0.5, price: 800 },
  ];
  const sale = await till.sell({ ...saleOf('cash'), items, total: 4900, customer_phone: phone });
  assert.equal(sale.items.length, 2);
});

test('sells by mobile money, and takes the payment of the sale it made', async () => {
  const { reference } = await till.sell({ ...saleOf('mobile_money'), customer_phone: phone });
  const payment = { amount: 4500, phone, provider: 'orange_money', reference };
  assert.equal((await till.pay(payment)).sale.status, 'completed');
  await assert.rejects(till.pay(payment), refused(400), 'a second payment');
});

test('takes no payment of an unknown sale', () =>
  assert.rejects(till.pay({ amount: 4500, phone, provider: 'mtn_momo', reference: 'S-20200101-NOSALE' }), refused(404)));
test('takes no payment by an unknown operator', () =>
  assert.rejects(till.pay({ amount: 4500, phone, provider: 'paypal', reference: 'S-20200101-NOSALE' }), refused(400)));
test('does not sell in an unknown store', () =>
  assert.rejects(till.sell({ ...saleOf('cash'), store_id: 'STORE-NOWHERE' }), refused(404)));
test('does not sell an unknown product', () =>
  assert.rejects(till.sell({ ...saleOf('cash'), items: [{ product_id: 'PRD-NONE', quantity: 1, price: 4500 }] }), refused(404)));
test('does not sell nothing', () => assert.rejects(till.sell({ ...saleOf('cash'), items: [], total: 0 }), refused(400)));
test('does not sell for a wrong total', () => assert.rejects(till.sell({ ...saleOf('cash'), total: 1 }), refused(400)));
test('does not sell more than there is', () => assert.rejects(till.sell(saleOf('cash', 100_000)), refused(400)));
test('does not sell without a token', () => assert.rejects(new Till(root).sell(saleOf('cash')), refused(401)));

test('does not sell with a token that it made up', async () => {
  const stranger = new Till(root);
  stranger.useToken('made-up');
  await assert.rejects(stranger.sell(saleOf('cash')), refused(401));
});

test('reads the inventory', async () => {
  const { items } = await till.inventory(store);
  assert.ok(items.some(({ product_id }: { product_id: string }) => product_id === 'PRD-0001'));
  await assert.rejects(till.inventory('STORE-NOWHERE'), refused(404));
});

test('reads the report of the last week', async () => {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const { totals } = await till.report({ store_id: store, start_date: day(7), end_date: day(0) });
  assert.ok(totals.amount > 0);
});

test('refuses a reversed period', () =>
  assert.rejects(till.report({ store_id: store, start_date: '2026-03-31', end_date: '2026-03-01' }), refused(400)));
