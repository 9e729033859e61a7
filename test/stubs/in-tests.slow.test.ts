import { expect, expectTypeOf, test } from 'vitest';
import { type Stub, startStub } from '../../stubs/stub.ts';
import type { StubDelivery } from '../../stubs/webhook-types.ts';
import { longestWaitMs } from '../longest-wait.ts';
import { aSale, call, openReceiver, openStub, signIn } from './partner.ts';

test('waitForDelivery resolves with a delivery that was attempted, already or yet to come', async () => {
  const receiver = await openReceiver(500, 204);
  const stub = await openStub('pos', { webhooks: [{ url: receiver.url, events: ['sale.completed'] }] });
  const waiting = stub.waitForDelivery({ event_type: 'sale.completed' }, { timeoutMs: longestWaitMs });
  await call(stub, 'POST', '/api/v1/sales', { token: await signIn(stub), body: aSale() });
  const delivery = await waiting;
  expectTypeOf(delivery).toEqualTypeOf<StubDelivery>();
  expect(delivery).toMatchObject({ status: 'pending', attempts: 1, url: receiver.url });
  expect(await stub.deliveries({ response_status: 500, reason: delivery.reason })).toEqual([delivery]);
  expect(await stub.deliveries({ response_status: 204 })).toEqual([]);
  const delivered = stub.waitForDelivery(
    { status: 'delivered', where: ({ attempts }) => attempts === 2 },
    { timeoutMs: longestWaitMs },
  );
  await stub.clock.advance('10s');
  expect(await delivered).toMatchObject({ id: delivery.id });
  expect(await stub.waitForDelivery({ url: receiver.url, event_id: delivery.event_id })).toEqual(await delivered);
});

test('waitForDelivery rejects with the nearest deliveries, or with its signal', async () => {
  const stub = await openStub('pos', { webhooks: [{ url: 'http://127.0.0.1:9/away' }] });
  await expect(stub.waitForDelivery({}, { timeoutMs: 1 })).rejects.toThrow('There are no deliveries.');
  await stub.trigger('sync.completed');
  await expect(stub.waitForDelivery({ event_type: 'sync.completed', status: 'delivered' }, { timeoutMs: 1 })).rejects.toThrow(
    /Waited 1 ms for a delivery with event_type sync\.completed, status delivered\. Of 1 .*\n.*sync\.completed.*: status is pending, not delivered/,
  );
  const gone = new AbortController();
  const waiting = stub.waitForDelivery({ status: 'delivered' }, { signal: gone.signal });
  gone.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('expectCalls counts calls; its error shows the nearest one', async () => {
  const stub = await openStub('pos');
  await call(stub, 'GET', '/api/v1/inventory');
  stub.expectCalls({ operation: 'readInventory' }).toHaveBeenMade();
  stub.expectCalls({ operation: 'readInventory', status: 401 }).toHaveBeenMade(1);
  stub.expectCalls({ operation: 'createSale' }).toHaveBeenMade(0);
  expect(() => stub.expectCalls({ operation: 'readInventory', status: 200 }).toHaveBeenMade()).toThrow(
    /Expected a call with operation readInventory, status 200, got none\. Of 1 received, the nearest are:\n {2}GET \/api\/v1\/inventory -> 401 .*: status is 401, not 200/,
  );
  expect(() => stub.expectCalls({ operation: 'readInventory' }).toHaveBeenMade(2)).toThrow(
    /Expected 2 calls with operation readInventory, got 1:\n {2}GET \/api\/v1\/inventory -> 401/,
  );
  expect(() => stub.expectCalls({ operation: 'createSale' }).toHaveBeenMade(1.5)).toThrow('times: 1.5');
});

test('uncheckedCalls lists the calls that no test looked at', async () => {
  const stub = await openStub('pos');
  const left = () => stub.uncheckedCalls().map(({ method, path }) => `${method} ${path}`);
  await call(stub, 'GET', '/api/v1/inventory');
  await call(stub, 'POST', '/api/auth', { body: {} });
  await call(stub, 'GET', '/api/v1/nowhere');
  await call(stub, 'GET', '/_stub');
  expect(left()).toEqual(['GET /api/v1/inventory', 'POST /api/auth', 'GET /api/v1/nowhere']);
  stub.expectCalls({ operation: 'readInventory' }).toHaveBeenMade();
  expect(left()).toEqual(['POST /api/auth', 'GET /api/v1/nowhere']);
  await stub.waitForCall({ operation: 'issueToken' });
  expect(left()).toEqual(['GET /api/v1/nowhere']);
  stub.calls({ path: '/api/v1/nowhere' });
  expect(left()).toEqual([]);
  await call(stub, 'GET', '/api/v1/inventory');
  await stub.waitForCall({ operation: 'readInventory' }, { after: stub.calls({ path: '/api/auth' })[0] as never });
  expect(left()).toEqual([]);
  await call(stub, 'GET', '/api/v1/inventory');
  await stub.reset();
  expect(left()).toEqual([]);
});

test('`using` and `await using` close a stub at the end of their block', async () => {
  const urls: string[] = [];
  {
    using stub = await startStub('pos', { logLevel: 'silent', seed: 'empty' });
    await using other: Stub<'cohesion'> = await startStub('cohesion', { logLevel: 'silent', seed: 'empty' });
    urls.push(stub.url, other.url);
    expect((await fetch(`${stub.url}/_stub`)).status).toBe(200);
  }
  const stub = await startStub('pos', { logLevel: 'silent', seed: 'empty' });
  stub[Symbol.dispose]();
  expect(() => stub.reset()).toThrow('was used after stub.close()');
  for (const url of [...urls, stub.url]) await expect.poll(() => fetch(url).catch(() => 'closed')).toBe('closed');
});

test('close ends waits', async () => {
  const stub = await openStub('pos');
  const waits = [stub.waitForCall({}, { timeoutMs: 600_000 }), stub.waitForDelivery({}, { timeoutMs: 600_000 })];
  const ended = Promise.allSettled(waits);
  await stub.close();
  const reason = { message: expect.stringContaining('stub.close() was called during this wait') };
  expect(await ended).toMatchObject([{ reason }, { reason }]);
});
