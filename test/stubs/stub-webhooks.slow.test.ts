import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { verifySignature } from '../../receivers/verify-signature.ts';
import { startStub } from '../../stubs/stub.ts';
import { eventually } from '../eventually.ts';
import { listening } from '../listening.ts';
import { aSale, call, openReceiver, openStub, signIn } from './partner.ts';

test('a change through the API sends a signed webhook; the secret is the same at each start', async () => {
  const receiver = await openReceiver(204);
  const webhooks = [{ url: receiver.url, events: ['sale.completed'] }];
  const stub = await openStub('pos', { webhooks });
  await call(stub, 'POST', '/api/v1/sales', { token: await signIn(stub), body: aSale() });
  await stub.settled();
  const [sent] = receiver.received;
  const secret = stub.endpoints.list()[0]?.secret ?? '';
  expect(sent && verifySignature(sent.body, sent.headers, secret)).toMatchObject({ valid: true, scheme: 'standard-webhooks' });
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({ event: 'sale.completed', data: { store_id: 'STORE-ABJ-01' } });
  expect((await openStub('pos', { webhooks })).endpoints.list()[0]?.secret).toBe(secret);
});

test.each(['real', '2026-03-01T08:00:00Z'])(
  'on a clock (%s) advanced by 72 h a failing receiver gets all 10 attempts',
  async (clock) => {
    const receiver = await openReceiver(500);
    const stub = await openStub('pos', { clock, webhooks: [{ url: receiver.url }] });
    const { deliveries } = await stub.trigger('sale.completed');
    expect(deliveries).toMatchObject([{ status: 'pending', attempts: 1, response_status: 500 }]);
    await stub.clock.advance('72h');
    const [dead] = await stub.deliveries();
    expect(dead).toMatchObject({ status: 'failed', attempts: 10, next_attempt_at: null });
    const made = dead?.attempts_made ?? [];
    const waits = made.map(
      ({ ended_at, next_attempt_at }) => next_attempt_at && Date.parse(next_attempt_at) - Date.parse(ended_at),
    );
    const scheduled = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 950);
    expect(waits).toEqual([...scheduled, null]);
    const due = made.map(({ started_at }, at) => made[at - 1]?.next_attempt_at ?? started_at);
    // The attempts of a clock that stands still are on time. One that runs goes on while the stub works.
    if (clock === 'real') expect(made.filter(({ started_at }, at) => started_at < (due[at] ?? ''))).toEqual([]);
    else expect(made.map(({ started_at }) => started_at)).toEqual(due);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const secret = stub.endpoints.list()[0]?.secret ?? '';
    for (const { body, headers } of receiver.received) expect(verifySignature(body, headers, secret).valid).toBe(true);
    const ledger = await call(stub, 'GET', '/manage/v1/ledger', { token: stub.operatorToken });
    expect(ledger.body.data).toMatchObject({ expected: 1, unaccounted: 0, deliveries: { failed: 1, pending: 0, delivered: 0 } });
  },
);

test('data is merged into the example and validated', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('cohesion', { webhooks: [{ url: receiver.url }] });
  await stub.trigger('intervention.validated', { region: 'Poro', validated_by: { name: 'Awa' } });
  expect(JSON.parse(receiver.received[0]?.body ?? '').data).toMatchObject({
    region: 'Poro',
    structure_id: 4,
    validated_by: { id: 1, name: 'Awa' },
  });
  await expect(stub.trigger('intervention.validate')).rejects.toThrow('Did you mean intervention.validated?');
  await expect(stub.trigger('sale.completed')).rejects.toThrow('It is one of pos: use a stub of pos.');
  await expect(stub.trigger('intervention.validated', { region: 7 })).rejects.toThrow('data.region');
  await expect(stub.trigger('intervention.validated', { colour: 'red' })).rejects.toThrow(/colour/);
  expect(receiver.received).toHaveLength(1);
});

test('trigger can send an unknown event, an extra field or a duplicate', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('pos', { webhooks: [{ url: receiver.url }] });
  await stub.trigger('order.shipped', { n: 1 }, { validate: false });
  await stub.trigger('sale.completed', { surprise: true }, { validate: false });
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
    { event: 'order.shipped', data: { n: 1 } },
    { event: 'sale.completed', data: { surprise: true, store_id: expect.any(String) } },
  ]);
  const { id, deliveries } = await stub.trigger('sync.completed', undefined, { duplicates: 2 });
  const again = receiver.received.slice(2);
  expect(again.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id]);
  expect(new Set(again.map(({ body }) => body)).size).toBe(1);
  expect(deliveries[0]?.attempts).toBe(3);
});

test('any delivery can be resent; a reset drops pending ones', async () => {
  const receiver = await openReceiver(500, 204, 500);
  const stub = await openStub('pos', { webhooks: [{ url: receiver.url }] });
  const { deliveries } = await stub.trigger('sale.completed');
  const resent = await stub.resend(deliveries[0]?.id ?? '');
  expect(resent).toMatchObject({ status: 'delivered', attempts: 2 });
  expect(resent.attempts_made[1]).toMatchObject({ manual: true });
  await stub.trigger('sale.completed');
  await stub.reset();
  await stub.clock.advance('72h');
  expect(receiver.received).toHaveLength(3);
  expect(stub.endpoints.list()).toHaveLength(1);
  expect((await stub.trigger('sale.completed')).deliveries).toHaveLength(1);
});

test('many failures before a reset do not hold the endpoint after it', async () => {
  const receiver = await openReceiver(500);
  const stub = await openStub('pos', { clock: '2026-03-01T08:00:00Z', webhooks: [{ url: receiver.url }] });
  for (let sent = 0; sent < 12; sent++) await stub.trigger('sale.completed');
  await stub.reset();
  const before = receiver.received.length;
  for (let sent = 0; sent < 3; sent++) await stub.trigger('sale.completed');
  expect(receiver.received.length - before).toBe(3);
});

/** A receiver that answers nothing until it is told to. */
async function openSilent() {
  const answers: ServerResponse[] = [];
  const url = await listening((_request, response) => answers.push(response));
  return { url: `${url}/hook`, answers };
}

test('close and reset do not wait for receivers', async () => {
  const { url, answers } = await openSilent();
  const stub = await startStub('cohesion', { logLevel: 'silent' });
  await stub.endpoints.add({ url });
  const outcomes: string[] = [];
  stub.subscribe((event) => event.kind === 'attempt' && outcomes.push(event.attempt.outcome));
  const before = stub.trigger('intervention.validated').catch(() => undefined);
  await eventually(() => expect(answers).toHaveLength(1));
  await stub.reset();
  expect(answers[0]?.closed).toBe(false);
  await stub.endpoints.add({ url });
  const after = stub.trigger('intervention.validated').catch(() => undefined);
  await eventually(() => expect(answers).toHaveLength(2));
  await stub.close();
  await Promise.all([before, after]);
  // Not 'timeout': close has cut the request off.
  expect(outcomes).toEqual(['reset']);
});

test('failures that end after a reset do not hold the endpoint either', async () => {
  const { url, answers } = await openSilent();
  const stub = await openStub('pos', { clock: '2026-03-01T08:00:00Z', webhooks: [{ url }] });
  const triggered = stub.triggerAll(Array.from({ length: 12 }, () => ({ event: 'sale.completed' as const, data: {} })));
  await eventually(() => expect(answers).toHaveLength(12));
  await stub.reset();
  for (const answer of answers) answer.writeHead(500).end();
  await triggered;
  const [first, second] = [stub.trigger('sale.completed'), stub.trigger('sale.completed')];
  await eventually(() => expect(answers).toHaveLength(14));
  for (const answer of answers.slice(12)) answer.writeHead(204).end();
  expect((await first).deliveries).toMatchObject([{ status: 'delivered' }]);
  expect((await second).deliveries).toMatchObject([{ status: 'delivered' }]);
});

test('subscribers get each call and attempt when it ends', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('pos', { webhooks: [{ url: receiver.url }] });
  const seen: string[] = [];
  const stop = stub.subscribe((event) => {
    if (event.kind === 'call') seen.push(event.call.path);
    if (event.kind === 'attempt') seen.push(`${event.attempt.eventType} ${event.attempt.status}`);
  });
  await call(stub, 'GET', '/api/v1/inventory');
  await stub.trigger('sale.completed');
  stop();
  await call(stub, 'GET', '/api/v1/inventory');
  expect(seen).toEqual(['/api/v1/inventory', 'sale.completed delivered']);
});
