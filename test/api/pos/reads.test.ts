import { describe, expect, test } from 'vitest';
import { openShop, openTill, riceSale, unchangedShop } from './harness.ts';

const inventory = '/pos/api/v1/inventory';
const report = '/pos/api/v1/reports/sales';

const refusing = unchangedShop();

test('the inventory lists every product of the store by id, and marks low stock', async () => {
  const { call, clock, token } = await openTill();
  await clock.advance(5000);
  await call(
    'POST',
    '/pos/api/v1/sales',
    token,
    riceSale({ items: [{ product_id: 'RIZ', quantity: 90.5, price: 0 }], total: 0 }),
  );
  const { status, body } = await call('GET', `${inventory}?store_id=S1`, token);
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    data: {
      store_id: 'S1',
      currency: 'XOF',
      updated_at: '2026-11-21T08:53:05.000Z',
      items: [
        { product_id: 'MIL', name: 'Mil', category: 'Alimentation', price: 0.1, quantity: 50, low_threshold: 5, low: false },
        {
          product_id: 'RIZ',
          name: 'Riz 5 kg',
          category: 'Alimentation',
          price: 4500,
          quantity: 9.5,
          low_threshold: 10,
          low: true,
        },
      ],
    },
  });
});

describe.each([inventory, report])('GET %s', (path) => {
  test.each([
    ['', 400, 'store_id'],
    ['?store_id=', 400, 'store_id'],
    ['?store_id=S1&store_id=S2', 400, 'store_id'],
    ['?store_id=S1&page=2', 400, 'page'],
    ['?store_id=S1%00', 400, 'store_id'],
    ['?store_id=S9', 404, 'store_id'],
    ["?store_id=S1'%20or%20'1'='1", 404, 'store_id'],
  ])('%s is answered with %i that names %s %s', async (query, expected, field) => {
    const { call, token } = refusing();
    const { status, body } = await call('GET', `${path}${query}`, token);
    expect([status, body.error.details[0].field]).toEqual([expected, field]);
  });

  test('of another account’s store gets 404', async () => {
    const { call, openAccount } = await openShop();
    const { token } = await openAccount({ store_ids: ['S2'] });
    expect((await call('GET', `${path}?store_id=S1`, token)).status).toBe(404);
    expect((await call('GET', `${path}?store_id=S2`, token)).status).toBe(200);
  });
});

describe('the sales report', () => {
  test('sums completed sales of the store by their day of completion, from one snapshot', async () => {
    const shop = await openShop();
    const { token, api_key, api_secret } = await shop.openAccount();
    const sell = async (changes: object) => (await shop.call('POST', '/pos/api/v1/sales', token, riceSale(changes))).body.data;
    const mil = { items: [{ product_id: 'MIL', quantity: 3, price: 0.1 }], total: 0.3 };
    await sell({});
    await sell({ ...mil, payment_method: 'card' });
    const { reference } = await sell({ payment_method: 'mobile_money' });
    await sell({ payment_method: 'mobile_money' });
    await sell({ store_id: 'S2' });
    // 16 hours after 08:53 is the next day.
    shop.clock.leap(16 * 3_600_000);
    const next = (await shop.call('POST', '/pos/api/auth', undefined, { api_key, api_secret })).body.token;
    await shop.call('POST', '/pos/api/v1/payment/mobile', next, {
      amount: 9000,
      phone: '0700000000',
      provider: 'mtn_momo',
      reference,
    });
    const { status, body } = await shop.call('GET', `${report}?store_id=S1`, next);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      store_id: 'S1',
      currency: 'XOF',
      period: { start_date: '2026-10-24', end_date: '2026-11-22' },
      totals: { sales: 3, quantity: 7, amount: 18000.3 },
      by_day: [
        { date: '2026-11-21', sales: 2, amount: 9000.3 },
        { date: '2026-11-22', sales: 1, amount: 9000 },
      ],
      by_product: [
        { product_id: 'MIL', name: 'Mil', quantity: 3, amount: 0.3 },
        { product_id: 'RIZ', name: 'Riz 5 kg', quantity: 4, amount: 18000 },
      ],
      by_payment_method: [
        { payment_method: 'card', sales: 1, amount: 0.3 },
        { payment_method: 'cash', sales: 1, amount: 9000 },
        { payment_method: 'mobile_money', sales: 1, amount: 9000 },
      ],
    });
    const oneDay = await shop.call('GET', `${report}?store_id=S1&start_date=2026-11-22&end_date=2026-11-22`, next);
    expect(oneDay.body.data.totals).toEqual({ sales: 1, quantity: 2, amount: 9000 });
    const dayBefore = await shop.call('GET', `${report}?store_id=S1&end_date=2026-11-20`, next);
    expect(dayBefore.body.data).toMatchObject({
      period: { start_date: '2026-10-22' },
      totals: { sales: 0, quantity: 0, amount: 0 },
      by_day: [],
      by_product: [],
    });
  });

  test.each([
    ['start_date=2026-02-30', 'start_date'],
    ['start_date=2025-02-29', 'start_date'],
    ['start_date=21-11-2026', 'start_date'],
    ['start_date=2026-11-21T00:00:00Z', 'start_date'],
    ['start_date=', 'start_date'],
    ['end_date=0000-01-01', 'end_date'],
    ['start_date=1969-12-31&end_date=1970-01-02', 'start_date'],
    ['start_date=2026-11-21&end_date=2026-11-20', 'end_date'],
    ['start_date=2026-12-01', 'end_date'],
    ['start_date=2025-11-20&end_date=2026-11-21', 'start_date'],
    ['startdate=2026-11-21', 'startdate'],
  ])('with %s is refused with 400 that names %s', async (query, field) => {
    const { call, token } = refusing();
    const { status, body } = await call('GET', `${report}?store_id=S1&${query}`, token);
    expect([status, body.error.details[0].field]).toEqual([400, field]);
  });

  test('accepts a leap day, 366 days, and the last day of year 9999', async () => {
    const { call, token } = refusing();
    for (const period of ['start_date=2024-02-29&end_date=2025-02-28', 'end_date=9999-12-31', 'end_date=1970-01-01']) {
      expect((await call('GET', `${report}?store_id=S1&${period}`, token)).status).toBe(200);
    }
  });
});
