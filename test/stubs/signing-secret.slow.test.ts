import { expect, test } from 'vitest';
import { verifySignature } from '../../receivers/verify-signature.ts';
import { startStub } from '../../stubs/stub.ts';
import { call, openReceiver, openStub } from './partner.ts';

const ownSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** Whether each request that arrived is genuine for a receiver with this secret. */
const genuine = ({ received }: Receiver, secret: string) =>
  received.map(({ body, headers }) => verifySignature(body, headers, secret).valid);

test('a stub has one signing secret: of its endpoints, of those added later, and of an event sent to a URL', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('pos', { secret: ownSecret, webhooks: [{ url: `${receiver.url}/first` }] });
  expect(stub.secret).toBe(ownSecret);
  await stub.endpoints.add({ url: `${receiver.url}/later` });
  await stub.trigger('sync.completed', undefined, { to: `${receiver.url}/once` });
  expect(genuine(receiver, ownSecret)).toEqual([true, true, true]);
  const { body } = await call(stub, 'GET', '/_stub');
  expect(body.data).toMatchObject({ secret: ownSecret, endpoints: [{ secret: ownSecret }, { secret: ownSecret }] });
});

test('without a secret of its own, a stub has the same one at each start, and another than the stub of the other API', async () => {
  const [first, second, other] = [await openStub('pos'), await openStub('pos'), await openStub('cohesion')];
  expect(first.secret).toMatch(/^whsec_/);
  expect(second.secret).toBe(first.secret);
  expect(other.secret).not.toBe(first.secret);
});

test('an endpoint may have a secret of its own', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('pos', { webhooks: [{ url: receiver.url, secret: ownSecret }] });
  await stub.trigger('sync.completed');
  expect(genuine(receiver, ownSecret)).toEqual([true]);
  expect(await stub.endpoints.add({ url: receiver.url, secret: otherSecret })).toMatchObject({ secret: otherSecret });
});

test('an event to a URL reaches it once, also if the URL is an endpoint; no later event goes there', async () => {
  const [usual, once] = [await openReceiver(204), await openReceiver(204)];
  const stub = await openStub('pos', { webhooks: [{ url: usual.url }] });
  await stub.trigger('sync.completed', undefined, { to: usual.url });
  expect(usual.received).toHaveLength(1);
  const { deliveries } = await stub.trigger('sync.completed', undefined, { to: once.url, secret: ownSecret });
  expect(deliveries.map(({ url, status }) => [url, status])).toEqual([
    [usual.url, 'delivered'],
    [once.url, 'delivered'],
  ]);
  expect(genuine(once, ownSecret)).toEqual([true]);
  await stub.trigger('sync.completed');
  expect([usual.received.length, once.received.length]).toEqual([3, 1]);
  expect(stub.endpoints.list()).toHaveLength(1);
  const ledger = await call(stub, 'GET', '/manage/v1/ledger', { token: stub.operatorToken });
  expect(ledger.body.data).toMatchObject({ expected: 4, unaccounted: 0, deliveries: { delivered: 4 } });
});

test('an event to a URL is duplicated, reordered and retried like any other', async () => {
  const receiver = await openReceiver(500, 204);
  const stub = await openStub('pos', { clock: '2026-03-01T08:00:00Z' });
  const events = [{ event: 'sync.completed' }, { event: 'sale.completed', data: { total: 1 } }];
  const triggered = await stub.triggerAll(events, { to: receiver.url, reorder: true, duplicates: 1 });
  const ids = () => receiver.received.map(({ headers }) => headers['webhook-id']);
  const [first, second] = triggered.map(({ id }) => id);
  expect(ids()).toEqual([second, first, expect.any(String), expect.any(String)]);
  expect(new Set(ids().slice(2))).toEqual(new Set([first, second]));
  await stub.clock.advance('72h');
  expect((await stub.deliveries()).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
});

test('another secret for the URL of an endpoint is refused before anything is sent', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('pos', { webhooks: [{ url: receiver.url }] });
  const { status, body } = await call(stub, 'POST', '/_stub/trigger', {
    body: { event: 'sync.completed', to: receiver.url, secret: ownSecret },
  });
  expect([status, body.error.message]).toEqual([409, expect.stringContaining('signs with another secret')]);
  await expect(stub.trigger('sync.completed', undefined, { secret: ownSecret })).rejects.toThrow('to');
  expect(receiver.received).toEqual([]);
});

test.each(['', 'whsec_', 'hunter2', 'whsec_not base64!', `whsec_${'A'.repeat(8)}`, `${ownSecret}\n`])(
  'the secret %j is refused with what it must be',
  async (secret) => {
    const wrong = 'must be whsec_ followed by the base64 of 24 to 64 bytes';
    await expect(startStub('pos', { secret })).rejects.toThrow(wrong);
    const stub = await openStub('pos', { seed: 'empty' });
    await expect(stub.endpoints.add({ url: 'http://127.0.0.1:9/hook', secret })).rejects.toThrow(wrong);
    await expect(stub.trigger('sync.completed', undefined, { to: 'http://127.0.0.1:9/hook', secret })).rejects.toThrow(wrong);
    expect(stub.endpoints.list()).toEqual([]);
  },
);

test('an endpoint can be removed; a reset brings back those of the start', async () => {
  const receiver = await openReceiver(500);
  const stub = await openStub('pos', { webhooks: [{ url: receiver.url }] });
  const [{ id } = { id: '' }] = stub.endpoints.list();
  await stub.trigger('sync.completed');
  const token = stub.operatorToken;
  expect((await call(stub, 'DELETE', `/manage/v1/endpoints/${id}`, { token })).status).toBe(200);
  expect(stub.endpoints.list()).toEqual([]);
  expect(await stub.deliveries()).toMatchObject([{ status: 'skipped', reason: 'endpoint_deleted' }]);
  await expect(stub.endpoints.remove(id)).rejects.toThrow('There is no endpoint');
  await stub.reset();
  expect(stub.endpoints.list()).toMatchObject([{ id, url: receiver.url }]);
  expect((await stub.trigger('sync.completed')).deliveries).toHaveLength(1);
});

test('an endpoint that was made through the manage API, as listen makes one, is like any other', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('pos');
  const body = { service: 'pos', url: receiver.url };
  const made = await call(stub, 'POST', '/manage/v1/endpoints', { token: stub.operatorToken, body });
  const { id } = made.body.data;
  expect(stub.endpoints.list()).toEqual([{ id, url: receiver.url, events: null, secret: stub.secret, owner: null }]);
  await stub.endpoints.remove(id);
  expect(stub.endpoints.list()).toEqual([]);
  await stub.trigger('sync.completed');
  expect(receiver.received).toEqual([]);
});
