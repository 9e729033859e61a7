import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Throttle } from '../../gateway/http/openapi-replies.ts';
import { abilityNames } from '../../gateway/store/tables/cohesion.ts';
import { plans } from '../../spec/documents/plans.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import { type OpenApi, type Operation, resolved } from '../../spec/openapi/document.ts';
import { cohesionGateway } from '../api/cohesion/harness.ts';
import { buildTestApp, type Method, type Reply, stillClock } from '../helper.ts';

/** What the OpenAPI documents say of headers, limits, abilities and defaults is what callers get. */

type Described = Operation & { 'x-throttle'?: Throttle[]; 'x-ability'?: string };

async function describedBy(gateway: { call(method: Method, path: string): Promise<Reply> }, api: ServiceName) {
  const document = resolved((await gateway.call('GET', `/docs/${api}.json`)).body as OpenApi);
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase() as Method, path, operation })),
  ) as { method: Method; path: string; operation: Described }[];
}

/** Node's own headers, and the content type, which OpenAPI describes apart from the others. */
const ofTransport = ['content-length', 'content-type', 'date', 'connection', 'keep-alive'];

function expectAsDocumented(operation: Operation, { status, headers }: Reply): void {
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const documented = operation.responses[status]?.headers ?? {};
  const names = Object.keys(documented).map((name) => name.toLowerCase());
  const place = `${operation.operationId} ${status}`;
  const undocumented = Object.keys(headers).filter((name) => ![...names, ...ofTransport].includes(name));
  expect([place, undocumented]).toEqual([place, []]);
  for (const [name, { required, schema }] of Object.entries(documented)) {
    const value = headers[name.toLowerCase()];
    if (value === undefined) expect([place, name, required]).toEqual([place, name, undefined]);
    else {
      const typed = schema?.type === 'integer' ? Number(value) : String(value);
      expect([place, name, z.fromJSONSchema(schema as never).safeParse(typed).error]).toEqual([place, name, undefined]);
    }
  }
}

describe('headers', () => {
  let gateway: Awaited<ReturnType<typeof buildTestApp>>;

  async function expectAll(api: ServiceName, calls: readonly (readonly [string, Method, string, object])[]) {
    const operations = await describedBy(gateway, api);
    const statuses = [];
    for (const [name, method, path, options] of calls) {
      const reply = await gateway.call(method, `/${api}/api/v1${path}`, options);
      const { operation } = operations.find((one) => one.operation.operationId === name) as (typeof operations)[number];
      expectAsDocumented(operation, reply);
      statuses.push(reply.status);
    }
    return statuses;
  }

  test('of pos', async () => {
    gateway = await buildTestApp({ clock: stillClock(), settings: { BODY_LIMIT_BYTES: '4096' } });
    const [token, limited] = [await gateway.posToken(), await gateway.posToken('free')];
    const [store] = gateway.demo.pos.stores;
    const { body } = await gateway.call('GET', `/pos/api/v1/inventory?store_id=${store}`, { token });
    const { product_id, price } = body.data.items[0];
    const items = [{ product_id, quantity: 1, price }];
    const sale = { store_id: store, items, payment_method: 'cash', total: price };
    const headers = { 'idempotency-key': 'documented-1' };
    const statuses = await expectAll('pos', [
      ['issueTokenV1', 'POST', '/auth', { body: { api_key: 'x', api_secret: 'y' } }],
      ['createSale', 'POST', '/sales', { token, body: sale, headers }],
      ['createSale', 'POST', '/sales', { token, body: sale, headers }],
      ['createSale', 'POST', '/sales', { token, body: {} }],
      ['createSale', 'POST', '/sales', { token, body: { ...sale, store_id: 'unknown' } }],
      ['createSale', 'POST', '/sales', { token, body: { ...sale, store_id: 'x'.repeat(5000) } }],
      ['createSale', 'POST', '/sales', { token, body: 'a', headers: { 'content-type': 'text/plain' } }],
      ['readInventory', 'GET', `/inventory?store_id=${store}`, {}],
      ['readInventory', 'GET', `/inventory?store_id=${store}`, { token: limited }],
      ['reportSales', 'GET', `/reports/sales?store_id=${store}`, { token: limited }],
    ]);
    expect(statuses).toEqual([401, 201, 201, 400, 404, 413, 415, 401, 200, 200]);
    for (let call = 2; call < 100; call++) await gateway.call('GET', '/pos/api/v1/inventory', { token: limited });
    expect(await expectAll('pos', [['readInventory', 'GET', '/inventory', { token: limited }]])).toEqual([429]);
  });

  test('of cohesion', async () => {
    gateway = await buildTestApp({ clock: stillClock() });
    const [token, reader] = [gateway.cohesionToken(), gateway.cohesionToken('read:indicators')];
    const statuses = await expectAll('cohesion', [
      ['readMe', 'GET', '/me', { token }],
      ['readMe', 'GET', '/me', {}],
      ['listIndicators', 'GET', '/indicateurs', { token }],
      ['listIndicators', 'GET', '/indicateurs?per_page=0', { token }],
      ['listStructures', 'GET', '/structures', { token: reader }],
      ['readIndicator', 'GET', '/indicateurs/999999', { token }],
      ['createFinancing', 'POST', '/financements', { token, body: {} }],
      ['createFinancing', 'POST', '/financements', { token: reader, body: {} }],
      ['updateFinancing', 'PUT', '/financements/999999', { token, body: { statut: 'obtenu' } }],
    ]);
    expect(statuses).toEqual([200, 401, 200, 422, 403, 404, 422, 403, 404]);
    for (let call = 2; call < 30; call++) await gateway.call('PUT', '/cohesion/api/v1/financements/1', { token, body: {} });
    expect(await expectAll('cohesion', [['createFinancing', 'POST', '/financements', { token, body: {} }]])).toEqual([429]);
  });
});

test('x-throttle has the limit of every kind of caller, and none for callers without one', async () => {
  const gateway = await buildTestApp();
  const [store] = gateway.demo.pos.stores;
  const operations = await describedBy(gateway, 'pos');
  const throttle = operations.find(({ operation }) => operation.operationId === 'readInventory')?.operation['x-throttle'] ?? [];
  expect(throttle.map(({ for: plan, ...rest }) => [plan, rest])).toEqual([
    ['free', { limit: 'plan', calls: 100, seconds: 60, per: 'account' }],
    ['pro', { limit: 'plan', calls: 1000, seconds: 60, per: 'account' }],
  ]);
  for (const plan of plans) {
    const token = await gateway.posToken(plan);
    const { headers } = await gateway.call('GET', `/pos/api/v1/inventory?store_id=${store}`, { token });
    const documented = throttle.find((one) => one.for === plan);
    expect([plan, headers['ratelimit-limit']]).toEqual([plan, documented && String(documented.calls)]);
    if (documented) expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(documented.seconds);
  }
});

test('x-throttle shows the limits that the settings add', async () => {
  const gateway = await buildTestApp({ demo: false, settings: { OPERATION_LIMITS: 'readMe=7/min' } });
  const described = (await describedBy(gateway, 'cohesion')).filter(({ operation }) => operation['x-throttle']);
  expect(Object.fromEntries(described.map(({ operation }) => [operation.operationId, operation['x-throttle']]))).toEqual({
    readMe: [{ limit: 'operation-readMe', calls: 7, seconds: 60, per: 'caller' }],
    createFinancing: [{ limit: 'financement-writes', calls: 30, seconds: 60, per: 'token' }],
    updateFinancing: [{ limit: 'financement-writes', calls: 30, seconds: 60, per: 'token' }],
  });
  const readMe = described.find(({ operation }) => operation.operationId === 'readMe')?.operation;
  expect(readMe?.responses[200]?.headers).toHaveProperty('RateLimit-Limit');
});

const addressOf = (path: string) => path.replace('/api/v1', '').replace('{id}', '1');

test('x-ability is the one ability that a token needs', async () => {
  const cohesion = await cohesionGateway();
  for (const { method, path, operation } of await describedBy(cohesion, 'cohesion')) {
    const replyWith = async (abilities: readonly string[]) => {
      const { token } = await cohesion.makeToken({ abilities: abilities as never });
      return cohesion.api(method, addressOf(path), { token, ...(method !== 'GET' && { body: {} }) });
    };
    const needed = operation['x-ability'];
    const others = abilityNames.filter((ability) => ability !== needed);
    const refused = await replyWith(others);
    expect([path, refused.status === 403]).toEqual([path, needed !== undefined]);
    if (needed === undefined) continue;
    // It names what is needed and what the token has.
    for (const ability of [needed, others[0]]) expect(refused.body.message).toContain(ability);
    // 422 for the empty body means that the ability was accepted.
    expect([path, (await replyWith([needed])).status]).toEqual([path, method === 'GET' ? 200 : 422]);
  }
});

test('the default of a parameter holds where it is not sent', async () => {
  const cohesion = await cohesionGateway();
  const described = await describedBy(cohesion, 'cohesion');
  const lists = described.filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'per_page'));
  expect(lists.length).toBe(3);
  for (const { method, path, operation } of lists) {
    const documented = operation.parameters?.flatMap(({ name, schema }) =>
      schema?.default === undefined ? [] : [[name, schema.default] as const],
    );
    const defaults = Object.fromEntries(documented ?? []);
    expect(defaults).toEqual({ page: 1, per_page: 25 });
    expect((await cohesion.api(method, addressOf(path))).body.meta).toMatchObject(defaults);
  }
});
