import { describe, expect, test } from 'vitest';
import { verifySignature } from '../../receivers/verify-signature.ts';
import type { PosFixtures } from '../../stubs/seed/types.ts';
import type { Stub, StubOptions } from '../../stubs/stub.ts';
import { call, openStub } from './partner.ts';
import { mobileSale, till } from './till.ts';

const phone = '+2250700000000';
const events = ['payment.received', 'sale.completed'];

/** A till with sales that wait for their payment. */
async function openTill(options: StubOptions<'pos'>) {
  const { stub, ask, receiver } = await till({}, options);
  const sell = async () => (await ask('POST', '/sales', mobileSale)).body.data.reference as string;
  const pay = (reference: string, fields: object = {}, headers: Record<string, string> = {}) =>
    ask('POST', '/payment/mobile', { amount: 9000, phone, provider: 'orange_money', reference, ...fields }, headers);
  /** The webhooks so far, in the order of their events: whether each is genuine, its event, and its data. */
  const webhooks = () =>
    receiver.received
      .toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
      .map(({ body, headers }) => ({
        genuine: verifySignature(Buffer.from(body), headers, stub.secret).valid,
        ...(JSON.parse(body) as { event: string; data: Record<string, unknown> }),
      }))
      .filter(({ event }) => events.includes(event));
  return { stub, sell, pay, webhooks };
}

const idOf = ({ headers }: { headers: object }) => String((headers as Record<string, unknown>)['webhook-id']);
const statusOf = async (stub: Stub<'pos'>, id: string) => (await stub.payments.list()).find((one) => one.id === id)?.status;

describe('a payment that is pending for 30 seconds', () => {
  test('is then received: its webhook and that of the sale are genuine and state the time of the end', async () => {
    const { stub, sell, pay, webhooks } = await openTill({ mobileMoney: 'pending:30s' });
    const reference = await sell();
    const { status, body } = await pay(reference);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      reference,
      amount: 9000,
      status: 'pending',
      created_at: '2026-11-21T08:00:00.000Z',
      sale: { status: 'pending', paid: 0, remaining: 9000 },
    });
    await stub.clock.advance('29s');
    expect(webhooks()).toEqual([]);
    await stub.clock.advance('1s');
    expect(webhooks()).toMatchObject([
      {
        genuine: true,
        event: 'payment.received',
        data: { id: body.data.id, status: 'received', sale: { status: 'completed', paid: 9000, remaining: 0 } },
      },
      { genuine: true, event: 'sale.completed', data: { reference, paid: 9000, completed_at: '2026-11-21T08:00:30.000Z' } },
    ]);
    stub.expectCalls({ operation: 'payByMobileMoney', status: 201 }).toHaveBeenMade(1);
    expect((await stub.deliveries({ event_type: 'payment.received' })).map((one) => one.status)).toEqual(['delivered']);
  });

  test.each(['refused', 'timed_out'] as const)('is then %s: no webhook says so, and the sale can be paid again', async (end) => {
    const { stub, sell, pay, webhooks } = await openTill({ mobileMoney: [`pending:30s,${end},times=1`, 'pending:30s'] });
    const reference = await sell();
    const first = await pay(reference);
    await stub.clock.advance('30s');
    expect(await statusOf(stub, first.body.data.id)).toBe(end);
    expect(webhooks()).toEqual([]);
    const again = await pay(reference, { phone: '+2250500000000' });
    expect([again.status, again.body.data.sale.remaining]).toEqual([201, 9000]);
    await stub.clock.advance('30s');
    expect(webhooks().map(({ event, data }) => [event, data.id ?? data.reference])).toEqual([
      ['payment.received', again.body.data.id],
      ['sale.completed', expect.any(String)],
    ]);
  });

  test('keeps its sale from being paid twice; the refusal says what is awaited', async () => {
    const { stub, sell, pay } = await openTill({ mobileMoney: 'pending:30s' });
    const reference = await sell();
    await pay(reference, { amount: 6000 });
    const over = await pay(reference);
    expect([over.status, over.body.error.code]).toEqual([400, 'amount_over_remaining']);
    expect(over.body.error.message).toContain('only 3000 remains to be paid');
    expect(over.body.error.message).toContain('6000 is awaited from pending payments');
    expect((await pay(reference, { amount: 3000 })).status).toBe(201);
    expect((await pay(reference, { amount: 1 })).status).toBe(400);
    await stub.clock.advance('30s');
    expect((await pay(reference)).body.error.code).toBe('already_paid');
  });

  test('is one payment: a repeat with its Idempotency-Key gets the same reply, also after the end', async () => {
    const { stub, sell, pay, webhooks } = await openTill({ mobileMoney: 'pending:30s' });
    const reference = await sell();
    const key = { 'idempotency-key': 'till-1' };
    const first = await pay(reference, {}, key);
    const repeat = await pay(reference, {}, key);
    await stub.clock.advance('1m');
    const late = await pay(reference, {}, key);
    expect([repeat.body, late.body]).toEqual([first.body, first.body]);
    expect(late.headers.get('idempotency-replayed')).toBe('true');
    expect(webhooks()).toHaveLength(2);
    expect(await stub.payments.list({ reference })).toHaveLength(1);
  });

  test('names the call that made it as the cause of its events', async () => {
    const { stub, sell, pay } = await openTill({ mobileMoney: 'pending:30s' });
    const paid = await pay(await sell());
    await stub.clock.advance('30s');
    const { body } = await call(stub, 'GET', '/manage/v1/events?type=payment.received', { token: stub.operatorToken });
    expect(body.data[0].caused_by).toEqual(paid.headers.get('x-request-id'));
  });
});

test('without the option a payment is received at once', async () => {
  const { stub, sell, pay, webhooks } = await openTill({});
  const reference = await sell();
  expect((await pay(reference)).body.data).toMatchObject({ status: 'received', sale: { status: 'completed' } });
  await stub.settled();
  expect(webhooks()).toHaveLength(2);
});

test('the first rule that fits the phone, amount or provider decides; without one a payment is received at once', async () => {
  const { stub, sell, pay } = await openTill({
    mobileMoney: [
      'pending:10s,refused,phone=+225 07-00.00 00 01',
      'pending:20s,timed_out,amount=666.0',
      'pending:30s,provider=mtn_momo',
      'pending,provider=moov_money',
    ],
  });
  expect((await call(stub, 'GET', '/_stub')).body.data.mobileMoney).toEqual([
    'pending:10s,refused,phone=+2250700000001',
    'pending:20s,timed_out,amount=666',
    'pending:30s,received,provider=mtn_momo',
    'pending,provider=moov_money',
  ]);
  const made = async (fields: object) => (await pay(await sell(), fields)).body.data;
  const ids = [
    await made({ phone: '2250700000001' }),
    await made({ amount: 666 }),
    await made({ provider: 'mtn_momo' }),
    await made({ provider: 'moov_money' }),
  ].map(({ id, status }) => {
    expect(status).toBe('pending');
    return id as string;
  });
  expect((await made({})).status).toBe('received');
  await stub.clock.advance('1m');
  expect(await Promise.all(ids.map((id) => statusOf(stub, id)))).toEqual(['refused', 'timed_out', 'received', 'pending']);
});

describe('by hand', () => {
  test('a pending payment is ended once, over HTTP and in a program', async () => {
    const { stub, sell, pay, webhooks } = await openTill({ mobileMoney: 'pending' });
    const [one, other] = [(await pay(await sell())).body.data.id, (await pay(await sell())).body.data.id];
    await stub.clock.advance('365d');
    const listed = await call(stub, 'GET', '/_stub/payments?status=pending');
    expect(listed.body.data).toMatchObject([
      { id: one, settles_at: null, settles_as: null },
      { id: other, status: 'pending' },
    ]);
    const settled = await call(stub, 'POST', `/_stub/payments/${one}/settle`, { body: { as: 'refused' } });
    expect(settled.body.data).toMatchObject({ id: one, status: 'refused' });
    expect(webhooks()).toEqual([]);
    expect(await stub.payments.settle(other)).toMatchObject({ id: other, status: 'received' });
    expect(webhooks()).toHaveLength(2);
    const again = await call(stub, 'POST', `/_stub/payments/${other}/settle`, { body: { as: 'refused' } });
    expect([again.status, again.body.error.message]).toEqual([409, expect.stringContaining('is received')]);
    const unknown = await call(stub, 'POST', '/_stub/payments/pay_1/settle');
    expect([unknown.status, unknown.body.error.message]).toEqual([404, expect.stringContaining('GET /_stub/payments')]);
    for (const body of [{ as: 'refusd' }, { as: 'pending' }])
      expect((await call(stub, 'POST', `/_stub/payments/${one}/settle`, { body })).status).toBe(400);
  });

  test('a payment that was ended before its time does not end again', async () => {
    const { stub, sell, pay, webhooks } = await openTill({ mobileMoney: 'pending:30s' });
    const { id } = (await pay(await sell())).body.data;
    expect((await stub.payments.list({ status: 'pending' }))[0]).toMatchObject({
      id,
      settles_at: '2026-11-21T08:00:30.000Z',
      settles_as: 'received',
    });
    await stub.clock.advance('10s');
    expect(await stub.payments.settle(id, 'timed_out')).toMatchObject({
      settles_at: null,
      settled_at: '2026-11-21T08:00:10.000Z',
    });
    await stub.clock.advance('1m');
    expect([await statusOf(stub, id), webhooks()]).toEqual(['timed_out', []]);
  });

  test('trigger receives the pending payment of the sale, instead of making another', async () => {
    const { stub, sell, pay } = await openTill({ mobileMoney: 'pending:30s' });
    const reference = await sell();
    const { id } = (await pay(reference)).body.data;
    const triggered = await stub.trigger('payment.received', undefined, { on: reference });
    expect(triggered.because).toContain(id);
    await stub.clock.advance('1m');
    expect(await stub.payments.list({ reference })).toMatchObject([{ id, status: 'received' }]);
  });

  test('a cohesion stub has no payments', async () => {
    const stub = await openStub('cohesion');
    expect((await call(stub, 'GET', '/_stub/payments')).status).toBe(404);
    await expect(stub.payments.list()).rejects.toThrow('cohesion has no payments');
  });
});

test('a payment ends by itself on a clock that runs, and listeners are told', async () => {
  const { stub, sell, pay } = await openTill({ clock: 'real', mobileMoney: 'pending:0s,refused' });
  const ended = new Promise((resolve) => stub.subscribe((event) => event.kind === 'payment' && resolve(event.payment)));
  const { id } = (await pay(await sell())).body.data;
  expect(await ended).toMatchObject({ id, status: 'refused' });
});

test('a reset drops payments and their ends; rules count from the start', async () => {
  const { stub, sell, pay, webhooks } = await openTill({ mobileMoney: 'pending:30s,times=1' });
  await pay(await sell());
  await stub.reset();
  await stub.clock.advance('1m');
  expect([await stub.payments.list({ status: 'pending' }), webhooks()]).toEqual([[], []]);
  expect((await pay(await sell())).body.data.status).toBe('pending');
});

describe('a seed', () => {
  const seed: PosFixtures = {
    stores: [{ id: 'STORE-ABJ-01', products: [{ product_id: 'PRD-0001', name: 'Riz', price: 4500 }] }],
    sales: [
      {
        reference: 'S-1',
        store_id: 'STORE-ABJ-01',
        payment_method: 'mobile_money',
        created_at: '2026-11-21T07:00:00Z',
        items: [{ product_id: 'PRD-0001', quantity: 2 }],
        payments: [
          { id: 'pay_1', amount: 9000, phone, status: 'refused' },
          { id: 'pay_2', amount: 4000, phone },
          { id: 'pay_3', amount: 5000, phone, status: 'pending', settles_at: '2026-11-21T08:10:00Z', settles_as: 'received' },
        ],
      },
    ],
  };

  test('has payments of every status, which go on; a reset starts them again', async () => {
    const { stub, pay, webhooks } = await openTill({ seed });
    // The end of before the reset must not come a minute after it.
    await stub.clock.advance('9m');
    await stub.reset();
    for (const _ of ['first', 'after the reset']) {
      expect((await pay('S-1', { amount: 1 })).body.error.message).toContain('5000 is awaited');
      await stub.clock.advance('9m');
      expect(await statusOf(stub, 'pay_3')).toBe('pending');
      await stub.clock.advance('1m');
      expect(await statusOf(stub, 'pay_3')).toBe('received');
      await stub.reset();
    }
    expect(webhooks().map(({ event }) => event)).toEqual([...events, ...events]);
  });

  test('is what the state says: pending payments end as they would have, and completed sales keep their time', async () => {
    const first = await openTill({ seed, mobileMoney: 'pending:30m,refused' });
    const reference = await first.sell();
    const { id } = (await first.pay(reference)).body.data;
    await first.stub.clock.advance('15m');
    const saved = JSON.parse(JSON.stringify(await first.stub.state())) as PosFixtures;
    const second = await openTill({ clock: '2026-11-21T08:15:00Z', seed: saved });
    expect(JSON.parse(JSON.stringify(await second.stub.state()))).toEqual(saved);
    const { body } = await call(second.stub, 'GET', '/manage/v1/pos/sales', { token: second.stub.operatorToken });
    const completed = body.data.find((one: { reference: string }) => one.reference === 'S-1');
    expect(completed).toMatchObject({ status: 'completed', completed_at: '2026-11-21T08:10:00.000Z' });
    await second.stub.clock.advance('15m');
    expect([await statusOf(second.stub, id), await statusOf(second.stub, 'pay_3')]).toEqual(['refused', 'received']);
  });

  test.each<[string, object, string]>([
    ['an end of a payment that is not pending', { settles_at: '2026-11-21T08:10:00Z' }, 'only a pending payment has settles_at'],
    ['an end without its time', { status: 'pending', settles_as: 'refused' }, 'settles_as needs settles_at'],
    ['a misspelt status', { status: 'recieved' }, 'sales.0.payments.0.status'],
    ['more than the total', { status: 'pending', amount: 9001 }, 'which is more than the total 9000'],
  ])('with %s is refused', async (_name, changes, message) => {
    const [sale] = seed.sales ?? [];
    const payments = [{ amount: 9000, phone, ...changes }];
    await expect(openStub('pos', { seed: { ...seed, sales: [{ ...sale, payments }] } as PosFixtures })).rejects.toThrow(message);
  });
});
