import { expect, test } from 'vitest';
import type { StubEvent } from '../../stubs/stub.ts';
import { longestWaitMs } from '../longest-wait.ts';
import { aSale, call, openReceiver, openStub } from './partner.ts';
import { till } from './till.ts';

/** What became of the deliveries, in the order of their events. */
const fates = async (stub: Awaited<ReturnType<typeof till>>['stub']) =>
  (await stub.deliveries()).map(({ event_type, status, reason, attempts }) => [event_type, status, reason, attempts]);

test('a webhook is lost: its delivery is skipped, stands in the ledger, is told of, and can be resent', async () => {
  const { stub, ask, sent, receiver } = await till({}, { faults: ['sale.completed:lost,times=1'] });
  const told: StubEvent[] = [];
  stub.subscribe((event) => event.kind === 'lost' && told.push(event));
  await ask('POST', '/sales', aSale(1));
  const lost = await stub.waitForDelivery({ event_type: 'sale.completed' }, { timeoutMs: longestWaitMs });
  expect(lost).toMatchObject({
    status: 'skipped',
    reason: 'lost',
    attempts: 0,
    advice: 'Resend this delivery, or remove the fault.',
  });
  await ask('POST', '/sales', aSale(1));
  expect((await sent()).map(({ event }) => event)).toEqual(['sale.completed']);
  expect(await fates(stub)).toEqual([
    ['sale.completed', 'skipped', 'lost', 0],
    ['sale.completed', 'delivered', null, 1],
  ]);
  const fault = 'sale.completed:lost,times=1';
  const webhook = { deliveryId: lost.id, eventType: 'sale.completed', url: receiver.url, fault, faultRule: 'fault-1' };
  expect(told).toMatchObject([{ kind: 'lost', webhook }]);
  expect(stub.faults.list()).toMatchObject([{ matched: 2, applied: 1 }]);
  const ledger = await call(stub, 'GET', '/manage/v1/ledger', { token: stub.operatorToken });
  expect(ledger.body.data).toMatchObject({ expected: 2, skipped_because: { lost: 1 }, unaccounted: 0 });
  // Neither the clock nor the reconciler sends it.
  await stub.clock.advance('96h');
  expect(await sent()).toHaveLength(1);
  expect(await stub.resend(lost.id)).toMatchObject({ status: 'delivered', attempts: 1 });
});

test('the first attempt decides: a retry is not lost, and does not count', async () => {
  const { url } = await openReceiver(500, 204);
  const { stub, ask } = await till({}, { faults: ['*:lost,after=1,times=1'], webhooks: [{ url }] });
  await ask('POST', '/sales', aSale(1));
  await stub.settled();
  await stub.clock.advance('1m');
  await ask('POST', '/sales', aSale(1));
  await stub.settled();
  expect(await fates(stub)).toMatchObject([
    ['sale.completed', 'delivered', null, 2],
    ['sale.completed', 'skipped', 'lost', 0],
  ]);
});

test('rules look at the body, count for each endpoint, end with the clock and come back with a reset', async () => {
  const other = await openReceiver(204);
  const { stub, receiver } = await till(
    {},
    { faults: ['sale.completed:lost,per=caller,for=1m,body.data.store_id=STORE-ABJ-01'] },
  );
  await stub.endpoints.add({ url: other.url });
  const lose = async (store_id: string) => {
    const { deliveries } = await stub.trigger('sale.completed', { store_id });
    return deliveries.map(({ reason }) => reason);
  };
  expect(await lose('STORE-BKE-01')).toEqual([null, null]);
  expect(await lose('STORE-ABJ-01')).toEqual(['lost', 'lost']);
  await stub.clock.advance('1m');
  expect(await lose('STORE-ABJ-01')).toEqual([null, null]);
  await stub.reset();
  expect(await lose('STORE-ABJ-01')).toEqual(['lost']);
  expect([receiver.received.length, other.received.length]).toEqual([2, 2]);
});

test('webhooks of cohesion are lost too, also at an ordered endpoint; calls, notices and Prefer are left alone', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('cohesion', { faults: ['*:lost,times=1'] });
  const body = { service: 'cohesion', url: receiver.url, ordered: true };
  expect((await call(stub, 'POST', '/manage/v1/endpoints', { token: stub.operatorToken, body })).status).toBe(201);
  expect((await call(stub, 'GET', '/api/v1/me', { headers: { prefer: 'lost' } })).headers.get('x-passerelle-fault')).toBeNull();
  const fate = async () => (await stub.trigger('rapport.ready')).deliveries.map(({ status, reason }) => [status, reason]);
  expect([await fate(), await fate()]).toEqual([[['skipped', 'lost']], [['delivered', null]]]);
});
