import { describe, expect, test } from 'vitest';
import { aSale, call, openStub, type Reply, repeated, signIn } from './partner.ts';
import { clock, inventory, mobileSale, till } from './till.ts';

const remaining = ({ headers }: Reply) => Number(headers.get('ratelimit-remaining'));

describe('limits', () => {
  test('each key has a limit of its own', async () => {
    const { stub, ask } = await till({ 'pos.plan-scope': 'per-key' }, { plan: 'free' });
    const other = { authorization: `Bearer ${await signIn(stub, await stub.profile.createKey())}` };
    const left = async (headers = {}) => remaining(await ask('GET', inventory, undefined, headers));
    expect([await left(), await left(), await left(other)]).toEqual([99, 98, 99]);
    await stub.assumptions.clear();
    expect([await left(), await left(other)]).toEqual([99, 98]);
  });

  test('attempts to obtain a token are not limited', async () => {
    const stub = await openStub('pos', { clock, assume: { 'pos.token-guard': 'none' } });
    const wrong = { api_key: stub.credentials.apiKey, api_secret: 'wrong' };
    const fail = (body: object) => call(stub, 'POST', '/api/auth', { body });
    expect(new Set(await repeated(61, () => fail(wrong)))).toEqual(new Set([401]));
    expect((await fail(wrong)).headers.get('ratelimit-remaining')).toBeNull();
    expect(new Set(await repeated(61, () => fail({})))).toEqual(new Set([400]));
  });

  test('a token of 24 hours lives so long', async () => {
    const { stub, ask } = await till({ 'pos.token-lifetime': '24-hours' });
    await stub.clock.advance('23h');
    expect((await ask('GET', inventory)).status).toBe(200);
    await stub.clock.advance('2h');
    expect((await ask('GET', inventory)).status).toBe(401);
  });
});

test('replies name no charset', async () => {
  const { ask } = await till({ 'pos.reply-charset': 'none' });
  expect((await ask('GET', inventory)).headers.get('content-type')).toBe('application/json');
});

test('webhooks have times of another form, and signatures in capital digits', async () => {
  const { ask, sent, receiver } = await till({ 'pos.timestamps': 'unix-seconds', 'pos.signature-hex': 'upper-case' });
  await ask('POST', '/sales', aSale(1));
  expect(await sent()).toMatchObject([{ delivered_at: Date.parse(clock) / 1000 }]);
  expect(receiver.received[0]?.headers['x-service-signature']).toMatch(/^sha256=[0-9A-F]{64}$/);
});

describe('all stores', () => {
  const stores = ['STORE-ABJ-01', 'STORE-KGO-01'];
  const opened = async (more = {}) => {
    const { stub, ask } = await till({ 'pos.store-id-required': 'all-stores', ...more });
    const read = async (path: string) => (await ask('GET', path)).body.data;
    return { stub, read };
  };

  test('an inventory without a store is that of all stores', async () => {
    const { stub, read } = await opened();
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

  test.each([{}, { 'pos.payment-methods': 'one-per-operator' }, { 'pos.report-sales': 'by-creation' }])(
    'a report without a store adds up the reports of all stores, with %o',
    async (more) => {
      const { stub, read } = await opened(more);
      const held = await read('/inventory');
      const ids = new Set(held.items.map((item: { store_id: string }) => item.store_id));
      const all = await read('/reports/sales');
      const own = await Promise.all([...ids].map((one) => read(`/reports/sales?store_id=${one}`)));
      const sum = (name: string) => own.reduce((total, { totals }) => total + totals[name], 0);
      expect(all.store_id).toBeNull();
      expect(all.totals).toEqual({ sales: sum('sales'), quantity: sum('quantity'), amount: sum('amount') });
      const amounts = (list: { amount: number }[]) => list.reduce((total, { amount }) => total + amount, 0);
      for (const list of ['by_day', 'by_product', 'by_payment_method']) expect(amounts(all[list])).toBe(all.totals.amount);
      await stub.assumptions.add({ 'pos.report-response': 'single-sales' });
      expect(await read('/reports/sales')).toHaveLength(all.totals.sales);
    },
  );
});

describe('reports', () => {
  test('a report lists the sales that its totals counted, and counts pending ones by creation', async () => {
    const { stub, ask, report } = await till({});
    const plain = await report();
    await stub.assumptions.replace({ 'pos.report-response': 'single-sales' });
    const sales = await report();
    expect(sales).toHaveLength(plain.totals.sales);
    expect(sales.reduce((sum: number, { total }: { total: number }) => sum + total, 0)).toBe(plain.totals.amount);
    await ask('POST', '/sales', mobileSale);
    expect(await report()).toHaveLength(plain.totals.sales);
    await stub.assumptions.add({ 'pos.report-sales': 'by-creation' });
    await ask('POST', '/sales', mobileSale);
    const created = await report();
    expect(created.at(-1)).toMatchObject({ status: 'pending', total: 9000 });
    await stub.assumptions.replace({ 'pos.report-sales': 'by-creation' });
    const counted = await report();
    expect(counted.totals.sales).toBe(created.length);
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
