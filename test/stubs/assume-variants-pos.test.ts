import { describe, expect, test } from 'vitest';
import type { Assumed } from '../../stubs/assume/chosen.ts';
import { call, openReceiver, openStub, type Reply, signIn } from './partner.ts';
import { clock, mobileSale, phone, till } from './till.ts';

const inventory = '/inventory?store_id=STORE-ABJ-01';
const remaining = ({ headers }: Reply) => Number(headers.get('ratelimit-remaining'));

describe('limits', () => {
  /** A stub whose account may make 100 calls a minute. */
  const limited = (assume: Assumed) => till(assume, { plan: 'free' });
  const repeat = async (times: number, ask: () => Promise<Reply>) => {
    const statuses: number[] = [];
    for (let at = 0; at < times; at++) statuses.push((await ask()).status);
    return statuses;
  };

  test('each key has a limit of its own', async () => {
    const { stub, ask } = await limited({ 'pos.plan-scope': 'per-key' });
    const other = await signIn(stub, await stub.profile.createKey());
    expect([remaining(await ask('GET', inventory)), remaining(await ask('GET', inventory))]).toEqual([99, 98]);
    expect(remaining(await call(stub, 'GET', `/api/v1${inventory}`, { token: other }))).toBe(99);
    await stub.assumptions.clear();
    expect(remaining(await ask('GET', inventory))).toBe(99);
    expect(remaining(await call(stub, 'GET', `/api/v1${inventory}`, { token: other }))).toBe(98);
  });

  test('attempts to obtain a token are not limited', async () => {
    const stub = await openStub('pos', { clock, assume: { 'pos.token-guard': 'none' } });
    const body = { api_key: stub.credentials.apiKey, api_secret: 'wrong' };
    const fail = () => call(stub, 'POST', '/api/auth', { body });
    const failed = await repeat(61, fail);
    expect(new Set(failed)).toEqual(new Set([401]));
    expect((await fail()).headers.get('ratelimit-remaining')).toBeNull();
    const wrongBodies = await repeat(61, () => call(stub, 'POST', '/api/auth', { body: {} }));
    expect(new Set(wrongBodies)).toEqual(new Set([400]));
  });
});

describe.each(['pos', 'cohesion'] as const)('webhooks of %s', (api) => {
  const event = api === 'pos' ? 'sale.completed' : 'plan.closed';
  const opened = async (alternative: string, ...statuses: number[]) => {
    const receiver = await openReceiver(...statuses);
    const stub = await openStub(api, {
      ...{ clock, assume: { [`${api}.event-order`]: alternative }, webhooks: [{ url: receiver.url }] },
    });
    const types = () => receiver.received.map(({ body }) => JSON.parse(body).event);
    return { stub, receiver, types };
  };

  test('come again after they were accepted', async () => {
    const { stub, receiver, types } = await opened('twice', 204);
    await stub.trigger(event as never);
    await stub.settled();
    expect(types()).toEqual([event, event]);
    const [first, second] = receiver.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  });
});

describe('all stores', () => {
  const stores = ['STORE-ABJ-01', 'STORE-KGO-01'];
  const opened = async (assume: Assumed) => {
    const { ask, ...rest } = await till(assume);
    const read = async (path: string) => (await ask('GET', path)).body.data;
    return { ask, read, ...rest };
  };

  test('an inventory without a store is that of all stores', async () => {
    const { stub, read } = await opened({ 'pos.store-id-required': 'all-stores' });
    const all = await read('/inventory');
    expect(all).toMatchObject({ store_id: null, currency: 'XOF', updated_at: expect.any(String) });
    const own = await Promise.all(stores.map((one) => read(`/inventory?store_id=${one}`)));
    for (const { store_id, items } of own)
      expect(all.items).toEqual(expect.arrayContaining(items.map((item: object) => ({ store_id, ...item }))));
    await stub.assumptions.add({ 'pos.inventory-response': 'pages' });
    expect(await read('/inventory?page=2')).toMatchObject({ page: 2, total: all.items.length, items: all.items.slice(2, 4) });
    await stub.assumptions.replace({ 'pos.sale-status': '200' });
    expect(await read('/inventory')).toBeUndefined();
  });

  test.each([{}, { 'pos.payment-methods': 'one-per-operator' }, { 'pos.report-sales': 'by-creation' }] as Assumed[])(
    'a report without a store adds up the reports of all stores, with %o',
    async (more) => {
      const { stub, read } = await opened({ 'pos.store-id-required': 'all-stores', ...more });
      const held = await read('/inventory');
      const ids = [...new Set(held.items.map((item: { store_id: string }) => item.store_id))];
      const all = await read('/reports/sales');
      const own = await Promise.all(ids.map((one) => read(`/reports/sales?store_id=${one}`)));
      const sum = (of: (report: typeof all) => number) => own.reduce((total, report) => total + of(report), 0);
      expect(all.store_id).toBeNull();
      expect(all.totals).toEqual({
        sales: sum(({ totals }) => totals.sales),
        quantity: sum(({ totals }) => totals.quantity),
        amount: sum(({ totals }) => totals.amount),
      });
      const amounts = (list: { amount: number }[]) => list.reduce((total, { amount }) => total + amount, 0);
      for (const list of ['by_day', 'by_product', 'by_payment_method']) expect(amounts(all[list])).toBe(all.totals.amount);
      await stub.assumptions.add({ 'pos.report-response': 'single-sales' });
      expect(await read('/reports/sales')).toHaveLength(all.totals.sales);
    },
  );
});

describe('payments', () => {
  const payment = { amount: 500, phone, provider: 'mtn_momo' };

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
    expect((await ask('POST', '/payment/mobile', { ...payment, amount: 'much' })).body.error.details).toMatchObject([
      { field: 'amount' },
    ]);
    expect(stub.calls({ operation: 'payByMobileMoney' })[0]?.requestBody).toBe(JSON.stringify(payment));
  });

  test('a payment without a sale may be pending first', async () => {
    const { stub, ask, sent } = await till({
      'pos.payment-fields-required': 'reference-optional',
      'pos.payment-states': 'pending',
    });
    const { body } = await ask('POST', '/payment/mobile', payment);
    expect(body.data).toMatchObject({ status: 'pending', sale: null });
    await stub.clock.advance('30s');
    expect(await sent()).toMatchObject([{ event: 'payment.received', data: { id: body.data.id, status: 'received' } }]);
  });
});

test('a sale whose payment was refused has failed: its goods are in stock again, and it cannot be paid', async () => {
  const { stub, ask, pay, stock } = await till({ 'pos.sale-states': 'further' }, { mobileMoney: 'pending:10s,refused,times=2' });
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
