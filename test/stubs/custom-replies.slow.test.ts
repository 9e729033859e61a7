import { describe, expect, test } from 'vitest';
import { meets } from '../../stubs/faults/when.ts';
import { aSale, call, openStub, signIn } from './partner.ts';

const refusal = { success: false, error: { code: 'till_closed', message: 'The till is closed.', details: [] } };

describe('a reply of its own', () => {
  test('has the status, headers and body of the rule, and nothing else', async () => {
    const stub = await openStub('pos');
    stub.faults.add({
      operation: 'createSale',
      fault: { kind: 'status', status: 400, headers: { 'X-Till': '4', 'Retry-After': '9' }, body: refusal },
    });
    const reply = await call(stub, 'POST', '/api/v1/sales', { body: aSale() });
    expect([reply.status, reply.body, reply.headers.get('x-till'), reply.headers.get('retry-after')]).toEqual([
      400,
      refusal,
      '4',
      '9',
    ]);
    const overHttp = { rule: { operation: 'readInventory', fault: { kind: 'status', status: 404, body: refusal } } };
    expect((await call(stub, 'POST', '/_stub/faults', { body: overHttp })).status).toBe(201);
    expect((await call(stub, 'GET', '/api/v1/inventory')).body).toEqual(refusal);
  });

  test.each([
    [400, { oops: true }, 'fault.body.success:'],
    [400, { ...refusal, success: true }, '(400 of createSale). To send it anyway, set validate: false.'],
    [409, refusal, 'createSale does not document status 409, only 201, 400, 401,'],
  ])('%i %j must be valid for the operation', async (status, body, message) => {
    const stub = await openStub('pos');
    const rule = { operation: 'createSale', fault: { kind: 'status', status, body } } as const;
    expect(() => stub.faults.add(rule)).toThrow(message);
    stub.faults.add({ ...rule, fault: { ...rule.fault, validate: false } });
    const reply = await call(stub, 'POST', '/api/v1/sales', { body: aSale() });
    expect([reply.status, reply.body]).toEqual([status, body]);
  });
});

describe('a rule with conditions', () => {
  test('applies to the calls whose body, query and headers are so', async () => {
    const stub = await openStub('pos');
    const token = await signIn(stub);
    stub.faults.add('createSale:status=503,body.payment_method=card,body.items.0.quantity=1,times=1');
    stub.faults.add('readInventory:status=500,query.store_id=STORE-ABJ-01,header.X-Till=4');
    const sell = async (fields: object) =>
      (await call(stub, 'POST', '/api/v1/sales', { token, body: { ...aSale(1), ...fields } })).status;
    expect(await sell({})).toBe(201);
    expect(await sell({ ...aSale(2), payment_method: 'card' })).toBe(201);
    expect(await sell({ payment_method: 'card' })).toBe(503);
    expect(await sell({ payment_method: 'card' })).toBe(201);
    const look = async (store: string, headers: Record<string, string>) =>
      (await call(stub, 'GET', `/api/v1/inventory?store_id=${store}`, { token, headers })).status;
    expect(await look('STORE-ABJ-01', {})).toBe(200);
    expect(await look('STORE-ABJ-99', { 'x-till': '4' })).toBe(404);
    expect(await look('STORE-ABJ-01', { 'x-till': '4' })).toBe(500);
    expect(stub.faults.list().map(({ applied }) => applied)).toEqual([1, 1]);
  });

  test('keeps the order of the rules, and Prefer takes precedence', async () => {
    const stub = await openStub('pos', {
      faults: ['createSale:status=503,body.payment_method=card,id=card', 'createSale:status=500,id=all'],
    });
    const token = await signIn(stub);
    const sell = async (payment_method: string, prefer?: string) => {
      const headers: Record<string, string> = prefer === undefined ? {} : { prefer };
      return (await call(stub, 'POST', '/api/v1/sales', { token, headers, body: { ...aSale(1), payment_method } })).status;
    };
    expect([await sell('card'), await sell('cash'), await sell('card', 'code=404')]).toEqual([503, 500, 404]);
    const unknown = await call(stub, 'POST', '/api/v1/sales', { body: { ...aSale(1), payment_method: 'card' } });
    expect(unknown.status).toBe(401);
  });

  test('leaves the work and its reply as they are if it does not apply', async () => {
    const stub = await openStub('pos', { faults: ['*:reset,body.payment_method=card'] });
    const token = await signIn(stub);
    expect((await call(stub, 'POST', '/api/v1/sales', { token, body: aSale() })).body.success).toBe(true);
    expect((await call(stub, 'POST', '/api/v1/sales', { token })).status).toBe(400);
  });

  test.each<[boolean, 'body' | 'header', Record<string, string | number | boolean | null>]>([
    [true, 'body', { total: '5000' }],
    [true, 'body', { total: 5000 }],
    [true, 'body', { paid: false }],
    [true, 'body', { note: null }],
    [true, 'body', { 'items.0.id': 'a' }],
    [true, 'header', { 'X-TILL': '4' }],
    [false, 'body', { items: '[object Object]' }],
    [false, 'body', { constructor: 'x' }],
    [false, 'body', { 'items.1.id': 'a' }],
    [false, 'body', { none: 'undefined' }],
  ])('compares values as text, and nothing that is inherited: %s for %s %j', (isMet, place, values) => {
    const body = { total: 5000, paid: false, note: null, items: [{ id: 'a' }] };
    expect(meets({ query: {}, headers: { 'x-till': '4' }, body }, { [place]: values })).toBe(isMet);
  });
});
