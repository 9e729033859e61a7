import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Plan } from '../../spec/documents/plans.ts';
import { serviceNames } from '../../spec/documents/services.ts';
import { openApi, operationsOf } from '../../spec/openapi/operations.ts';
import { type EventName, type OperationName, operationNames, type PlanName } from '../../stubs/names.ts';
import type { Stub, StubOptions } from '../../stubs/stub.ts';
import { forAll } from '../for-all.ts';
import { call, openStub } from './partner.ts';

const faults: [rule: string, message: string][] = [
  ['createSael:status=503', '"createSael" is not an operation. Did you mean createSale?'],
  ['inventory:reset', '"inventory" is not an operation. Did you mean readInventory?'],
  ['createSale:code=503', '"code" is not a fault. Did you mean status=503?'],
  ['createSale:503', 'Did you mean status=503?'],
  ['createSale:latency=3s', 'Did you mean delay?'],
  ['createSale:foo', '"foo" is not a fault. The faults are'],
  ['createSale:example=foo', 'createSale has no example "foo". The examples are'],
  ['createSale:statsu=503', '"statsu" is not a fault. Did you mean status?'],
  ['createSale:status=503,tims=2', '"tims" is not an option of status. Did you mean times?'],
  ['/api/v1/inventroy:reset', 'No operation is "/api/v1/inventroy". Did you mean /api/v1/inventory?'],
  ['/inventory:reset', 'No operation is "/inventory". Did you mean /api/v1/inventory?'],
  ['/api/v2/*:reset', 'No operation is "/api/v2/*".'],
  ['POST /api/v1/inventory:reset', 'No operation is "POST /api/v1/inventory". Did you mean GET /api/v1/inventory?'],
  ['PATCH:status=500', 'No operation is "PATCH". Did you mean'],
  ['createSale GET:status=500', 'No operation is "createSale GET". Did you mean createSale POST?'],
];

test('a refusal over HTTP names the field that is wrong', async () => {
  const stub = await openStub('pos');
  const fieldsOf = async (rule: object) =>
    (await call(stub, 'POST', '/_stub/faults', { body: { rule } })).body.error.details.map(
      ({ field }: { field: string }) => field,
    );
  expect(await fieldsOf({ tmes: 1, fault: { kind: 'hang', seconds: 30 } })).toEqual(['rule.fault.ms', 'rule.fault', 'rule']);
});

describe('a misspelt fault is refused with the nearest name', () => {
  test.each(faults)('%s', async (rule, message) => {
    const stub = await openStub('pos');
    expect(() => stub.faults.add(rule)).toThrow(message);
    const refused = await call(stub, 'POST', '/_stub/faults', { body: { rule } });
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining(message)]);
    await expect(openStub('pos', { faults: [rule] })).rejects.toThrow(message);
  });

  test.each([
    [{ opration: 'createSale', fault: { kind: 'reset' } }, '"opration" is not a field. Did you mean operation?'],
    [{ fault: { kind: 'stats' } }, '"stats" is not a kind. Did you mean status?'],
    [{ fault: { kind: 'status', staus: 503, status: 503 } }, 'fault: "staus" is not a field. Did you mean status?'],
    [{ fault: { kind: 'hang', ms: 5, seconds: 30 } }, 'fault: "seconds" is not a field. Its fields: kind, ms, stage'],
    [{ event: 'sale.completed', fault: { kind: 'lost' } }, '"event" is not a field. Its fields: id, operation, method,'],
  ])('as an object: %j', async (rule, message) => {
    const stub = await openStub('pos');
    expect(() => stub.faults.add(rule as never)).toThrow(message);
  });

  test.each([
    '/api/v1/*:reset',
    '*:reset',
    'POST:reset',
    'post /api/v1/sales:reset',
    'HEAD /api/v1/inventory:reset',
    'OPTIONS /api/v1/sales:reset',
    '/api/v1/auth:reset',
    '/api/v1/{any}:reset',
    '/*:reset',
    '/api/v1/payment*:reset',
  ])('%s can apply to an operation', async (rule) => {
    const stub = await openStub('pos');
    expect(() => stub.faults.add(rule)).not.toThrow();
  });

  test.each(serviceNames)('any rule whose pattern matches a path of %s is accepted', async (api) => {
    const stub = await openStub(api);
    const paths = Object.keys(openApi[api].paths).map((path) => path.replace(/\{\w+\}/g, '7'));
    const pattern = fc
      .constantFrom(...paths)
      .chain((path) =>
        fc.tuple(fc.constant(path), fc.nat(path.length - 1)).map(([whole, at]) => [whole, `${whole.slice(0, at + 1)}*`] as const),
      );
    forAll(100, [pattern], ([path, cut]) => {
      for (const one of [path, cut]) expect(() => stub.faults.remove(stub.faults.add(`${one}:reset`))).not.toThrow();
    });
  });
});

test('a misspelt option of a member is refused with the nearest', async () => {
  const stub = await openStub('pos');
  const loose = stub as unknown as Record<string, (...args: unknown[]) => unknown>;
  expect(() => loose.trigger?.('sale.completed', {}, { duplicate: 2 })).toThrow(
    '"duplicate" is not an option of stub.trigger. Did you mean duplicates?',
  );
  expect(() => loose.triggerAll?.([{ evnt: 'sale.completed' }])).toThrow('Did you mean event?');
  expect(() => loose.triggerAll?.([], { reordr: true })).toThrow('Did you mean reorder?');
  expect(() => loose.waitForCall?.({}, { timeout: 5 })).toThrow('Did you mean timeoutMs?');
  expect(() => loose.deliveries?.({ statu: 'failed' })).toThrow('Did you mean status?');
  expect(() => loose.har?.({ secret: true })).toThrow('Did you mean secrets?');
  await expect(openStub('pos', { fault: [] } as StubOptions<'pos'>)).rejects.toThrow('Did you mean faults?');
});

test('a misspelt field of an endpoint is refused: without its events it would get every one', async () => {
  const stub = await openStub('pos');
  const misspelt = { url: 'http://127.0.0.1:1/', event: ['sale.completed'] } as never;
  expect(() => stub.endpoints.add(misspelt)).toThrow('"event" is not a field of an endpoint. Did you mean events?');
  await expect(openStub('pos', { webhooks: [misspelt] })).rejects.toThrow('Did you mean events?');
  expect(() => stub.endpoints.add('http://127.0.0.1:1/' as never)).toThrow('endpoint must be an object with a url');
});

test('an unknown id names the route of the stub that lists the known ones', async () => {
  const stub = await openStub('pos');
  await expect(stub.endpoints.remove('ep_1')).rejects.toThrow(
    'There is no endpoint ep_1. GET /manage/v1/endpoints (passerelle stub endpoints) lists all of them.',
  );
  await expect(stub.resend('dlv_1')).rejects.toThrow(
    'There is no delivery dlv_1. GET /manage/v1/deliveries (passerelle stub deliveries) lists all of them.',
  );
});

test('a filter of deliveries with an unknown event type or id is refused, also by a wait', async () => {
  const stub = await openStub('pos');
  for (const read of [stub.deliveries, stub.waitForDelivery]) {
    await expect(read({ event_type: 'sale.complete' })).rejects.toThrow(
      '"sale.complete" is not an event. Did you mean sale.completed?',
    );
    await expect(read({ endpoint_id: 'ep_1' })).rejects.toThrow('There is no endpoint ep_1.');
    await expect(read({ event_id: 'evt_1' })).rejects.toThrow('There is no event evt_1.');
  }
  const { id } = await stub.endpoints.add({ url: 'http://127.0.0.1:9/hook' });
  await stub.trigger('order.shipped', { n: 1 }, { validate: false });
  await stub.endpoints.remove(id);
  expect(await stub.deliveries({ event_type: 'order.shipped', endpoint_id: id })).toHaveLength(1);
  expect(await stub.deliveries({ event_type: 'endpoint.disabled' })).toEqual([]);
});

test('a filter with a misspelt field, operation or method is refused with the nearest', async () => {
  const stub = await openStub('pos');
  expect(() => stub.calls({ operation: 'createSail' as 'createSale' })).toThrow(
    '"createSail" is not an operation. Did you mean createSale?',
  );
  expect(() => stub.calls({ method: 'PSOT' })).toThrow('"PSOT" is not a method. Did you mean POST?');
  expect(() => stub.calls({ oparation: 'createSale' } as never)).toThrow(
    '"oparation" is not a field of a filter. Did you mean operation?',
  );
  expect(() => stub.har({ filter: { operation: 'x' as 'createSale' } })).toThrow('is not an operation');
  await expect(stub.waitForCall({ operation: 'x' as 'createSale' })).rejects.toThrow('is not an operation');
  expect(() => stub.calls({ path: 'api/v1/sales' })).toThrow('path: "api/v1/sales" must begin with "/"');
  expect(stub.calls({ operation: 'createSale', method: 'post' })).toEqual([]);
});

test.each([
  ['GET', '/_stub?verbose=1', 'verbose: is not a field of this request. Its fields: none'],
  ['POST', '/_stub/reset?all=1', 'all: is not a field of this request. Its fields: none'],
  ['GET', '/_stub/calls?oparation=createSale', 'oparation: is not a field of this request; the nearest is operation'],
  ['GET', '/_stub/calls?operation=createSail', 'Did you mean createSale?'],
  ['GET', '/_stub/calls/har?methd=GET', 'the nearest is method'],
  ['GET', '/_stub/payments?state=pending', 'the nearest is status'],
  ['GET', '/_stub/payments?status=pendng', 'Did you mean pending?'],
  ['GET', '/_stub/examples?operation=createSail', 'Did you mean createSale?'],
  ['GET', '/_stub/calls?after=zzz', 'after: "zzz" is not the id of a call'],
  ['DELETE', '/_stub/faults?id=1', 'id: is not a field of this request. Its fields: none'],
])('%s %s is refused', async (method, path, message) => {
  const stub = await openStub('pos');
  const { status, body } = await call(stub, method, path);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
});

describe('after close', () => {
  test('a member that acts throws, and what was received can still be read', async () => {
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
    expect([stub.calls().length, stub.har().log.entries.length, await stub.deliveries(), stub.endpoints.list()]).toEqual([
      1,
      1,
      [],
      [],
    ]);
    expect([stub.faults.list(), typeof stub.clock.now(), typeof stub.faults.seed]).toEqual([[], 'number', 'string']);
    await stub.close();
  });

  test('also if `await using` closed it', async () => {
    let kept: Stub | undefined;
    {
      await using stub = await openStub('cohesion');
      kept = stub;
    }
    expect(() => kept?.reset()).toThrow('was used after stub.close()');
  });
});

describe('names', () => {
  test.each(serviceNames)('of %s are those of its OpenAPI document', (api) => {
    expect([...operationNames[api]].sort()).toEqual(
      operationsOf(api)
        .map(({ operation }) => operation.operationId)
        .sort(),
    );
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
