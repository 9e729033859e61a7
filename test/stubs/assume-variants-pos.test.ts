import { describe, expect, test } from 'vitest';
import { aSale, call, openStub, type Reply, repeated, signIn } from './partner.ts';
import { clock, inventory, mobileSale, till } from './till.ts';

const remaining = ({ headers }: Reply) => Number(headers.get('ratelimit-remaining'));

describe('limits', () => {
  test('each key has a limit of its own', async () => {
    const { stub, ask } = await till({ 'pos.plan-scope': 'per-key' }, { plan: 'free' });
    const other = { authorization: `Bearer ${await signIn(stub, await stub.profile.createKey())}` };
    const left = async (headers = {}) => remaining(await ask('GET', inventory, undefined, headers));
    expect([await left(), await left(), await left(other)]).toEqual([99, 98, 99]);
    await stub.assumptions.clear();
    expect([await left(), await left(other)]).toEqual([99, 98]);
  });

  test('attempts to obtain a token are not limited', async () => {
    const stub = await openStub('pos', { clock, assume: { 'pos.token-guard': 'none' } });
    const wrong = { api_key: stub.credentials.apiKey, api_secret: 'wrong' };
    const fail = (body: object) => call(stub, 'POST', '/api/auth', { body });
    expect(new Set(await repeated(61, () => fail(wrong)))).toEqual(new Set([401]));
    expect((await fail(wrong)).headers.get('ratelimit-remaining')).toBeNull();
    expect(new Set(await repeated(61, () => fail({})))).toEqual(new Set([400]));
  });

  test('a token of 24 hours lives so long', async () => {
    const { stub, ask } = await till({ 'pos.token-lifetime': '24-hours' });
    await stub.clock.advance('23h');
    expect((await ask('GET', inventory)).status).toBe(200);
    await stub.clock.advance('2h');
    expect((await ask('GET', inventory)).status).toBe(401);
  });
});

test('replies name no charset', async () => {
  const { ask } = await till({ 'pos.reply-charset': 'none' });
  expect((await ask('GET', inventory)).headers.get('content-type')).toBe('application/json');
});

test('webhooks have times of another form, and signatures in capital digits', async () => {
  const { ask, sent, receiver } = await till({ 'pos.timestamps': 'unix-seconds', 'pos.signature-hex': 'upper-case' });
  await ask('POST', '/sales', aSale(1));
  expect(await sent()).toMatchObject([{ delivered_at: Date.parse(clock) / 1000 }]);
  expect(receiver.received[0]?.headers['x-service-signature']).toMatch(/^sha256=[0-9A-F]{64}$/);
});

describe('reports', () => {
  test('a report counts pending sales by creation', async () => {
    const { stub, ask, report } = await till({});
    const plain = await report();
    await ask('POST', '/sales', mobileSale);
    expect(await report()).toEqual(plain);
    await stub.assumptions.replace({ 'pos.report-sales': 'by-creation' });
    await ask('POST', '/sales', mobileSale);
    const counted = await report();
    expect(counted.totals.sales).toBeGreaterThan(plain.totals.sales);
    expect(counted.by_day.at(-1)).toMatchObject({ date: '2026-11-21', amount: 9000 });
  });

  test('a store one hour ahead books a sale before midnight on the next day', async () => {
    const { ask, report } = await till({ 'pos.report-sales': 'store-time-zone' }, { clock: '2026-11-21T23:30:00Z' });
    await ask('POST', '/sales', aSale(1));
    const { period, by_day: days } = await report();
    expect(period.end_date).toBe('2026-11-22');
    expect(days.at(-1)).toMatchObject({ date: '2026-11-22', amount: 4500 });
  });
});
