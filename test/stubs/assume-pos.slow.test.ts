import { describe, expect, test } from 'vitest';
import { aSale } from './partner.ts';
import { mobileSale, till } from './till.ts';

const [item] = aSale(1).items;

describe('sales', () => {
  test('a cheque completes a sale at once, and its event says so', async () => {
    const { ask, pay, sent } = await till({ 'pos.payment-methods': 'further' });
    const { body } = await ask('POST', '/sales', { ...mobileSale, payment_method: 'cheque' });
    expect(body.data).toMatchObject({ payment_method: 'cheque', status: 'completed' });
    expect(await sent()).toMatchObject([{ data: { payment_method: 'cheque' } }]);
    expect((await pay(body.data.reference, 1)).body.error.message).toContain('is paid by cheque, not by mobile money');
  });

  test('amounts in cents: requests, replies, events, bounds; a refusal names no other amount', async () => {
    const { ask, pay, sent } = await till({ 'pos.currency': 'smallest-unit' });
    const sale = { ...mobileSale, items: [{ ...item, quantity: 2, price: 450_000 }], total: 900_000 };
    const { body } = await ask('POST', '/sales', sale);
    expect(body.data).toMatchObject({ total: 900_000, items: [{ quantity: 2, price: 450_000, amount: 900_000 }] });
    const { reference } = body.data;
    const refusals = [
      await ask('POST', '/sales', { ...sale, total: 5 }),
      await pay(reference, 0.5),
      await pay(reference, 900_100),
    ];
    expect(refusals.map((refused) => refused.body.error.message)).toEqual([
      'total: is not what the lines add up to',
      'amount: must be a whole number',
      'amount: is more than remains to be paid',
    ]);
    expect((await pay(reference, 900_000)).body.data).toMatchObject({ amount: 900_000, sale: { paid: 900_000, remaining: 0 } });
    expect((await sent()).map(({ data: { amount, total } }) => amount ?? total)).toEqual([900_000, 900_000]);
  });

  test('lines of one product at one price are merged, in the reply and the event', async () => {
    const { ask, sent } = await till({ 'pos.repeated-products': 'merged' });
    const items = [item, { ...item, price: 4000 }, { ...item, quantity: 0.5 }];
    const { body } = await ask('POST', '/sales', { ...aSale(1), items, total: 10_750 });
    const merged = [
      { quantity: 1.5, price: 4500, amount: 6750 },
      { quantity: 1, price: 4000, amount: 4000 },
    ];
    expect(body.data).toMatchObject({ items: merged, total: 10_750 });
    expect(await sent()).toMatchObject([{ data: { items: merged } }]);
  });
});

describe('payments', () => {
  test('mobile money is pending first, and its end follows the clock', async () => {
    const { ask, pay, stub, sent } = await till({ 'pos.payment-states': 'pending' });
    const { reference } = (await ask('POST', '/sales', mobileSale)).body.data;
    const { data } = (await pay(reference, 9000)).body;
    expect(data).toMatchObject({ status: 'pending', sale: { status: 'pending' } });
    expect(await sent()).toEqual([]);
    await stub.clock.advance('30s');
    const events = (await sent()).map((one) => [one.event, one.data.id, one.data.status].join()).toSorted();
    expect(events).toEqual([`payment.received,${data.id},received`, expect.stringMatching(/^sale\.completed,/)]);
  });

  test('a payment names its sale by the id only', async () => {
    const { ask, pay, stub } = await till({ 'pos.payment-reference': 'sale-id' });
    const { id } = (await ask('POST', '/sales', mobileSale)).body.data;
    const { sales = [] } = await stub.state();
    const reference = sales.find((sale) => sale.id === id)?.reference ?? '';
    expect(await pay(reference, 9000)).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found', message: expect.stringContaining(`no sale with the reference "${reference}"`) } },
    });
    expect((await pay(id, 9000)).body.data).toMatchObject({ reference: id, sale: { status: 'completed' } });
  });
});
