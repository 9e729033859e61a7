import { expect, test } from 'vitest';
import type { Stub } from '../../stubs/stub.ts';
import { aSale, call, openStub, signIn } from './partner.ts';

test('the documented paths are at the root; a sale moves the stock and appears in the report', async () => {
  const stub = await openStub('pos');
  const token = await signIn(stub);
  const quantity = async () => {
    const { body } = await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token });
    return body.data.items.find((item: { product_id: string }) => item.product_id === 'PRD-0001').quantity;
  };
  const before = await quantity();
  const sold = await call(stub, 'POST', '/api/v1/sales', { token, body: aSale(3) });
  expect(sold.status).toBe(201);
  expect(sold.headers.get('x-request-id')).toMatch(/^call_/);
  expect(await quantity()).toBe(before - 3);
  const report = await call(stub, 'GET', '/api/v1/reports/sales?store_id=STORE-ABJ-01', { token });
  expect(report.status).toBe(200);
  expect((await call(stub, 'GET', '/api/v1/indicateurs')).status).toBe(404);
  expect((await call(stub, 'GET', '/pos/api/v1/inventory')).status).toBe(404);
});

test('credentials are the same at each start, and tokens of one stub work on another', async () => {
  const [one, other] = [await openStub('pos'), await openStub('pos', { seed: 'empty' })];
  expect(other.credentials).toEqual(one.credentials);
  expect(other.operatorToken).toBe(one.operatorToken);
  const listed = await call(other, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token: await signIn(one) });
  expect(listed).toMatchObject({ status: 404, body: { error: { details: [{ field: 'store_id' }] } } });
});

test('a refusal has the field, the rule, the line of the document, the gap and a working example', async () => {
  const stub = await openStub('pos');
  const token = await signIn(stub);
  const wrong = { ...aSale(), payment_method: 'gold', colour: 'red' };
  const { status, body } = await call(stub, 'POST', '/api/v1/sales', { token, body: wrong });
  expect(status).toBe(400);
  expect(body).toMatchObject({ success: false, error: { code: 'invalid_request' } });
  expect(body.help).toMatchObject({
    operation: 'POST /api/v1/sales',
    documented: { section: '7. Errors', says: '400 | invalid request' },
    fields: [
      {
        field: 'payment_method',
        documented: { document: 'spec/point-of-sale.md', says: expect.stringContaining('payment_method | string') },
        gap: { id: 'pos.payment-methods' },
      },
      { field: 'colour', rule: 'unknown_field', gap: { id: 'pos.strict-bodies' } },
    ],
  });
  expect(body.help.example.curl).toContain(`'${stub.url}/api/v1/sales'`);
  const right = await call(stub, 'POST', '/api/v1/sales', { token, body: body.help.example.body });
  expect(right.status).toBe(201);
});

test('the refusals of every operation contain a working example', async () => {
  const stub = await openStub('pos');
  const token = await signIn(stub);
  for (const [method, path] of [
    ['POST', '/api/auth'],
    ['POST', '/api/v1/sales'],
    ['POST', '/api/v1/payment/mobile'],
    ['GET', '/api/v1/inventory'],
    ['GET', '/api/v1/reports/sales'],
  ] as const) {
    const refused = await call(stub, method, path, { token, ...(method === 'POST' && { body: {} }) });
    expect(refused.status, path).toBe(400);
    const { example } = refused.body.help;
    const right = await call(stub, example.method, example.path, { token, ...('body' in example && { body: example.body }) });
    expect(right.status, `${path}: ${JSON.stringify(right.body)}`).toBeLessThan(300);
  }
});

test('without a token, help shows how to get one; for an unknown path, the nearest operation', async () => {
  const stub = await openStub('pos');
  const { body } = await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01');
  expect(body.help.example).toMatchObject({ path: '/api/auth', body: { api_key: stub.credentials.apiKey } });
  const unknown = await call(stub, 'POST', '/api/v1/sale', { body: {} });
  expect(unknown).toMatchObject({ status: 404, body: { help: { operation: 'POST /api/v1/sales' } } });
  expect(unknown.body.help.hint).toContain('Did you mean POST /api/v1/sales');
  const under = await call(stub, 'GET', '/inventory');
  expect(under.body.help.operation).toBe('GET /api/v1/inventory');
});

test('the plan’s limit follows the stub’s clock, and can be turned off', async () => {
  const stub = await openStub('pos', { plan: 'free', clock: '2026-03-01T08:00:00Z' });
  expect(stub.credentials.plan).toBe('free');
  const token = await signIn(stub);
  const ask = (at = stub) => call(at, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token });
  const statuses = new Set((await Promise.all(Array.from({ length: 100 }, () => ask()))).map(({ status }) => status));
  expect([...statuses]).toEqual([200]);
  const refused = await ask();
  expect(refused).toMatchObject({ status: 429, body: { help: { gap: { id: 'pos.limit-exceeded' } } } });
  expect(refused.headers.get('retry-after')).toBe('60');
  // Half a second is rounded up: at 59 s the window would still be full.
  await stub.clock.advance(500);
  expect((await ask()).headers.get('retry-after')).toBe('60');
  await stub.clock.advance('59s');
  expect((await ask()).status).toBe(429);
  await stub.clock.advance('1s');
  expect((await ask()).status).toBe(200);
  expect((await ask()).headers.get('ratelimit-remaining')).toBe('98');
  await stub.reset();
  expect((await ask()).headers.get('ratelimit-remaining'), 'a reset counts from 0 again').toBe('99');

  const free = await openStub('pos', { plan: 'free', limits: false, clock: '2026-03-01T08:00:00Z' });
  const many = await Promise.all(Array.from({ length: 101 }, () => ask(free)));
  expect(many.every(({ status, headers }) => status === 200 && !headers.has('ratelimit-limit'))).toBe(true);
});

test('a token expires when the clock is advanced', async () => {
  const stub = await openStub('pos');
  const token = await signIn(stub);
  await stub.clock.advance('59m');
  expect((await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token })).status).toBe(200);
  await stub.clock.advance('2m');
  const { status, body } = await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token });
  expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'token_expired' });
});

test('reset restores data, clock, limits, faults and endpoints, and empties the journal', async () => {
  const stub = await openStub('pos', { clock: '2026-03-01T08:00:00Z', faults: ['readInventory:status=503,times=1'] });
  const token = await signIn(stub);
  const inventory = () => call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token });
  expect((await inventory()).status).toBe(503);
  const { body: before } = await inventory();
  await call(stub, 'POST', '/api/v1/sales', { token, body: aSale() });
  await stub.endpoints.add({ url: 'http://127.0.0.1:9/' });
  stub.faults.add('*:status=500');
  await stub.clock.advance('2h');
  await stub.reset();
  expect(new Date(stub.clock.now()).toISOString()).toBe('2026-03-01T08:00:00.000Z');
  expect([stub.calls(), stub.endpoints.list(), await stub.deliveries()]).toEqual([[], [], []]);
  expect((await inventory()).status).toBe(503);
  expect((await inventory()).body).toEqual(before);
  expect(stub.calls({ operation: 'readInventory' })).toHaveLength(2);
});

test('an account that the operator deactivated is active at once after a reset', async () => {
  const stub = await openStub('pos');
  const token = await signIn(stub);
  const ask = async () => (await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token })).status;
  const operator = { token: stub.operatorToken };
  const stopped = await call(stub, 'PATCH', '/manage/v1/pos/accounts/acc_demo_enterprise', {
    ...operator,
    body: { active: false },
  });
  expect([stopped.status, await ask()]).toEqual([200, 401]);
  await stub.reset();
  expect(await ask()).toBe(200);
});

test('ten stubs run at once, each with its own state', async () => {
  const stubs = await Promise.all(Array.from({ length: 10 }, () => openStub('pos')));
  expect(new Set(stubs.map(({ url }) => url)).size).toBe(10);
  const [first, ...others] = stubs as [Stub<'pos'>, ...Stub<'pos'>[]];
  const token = await signIn(first);
  await call(first, 'POST', '/api/v1/sales', { token, body: aSale() });
  expect(first.calls({ operation: 'createSale', status: 201 })).toHaveLength(1);
  for (const other of others) expect(other.calls()).toEqual([]);
});
