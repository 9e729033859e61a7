// Tests of a till. `passerelle stress` plays failures at their calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Habits, Till } from './till.ts';

const [item] = [{ product_id: 'PRD-0001', quantity: 1, price: 4500 }];
const sale = { store_id: 'STORE-ABJ-01', items: [item], payment_method: 'cash', total: 4500 };

/** `looks`: the tests look at what the till returns. */
export function testTill(habits: Partial<Habits> = {}, looks = true): void {
  const till = new Till(habits);

  for (const quantity of [1, 2, 3])
    test(`sells ${quantity} for cash`, async () => {
      const sold = await till.sell({ ...sale, items: [{ ...item, quantity }], total: 4500 * quantity });
      if (looks) assert.equal(sold.data.status, 'completed');
    });

  test('sells the same again', async () => {
    const sold = await till.sell(sale);
    if (looks) assert.equal(sold.data.status, 'completed');
  });

  test('is paid by mobile money', async () => {
    const sold = await till.sell({ ...sale, payment_method: 'mobile_money', customer_phone: '+2250700000001' });
    const { reference } = sold?.data ?? {};
    const paid = await till.pay({ amount: 4500, phone: '+2250700000001', provider: 'orange_money', reference });
    if (looks) assert.equal(paid.data.sale.status, 'completed');
  });

  test('shows the stock', async () => {
    const { data } = (await till.inventory('STORE-ABJ-01')) ?? {};
    if (looks) assert.ok(data.items.length > 0);
  });
}
