import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Shop, signIn } from './shop.ts';

const store = 'STORE-ABJ-01';
const phone = '+2250700000000';
const line = { product_id: 'PRD-0001', quantity: 2, price: 4500 };
const sale = { store_id: store, items: [line], payment_method: 'cash', customer_phone: phone, total: 9000 };

/** `looks`: false for a suite whose test of the stock calls it and asserts nothing. */
export function testShop({ looks = true } = {}): void {
  const open = async () => new Shop((await signIn()).body.token);
  const quantityIn = async (shop: Shop) => {
    const { body } = await shop.stock(store);
    return body.data?.items?.find((one: { product_id: string }) => one.product_id === line.product_id)?.quantity;
  };

  test('signs in', async () => {
    const { token: _, ...others } = (await signIn()).body;
    assert.deepEqual(others, { success: true, expires_in: 3600, token_type: 'Bearer' });
  });

  test('does not sign in with a wrong secret', async () => {
    assert.equal((await signIn({ api_secret: 'wrong' })).status, 401);
  });

  test('sells for cash', async () => {
    const { data } = (await (await open()).sell(sale)).body;
    const [{ product_id, quantity, price }] = data.items;
    assert.deepEqual({ product_id, quantity, price }, line);
    assert.deepEqual([data.store_id, data.payment_method, data.customer_phone, data.total], [store, 'cash', phone, 9000]);
  });

  test('sells several products', async () => {
    const items = [line, { product_id: 'PRD-0003', quantity: 1, price: 800 }];
    const { data } = (await (await open()).sell({ ...sale, items, total: 9800 })).body;
    assert.equal(data.items.length, 2);
  });

  for (const provider of ['orange_money', 'mtn_momo', 'moov_money'])
    test(`is paid with ${provider}`, async () => {
      const shop = await open();
      const { reference } = (await shop.sell({ ...sale, payment_method: 'mobile_money' })).body.data;
      const payment = { amount: 9000, phone, provider, reference };
      const { data } = (await shop.pay(payment)).body;
      assert.deepEqual([data.amount, data.phone, data.provider, data.sale.reference], [9000, phone, provider, reference]);
    });

  test('sells once, however often the request is sent', async () => {
    const shop = await open();
    const [one, other] = [await shop.sell(sale, 'till-1-sale-1'), await shop.sell(sale, 'till-1-sale-1')];
    assert.equal(one.body.data.id, other.body.data.id);
  });

  test('shows the stock after a sale', async () => {
    const shop = await open();
    const before = await quantityIn(shop);
    await shop.sell(sale);
    const after = await quantityIn(shop);
    if (!looks) return;
    assert.equal(after, before - line.quantity);
    const { items } = (await shop.stock(store)).body.data;
    assert.ok(items.every((one: { product_id: string }) => /^PRD-\d+$/.test(one.product_id)));
  });

  test('reports the sales of one store and of some days', async () => {
    const shop = await open();
    const [start_date, end_date] = [dayBefore(20), dayBefore(10)];
    const salesOf = async (asked: Record<string, string>) => (await shop.report(asked)).body.data.totals.sales;
    const all = await salesOf({ store_id: store });
    assert.ok((await salesOf({ store_id: store, start_date })) < all);
    assert.ok((await salesOf({ store_id: store, start_date, end_date })) < (await salesOf({ store_id: store, start_date })));
    assert.equal((await shop.report({ store_id: store })).body.data.store_id, store);
  });

  test('tells of what is refused', async () => {
    const shop = await open();
    assert.equal((await shop.sell({ ...sale, items: [] })).status, 400);
    assert.equal((await shop.stock('STORE-NONE')).status, 404);
    assert.equal((await new Shop('wrong').stock(store)).status, 401);
  });
}

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
