import fc from 'fast-check';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { statusOfRefusal } from '../../gateway/api/pos/errors.ts';
import { ManualClock } from '../../gateway/base/clock.ts';
import { unauthorized } from '../../gateway/base/errors.ts';
import type { Api, LimitRule } from '../../gateway/http/api.ts';
import { MemoryCounters } from '../../gateway/http/limit/memory-counters.ts';
import { mount } from '../../gateway/http/mount.ts';
import { forAllAsync } from '../for-all.ts';
import { buildTestApp, stillClock } from '../helper.ts';

/** Starts a gateway whose clock stands still, so that no window ends during the calls, however long they take. */
const windowsLast = (options: Parameters<typeof buildTestApp>[0] = {}) => buildTestApp({ clock: stillClock(), ...options });

test('Free: 100 calls a minute; Pro: 1000; Enterprise: unlimited; all calls of the account count', async () => {
  const gateway = await windowsLast();
  const token = await gateway.posToken('free');
  const again = await gateway.posToken('free');
  const store = gateway.demo.pos.stores[0];
  const read = (with_: string) => gateway.call('GET', `/pos/api/v1/inventory?store_id=${store}`, { token: with_ });
  const first = await read(token);
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '100', 'ratelimit-remaining': '99' });
  expect(first.headers).toMatchObject({ ratelimit: '"plan";r=99;t=60', 'ratelimit-policy': '"plan";q=100;w=60' });
  expect(Number(first.headers['ratelimit-reset'])).toBeLessThanOrEqual(60);
  // A refused request counts, another operation counts, and so does another token of the account.
  expect((await gateway.call('POST', '/pos/api/v1/sales', { token, body: {} })).status).toBe(400);
  for (let call = 2; call < 100; call++) expect((await read(call % 2 ? token : again)).status).toBe(200);
  const refused = await read(token);
  expect(refused.status).toBe(429);
  expect(refused.headers).toMatchObject({ 'ratelimit-limit': '100', 'ratelimit-remaining': '0' });
  const wait = refused.headers['retry-after'];
  expect(refused.headers).toMatchObject({ ratelimit: `"plan";r=0;t=${wait}`, 'ratelimit-policy': '"plan";q=100;w=60' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.body).toMatchObject({ success: false, error: { code: 'rate_limited' } });
  expect((await read(await gateway.posToken('pro'))).headers['ratelimit-limit']).toBe('1000');
  const unlimited = await read(await gateway.posToken('enterprise'));
  expect([unlimited.status, unlimited.headers['ratelimit-limit']]).toEqual([200, undefined]);
});

/** The calls that the documents count by the minute, and how many each takes. */
const counted = [
  { what: 'calls of the plan Free', most: 100, token: 'pos', method: 'GET', path: '/pos/api/v1/inventory' },
  { what: 'writes', most: 30, token: 'cohesion', method: 'PUT', path: '/cohesion/api/v1/financements/1' },
] as const;

test.each(counted)(
  '$most $what are taken in any minute, then none until it is over',
  async ({ most, token: of, method, path }) => {
    const clock = stillClock();
    const gateway = await buildTestApp({ clock });
    const token = of === 'pos' ? await gateway.posToken('free') : gateway.cohesionToken();
    const body = method === 'PUT' ? {} : undefined;
    // An invalid call counts too.
    const isTaken = async () => (await gateway.call(method, path, { token, body })).status !== 429;
    for (let call = 0; call < most; call++) expect(await isTaken()).toBe(true);
    await clock.advance(59_999);
    expect(await isTaken()).toBe(false);
    await clock.advance(1);
    expect(await isTaken()).toBe(true);
  },
);

test('failed logins are limited by address; successful ones do not count', async () => {
  const gateway = await windowsLast({ settings: { TRUST_PROXY: '127.0.0.1' } });
  const account = gateway.demo.pos.accounts[0];
  const login = (api_secret?: string, from = '203.0.113.1') => {
    const headers = { 'x-forwarded-for': from };
    return gateway.call('POST', '/pos/api/auth', { body: { api_key: account?.apiKey, api_secret }, headers });
  };
  for (let call = 0; call < 70; call++) expect((await login(account?.apiSecret)).status).toBe(200);
  for (let call = 0; call < 60; call++) expect((await login(`guess ${call}`)).status).toBe(401);
  const refused = await login('guess 61');
  expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
  expect((await login('guess 61', '203.0.113.2')).status).toBe(401);
  const headers = { 'x-forwarded-for': '203.0.113.1' };
  const other = await gateway.call('POST', '/pos/api/v1/auth', { body: {}, headers });
  expect([other.status, Number(other.headers['retry-after']) > 0]).toEqual([429, true]);
});

test('a limit on an unknown operation is refused at the start, with a list of the known ones', async () => {
  await expect(buildTestApp({ demo: false, settings: { OPERATION_LIMITS: 'listStructure=2/min' } })).rejects.toThrow(
    /^OPERATION_LIMITS: there is no operation "listStructure"\. Did you mean listStructures\? The operations are: .*listStructures/,
  );
});

test('a limit can be set on any operation, and refusals are counted by limit', async () => {
  const gateway = await windowsLast({ settings: { OPERATION_LIMITS: 'listStructures=2/min' } });
  const token = gateway.cohesionToken('read:structures');
  const statuses = [];
  for (let call = 0; call < 3; call++)
    statuses.push((await gateway.call('GET', '/cohesion/api/v1/structures', { token })).status);
  expect(statuses).toEqual([200, 200, 429]);
  const metrics = (await gateway.call('GET', '/metrics')).text;
  expect(metrics).toContain('passerelle_limit_refusals_total{api="cohesion",limit="operation-listStructures"} 1');
  expect(metrics).toMatch(/passerelle_call_duration_seconds_count\{api="cohesion",operation="listStructures",status="200"\} 2/);
  expect(metrics).toContain('passerelle_deliveries_unaccounted 0');
  expect(metrics).toContain('passerelle_calls_lost_total 0');
});

test('headers show the limit with the fewest calls left, in any order of the rules', async () => {
  const gateway = await windowsLast({ settings: { OPERATION_LIMITS: 'readInventory=500/min,reportSales=5/min' } });
  const token = await gateway.posToken('free');
  const limitOf = async (path: string) => {
    const { headers } = await gateway.call('GET', `/pos/api/v1/${path}?store_id=${gateway.demo.pos.stores[0]}`, { token });
    return [headers['ratelimit-limit'], headers['ratelimit-remaining'], headers.ratelimit, headers['ratelimit-policy']];
  };
  expect(await limitOf('inventory')).toEqual(['100', '99', '"plan";r=99;t=60', '"plan";q=100;w=60']);
  expect(await limitOf('reports/sales')).toEqual([
    '5',
    '4',
    '"operation-reportSales";r=4;t=60',
    '"operation-reportSales";q=5;w=60',
  ]);
});

test('only the sign-in shows how many failed logins are left', async () => {
  const gateway = await windowsLast({ demo: false });
  const signIn = await gateway.call('POST', '/manage/v1/session', { body: { credential: 'wrong' } });
  expect([signIn.status, signIn.headers['ratelimit-remaining']]).toEqual([401, '10']);
  expect((await gateway.manage('GET', '/reasons')).headers).not.toHaveProperty('ratelimit-limit');
  for (let count = 1; count < 10; count++)
    expect((await gateway.call('GET', '/manage/v1/reasons', { token: 'wrong' })).status).toBe(401);
  const refused = await gateway.call('GET', '/manage/v1/reasons', { token: 'wrong' });
  expect([refused.status, refused.headers['ratelimit-limit'], refused.headers['ratelimit-remaining']]).toEqual([429, '10', '0']);
});

test('a call leaves the window of its key after a minute; memory holds the newest 100,000', async () => {
  const clock = new ManualClock(0);
  const { count } = new MemoryCounters(clock);
  const rule: LimitRule = { name: 'r', windowMs: 60_000, max: 3, per: 'address', key: ({ ip }) => ip };
  const left = (ip: string, increment = true) => (count({ ip } as FastifyRequest, rule, increment) as Counted).state;
  type Counted = { state: { remaining: number; resetSeconds: number } };
  expect(left('a')).toMatchObject({ remaining: 2, resetSeconds: 60 });
  await clock.advance(30_000);
  expect(left('b')).toMatchObject({ remaining: 2, resetSeconds: 60 });
  // Reading counts nothing.
  expect(left('a', false)).toMatchObject({ remaining: 2, resetSeconds: 30 });
  await clock.advance(30_000);
  expect([left('a').remaining, left('b').remaining]).toEqual([2, 1]);
  for (let other = 0; other < 99_999; other++) left(`other-${other}`);
  // The log of b took its place first, so it was forgotten; that of a was not.
  expect([left('a').remaining, left('b').remaining]).toEqual([1, 2]);
});

test('no minute has more than the limit, wherever it begins, and whoever waits for Retry-After is not refused', async () => {
  const windowMs = 60_000;
  const pauses = fc.array(fc.oneof(fc.constantFrom(0, 1, 999, 59_999, 60_000), fc.nat(3000)), { maxLength: 200 });
  await forAllAsync(
    30,
    [fc.integer({ min: 1, max: 40 }), pauses, fc.array(fc.boolean(), { minLength: 200 })],
    async (max, waits, patient) => {
      const clock = new ManualClock(0);
      const { count } = new MemoryCounters(clock);
      const rule: LimitRule = { name: 'r', windowMs, max, per: 'address', key: () => 'one' };
      const accepted: number[] = [];
      const call = () => {
        const counted = count({} as FastifyRequest, rule, true);
        if (counted === null || counted instanceof Promise) throw new Error('Memory counts every call, at once.');
        if (!counted.exceeded) accepted.push(clock.now());
        expect(counted.state.remaining).toBe(max - accepted.filter((at) => at > clock.now() - windowMs).length);
        return counted;
      };
      for (const [at, waitMs] of waits.entries()) {
        await clock.advance(waitMs);
        const { exceeded, state } = call();
        // Not a second less would do: seconds are rounded up.
        if (!exceeded || !patient[at]) continue;
        await clock.advance((state.resetSeconds - 1) * 1000);
        expect(call().exceeded).toBe(true);
        await clock.advance(1000);
        expect(call().exceeded).toBe(false);
      }
      for (const [at, begin] of accepted.entries()) {
        const next = accepted[at + max];
        if (next !== undefined) expect(next - begin).toBeGreaterThanOrEqual(windowMs);
      }
    },
  );
});

describe('the rules of an API', () => {
  const rule = (name: string, max: number, more: Partial<LimitRule> = {}): LimitRule => ({
    name,
    windowMs: 60_000,
    max,
    per: 'address',
    key: ({ ip }) => ip,
    ...more,
  });

  /** Serves an API with a public and a closed route under these rules. `call` returns status, limit and remaining calls. */
  async function serve(...limits: LimitRule[]) {
    const app = Fastify() as unknown as FastifyInstance;
    onTestFinished(() => app.close());
    for (const property of ['caller', 'refusal', 'limitState'] as const) app.decorateRequest(property, null);
    const refusals: string[] = [];
    const recorded: unknown[] = [];
    app.addHook('onResponse', async ({ limitState }) => void recorded.push(limitState?.name));
    const api = {
      name: 'pos',
      document: { title: '', version: '', description: '' },
      events: [],
      limits,
      identify: async ({ headers }) => {
        if (headers.authorization !== undefined) return { id: 'somebody' };
        throw unauthorized('token_missing', 'There is no token.');
      },
      status: statusOfRefusal,
      errorBody: ({ code }) => ({ code }),
      routes(routes) {
        routes.get('/public', { config: { public: true } }, async () => 'yes');
        routes.get('/closed', async () => 'yes');
      },
    } satisfies Api;
    const options = {
      count: new MemoryCounters(stillClock()).count,
      operationLimits: new Map(),
      prefix: '',
      operations: new Set<string>(),
      maxWaitMs: 60_000,
    };
    await app.register(mount(api, { ...options, limitRefused: (_api, name) => refusals.push(name) }));
    const call = async (url: string, authorization?: string) => {
      const { statusCode, headers } = await app.inject({ url, headers: authorization ? { authorization } : {} });
      return [statusCode, headers['ratelimit-limit'], headers['ratelimit-remaining']];
    };
    return { call, refusals, recorded };
  }

  test('before identity apply to the whole address, also on public routes, and are checked before the token', async () => {
    const { call, refusals } = await serve(rule('address', 3, { when: 'before-identity' }));
    expect(await call('/public')).toEqual([200, '3', '2']);
    expect(await call('/closed')).toEqual([401, '3', '1']);
    expect(await call('/closed', 'token')).toEqual([200, '3', '0']);
    expect(await call('/closed', 'token')).toEqual([429, '3', '0']);
    expect((await call('/closed'))[0]).toBe(429);
    expect(refusals).toEqual(['address', 'address']);
  });

  test('after identity count neither public routes nor calls whose caller is unknown', async () => {
    const { call } = await serve(rule('callers', 1));
    expect(await call('/public')).toEqual([200, undefined, undefined]);
    expect(await call('/closed')).toEqual([401, undefined, undefined]);
    expect(await call('/closed', 'token')).toEqual([200, '1', '0']);
    expect(await call('/closed', 'token')).toEqual([429, '1', '0']);
  });

  test('are shown in their order if they have as many calls left', async () => {
    const { call, recorded } = await serve(rule('first', 2), rule('second', 2, { windowMs: 1000 }));
    await call('/closed', 'token');
    expect(recorded).toEqual(['first']);
  });

  test('name the exceeded rule in a refusal, even if another one is used up too', async () => {
    const { call, refusals, recorded } = await serve(rule('first', 3), rule('second', 2));
    await call('/closed', 'token');
    await call('/closed', 'token');
    expect(await call('/closed', 'token')).toEqual([429, '2', '0']);
    expect(refusals).toEqual(['second']);
    expect(recorded.at(-1)).toBe('second');
  });
});
