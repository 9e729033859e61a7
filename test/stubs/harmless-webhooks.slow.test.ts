import { expect, test } from 'vitest';
import { parseAssumed } from '../../stubs/assume/assumptions.ts';
import { aSale, openReceiver, signatureOf } from './partner.ts';
import { till } from './till.ts';

const two = [
  { event: 'sale.completed', data: {} },
  { event: 'inventory.low', data: {} },
] as const;
const open = async (...assume: string[]) => {
  const { stub, receiver, ask } = await till(assume.length > 0 ? parseAssumed(assume) : {});
  const types = () => receiver.received.map(({ body }) => JSON.parse(body).event as string);
  const sell = (more = {}) => ask('POST', '/sales', { ...aSale(1), ...more });
  return { stub, receiver, types, sell };
};

test('each is sent twice with the same bytes and id; a resend by hand and a retry are not', async () => {
  const { stub, receiver } = await open('harmless.duplicate-webhooks');
  const { deliveries } = await stub.trigger('sale.completed');
  const [first, again] = receiver.received;
  expect(receiver.received).toHaveLength(2);
  expect([again?.body, again?.headers['webhook-id']]).toEqual([first?.body, first?.headers['webhook-id']]);
  expect(deliveries).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  await stub.resend(deliveries[0]?.id ?? '');
  expect(receiver.received).toHaveLength(3);
});

test('of two events the second arrives first, and a last one is not lost', async () => {
  const { stub, types } = await open('harmless.reordered-webhooks');
  await stub.triggerAll([...two, { event: 'sync.completed', data: {} }]);
  expect(types()).toEqual(['inventory.low', 'sale.completed', 'sync.completed']);
  await stub.trigger('payment.received', {});
  expect(types().at(-1)).toBe('payment.received');
});

test('one that waits for the next is sent although no other comes and the clock of the stub stands still', async () => {
  const { receiver, sell } = await open('harmless.reordered-webhooks');
  await sell();
  await expect.poll(() => receiver.received.length).toBe(1);
});

test('two late ones arrive in the other order too', async () => {
  const { stub, types } = await open('harmless.reordered-webhooks', 'harmless.late-webhooks');
  await stub.triggerAll(two);
  expect(types()).toEqual([]);
  await stub.clock.advance('2s');
  await stub.settled();
  expect(types()).toEqual(['inventory.low', 'sale.completed']);
});

test('an end of the change sends what it held back, and a reset forgets it', async () => {
  const { stub, receiver, sell } = await open();
  await stub.assumptions.add({ 'harmless.reordered-webhooks': 'on' });
  await sell();
  await stub.assumptions.clear();
  await stub.settled();
  expect(receiver.received).toHaveLength(1);
  await stub.assumptions.add({ 'harmless.late-webhooks': 'on' });
  await sell();
  await stub.reset();
  await stub.clock.advance('1h');
  expect(receiver.received).toHaveLength(1);
});

test('each is late by the clock of the stub, also at the receiver of a trigger', async () => {
  const { stub, receiver } = await open('harmless.late-webhooks');
  const other = await openReceiver(204);
  const { deliveries } = await stub.trigger('sale.completed', {}, { to: other.url });
  expect(deliveries).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
  const received = () => [receiver, other].map((one) => one.received.length);
  await stub.clock.advance('1s');
  expect(received()).toEqual([0, 0]);
  await stub.clock.advance('1s');
  expect(received()).toEqual([1, 1]);
  expect(await stub.deliveries()).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
});

test('an event of a new type comes beside each, at endpoints for all events', async () => {
  const { stub, receiver, types, sell } = await open('harmless.new-events');
  const narrow = await openReceiver(204);
  await stub.endpoints.add({ url: narrow.url, events: ['sale.completed'] });
  const { event, deliveries } = await stub.trigger('sale.completed');
  expect([event, deliveries.length]).toEqual(['sale.completed', 2]);
  expect(types()).toEqual(['sale.completed', 'catalogue.updated']);
  expect(narrow.received.map(({ body }) => JSON.parse(body).event)).toEqual(['sale.completed']);
  await sell({ total: 1 });
  await stub.settled();
  expect(receiver.received).toHaveLength(2);
});

test('all at once: signatures fit the bytes, names have another case, and no event is lost', async () => {
  const { stub, receiver, types } = await open('harmless=all');
  await stub.triggerAll([{ event: 'sale.completed' }, { event: 'sync.completed' }]);
  await stub.clock.advance('1m');
  expect([...new Set(types())].toSorted()).toEqual(['catalogue.updated', 'sale.completed', 'sync.completed']);
  expect(types().filter((type) => type === 'sync.completed')).toHaveLength(2);
  for (const { headers, body } of receiver.received) {
    expect(headers['x-service-signature']).toBe(signatureOf(stub.secret, body));
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(body).toMatch(/^\n\{\n\t"\\u0/);
  }
  const [delivery] = await stub.deliveries();
  const names = Object.keys(delivery?.attempts_made[0]?.request_headers ?? {});
  expect(names).toEqual(expect.arrayContaining(['Content-Type', 'Webhook-Id', 'x-service-signature']));
});

test('header names have another case from the next webhook on, but for three that the HTTP client writes', async () => {
  const { stub, receiver } = await open();
  const namesOfNext = async () => {
    await stub.trigger('sale.completed');
    const { rawHeaders = [] } = receiver.received.at(-1) ?? {};
    return rawHeaders.filter((_, at) => at % 2 === 0);
  };
  const before = await namesOfNext();
  const ofClient = ['host', 'connection', 'content-length'];
  expect(before).toEqual(expect.arrayContaining([...ofClient, 'X-SERVICE-Signature']));
  await stub.assumptions.add({ 'harmless.header-case': 'on' });
  const under = await namesOfNext();
  expect(under).toEqual(expect.arrayContaining(['Content-Type', 'Webhook-Id', 'x-service-signature']));
  expect(under.filter((name) => before.includes(name))).toEqual(ofClient);
  expect(under.map((name) => name.toLowerCase()).toSorted()).toEqual(before.map((name) => name.toLowerCase()).toSorted());
  await stub.assumptions.clear();
  expect(await namesOfNext()).toEqual(before);
});
