import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { phonePattern } from '../../gateway/api/pos/schemas.ts';
import { greetingOf } from '../../stubs/greeting.ts';
import { mobileMoneyText, parseMobileMoney } from '../../stubs/payments/rule.ts';
import { testNumbers } from '../../stubs/payments/test-numbers.ts';
import { call, openStub } from './partner.ts';
import { mobileSale, till } from './till.ts';

const phoneOf = (name: string) => testNumbers.find((one) => one.name === name)?.phone ?? '';

/** A till that pays from test numbers. */
async function openSandbox(options: Parameters<typeof till>[1] = {}) {
  const opened = await till({}, { mobileMoney: 'sandbox', ...options });
  const { stub, ask, receiver } = opened;
  const pay = async (name: string, phone = phoneOf(name)) => {
    const { reference, total: amount } = (await ask('POST', '/sales', mobileSale)).body.data;
    const { body } = await ask('POST', '/payment/mobile', { amount, phone, provider: 'mtn_momo', reference });
    return body.data as { id: string; status: string };
  };
  const statusOf = async (id: string) => (await stub.payments.list()).find((one) => one.id === id)?.status;
  const events = () => receiver.received.map(({ body }) => JSON.parse(body).event as string);
  return { ...opened, pay, statusOf, events };
}

const both = ['payment.received', 'sale.completed'];

test('each number is one that the API takes and nobody has, with a rule of its own', () => {
  expect(new Set(testNumbers.map(({ phone }) => phone)).size).toBe(testNumbers.length);
  for (const { phone, rule } of testNumbers) {
    expect(phone).toMatch(phonePattern);
    expect(phone).toMatch(/^\+22500\d{8}$/);
    expect(mobileMoneyText(parseMobileMoney(rule))).toBe(rule);
  }
});

test.each([
  ['received', '5s', 'received', both],
  ['refused', '5s', 'refused', []],
  ['timed_out', '2m', 'timed_out', []],
  ['late', '1h', 'received', both],
])('%s', async (name, after, status, webhooks) => {
  const { stub, pay, statusOf, events } = await openSandbox();
  const paid = await pay(name);
  expect(paid.status).toBe('pending');
  await stub.clock.advance(after);
  expect([await statusOf(paid.id), events()]).toEqual([status, webhooks]);
});

test('never: neither an end nor a webhook', async () => {
  const { stub, pay, statusOf, events } = await openSandbox();
  const { id } = await pay('never');
  await stub.clock.advance('30d');
  expect([await statusOf(id), events()]).toEqual(['pending', []]);
});

test('the webhooks come before the reply, which waits for them', async () => {
  const order: string[] = [];
  const server = createServer(async (request, response) => {
    const { event } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    order.push(event);
    // Every other reply is given meanwhile.
    order.push((await ask('GET', '/inventory?store_id=STORE-ABJ-01')).status.toString());
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/hook`;
  const { ask, pay } = await openSandbox({ webhooks: [{ url, events: ['payment.received'] }] });
  const { status } = await pay('webhook_early');
  order.push(`reply: ${status}`);
  expect(order).toEqual(['payment.received', '200', 'reply: received']);
});

test('the webhook comes twice, with the same id and bytes', async () => {
  const { stub, pay, receiver, events } = await openSandbox();
  await pay('webhook_twice');
  await pay('received');
  await stub.clock.advance('5s');
  expect(events().sort()).toEqual([...both, ...both, ...both].sort());
  const ids = receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`);
  expect(new Set(ids).size).toBe(4);
  expect((await stub.deliveries()).map(({ attempts }) => attempts)).toEqual([2, 2, 1, 1]);
});

test('the webhook is lost: its deliveries are skipped, and the sale is paid', async () => {
  const { stub, pay, statusOf, events } = await openSandbox();
  const told: unknown[] = [];
  stub.subscribe((event) => event.kind === 'lost' && told.push(event.webhook.fault));
  const { id } = await pay('webhook_lost');
  await stub.clock.advance('10m');
  expect([await statusOf(id), events()]).toEqual(['received', []]);
  const deliveries = await stub.deliveries();
  expect(deliveries.map(({ event_type, status, reason }) => [event_type, status, reason])).toEqual(
    both.map((event) => [event, 'skipped', 'lost']),
  );
  const rule = 'pending:5s,received,phone=+2250000000008,webhook=lost';
  expect(told).toEqual([rule, rule]);
  // The number decides for its own payments only, and for the first attempt only.
  await stub.resend(deliveries[0]?.id ?? '');
  await pay('received');
  await stub.clock.advance('5s');
  expect(events()).toEqual(['payment.received', ...both]);
});

test('other numbers are received at once, a number without its country code is the same, and a reset forgets all', async () => {
  const { stub, pay, events } = await openSandbox();
  expect((await pay('', '+2250700000000')).status).toBe('received');
  expect((await pay('', '00 00 00 00 04')).status).toBe('pending');
  await pay('webhook_lost');
  await stub.reset();
  await pay('received');
  await stub.clock.advance('5s');
  expect(events()).toEqual([...both, ...both]);
});

test('GET /_stub and the greeting list the numbers if they are in use, and rules of your own may go before them', async () => {
  const rules = testNumbers.map(({ rule }) => rule);
  const { stub } = await openSandbox({ mobileMoney: ['pending:90s,amount=666', ' sandbox ', 'pending:30s'] });
  const { data } = (await call(stub, 'GET', '/_stub')).body;
  expect(data.mobileMoney).toEqual(['pending:90s,received,amount=666', ...rules, 'pending:30s,received']);
  expect([data.testNumbers, stub.payments.testNumbers]).toEqual([testNumbers, testNumbers]);
  const greeting = greetingOf(stub, { colors: false });
  for (const { phone, does } of testNumbers) expect(greeting).toContain(`Mobile money    ${phone}  ${does}`);
  expect((await openStub('cohesion')).payments.testNumbers).toEqual([]);
  expect((await call(await openStub('pos'), 'GET', '/_stub')).body.data.testNumbers).toEqual([]);
});

test.each([
  ['sandbx', '"sandbx" is not what a payment can be. Did you mean sandbox?'],
  ['sandbox,times=1', 'sandbox stands alone: its test numbers have rules of their own.'],
  ['pending:5s,webhook=lots', '"lots" is not what a webhook can be. Did you mean lost? Use one of early, twice, lost.'],
  ['pending:5s,webhook=early', 'webhook=early goes with received'],
  ['pending:5s,refused,webhook=lost', 'webhook= goes with a payment that is received'],
  ['pending,webhook=lost', 'webhook= goes with a payment that is received'],
])('%s is refused', async (mobileMoney, message) => {
  await expect(openStub('pos', { mobileMoney })).rejects.toThrow(message);
});

test('a rule that hides the numbers is refused', async () => {
  await expect(openStub('pos', { mobileMoney: ['pending:30s', 'sandbox'] })).rejects.toThrow('Put it first.');
});
