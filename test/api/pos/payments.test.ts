import { describe, expect, test } from 'vitest';
import { openShop, riceSale, type Shop, unchangedShop } from './harness.ts';

const path = '/pos/api/v1/payment/mobile';

async function openPending(shop: Shop, changes: object = {}) {
  const account = await shop.openAccount();
  const reply = await shop.call(
    'POST',
    '/pos/api/v1/sales',
    account.token,
    riceSale({ payment_method: 'mobile_money', ...changes }),
  );
  const sale = reply.body.data;
  const pay = (body: object) =>
    shop.call('POST', path, account.token, {
      amount: 9000,
      phone: '+2250700000000',
      provider: 'orange_money',
      reference: sale.reference,
      ...body,
    });
  return { ...account, sale, pay };
}

const refusing = unchangedShop();

describe('a mobile-money payment', () => {
  test('of the total completes the sale; both send their events in order', async () => {
    const shop = await openShop();
    const { sale, pay } = await openPending(shop);
    await shop.clock.advance(90_000);
    const { status, body } = await pay({});
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^pay_[0-9a-f]{32}$/),
        reference: sale.reference,
        amount: 9000,
        currency: 'XOF',
        phone: '+2250700000000',
        provider: 'orange_money',
        status: 'received',
        created_at: '2026-11-21T08:54:30.000Z',
        sale: { reference: sale.reference, status: 'completed', total: 9000, paid: 9000, remaining: 0 },
      },
    });
    const completed = { ...sale, status: 'completed', paid: 9000, completed_at: '2026-11-21T08:54:30.000Z' };
    expect(await shop.events()).toEqual([
      { type: 'payment.received', subject: 'S1', data: { ...body.data, store_id: 'S1' } },
      { type: 'sale.completed', subject: 'S1', data: completed },
    ]);
  });

  test('completes a sale with its lines in their order, as the sale was answered', async () => {
    const shop = await openShop();
    const items = Array.from({ length: 12 }, (_none, line) => ({
      product_id: line % 2 ? 'RIZ' : 'MIL',
      quantity: 1,
      price: line + 1,
    }));
    const { sale, pay } = await openPending(shop, { items, total: 78, customer_phone: '0700000000' });
    expect(sale.items.map(({ price }: { price: number }) => price)).toEqual(items.map(({ price }) => price));
    expect((await pay({ amount: 78 })).status).toBe(201);
    const completed = (await shop.events()).find(({ type }) => type === 'sale.completed');
    const at = sale.created_at;
    expect(completed?.data).toEqual({ ...sale, status: 'completed', paid: 78, completed_at: at });
    const { body } = await shop.manage('GET', '/sales');
    expect(body.data[0].items).toEqual(sale.items);
  });

  test('may be made in parts, and accepts the sale’s id as the reference', async () => {
    const shop = await openShop();
    const { sale, pay } = await openPending(shop);
    const part = await pay({ amount: 0.1, reference: sale.id, provider: 'mtn_momo' });
    expect(part.body.data.sale).toEqual({
      reference: sale.reference,
      status: 'pending',
      total: 9000,
      paid: 0.1,
      remaining: 8999.9,
    });
    expect((await shop.events()).map(({ type }) => type)).toEqual(['payment.received']);
    const over = await pay({ amount: 8999.91 });
    expect([over.status, over.body.error.details[0].field]).toEqual([400, 'amount']);
    expect(over.body.error.message).toContain('8999.9 ');
    expect((await pay({ amount: 8999.9, provider: 'moov_money' })).body.data.sale).toMatchObject({
      status: 'completed',
      remaining: 0,
    });
  });

  test('two at once never pay more than the total', async () => {
    const shop = await openShop();
    const { pay } = await openPending(shop);
    const replies = await Promise.all([pay({}), pay({}), pay({ amount: 1 })]);
    expect(replies.map(({ status }) => status)).toEqual([201, 400, 400]);
    expect(await shop.store.count('payments')).toBe(1);
  });

  test('for a completed sale, or one paid by other means, is refused with the remaining amount', async () => {
    const shop = await openShop();
    const pending = await openPending(shop);
    await pending.pay({});
    const settled = await pending.pay({});
    expect([settled.status, settled.body.error.code]).toEqual([400, 'already_paid']);
    expect(settled.body.error.message).toContain('0 remains');
    const cash = await openPending(shop, { payment_method: 'cash' });
    const refused = await cash.pay({});
    expect([refused.status, refused.body.error.code]).toEqual([400, 'not_mobile_money']);
  });

  test('for an unknown sale, or a sale of another account, gets 404', async () => {
    const shop = await openShop();
    const one = await openPending(shop);
    const other = await openPending(shop);
    for (const reference of ['S-20261121-000000', 'sale_0', other.sale.reference, other.sale.id, "' or 1=1 --"]) {
      const { status, body } = await one.pay({ reference });
      expect([reference, status, body.error.details[0].field]).toEqual([reference, 404, 'reference']);
    }
    expect(await shop.store.count('payments')).toBe(0);
  });

  test.each([
    [{ amount: 0 }, 'amount'],
    [{ amount: -5 }, 'amount'],
    [{ amount: '9000' }, 'amount'],
    [{ amount: undefined }, 'amount'],
    [{ amount: 0.0000000000001 }, 'amount'],
    [{ phone: '123' }, 'phone'],
    [{ phone: '+225+0700000000' }, 'phone'],
    [{ phone: undefined }, 'phone'],
    [{ provider: 'wave' }, 'provider'],
    [{ provider: undefined }, 'provider'],
    [{ reference: '' }, 'reference'],
    [{ reference: undefined }, 'reference'],
    [{ pin: '0000' }, 'pin'],
  ])('with %j is refused with 400 that names the field', async (changes, field) => {
    const shop = refusing();
    const { pay } = await openPending(shop);
    const { status, body } = await pay(changes);
    expect([status, body.error.details[0].field]).toEqual([400, field]);
    expect(await shop.store.count('payments')).toBe(0);
  });
});
