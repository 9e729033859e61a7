import type { FastifyInstance, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { counterOn } from '../../gateway/http/limit/limit.ts';
import { signInGuard } from '../../gateway/manage/operators/identity.ts';
import { buildTestApp } from '../helper.ts';

test('Free: 100 calls a minute for the account over all its calls, then 429; other accounts go on', async () => {
  const gateway = await buildTestApp();
  const token = await gateway.posToken('free');
  const again = await gateway.posToken('free');
  const store = gateway.demo.pos.stores[0];
  const read = (with_: string) => gateway.call('GET', `/pos/api/v1/inventory?store_id=${store}`, { token: with_ });
  const first = await read(token);
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '100', 'ratelimit-remaining': '99' });
  expect(Number(first.headers['ratelimit-reset'])).toBeLessThanOrEqual(60);
  // A refused request counts, another operation counts, and so does another token of the account.
  expect((await gateway.call('POST', '/pos/api/v1/sales', { token, body: {} })).status).toBe(400);
  for (let call = 2; call < 100; call++) expect((await read(call % 2 ? token : again)).status).toBe(200);
  const refused = await read(token);
  expect(refused.status).toBe(429);
  expect(refused.headers).toMatchObject({ 'ratelimit-limit': '100', 'ratelimit-remaining': '0' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.body).toMatchObject({ success: false, error: { code: 'rate_limited' } });
  expect((await read(await gateway.posToken('pro'))).headers['ratelimit-limit']).toBe('1000');
  const unlimited = await read(await gateway.posToken('enterprise'));
  expect([unlimited.status, unlimited.headers['ratelimit-limit']]).toEqual([200, undefined]);
});

test("cohesion's writes: 30 a minute for each token, apart from its reads", async () => {
  const gateway = await buildTestApp();
  const token = gateway.cohesionToken();
  const write = (with_ = token) => gateway.call('PUT', '/cohesion/api/v1/financements/1', { token: with_, body: {} });
  for (let call = 0; call < 29; call++) expect((await write()).status).toBe(422);
  const create = await gateway.call('POST', '/cohesion/api/v1/financements', { token, body: {} });
  expect(create.headers['ratelimit-remaining']).toBe('0');
  const refused = await write();
  expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  expect((await gateway.call('GET', '/cohesion/api/v1/me', { token })).status).toBe(200);
  expect((await write(gateway.cohesionToken('write:financements'))).status).toBe(422);
});

test('secrets cannot be guessed at speed, and whoever knows the secret is not held up by their own calls', async () => {
  const gateway = await buildTestApp();
  const account = gateway.demo.pos.accounts[0];
  const login = (api_secret?: string) =>
    gateway.call('POST', '/pos/api/auth', { body: { api_key: account?.apiKey, api_secret } });
  for (let call = 0; call < 70; call++) expect((await login(account?.apiSecret)).status).toBe(200);
  for (let call = 0; call < 60; call++) expect((await login(`guess ${call}`)).status).toBe(401);
  const refused = await login('guess 61');
  expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
});

test('a limit on an operation that does not exist is refused at the start, with those that do', async () => {
  await expect(buildTestApp({ demo: false, settings: { OPERATION_LIMITS: 'listStructure=2/min' } })).rejects.toThrow(
    /^OPERATION_LIMITS: there is no operation "listStructure"\. The operations are: .*listStructures/,
  );
});

test('a limit can be set on any operation, and refusals are counted by limit', async () => {
  const gateway = await buildTestApp({ settings: { OPERATION_LIMITS: 'listStructures=2/min' } });
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

test('with the counters away, and limited calls refused, an operator still passes', async () => {
  const app = { createRateLimit: () => async () => Promise.reject(new Error('away')) } as unknown as FastifyInstance;
  const told: unknown[] = [];
  const count = counterOn(app, { refuse: true, tell: (error) => told.push(error) });
  const request = { ip: '10.0.0.1', headers: { authorization: 'Bearer x' } } as FastifyRequest;
  expect(await count(request, signInGuard, false)).toBe(null);
  const { passUncounted: _, ...other } = signInGuard;
  await expect(count(request, { ...other, name: 'other' }, false)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(told.length).toBe(2);
});
