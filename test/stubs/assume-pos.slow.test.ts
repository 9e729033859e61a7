import { describe, expect, test } from 'vitest';
import { aSale } from './partner.ts';
import { mobileSale, phone, till } from './till.ts';

const [item] = aSale(1).items;

describe('sales', () => {
  test('a cheque completes a sale at once, and its event says so', async () => {
    const { ask, pay, sent } = await till({ 'pos.payment-methods': 'further' });
    const { body } = await ask('POST', '/sales', { ...mobileSale, payment_method: 'cheque' });
    expect(body.data).toMatchObject({ payment_method: 'cheque', status: 'completed' });
    expect(await sent()).toMatchObject([{ data: { payment_method: 'cheque' } }]);
    expect((await pay(body.data.reference, 1)).body.error.message).toContain('is paid by cheque, not by mobile money');
  });

  test('amounts in cents: requests, replies, events, bounds and the words of refusals', async () => {
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
      'The total is 5, but the lines add up to 900000.',
      'amount: must be a whole number',
      `The amount is 900100, but only 900000 remains to be paid for sale ${reference}.`,
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
  const payment = { amount: 500, phone, provider: 'mtn_momo' };

  test('mobile money is pending first, for a sale or none, and its end follows the clock', async () => {
    const assume = { 'pos.payment-states': 'pending', 'pos.payment-fields-required': 'reference-optional' };
    const { ask, pay, stub, sent } = await till(assume);
    const { reference } = (await ask('POST', '/sales', mobileSale)).body.data;
    const ofSale = await pay(reference, 9000);
    const ofNone = await ask('POST', '/payment/mobile', payment);
    expect([ofSale, ofNone].map(({ body }) => [body.data.status, body.data.sale?.status])).toEqual([
      ['pending', 'pending'],
      ['pending', undefined],
    ]);
    expect(await sent()).toEqual([]);
    await stub.clock.advance('30s');
    const events = (await sent()).map(({ event, data }) => [event, data.id, data.status].join()).toSorted();
    const received = [ofSale, ofNone].map(({ body }) => `payment.received,${body.data.id},received`).toSorted();
    expect(events).toEqual([...received, expect.stringMatching(/^sale\.completed,/)]);
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

  test('a payment without a reference is for no sale', async () => {
    const { stub, ask, pay, sent } = await till({ 'pos.payment-fields-required': 'reference-optional' });
    const headers = { 'idempotency-key': 'one' };
    const { status, body } = await ask('POST', '/payment/mobile', payment, headers);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ reference: null, amount: 500, currency: null, sale: null, status: 'received' });
    expect((await ask('POST', '/payment/mobile', payment, headers)).body).toEqual(body);
    expect(await sent()).toMatchObject([{ event: 'payment.received', data: { ...body.data, store_id: null } }]);
    expect(await stub.payments.list()).toContainEqual(expect.objectContaining({ id: body.data.id, reference: '' }));
    const { body: sold } = await ask('POST', '/sales', mobileSale);
    expect((await pay(sold.data.reference, 9000)).body.data.sale).toMatchObject({ status: 'completed' });
    expect((await pay('S-1', 500)).status).toBe(404);
    const wrong = await ask('POST', '/payment/mobile', { ...payment, amount: 'much' });
    expect(wrong.body.error.details).toMatchObject([{ field: 'amount' }]);
    expect(stub.calls({ operation: 'payByMobileMoney' })[0]?.requestBody).toBe(JSON.stringify(payment));
  });
});
