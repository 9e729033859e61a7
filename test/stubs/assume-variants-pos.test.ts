import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import type { Assumed } from '../../stubs/assume/chosen.ts';
import { posLimitVariants } from '../../stubs/assume/pos-limits.ts';
import type { Variant } from '../../stubs/assume/types.ts';
import { aSale, call, openReceiver, openStub, type Reply, signIn } from './partner.ts';
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

  test.each([
    ['by default a call is allowed as soon as the oldest is a minute old', {}, 1],
    ['a fixed window allows all of its calls anew', { 'pos.plan-scope': 'fixed' }, 100],
  ])('%s', async (_name, assume: Assumed, allowed) => {
    const { stub, ask } = await limited(assume);
    const read = () => ask('GET', inventory);
    await read();
    await stub.clock.advance('59s');
    expect(new Set(await repeat(99, read))).toEqual(new Set([200]));
    const refused = await read();
    expect(refused).toMatchObject({ status: 429 });
    expect(refused.headers.get('retry-after')).toBe('1');
    await stub.clock.advance('1s');
    expect(await repeat(allowed + 1, read)).toEqual([...Array.from({ length: allowed }, () => 200), 429]);
    await stub.reset();
    expect((await call(stub, 'GET', `/api/v1${inventory}`, { token: await signIn(stub) })).status).toBe(200);
  });

  test('a call over the limit waits, at most a second, and is carried out', async () => {
    const { stub, ask } = await limited({ 'pos.limit-exceeded': 'delayed' });
    expect(new Set(await repeat(100, () => ask('GET', inventory)))).toEqual(new Set([200]));
    const late = await ask('POST', '/sales', aSale(1));
    expect(late.status).toBe(201);
    expect([...late.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    await stub.clock.advance('1m');
    expect((await ask('GET', inventory)).status).toBe(200);
  });

  test('a call that waits goes on when the limit is reset', async () => {
    const delayed = posLimitVariants['pos.limit-exceeded=delayed'] as () => Variant;
    const counted = { state: { name: 'plan', limit: 100, remaining: 0, resetSeconds: 42 }, exceeded: true };
    const waits: { ms: number; over: () => void }[] = [];
    const after = (ms: number, over: () => void) => {
      waits.push({ ms, over });
      return () => {};
    };
    const rule = { name: 'plan', windowMs: 60_000, max: 100, per: 'account', key: () => 'one' };
    const one = { request: {} as FastifyRequest, rule, increment: true };
    const counting = { count: () => counted, clock: { now: () => 0, after } };
    const { count } = delayed();
    const waiting = count?.(one, counting);
    expect(waits.map(({ ms }) => ms)).toEqual([42_000]);
    waits[0]?.over();
    expect(await waiting).toEqual({ ...counted, exceeded: false });
    // It does not wait again for its next rule.
    expect(count?.(one, counting)).toEqual({ ...counted, exceeded: false });
  });

  test('a call that validation refuses does not count', async () => {
    const { ask } = await limited({ 'pos.check-order': 'refused-uncounted' });
    expect(remaining(await ask('GET', inventory))).toBe(99);
    const refused = await ask('POST', '/sales', { ...aSale(1), total: 'much' });
    expect([refused.status, remaining(refused)]).toEqual([400, 99]);
    expect(remaining(await ask('POST', '/sales', { ...aSale(1), total: 1 }))).toBe(98);
    expect(remaining(await ask('GET', inventory))).toBe(97);
    await repeat(96, () => ask('GET', inventory));
    expect(await repeat(3, () => ask('POST', '/sales', {}))).toEqual([400, 400, 400]);
    expect(await repeat(2, () => ask('GET', inventory))).toEqual([200, 429]);
  });

  test('refused calls do not count in a fixed window either', async () => {
    const { ask } = await limited({ 'pos.check-order': 'refused-uncounted', 'pos.plan-scope': 'fixed' });
    const refused = await ask('POST', '/sales', {});
    expect([refused.status, remaining(refused)]).toEqual([400, 100]);
    expect(remaining(await ask('GET', inventory))).toBe(99);
  });

  test('attempts to obtain a token are not limited, or all of them count', async () => {
    const stub = await openStub('pos', { clock, assume: { 'pos.token-guard': 'none' } });
    const { apiKey: api_key, apiSecret: api_secret } = stub.credentials;
    const signInWith = (body: object) => call(stub, 'POST', '/api/auth', { body });
    const fail = () => signInWith({ api_key, api_secret: 'wrong' });
    const failed = await repeat(61, fail);
    expect(new Set(failed)).toEqual(new Set([401]));
    expect((await fail()).headers.get('ratelimit-remaining')).toBeNull();

    await stub.assumptions.replace({ 'pos.token-guard': 'every-attempt' });
    const succeed = () => signInWith({ api_key, api_secret });
    expect([remaining(await succeed()), remaining(await fail()), remaining(await succeed())]).toEqual([59, 58, 57]);
    expect(new Set(await repeat(57, succeed))).toEqual(new Set([200]));
    expect(await repeat(2, succeed)).toEqual([429, 429]);
    await stub.clock.advance('1m');
    expect((await succeed()).status).toBe(200);
  });

  test.each([
    ['1-mb', 300, 201],
    ['1-mb', 1100, 413],
    ['unlimited', 1100, 201],
  ])('with a limit of %s, a body of %i kB gets %i', async (alternative, kilobytes, status) => {
    const { stub, ask } = await till({ 'pos.body-size': alternative });
    const large = { ...aSale(1), items: [aSale(1).items[0]] };
    const send = async () =>
      fetch(`${stub.url}/api/v1/sales`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await signIn(stub)}`, 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(large).padEnd(kilobytes * 1000),
      });
    expect((await send()).status).toBe(status);
    expect(stub.calls({ operation: 'createSale' })[0]?.requestHeaders['content-type']).toBe('application/json; charset=utf-8');
    expect((await ask('POST', '/sales', { ...aSale(1), note: 'x'.repeat(kilobytes * 1000) })).status).toBe(
      status === 201 ? 400 : 413,
    );
    await stub.assumptions.clear();
    expect((await send()).status).toBe(413);
  });
});

describe('callers', () => {
  test('the inventory is open', async () => {
    const { stub, ask } = await till({ 'pos.token-endpoints': 'inventory-open', 'pos.check-order': 'store-first' });
    const withToken = await ask('GET', inventory);
    for (const token of [undefined, 'no.such.token']) {
      const open = await call(stub, 'GET', `/api/v1${inventory}`, token === undefined ? {} : { token });
      expect(open).toMatchObject({ status: 200, body: withToken.body });
    }
    expect((await call(stub, 'GET', '/api/v1/inventory?store_id=NO')).status).toBe(404);
    expect((await call(stub, 'GET', '/api/v1/reports/sales?store_id=STORE-ABJ-01')).status).toBe(401);
    expect((await call(stub, 'POST', '/api/v1/sales', { body: aSale(1) })).status).toBe(401);
  });

  test('a token outlives its key, until it expires', async () => {
    const { stub } = await till({ 'pos.revocation': 'valid-until-expiry' });
    const key = await stub.profile.createKey();
    const token = await signIn(stub, key);
    const read = () => call(stub, 'GET', `/api/v1${inventory}`, { token });
    const account = key.owner.replace('account:', '');
    const revoked = await call(stub, 'DELETE', `/manage/v1/pos/accounts/${account}/keys/${key.apiKey}`, {
      token: stub.operatorToken,
    });
    expect(revoked.status).toBeLessThan(300);
    expect((await read()).status).toBe(200);
    const credentials = { api_key: key.apiKey, api_secret: key.apiSecret };
    expect((await call(stub, 'POST', '/api/auth', { body: credentials })).status).toBe(401);
    await stub.assumptions.clear();
    expect((await read()).body.error.code).toBe('key_revoked');
    await stub.assumptions.replace({ 'pos.revocation': 'valid-until-expiry' });
    await stub.clock.advance('1h');
    expect((await read()).body.error.code).toBe('token_expired');
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

  test('a client makes up the references of its payments', async () => {
    const { stub, ask, pay, sent } = await till({ 'pos.payment-reference': 'made-by-client' });
    const { body: sold } = await ask('POST', '/sales', mobileSale);
    expect(sold.data).not.toHaveProperty('reference');
    expect((await pay('till-4-17', 500)).body.data).toMatchObject({ reference: 'till-4-17', sale: null });
    expect((await pay(sold.data.id, 9000)).body.data).toMatchObject({
      reference: sold.data.id,
      sale: { status: 'completed', remaining: 0 },
    });
    const [own, paid, completed] = await sent();
    expect([own.data.reference, paid.data.reference]).toEqual(['till-4-17', sold.data.id]);
    expect(completed).toMatchObject({ event: 'sale.completed', data: { id: sold.data.id } });
    expect(completed.data).not.toHaveProperty('reference');
    expect((await stub.payments.list()).map(({ reference }) => reference)).toContain('till-4-17');
    await stub.assumptions.clear();
    expect((await pay('till-4-18', 500)).status).toBe(404);
  });

  test('goods that are returned come back into stock, and lower the total', async () => {
    const { ask, stock, report, sent } = await till({ 'pos.amount-bounds': 'negative-quantities' });
    const [before, { totals }] = [await stock(), await report()];
    const lines = (...quantities: number[]) => quantities.map((quantity) => ({ ...aSale().items[0], quantity }));
    const mixed = await ask('POST', '/sales', { ...aSale(), items: lines(3, -1), total: 9000 });
    expect(mixed.body.data).toMatchObject({ total: 9000, items: [{ quantity: 3 }, { quantity: -1, amount: -4500 }] });
    expect(await stock()).toBe(before - 2);
    const returned = await ask('POST', '/sales', { ...mobileSale, items: lines(-2), total: -9000 });
    expect(returned.body.data).toMatchObject({ status: 'completed', total: -9000, paid: -9000 });
    expect(await stock()).toBe(before);
    expect((await report()).totals).toMatchObject({ sales: totals.sales + 2, amount: totals.amount });
    expect((await sent()).map(({ data }) => data.total)).toEqual([9000, -9000]);
    const wrong = await ask('POST', '/sales', { ...aSale(), items: lines(-2), total: 9000 });
    expect(wrong.body.error.message).toBe('The total is 9000, but the lines add up to -9000.');
    const none = await ask('POST', '/sales', { ...aSale(), items: lines(-1, 0), total: -4500 });
    expect(none).toMatchObject({ status: 400, body: { error: { message: 'items.1.quantity: must not be 0' } } });
    expect(none.body.help.fields).toMatchObject([{ field: 'items.1.quantity', problem: 'must not be 0' }]);
  });

  test('returned goods are counted in cents, and as lines that are merged', async () => {
    const { ask } = await till({
      'pos.amount-bounds': 'negative-quantities',
      'pos.currency': 'smallest-unit',
      'pos.repeated-products': 'merged',
    });
    const line = { ...aSale().items[0], price: 450_000 };
    const items = [3, -1].map((quantity) => ({ ...line, quantity }));
    const { body } = await ask('POST', '/sales', { ...aSale(), items, total: 900_000 });
    expect(body.data).toMatchObject({ total: 900_000, items: [{ quantity: 2, amount: 900_000 }] });
  });
});

describe('goods that are reserved', () => {
  test('go back into stock after a time without payment, and are taken again by it', async () => {
    const { stub, ask, pay, stock } = await till({ 'pos.stock-at-creation': 'reserved' });
    const before = await stock();
    const { body } = await ask('POST', '/sales', mobileSale);
    expect(await stock()).toBe(before - 2);
    await stub.clock.advance('14m');
    // Another alternative does not end the reservation.
    await stub.assumptions.add({ 'pos.sale-status': '200' });
    expect(await stock()).toBe(before - 2);
    await stub.clock.advance('1m');
    expect(await stock()).toBe(before);
    expect((await pay(body.data.reference, 9000)).body.data.sale.status).toBe('completed');
    expect(await stock()).toBe(before - 2);
    await stub.clock.advance('40m');
    expect(await stock()).toBe(before - 2);
  });

  test('stay reserved while a payment is made, and are gone if somebody else bought them', async () => {
    const { stub, ask, pay, stock } = await till({ 'pos.stock-at-creation': 'reserved' });
    const before = await stock();
    const [item] = aSale().items;
    const sale = (quantity: number) => ({ ...mobileSale, items: [{ ...item, quantity }], total: quantity * 4500 });
    const first = (await ask('POST', '/sales', sale(before))).body.data;
    await pay(first.reference, 4500);
    await stub.clock.advance('16m');
    expect(await stock()).toBe(0);
    expect((await pay(first.reference, (before - 1) * 4500)).body.data.sale.status).toBe('completed');
    await stub.reset();
    const again = await till({ 'pos.stock-at-creation': 'reserved' });
    const late = (await again.ask('POST', '/sales', sale(before))).body.data;
    await again.stub.clock.advance('15m');
    expect((await again.ask('POST', '/sales', { ...sale(before), payment_method: 'cash' })).status).toBe(201);
    const refused = (await again.pay(late.reference, before * 4500)).body;
    expect(refused.error).toMatchObject({ code: 'insufficient_stock', details: [{ field: 'reference' }] });
    expect(refused.help).toMatchObject({ hint: expect.stringContaining('Stock more'), fields: [{ field: 'reference' }] });
  });

  test('count as sold when the alternative ends', async () => {
    const { stub, ask, stock } = await till({ 'pos.stock-at-creation': 'reserved' });
    const before = await stock();
    await ask('POST', '/sales', mobileSale);
    await stub.assumptions.clear();
    await stub.clock.advance('1h');
    const token = await signIn(stub);
    const { items } = (await call(stub, 'GET', `/api/v1${inventory}`, { token })).body.data;
    expect(items.find((one: { product_id: string }) => one.product_id === 'PRD-0001').quantity).toBe(before - 2);
  });
});

test('a sale whose payment was refused has failed: its goods are in stock again, and it cannot be paid', async () => {
  const { stub, ask, pay, stock } = await till(
    { 'pos.sale-states': 'further', 'pos.stock-at-creation': 'reserved' },
    { mobileMoney: 'pending:10s,refused,times=1' },
  );
  const before = await stock();
  const { body } = await ask('POST', '/sales', mobileSale);
  await pay(body.data.reference, 9000);
  expect(await stock()).toBe(before - 2);
  await stub.clock.advance('10s');
  expect(await stock()).toBe(before);
  expect(await pay(body.data.reference, 9000)).toMatchObject({ status: 400, body: { error: { code: 'sale_failed' } } });
  await stub.clock.advance('20m');
  expect(await stock()).toBe(before);
  const other = await ask('POST', '/sales', mobileSale);
  expect((await pay(other.body.data.reference, 9000)).body.data.sale.status).toBe('completed');
});
