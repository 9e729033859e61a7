import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Plan } from '../../spec/documents/plans.ts';
import { serviceNames } from '../../spec/documents/services.ts';
import { openApi, operationsOf } from '../../spec/openapi/operations.ts';
import { type EventName, type OperationName, operationNames, type PlanName } from '../../stubs/names.ts';
import type { Stub, StubOptions } from '../../stubs/stub.ts';
import { forAll } from '../for-all.ts';
import { call, openStub, sharedStub } from './partner.ts';

const shared = sharedStub('pos');

describe('a misspelt fault is refused with the nearest name', () => {
  test.each([
    ['createSael:status=503', '"createSael" is not an operation. Did you mean createSale?'],
    ['inventory:reset', '"inventory" is not an operation. Did you mean readInventory?'],
    ['createSale:code=503', '"code" is not a fault. Did you mean status=503?'],
    ['createSale:503', 'Did you mean status=503?'],
    ['createSale:latency=3s', 'Did you mean delay?'],
    ['createSale:foo', '"foo" is not a fault. The faults are'],
    ['createSale:example=foo', 'createSale has no example "foo". The examples are'],
    ['createSale:example=insuficient_stock', 'Did you mean insufficient_stock?'],
    ['readInventory:example=insufficient_stock', 'readInventory has no example'],
    ['*:example=insufficient_stok', 'Did you mean insufficient_stock?'],
    ['createSale:statsu=503', '"statsu" is not a fault. Did you mean status?'],
    ['createSale:status=503,tims=2', '"tims" is not an option of status. Did you mean times?'],
    ['/api/v1/inventroy:reset', 'No operation is "/api/v1/inventroy". Did you mean /api/v1/inventory?'],
    ['/inventory:reset', 'No operation is "/inventory". Did you mean /api/v1/inventory?'],
    ['/api/v2/*:reset', 'No operation is "/api/v2/*".'],
    ['POST /api/v1/inventory:reset', 'No operation is "POST /api/v1/inventory". Did you mean GET /api/v1/inventory?'],
    ['PATCH:status=500', 'No operation is "PATCH". Did you mean'],
    ['createSale GET:status=500', 'No operation is "createSale GET". Did you mean createSale POST?'],
    [
      'createSale:reset,body.payment_methd=cash',
      '"payment_methd" is not a field of the body of these calls. Did you mean payment',
    ],
    ['createSale:reset,body.items.0.pric=1', 'Did you mean items.0.price?'],
    ['createSale:reset,body.total=1,body.total=2', 'body.total is given twice.'],
    ['createSale:reset,bdy.total=1', '"bdy.total" is not an option of reset.'],
    ['readInventory:reset,query.store=1', '"store" is not a query parameter of these calls. Did you mean store_id?'],
    ['readInventory:reset,body.store_id=1', '"store_id" is not a field of the body of these calls. There is none.'],
    ['sale.completed:lost,body.data.totl=1', '"data.totl" is not a field of the body of these calls. Did you mean data.total?'],
    ['sale.complete:lost', '"sale.complete" is not an event. Did you mean sale.completed? The events are sale.completed, '],
    ['createSale:lost', '"createSale" is not an event.'],
    ['sale.completed:reset', '"sale.completed" is not an operation.'],
  ])('%s', async (rule, message) => {
    expect(() => shared().faults.add(rule)).toThrow(message);
    const refused = await call(shared(), 'POST', '/_stub/faults', { body: { rule } });
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining(message)]);
    await expect(openStub('pos', { faults: [rule] })).rejects.toThrow(message);
  });

  const status = { kind: 'status', status: 503 };
  test.each<[rule: object, details: Record<string, string>]>([
    [{ opration: 'createSale', fault: { kind: 'reset' } }, { rule: '"opration" is not a field. Did you mean operation?' }],
    [{ fault: { kind: 'stats' } }, { 'rule.fault.kind': '"stats" is not a kind. Did you mean status?' }],
    [{ fault: { ...status, staus: 503 } }, { 'rule.fault': '"staus" is not a field. Did you mean status?' }],
    [{ fault: { ...status, bodi: {} } }, { 'rule.fault': '"bodi" is not a field. Did you mean body?' }],
    [{ event: 'sale.completed', fault: { kind: 'lost' } }, { rule: '"event" is not a field. Its fields: id, operation' }],
    [
      { tmes: 1, fault: { kind: 'hang', seconds: 30 } },
      {
        'rule.fault.ms': 'must be whole milliseconds',
        'rule.fault': '"seconds" is not a field. Its fields: kind, ms, stage',
        rule: '"tmes" is not a field. Did you mean times?',
      },
    ],
    [
      { operation: 'createSale', times: 0, fault: { ...status, status: 999 } },
      { 'rule.times': 'must be at least 1', 'rule.fault.status': 'must be 200 to 599' },
    ],
    [{ operation: 'createSael', fault: status }, { 'rule.operation': 'Did you mean createSale?' }],
    [{ operation: 'GET', fault: status }, { 'rule.operation': 'is a method: give it as `method`' }],
    [{ path: 'things', fault: status }, { 'rule.path': 'must begin with "/"' }],
    [{ fault: status, when: { body: { totl: 1 } } }, { 'rule.when.body': 'Did you mean total?' }],
    [{ operation: 'createSale', fault: { ...status, body: 1 } }, { 'rule.fault.body': 'must be an object, not a number' }],
    [{ fault: { kind: 'example', name: 'insuficient_stock' } }, { 'rule.fault.name': 'Did you mean insufficient_stock?' }],
    [{ fault: { ...status, headers: { connection: '3' } } }, { 'rule.fault.headers.connection': 'is set by the server' }],
    [{ fault: { ...status, headers: { 'x-a': 'a\r\nx-b: c' } } }, { 'rule.fault.headers.x-a': 'must be visible ASCII' }],
    [{ fault: { ...status, headers: { 'x a': 'b' } } }, { 'rule.fault.headers.x a': 'must be the name of a header' }],
  ])('as an object: %j, with each wrong field', async (rule, details) => {
    for (const message of Object.values(details)) expect(() => shared().faults.add(rule as never)).toThrow(message);
    const refused = await call(shared(), 'POST', '/_stub/faults', { body: { rule } });
    expect(refused.body.error.details).toEqual(
      Object.entries(details).map(([field, message]) => ({ field, message: expect.stringContaining(message) })),
    );
  });

  test('patterns that can apply to an operation are accepted', () => {
    const { faults } = shared();
    for (const calls of ['*', 'POST', '/*', '/api/v1/*', '/api/v1/auth', '/api/v1/{any}', '/api/v1/payment*'])
      expect(() => faults.remove(faults.add(`${calls}:reset`)), calls).not.toThrow();
    for (const calls of ['post /api/v1/sales', 'HEAD /api/v1/inventory', 'OPTIONS /api/v1/sales'])
      expect(() => faults.remove(faults.add(`${calls}:reset`)), calls).not.toThrow();
  });

  test.each(serviceNames)('any rule whose pattern matches a path of %s is accepted', async (api) => {
    const { faults } = await openStub(api);
    const paths = Object.keys(openApi[api].paths).map((path) => path.replace(/\{\w+\}/g, '7'));
    const pattern = fc
      .constantFrom(...paths)
      .chain((path) =>
        fc.tuple(fc.constant(path), fc.nat(path.length - 1)).map(([whole, at]) => [whole, `${whole.slice(0, at + 1)}*`] as const),
      );
    forAll(100, [pattern], ([path, cut]) => {
      for (const one of [path, cut]) expect(() => faults.remove(faults.add(`${one}:reset`))).not.toThrow();
    });
  });
});

test.each<[request: string, body: unknown, refusal: string, message: string]>([
  ['GET ?verbose=1', undefined, '400 invalid', 'verbose: is not a field of this request. Its fields: none'],
  ['POST /reset?all=1', undefined, '400 invalid', 'all: is not a field of this request. Its fields: none'],
  ['GET /calls?oparation=createSale', undefined, '400 invalid', 'oparation: is not a field of this request; the nearest is oper'],
  ['GET /calls?operation=createSail', undefined, '400 invalid', 'Did you mean createSale?'],
  ['GET /calls?status=lost', undefined, '400 invalid', 'status: must be a status such as 404'],
  ['GET /calls?limit=0', undefined, '400 invalid', 'limit: must be at least 1'],
  ['GET /calls?after=zzz', undefined, '400 not_an_id', 'after: "zzz" is not the id of a call'],
  ['GET /calls/har?methd=GET', undefined, '400 invalid', 'the nearest is method'],
  ['GET /payments?state=pending', undefined, '400 invalid', 'the nearest is status'],
  ['GET /payments?status=pendng', undefined, '400 one_of', 'Did you mean pending?'],
  ['GET /examples?operation=createSail', undefined, '400 invalid', 'Did you mean createSale?'],
  ['DELETE /faults?id=1', undefined, '400 invalid', 'id: is not a field of this request. Its fields: none'],
  ['POST /trigger', { event: 'sale.complete' }, '400 unknown_event', 'Did you mean sale.completed?'],
  [
    'POST /trigger',
    { event: 'sale.completed', dat: {} },
    '400 invalid',
    'dat: is not a field of this request; the nearest is data.',
  ],
  ['POST /trigger', {}, '400 invalid', 'event: is required. Send JSON such as {"event":"sale.completed"}'],
  ['POST /clock/advance', { by: 'soon' }, '400 invalid', '"soon" is not a duration'],
  ['POST /clock/advance', {}, '400 invalid', 'by: is required. Send JSON such as {"by":"72h"}'],
  ['POST /clock/advance', { by: true }, '400 invalid', 'by: must be text or a number, not true or false. Send JSON such as {"by'],
  ['POST /clock/advance', [], '400 invalid', 'body: must be an object, not a list. Send JSON such as {"by":"72h"}'],
  ['POST /clock/advance', '{"__proto__":1}', '400 forbidden_field', 'The body has a field named'],
  ['POST /faults', {}, '400 invalid', 'rule: is required. Send JSON such as {"rule":"*:status=503,times=2"}'],
  ['POST /faults', { rule: 3 }, '400 invalid', 'rule: must be text or an object, not a number.'],
  ['POST /faults', '{', '400 malformed_request', 'The body is not valid JSON'],
  ['POST /faults', '', '400 empty_body', 'The body is empty.'],
  ['POST /reset', '[', '400 malformed_request', 'The body is not valid JSON'],
  ['POST /payments/pay_1/settle', { to: 'refused' }, '400 invalid', 'Its fields: as. Send JSON such as {"as":"refused"}'],
  ['POST /assume', undefined, '400 invalid', 'body: is missing; a JSON body is expected'],
  ['GET /call', undefined, '404 not_found', 'There is no GET /_stub/call.'],
  ['PATCH /faults', undefined, '404 not_found', 'There is no PATCH /_stub/faults. This path takes GET, POST, DELETE.'],
  ['OPTIONS /faults', undefined, '404 not_found', 'There is no OPTIONS /_stub/faults.'],
  ['GET /%zz', undefined, '404 not_found', 'There is no GET /_stub/%25zz.'],
  ['GET /faults/', undefined, '404 not_found', 'There is no GET /_stub/faults/.'],
])('%s with body %j: %s, in the form of /_stub', async (request, body, refusal, message) => {
  const [method = '', path] = request.split(' ');
  const reply = await fetch(`${shared().url}/_stub${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const { error, ...rest } = (await reply.json()) as { error: { code: string; message: string } };
  expect([`${reply.status} ${error.code}`, error.message, rest]).toEqual([refusal, expect.stringContaining(message), {}]);
});

test('an unknown id names the route of the stub that lists the known ones', async () => {
  await expect(shared().endpoints.remove('ep_1')).rejects.toThrow(
    'There is no endpoint ep_1. GET /manage/v1/endpoints (passerelle stub endpoints) lists all of them.',
  );
  await expect(shared().resend('dlv_1')).rejects.toThrow(
    'There is no delivery dlv_1. GET /manage/v1/deliveries (passerelle stub deliveries) lists all of them.',
  );
});

test('a filter of deliveries may name an event or endpoint that is no more', async () => {
  const stub = await openStub('pos');
  const { id } = await stub.endpoints.add({ url: 'http://127.0.0.1:9/hook' });
  await stub.trigger('order.shipped', { n: 1 }, { validate: false });
  await stub.endpoints.remove(id);
  expect(await stub.deliveries({ event_type: 'order.shipped', endpoint_id: id })).toHaveLength(1);
  expect(await stub.deliveries({ event_type: 'endpoint.disabled' })).toEqual([]);
  expect(stub.calls({ operation: 'createSale', method: 'post' })).toEqual([]);
});

test('after close a member that acts throws, and what was received can still be read', async () => {
  const stub = await openStub('pos');
  await call(stub, 'GET', '/api/v1/inventory');
  await stub.close();
  const refused = 'was used after stub.close()';
  expect(() => stub.trigger('sale.completed')).toThrow(refused);
  expect(() => stub.reset()).toThrow(`stub.reset ${refused}`);
  expect(() => stub.waitForCall({})).toThrow(refused);
  expect(() => stub.resend('dlv_1')).toThrow(refused);
  expect(() => stub.subscribe(() => {})).toThrow(refused);
  expect(() => stub.clock.advance('1h')).toThrow(`stub.clock.advance ${refused}`);
  expect(() => stub.faults.add('*:reset')).toThrow(`stub.faults.add ${refused}`);
  expect(() => stub.endpoints.add({ url: 'http://127.0.0.1:1/' })).toThrow(refused);
  expect(() => stub.profile.createKey()).toThrow(refused);
  expect(() => stub.world()).toThrow(refused);
  expect([stub.calls().length, stub.har().log.entries.length]).toEqual([1, 1]);
  expect([await stub.deliveries(), stub.endpoints.list(), await stub.profile.endpoints(), stub.faults.list()]).toEqual([
    [],
    [],
    [],
    [],
  ]);
  expect([typeof stub.clock.now(), typeof stub.faults.seed]).toEqual(['number', 'string']);
  await stub.close();
});

describe('names', () => {
  test.each(serviceNames)('of %s are those of its OpenAPI document', (api) => {
    const documented = operationsOf(api).map(({ operation }) => operation.operationId);
    expect([...operationNames[api]].sort()).toEqual(documented.sort());
  });

  test('are literal types, so that editors complete them and the compiler refuses others', () => {
    expectTypeOf<OperationName<'pos'>>().toEqualTypeOf<
      'issueToken' | 'createSale' | 'payByMobileMoney' | 'readInventory' | 'reportSales'
    >();
    expectTypeOf<'sale.completed'>().toExtend<EventName<'pos'>>();
    expectTypeOf<'plan.closed' | 'sale.complete'>().exclude<EventName<'pos'>>().toEqualTypeOf<'plan.closed' | 'sale.complete'>();
    expectTypeOf<PlanName>().toEqualTypeOf<Plan>();

    const compiled = (stub: Stub<'pos'>) => {
      stub.calls({ operation: 'createSale' });
      // @ts-expect-error it is createSale
      stub.calls({ operation: 'createSail' });
      // @ts-expect-error it belongs to the other API
      stub.calls({ operation: 'readMe' });
      // @ts-expect-error it is createSale
      stub.faults.add({ operation: 'createSail', fault: { kind: 'reset' } });
      // @ts-expect-error it is pro
      const wrong: StubOptions<'pos'> = { plan: 'por' };
      return wrong;
    };
    expect(compiled).toBeTypeOf('function');
  });
});
