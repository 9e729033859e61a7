import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSale, untilReferenceIsFree } from '../../../gateway/api/pos/calls/create-sale.ts';
import type { SaleRequest } from '../../../gateway/api/pos/schemas.ts';
import type { Change } from '../../../gateway/webhooks/outbox/change.ts';
import { forAllAsync } from '../../for-all.ts';
import { openShop, openTill, riceSale, startMs, unchangedShop } from './harness.ts';

const sales = '/pos/api/v1/sales';

const refusing = unchangedShop();

describe('a sale', () => {
  test('paid in cash completes at once, moves the stock and sends an event', async () => {
    const { call, events, quantityOf, token } = await openTill();
    const { status, body } = await call('POST', sales, token, riceSale({ customer_phone: '+225 07-00.00 00 00' }));
    expect(status).toBe(201);
    const at = new Date(startMs).toISOString();
    expect(body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^sale_[0-9a-f]{32}$/),
        reference: expect.stringMatching(/^S-20261121-[0-9A-HJKMNP-TV-Z]{6}$/),
        store_id: 'S1',
        status: 'completed',
        payment_method: 'cash',
        customer_phone: '+225 07-00.00 00 00',
        items: [{ product_id: 'RIZ', name: 'Riz 5 kg', quantity: 2, price: 4500, amount: 9000 }],
        total: 9000,
        paid: 9000,
        currency: 'XOF',
        created_at: at,
        completed_at: at,
      },
    });
    expect(await quantityOf('RIZ')).toBe('98');
    expect(await quantityOf('RIZ', 'S2')).toBe('7');
    expect(await events()).toEqual([{ type: 'sale.completed', subject: 'S1', data: body.data }]);
  });

  test('paid by mobile money waits for its payments, and moves the stock at once', async () => {
    const { call, events, quantityOf, token } = await openTill();
    const { body } = await call('POST', sales, token, riceSale({ payment_method: 'mobile_money' }));
    expect(body.data).toMatchObject({ status: 'pending', paid: 0, completed_at: null });
    expect(await quantityOf('RIZ')).toBe('98');
    expect(await events()).toEqual([]);
  });

  test('with a total of 0 completes at once, by any payment method', async () => {
    const { call, token } = await openTill();
    const gift = riceSale({ items: [{ product_id: 'RIZ', quantity: 1, price: 0 }], payment_method: 'mobile_money', total: 0 });
    expect((await call('POST', sales, token, gift)).body.data).toMatchObject({ status: 'completed', total: 0, paid: 0 });
  });

  test('adds up without binary rounding, also over several lines of one product', async () => {
    const { call, quantityOf, token } = await openTill();
    const line = { product_id: 'MIL', quantity: 0.1, price: 0.1 };
    const sale = {
      store_id: 'S1',
      items: [line, { ...line, quantity: 0.2 }, { ...line, quantity: 3 }],
      payment_method: 'card',
      total: 0.33,
    };
    const { status, body } = await call('POST', sales, token, sale);
    expect([status, body.data?.items.map(({ amount }: { amount: number }) => amount)]).toEqual([201, [0.01, 0.02, 0.3]]);
    expect(await quantityOf('MIL')).toBe('46.7');
  });

  test('with six decimals in price and quantity has an exact total', async () => {
    const { call, token } = await openTill();
    const sale = riceSale({ items: [{ product_id: 'RIZ', quantity: 0.000001, price: 0.000003 }], total: 0.000000000003 });
    expect((await call('POST', sales, token, sale)).body.data?.total).toBe(3e-12);
    const finer = await call('POST', sales, token, { ...sale, total: 0.0000000000031 });
    expect(finer.body.error.details).toMatchObject([{ field: 'total', rule: 'decimals' }]);
  });

  test('is accepted if its total is the exact sum of its lines; any other total is refused and changes nothing', async () => {
    const { call, store, manage, quantityOf, token } = await openTill();
    await manage('POST', '/stores/S1/restock', { items: [{ product_id: 'RIZ', quantity: 1e12 }] });
    const line = fc.record({ quantity: fc.integer({ min: 1, max: 1e7 }), price: fc.integer({ min: 0, max: 1e6 }) });
    await forAllAsync(60, [fc.array(line, { minLength: 1, maxLength: 8 })], async (lines) => {
      // Hundredths times hundredths, added as whole ten-thousandths.
      const items = lines.map(({ quantity, price }) => ({ product_id: 'RIZ', quantity: quantity / 100, price: price / 100 }));
      const total = lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
      const held = await quantityOf('RIZ');
      const refused = await call('POST', sales, token, riceSale({ items, total: (total + 1) / 10_000 }));
      expect([refused.status, refused.body.error?.details[0]?.field]).toEqual([400, 'total']);
      expect(await quantityOf('RIZ')).toBe(held);
      expect((await call('POST', sales, token, riceSale({ items, total: total / 10_000 }))).status).toBe(201);
    });
    expect(await store.count('sales')).toBe(60);
  });

  test('sends inventory.low once, when stock falls to the threshold', async () => {
    const { call, events, token } = await openTill();
    const sell = (quantity: number) =>
      call('POST', sales, token, riceSale({ items: [{ product_id: 'RIZ', quantity, price: 1 }], total: quantity }));
    await sell(89);
    await sell(1);
    await sell(1);
    const low = (await events()).filter(({ type }) => type === 'inventory.low');
    expect(low).toEqual([
      {
        type: 'inventory.low',
        subject: 'S1',
        data: { store_id: 'S1', product_id: 'RIZ', name: 'Riz 5 kg', quantity: 10, low_threshold: 10 },
      },
    ]);
  });

  test('of more than the stock, over all lines, is refused with the available quantity', async () => {
    const { call, store, quantityOf, events, token } = await openTill();
    const items = [
      { product_id: 'MIL', quantity: 1, price: 0 },
      { product_id: 'RIZ', quantity: 60, price: 0 },
      { product_id: 'RIZ', quantity: 41, price: 0 },
    ];
    const { status, body } = await call('POST', sales, token, riceSale({ items, total: 0 }));
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'insufficient_stock',
      details: [{ field: 'items.1.quantity', rule: 'insufficient_stock' }],
    });
    expect(body.error.message).toContain('100');
    expect([
      await quantityOf('RIZ'),
      await quantityOf('MIL'),
      await store.count('sales'),
      await store.count('sale_items'),
    ]).toEqual(['100', '50', 0, 0]);
    expect(await events()).toEqual([]);
  });

  test('may take the whole stock of a product', async () => {
    const { call, quantityOf, token } = await openTill();
    const all = riceSale({ items: [{ product_id: 'RIZ', quantity: 100, price: 0 }], total: 0 });
    expect((await call('POST', sales, token, all)).status).toBe(201);
    expect(await quantityOf('RIZ')).toBe('0');
  });

  test('two at once never sell the same goods twice', async () => {
    const { call, quantityOf, token } = await openTill();
    const sale = riceSale({ items: [{ product_id: 'RIZ', quantity: 60, price: 0 }], total: 0 });
    const replies = await Promise.all([call('POST', sales, token, sale), call('POST', sales, token, sale)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(await quantityOf('RIZ')).toBe('40');
  });

  test('in an unknown store or another account’s store gets 404', async () => {
    const { call, openAccount } = await openShop();
    const everywhere = await openAccount();
    const here = await openAccount({ store_ids: ['S2'] });
    for (const [token, store_id] of [
      [everywhere.token, 'S9'],
      [here.token, 'S1'],
    ]) {
      const { status, body } = await call('POST', sales, token, riceSale({ store_id }));
      expect([status, body.error.details[0].field]).toEqual([404, 'store_id']);
    }
  });

  test('of products that the store does not have is refused and names each of them', async () => {
    const { call, token } = await openTill();
    const items = ['X', 'RIZ', 'Y'].map((product_id) => ({ product_id, quantity: 1, price: 0 }));
    const { status, body } = await call('POST', sales, token, riceSale({ items, total: 0 }));
    expect([status, body.error.details.map(({ field }: { field: string }) => field)]).toEqual([
      404,
      ['items.0.product_id', 'items.2.product_id'],
    ]);
  });

  const line = { product_id: 'RIZ', quantity: 2, price: 4500 };
  test.each([
    ['a missing store', { store_id: undefined }, 'store_id'],
    ['no lines', { items: [] }, 'items'],
    ['201 lines', { items: Array.from({ length: 201 }, () => line) }, 'items'],
    ['items that are not a list', { items: line }, 'items'],
    ['a quantity of 0', { items: [{ ...line, quantity: 0 }] }, 'items.0.quantity'],
    ['a negative price', { items: [{ ...line, price: -1 }] }, 'items.0.price'],
    ['seven decimals', { items: [{ ...line, price: 0.0000001 }] }, 'items.0.price'],
    ['a price over 1e12', { items: [{ ...line, price: 1.1e12 }] }, 'items.0.price'],
    ['a number as text', { items: [{ ...line, quantity: '2' }] }, 'items.0.quantity'],
    ['a surplus field in a line', { items: [{ ...line, discount: 1 }] }, 'items.0.discount'],
    ['a surplus field', { custommer_phone: '0700000000' }, 'custommer_phone'],
    ['an unknown payment method', { payment_method: 'cheque' }, 'payment_method'],
    ['no total', { total: undefined }, 'total'],
    ['a total of null', { total: null }, 'total'],
    ['another total', { total: 9000.01 }, 'total'],
    ['letters in the telephone number', { customer_phone: 'call me' }, 'customer_phone'],
    ['seven digits', { customer_phone: '0700000' }, 'customer_phone'],
    ['sixteen digits', { customer_phone: '0123456789012345' }, 'customer_phone'],
    ['a NUL in a text', { store_id: 'S1\u0000' }, 'store_id'],
    ['a store of 65 letters', { store_id: 'x'.repeat(65) }, 'store_id'],
    ['a product of 65 letters', { items: [{ ...line, product_id: 'x'.repeat(65) }] }, 'items.0.product_id'],
    ['half a surrogate pair', { items: [{ ...line, product_id: '\ud800' }] }, 'items.0.product_id'],
  ])('with %s is refused with 400 that names the field', async (_what, changes, field) => {
    const { call, token, store } = refusing();
    const { status, body } = await call('POST', sales, token, riceSale(changes));
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, error: { code: expect.any(String), message: expect.any(String) } });
    const [detail] = body.error.details;
    expect(detail).toEqual({ field, rule: expect.any(String), message: expect.any(String) });
    expect(await store.count('sales')).toBe(0);
  });

  test('may have 200 lines, and texts and numbers as long as documented', async () => {
    const { call, manage, token } = await openTill();
    const longest = 'x'.repeat(64);
    await manage('POST', '/stores', { id: longest, name: 'Longest', city: 'Abidjan' });
    const product = { name: 'Riz', category: 'Alimentation', price: 1, quantity: 1000, low_threshold: 0 };
    await manage('POST', `/stores/${longest}/products`, { product_id: longest, ...product });
    const items = Array.from({ length: 200 }, () => ({ product_id: longest, quantity: 1, price: 1 }));
    for (const customer_phone of ['07000000', '+070000000000000']) {
      const reply = await call('POST', sales, token, riceSale({ store_id: longest, items, total: 200, customer_phone }));
      expect([reply.status, reply.body.data?.items.length, reply.body.data?.customer_phone]).toEqual([201, 200, customer_phone]);
    }
    const priciest = riceSale({ items: [{ product_id: 'RIZ', quantity: 1, price: 1e12 }], total: 1e12 });
    expect((await call('POST', sales, token, priciest)).status).toBe(201);
  });

  test.each(['1e309', '-0', '-0.0', 'NaN', '"NaN"', '-1e309'])('with %s as a number is refused', async (number) => {
    const { call, token } = refusing();
    for (const field of ['quantity', 'price', 'total']) {
      const text = JSON.stringify(riceSale()).replace(new RegExp(`"${field}":[0-9]+`), `"${field}":${number}`);
      expect([field, (await call('POST', sales, token, text)).status]).toEqual([field, 400]);
    }
  });

  test('gets another reference if the first ones are taken, and moves the stock once', async () => {
    const { call, store, services, quantityOf, id, token } = await openTill();
    const account = await store.get('accounts', { id });
    if (!account) throw new Error('no account');
    const { reference } = (await call('POST', sales, token, riceSale())).body.data;
    let taken = 2;
    const sale = await untilReferenceIsFree(() =>
      services.change((change) => {
        const append = ((table, rows, along) => {
          const isTaken = along !== undefined && taken-- > 0;
          change.append(table, rows, isTaken ? { ...along, rows: along.rows.map((row) => ({ ...row, reference })) } : along);
        }) as Change['append'];
        const caller = { id: `account:${id}`, account };
        return createSale({ ...change, append }, caller, riceSale({ payment_method: 'cash' as const }) as SaleRequest);
      }),
    );
    expect(taken).toBe(-1);
    expect(sale.reference).not.toBe(reference);
    expect(await store.list('sales', { where: { id: sale.id } })).toMatchObject([{ reference: sale.reference }]);
    expect(await quantityOf('RIZ')).toBe('96');
  });
});
