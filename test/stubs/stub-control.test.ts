import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { Stub } from '../../stubs/stub.ts';
import { call, openReceiver, openStub } from './partner.ts';

/** Makes a call with headers that fetch does not let a program set. */
function statusWith(stub: Stub, headers: Record<string, string>, method = 'GET', path = '/_stub'): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${stub.url}${path}`, { method, headers }, (reply) => {
      reply.resume().once('end', () => resolve(reply.statusCode ?? 0));
    })
      .once('error', reject)
      .end();
  });
}

test('state, clock, trigger, deliveries, resend, reset', async () => {
  const receiver = await openReceiver(500, 204);
  const stub = await openStub('pos', { clock: '2026-03-01T08:00:00Z' });
  const post = (path: string, body?: unknown) => call(stub, 'POST', `/_stub${path}`, { body });
  expect((await post('/endpoints', { url: receiver.url })).body.data).toMatchObject({ url: receiver.url, events: null });
  const state = await call(stub, 'GET', '/_stub');
  expect(state.body.data).toMatchObject({
    api: 'pos',
    url: stub.url,
    clock: '2026-03-01T08:00:00.000Z',
    operatorToken: stub.operatorToken,
  });
  const sent = await post('/trigger', { event: 'sale.completed', data: { total: 1 } });
  const [delivery] = sent.body.data[0].deliveries;
  expect(delivery).toMatchObject({ status: 'pending', attempts: 1 });
  expect((await post('/clock/advance', { by: '5s' })).body.data.now).toBe('2026-03-01T08:00:05.000Z');
  const listed = await call(stub, 'GET', '/_stub/deliveries?status=delivered');
  expect(listed.body.data).toMatchObject([{ id: delivery.id, attempts: 2 }]);
  expect((await post(`/deliveries/${delivery.id}/resend`)).body.data).toMatchObject({ attempts: 3 });
  expect((await post('/reset')).body.data).toMatchObject({ endpoints: [], clock: '2026-03-01T08:00:00.000Z' });
});

test('the manage API shows the calls too, until a reset', async () => {
  const stub = await openStub('pos');
  const recorded = async () => {
    const { body } = await call(stub, 'GET', '/manage/v1/calls?api=pos', { token: stub.operatorToken });
    return body.data.map(({ operation, status }: { operation: string; status: number }) => [operation, status]);
  };
  await call(stub, 'GET', '/api/v1/inventory');
  await call(stub, 'POST', '/api/auth', { body: {} });
  expect(await recorded()).toEqual([
    ['issueToken', 400],
    ['readInventory', 401],
  ]);
  await call(stub, 'GET', '/api/v1/inventory');
  await stub.reset();
  expect(await recorded()).toEqual([]);
});

test('a call that a fault ended without a reply is in the journal, but not in the manage API', async () => {
  const stub = await openStub('pos', { faults: ['readInventory:reset,times=1', 'readInventory:truncated,times=1'] });
  const inventory = () => call(stub, 'GET', '/api/v1/inventory').catch(() => undefined);
  await inventory();
  await inventory();
  await inventory();
  expect(stub.calls().map(({ status, fault }) => [status, fault])).toEqual([
    [0, 'readInventory:reset,times=1'],
    [401, 'readInventory:truncated,times=1'],
    [401, undefined],
  ]);
  const { body } = await call(stub, 'GET', '/manage/v1/calls?api=pos', { token: stub.operatorToken });
  expect(body.data.map(({ status }: { status: number }) => status)).toEqual([401, 401]);
});

test('the journal as data, as HAR and as curl lines; faults at run time', async () => {
  const stub = await openStub('pos');
  const rule = 'readInventory:status=503,times=1';
  expect((await call(stub, 'POST', '/_stub/faults', { body: { rule } })).body.data).toMatchObject([{ rule, applied: 0 }]);
  expect((await call(stub, 'GET', '/api/v1/inventory')).status).toBe(503);
  expect((await call(stub, 'GET', '/api/v1/inventory')).status).toBe(401);
  const id = (await call(stub, 'GET', '/_stub/faults')).body.data[0].id;
  expect((await call(stub, 'DELETE', `/_stub/faults/${id}`)).body.data).toEqual([]);
  expect((await call(stub, 'DELETE', `/_stub/faults/${id}`)).status).toBe(404);
  expect((await call(stub, 'GET', '/_stub/calls?status=5xx')).body.data).toMatchObject([
    { operation: 'readInventory', status: 503 },
  ]);
  expect((await call(stub, 'GET', '/_stub/calls/har')).body.log.entries).toHaveLength(2);
  expect((await call(stub, 'GET', '/_stub/calls/curl?operation=readInventory')).body).toContain('curl ');
  await call(stub, 'DELETE', '/_stub/calls');
  expect(stub.calls()).toEqual([]);
});

test.each([
  ['/trigger', { event: 'sale.complete' }, 'Did you mean sale.completed?'],
  ['/clock/advance', { by: 'soon' }, '"soon" is not a duration'],
  ['/clock/advance', {}, 'by'],
  ['/faults', { rule: 'explode' }, 'explode'],
  ['/deliveries/dlv_1/resend', undefined, 'There is no delivery dlv_1'],
])('%s %j is refused with a helpful line', async (path, body, message) => {
  const stub = await openStub('pos', { seed: 'empty' });
  const refused = await call(stub, 'POST', `/_stub${path}`, { body });
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(refused.status).toBeLessThan(500);
  expect(refused.body.error.message).toContain(message);
});

test('misspelt names are refused with a message that names them', async () => {
  const stub = await openStub('pos');
  const refusal = async (method: string, path: string, body?: unknown) => {
    const reply = await call(stub, method, `/_stub${path}`, { body });
    return [reply.status, reply.body.error.message];
  };
  expect(await refusal('POST', '/trigger', { event: 'inventory.low', dat: {} })).toEqual([400, 'unknown field: dat']);
  expect(await refusal('POST', '/trigger', {})).toEqual([400, 'event: is required']);
  expect(await refusal('POST', '/faults', { rule: 'createSal:reset' })).toEqual([
    400,
    expect.stringContaining('Did you mean createSale?'),
  ]);
  expect(await refusal('GET', '/deliveries?status=lost')).toEqual([400, expect.stringContaining('status: ')]);
  expect(await refusal('GET', '/call')).toEqual([404, expect.stringContaining('There is no GET /_stub/call.')]);
});

test('browser pages and rebound host names are refused without the operator’s token', async () => {
  const stub = await openStub('pos', { seed: 'empty' });
  const token = { authorization: `Bearer ${stub.operatorToken}` };
  expect(await statusWith(stub, {})).toBe(200);
  expect(await statusWith(stub, { origin: 'https://evil.example' }, 'POST', '/_stub/reset')).toBe(403);
  expect(await statusWith(stub, { origin: 'null' }, 'POST', '/_stub/reset')).toBe(403);
  expect(await statusWith(stub, { 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await statusWith(stub, { host: 'evil.example:4010' })).toBe(403);
  expect(await statusWith(stub, { host: 'localhost:4010' })).toBe(200);
  expect(await statusWith(stub, { host: 'evil.example:4010', ...token })).toBe(200);
  expect(await statusWith(stub, { host: 'evil.example:4010', authorization: 'Bearer wrong' })).toBe(403);
});
