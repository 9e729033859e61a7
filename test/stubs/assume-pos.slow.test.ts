import { describe, expect, test } from 'vitest';
import { aSale } from './partner.ts';
import { mobileSale, phone, till } from './till.ts';

const [item] = aSale(1).items;

describe('sales', () => {
  test('a method of payment is the one that was sent, in replies, events, reports and refusals', async () => {
    const { ask, pay, report, sent } = await till({ 'pos.payment-methods': 'one-per-operator' });
    const before = await report();
    const { body } = await ask('POST', '/sales', { ...mobileSale, payment_method: 'mtn_momo' });
    expect(body.data).toMatchObject({ payment_method: 'mtn_momo', status: 'pending' });
    await pay(body.data.reference, 9000);
    const completed = (await sent()).find(({ event }) => event === 'sale.completed');
    expect(completed.data).toMatchObject({ id: body.data.id, payment_method: 'mtn_momo' });
    const { totals, by_payment_method: methods } = await report();
    const sum = methods.reduce((all: number, { amount }: { amount: number }) => all + amount, 0);
    expect([sum, totals.amount]).toEqual([totals.amount, before.totals.amount + 9000]);
    const names = methods.map((one: { payment_method: string }) => one.payment_method);
    expect(names).toEqual(expect.arrayContaining(['cash', 'mtn_momo', 'orange_money']));
    expect(names).not.toContain('mobile_money');
    expect((await ask('POST', '/sales', mobileSale)).body.error.message).toBe(
      'payment_method: must be one of cash, card, orange_money, mtn_momo, moov_money, not "mobile_money"',
    );
  });

  test('a cheque completes a sale at once, and its event says so', async () => {
    const { ask, pay, sent } = await till({ 'pos.payment-methods': 'further' });
    const { body } = await ask('POST', '/sales', { ...mobileSale, payment_method: 'cheque' });
    expect(body.data).toMatchObject({ payment_method: 'cheque', status: 'completed' });
    expect(await sent()).toMatchObject([{ data: { payment_method: 'cheque' } }]);
    expect((await pay(body.data.reference, 1)).body.error.message).toContain('is paid by cheque, not by mobile money');
  });

  test('amounts in cents: requests, replies, events, bounds and the words of refusals', async () => {
    const { ask, pay, sent } = await till({ 'pos.currency': 'smallest-unit', 'pos.partial-payments': 'exact-amount' });
    const sale = { ...mobileSale, items: [{ ...item, quantity: 2, price: 450_000 }], total: 900_000 };
    const { body } = await ask('POST', '/sales', sale);
    expect(body.data).toMatchObject({ total: 900_000, items: [{ quantity: 2, price: 450_000, amount: 900_000 }] });
    const { reference } = body.data;
    const refusals = [await ask('POST', '/sales', { ...sale, total: 5 }), await pay(reference, 0.5), await pay(reference, 100)];
    expect(refusals.map((refused) => refused.body.error.message)).toEqual([
      'The total is 5, but the lines add up to 900000.',
      'amount: must be a whole number',
      `The amount is 100, but the total of sale ${reference} is 900000.`,
    ]);
    expect((await pay(reference, 900_000)).body.data).toMatchObject({ amount: 900_000, sale: { paid: 900_000, remaining: 0 } });
    expect((await sent()).map(({ data: { amount, total } }) => amount ?? total)).toEqual([900_000, 900_000]);
  });

  test('a repeat is refused within a minute', async () => {
    const { stub, ask } = await till({ 'pos.repeated-post': 'refused' });
    expect((await ask('POST', '/sales', aSale(2))).status).toBe(201);
    expect((await ask('POST', '/sales', aSale(2))).body.error.message).toMatch(/^The lines equal those of sale S-/);
    await stub.clock.advance('61s');
    expect((await ask('POST', '/sales', aSale(2))).status).toBe(201);
  });
});

describe('stock and totals', () => {
  test('a change of stock-at-creation while a sale is pending takes its goods twice, as the guide warns', async () => {
    const { stub, ask, pay, stock } = await till({});
    const before = await stock();
    const sold = await ask('POST', '/sales', mobileSale);
    await stub.assumptions.add({ 'pos.stock-at-creation': 'at-completion' });
    expect((await pay(sold.body.data.reference, 9000)).status).toBe(201);
    expect(await stock()).toBe(before - 4);
  });

  test('a sale whose payment was refused has failed: its goods are in stock again, and it cannot be paid', async () => {
    const refused = { mobileMoney: 'pending:10s,refused,times=2' };
    const { stub, ask, pay, stock } = await till({ 'pos.sale-states': 'further' }, refused);
    const before = await stock();
    const { body } = await ask('POST', '/sales', mobileSale);
    for (const amount of [4000, 5000]) await pay(body.data.reference, amount);
    expect(await stock()).toBe(before - 2);
    await stub.clock.advance('10s');
    expect(await stock()).toBe(before);
    expect(await pay(body.data.reference, 9000)).toMatchObject({ status: 400, body: { error: { code: 'sale_failed' } } });
    await stub.clock.advance('20m');
    expect(await stock()).toBe(before);
    const other = await ask('POST', '/sales', mobileSale);
    expect((await pay(other.body.data.reference, 9000)).body.data.sale.status).toBe('completed');
  });

  test('a trigger of inventory.low makes a change that causes it, also if goods leave the stock at completion', async () => {
    const { stub } = await till({ 'pos.stock-at-creation': 'at-completion' });
    expect(await stub.trigger('inventory.low')).toMatchObject({ example: false });
  });

  test.each([
    ['at-zero', [0]],
    ['every-change', [2, 1, 0]],
    [undefined, [2]],
  ])('inventory.low under pos.inventory-low-condition=%s: of sales that leave 3, 2, 1 and 0', async (assumed, announced) => {
    const products = [{ product_id: 'PRD-0001', name: 'Riz', price: 4500, quantity: 4, low_threshold: 2 }];
    const { ask, sent } = await till(assumed ? { 'pos.inventory-low-condition': assumed } : {}, {
      seed: { stores: [{ id: 'STORE-ABJ-01', name: 'S', products }] },
    });
    for (let sale = 0; sale < 4; sale++) await ask('POST', '/sales', aSale(1));
    const low = (await sent()).filter(({ event }) => event === 'inventory.low');
    expect(low.map(({ data }) => data.quantity)).toEqual(announced);
  });
});

describe('payments', () => {
  const payment = { amount: 500, phone, provider: 'mtn_momo' };

  test('mobile money is pending first, for a sale or none, and its end by the clock follows the other alternatives', async () => {
    const assume = { 'pos.payment-states': 'pending', 'pos.payment-fields-required': 'reference-optional' };
    const { ask, pay, stub, stock, sent } = await till({ ...assume, 'pos.stock-at-creation': 'at-completion' });
    const before = await stock();
    const { reference } = (await ask('POST', '/sales', mobileSale)).body.data;
    const ofSale = await pay(reference, 9000);
    const ofNone = await ask('POST', '/payment/mobile', payment);
    expect([ofSale, ofNone].map(({ body }) => [body.data.status, body.data.sale?.status])).toEqual([
      ['pending', 'pending'],
      ['pending', undefined],
    ]);
    expect([await sent(), await stock()]).toEqual([[], before]);
    await stub.clock.advance('30s');
    const events = (await sent()).map(({ event, data }) => [event, data.id, data.status].join()).toSorted();
    const received = [ofSale, ofNone].map(({ body }) => `payment.received,${body.data.id},received`).toSorted();
    expect(events).toEqual([...received, expect.stringMatching(/^sale\.completed,/)]);
    expect(await stock()).toBe(before - 2);
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

describe('reports', () => {
  test('a report counts pending sales by creation', async () => {
    const { stub, ask, report } = await till({});
    const plain = await report();
    await ask('POST', '/sales', mobileSale);
    expect(await report()).toEqual(plain);
    await stub.assumptions.replace({ 'pos.report-sales': 'by-creation' });
    await ask('POST', '/sales', mobileSale);
    const counted = await report();
    expect(counted.totals.sales).toBeGreaterThan(plain.totals.sales);
    expect(counted.by_day.at(-1)).toMatchObject({ date: '2026-11-21', amount: 9000 });
  });

  test('a store one hour ahead books a sale before midnight on the next day', async () => {
    const { ask, report } = await till({ 'pos.report-sales': 'store-time-zone' }, { clock: '2026-11-21T23:30:00Z' });
    await ask('POST', '/sales', aSale(1));
    const { period, by_day: days } = await report();
    expect(period.end_date).toBe('2026-11-22');
    expect(days.at(-1)).toMatchObject({ date: '2026-11-22', amount: 4500 });
  });
});
