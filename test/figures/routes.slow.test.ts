import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { firstIdAt } from '../../gateway/base/ids.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Store } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { buildTestApp } from '../helper.ts';
import { until } from '../webhooks/harness.ts';
import { receiver } from '../webhooks/receiver.ts';
import { recording } from './recording.ts';

const nowMs = Date.UTC(2020, 4, 6, 10, 30, 20);
const minuteMs = 60_000;

async function start(settings: Record<string, string> = {}) {
  const store = new MemoryStore();
  const clock = new ManualClock(nowMs);
  const gateway = await buildTestApp({ store, clock, demo: false, settings });
  const data = async (path: string) => (await gateway.manage('GET', path)).body.data;
  return { ...gateway, store, clock, data };
}

let serial = 0;
const callAgo = (minutes: number, change: Partial<Row<'calls'>> = {}): Row<'calls'> => {
  const at = nowMs - minutes * minuteMs;
  const id = `${firstIdAt('call', at)}${String(serial++).padStart(20, '0')}`;
  const plain = { api: 'pos' as const, operation: null, caller: null, ip: '', method: 'GET', path: '/', error_code: null };
  const nothing = { limit_state: null, request_headers: {}, request_body: null, response_headers: {}, response_body: null };
  return { id, at, ...plain, status: 200, duration_ms: 3, ...nothing, ...change };
};

async function recorded(store: Store, calls: Row<'calls'>[]): Promise<void> {
  const { recorder, tallier } = recording(store);
  for (const row of calls) recorder.push({ bytes: 1, row: () => row });
  await recorder.close();
  await tallier.close();
}

test('an overview without data has zeros and nulls, and every point', async () => {
  const { data, manage } = await start();
  const overview = await data('/overview');
  expect(overview.period).toEqual({
    name: 'hour',
    from: '2020-05-06T09:31:00.000Z',
    to: '2020-05-06T10:30:20.000Z',
    step_seconds: 60,
  });
  expect(overview.calls).toMatchObject({ total: 0, failed: 0, success_rate: null, latency_ms: null, by_api: [] });
  expect(overview.calls.series).toHaveLength(60);
  expect(overview.calls.series.at(-1)).toEqual({
    at: '2020-05-06T10:30:00.000Z',
    succeeded: 0,
    refused: 0,
    limited: 0,
    failed: 0,
    p95_ms: null,
  });
  expect(overview.attempts).toMatchObject({ total: 0, success_rate: null, latency_ms: null, by_outcome: [] });
  expect(overview.endpoints).toEqual({ total: 0, active: 0, well: 0, troubled: 0, held: 0, disabled: 0, in_trouble: [] });
  expect(overview.queue).toEqual({ waiting: 0, delayed: 0, active: 0 });
  expect([overview.limits, overview.recoveries, overview.notices]).toEqual([{ refused: 0, top: [] }, { running: 0 }, []]);
  await until(async () =>
    expect((await data('/overview')).ledger).toEqual({
      missing: { events: 0, deliveries: 0, attempts: 0 },
      surplus: { deliveries: 0, attempts: 0 },
      balanced: true,
      unaccounted: 0,
      events_awaiting_fan_out: 0,
      as_of: '2020-05-06T10:30:20.000Z',
    }),
  );
  expect((await data('/overview?period=day')).attempts.series).toHaveLength(144);
  expect((await data('/overview?period=week')).attempts.series).toHaveLength(168);
  const refused = await manage('GET', '/overview?period=month');
  expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'period']);
});

test('calls are counted by class, point and API, in each period that contains them', async () => {
  const { store, data } = await start();
  await recorded(store, [
    ...[200, 201, 304].map((status) => callAgo(0, { status, duration_ms: 0.5 })),
    ...[404, 401].map((status) => callAgo(1, { status, api: 'cohesion', duration_ms: 100 })),
    callAgo(1, { status: 429 }),
    callAgo(59, { status: 500, duration_ms: 2500 }),
    callAgo(60),
    callAgo(23 * 60, { status: 503 }),
    callAgo(6 * 24 * 60),
    callAgo(8 * 24 * 60),
    // The console's own calls: its polling, and its sign-in.
    ...[200, 401, 404, 429, 503].map((status) => callAgo(0, { status, api: 'manage', error_code: 'overloaded' })),
    callAgo(0, { status: 401, api: 'profile' }),
  ]);
  const { calls } = await data('/overview');
  expect(calls).toMatchObject({ total: 7, succeeded: 3, refused: 2, limited: 1, failed: 1, success_rate: 6 / 7 });
  expect(calls.by_api).toEqual([
    { api: 'cohesion', total: 2, succeeded: 0, refused: 2, limited: 0, failed: 0 },
    { api: 'pos', total: 5, succeeded: 3, refused: 0, limited: 1, failed: 1 },
  ]);
  const [first] = calls.series;
  const [before, last] = calls.series.slice(-2);
  expect(last).toMatchObject({ at: '2020-05-06T10:30:00.000Z', succeeded: 3, refused: 0, limited: 0, failed: 0 });
  expect(before).toMatchObject({ succeeded: 0, refused: 2, limited: 1, failed: 0 });
  expect(first).toMatchObject({ at: '2020-05-06T09:31:00.000Z', failed: 1 });
  expect(last.p95_ms).toBeLessThanOrEqual(1);
  expect(before.p95_ms).toBeGreaterThan(60);
  expect(before.p95_ms).toBeLessThanOrEqual(125);
  expect(calls.latency_ms.p99).toBeGreaterThan(2000);
  expect(calls.latency_ms.p99).toBeLessThanOrEqual(4000);

  const day = (await data('/overview?period=day')).calls;
  expect([day.total, day.failed, day.series.length]).toEqual([9, 2, 144]);
  const week = (await data('/overview?period=week')).calls;
  expect([week.total, week.series.length]).toEqual([10, 168]);
  const sum = week.series.reduce((total: number, point: { succeeded: number }) => total + point.succeeded, 0);
  expect(sum).toBe(week.succeeded);
});

test('counts attempts, ended deliveries and failing endpoints; each endpoint has its own figures', async () => {
  const { store, clock, data, manage, settled } = await start({ WEBHOOK_RETRY_SECONDS: '0,5,7200' });
  const [good, bad] = await Promise.all([receiver(), receiver((response) => response.writeHead(503).end())]);
  const made = await Promise.all(
    [good.url, bad.url, good.url].map((url) => manage('POST', '/endpoints', { service: 'pos', url })),
  );
  const [well = '', ill = '', idle = ''] = made.map(({ body }) => body.data.id as string);
  const send = async (id: string) => {
    const sent = await manage('POST', `/endpoints/${id}/test`, { event_type: 'sale.completed' });
    expect(sent.status).toBe(201);
    await settled();
  };
  for (let times = 0; times < 3; times++) await send(well);
  await send(ill);
  await clock.advance(10_000);
  await until(async () => expect(await store.count('attempts')).toBe(5));
  await settled();

  const overview = await data('/overview');
  expect(overview.attempts).toMatchObject({ total: 5, succeeded: 3, failed: 2, success_rate: 3 / 5 });
  expect(overview.attempts.by_outcome).toEqual([
    { outcome: 'success', count: 3 },
    { outcome: 'status', count: 2 },
  ]);
  expect(overview.attempts.series.at(-1)).toMatchObject({ succeeded: 3, failed: 2 });
  expect(overview.attempts.latency_ms.p50).toBeGreaterThan(0);
  expect(overview.deliveries).toMatchObject({ delivered: 3, failed: 0, skipped: 0, pending: 1, parked: 1, due_late: 0 });
  expect(overview.endpoints).toMatchObject({ total: 3, active: 3, well: 2, troubled: 0, held: 1, disabled: 0 });
  const [delivery] = await store.list('deliveries', { where: { endpoint_id: ill } });
  const attempts = await store.list('attempts', { where: { outcome: 'status' }, order: [['id', 'desc']] });
  const [failure, before] = attempts.map(({ ended_at }) => {
    return { delivery_id: delivery?.id, outcome: 'status', at: new Date(ended_at).toISOString() };
  });
  expect(overview.endpoints.in_trouble).toMatchObject([{ id: ill, attempts: 2, failed: 2, last_failure: failure }]);

  const figures = await data(`/endpoints/figures?ids=${ill},${well},${idle},nobody`);
  expect(figures.map((one: { endpoint_id: string }) => one.endpoint_id)).toEqual([ill, well, idle, 'nobody']);
  const nothing = { attempts: 0, success_rate: null, latency_ms: null, delivered: 0, pending: 0, last_failures: [] };
  expect(figures).toMatchObject([
    { attempts: 2, succeeded: 0, failed: 2, success_rate: 0, delivered: 0, dead: 0, pending: 1, in_flight: 0 },
    { attempts: 3, succeeded: 3, success_rate: 1, delivered: 3, pending: 0, last_failures: [] },
    nothing,
    nothing,
  ]);
  expect(figures[0].last_failures).toMatchObject([
    { ...failure, response_status: 503 },
    { ...before, response_status: 503 },
  ]);
  expect(figures[1].series).toHaveLength(60);
  const latency_ms = figures[1].latency_ms;
  expect(figures[1].series.at(-1)).toEqual({ at: '2020-05-06T10:30:00.000Z', succeeded: 3, failed: 0, latency_ms });
  expect(figures[1].series.at(-2).latency_ms).toBeNull();
  const [one] = await data(`/endpoints/figures?ids=${well},${Array.from({ length: 10 }, (_, index) => `e${index}`)}`);
  expect(one).toMatchObject({ latency_ms, attempts: 3 });
  expect(one.series.at(-1)).toMatchObject({ succeeded: 3, latency_ms: null });

  await store.update('deliveries', { id: delivery?.id ?? '' }, { parked: false, next_attempt_at: clock.now() - 31_000 });
  expect((await data('/overview')).deliveries).toMatchObject({ pending: 1, due_late: 1 });
  await manage('DELETE', `/endpoints/${ill}`);
  await manage('PATCH', `/endpoints/${idle}`, { active: false });
  const after = await data('/overview');
  expect(after.deliveries).toMatchObject({ delivered: 3, skipped: 1, pending: 0 });
  expect(after.endpoints).toMatchObject({ total: 2, active: 1, well: 1, troubled: 0, held: 0, disabled: 1 });
  expect(after.endpoints.in_trouble).toMatchObject([{ id: idle, trouble: { name: 'paused', owed: 0 } }]);
});

test('an endpoint has one state, so that the states add up: one that its owner switched off is not well', async () => {
  const { store, data, manage } = await start();
  const made = await Promise.all(
    [1, 2, 3, 4].map((number) => manage('POST', '/endpoints', { service: 'pos', url: `http://127.0.0.1:9/${number}` })),
  );
  const [off, paused, held, failing] = made.map(({ body }) => ({ id: body.data.id as string }));
  await store.update('endpoints', off as { id: string }, { active: false, disabled_reason: 'owner' });
  await store.update('endpoints', paused as { id: string }, { active: false, disabled_reason: 'operator' });
  await store.update('endpoints', held as { id: string }, { held_until: nowMs, held_because: 'failing', failing_since: 1 });
  await store.update('endpoints', failing as { id: string }, { failing_since: 1 });
  expect((await data('/overview')).endpoints).toMatchObject({ total: 4, active: 2, well: 0, troubled: 1, held: 1, disabled: 2 });
});

test.each([
  ['empty', 'ids=', 'must'],
  ['blank', 'ids=,%20,', 'must contain at least one endpoint id'],
  ['too many', `ids=${Array.from({ length: 101 }, (_, index) => `e${index}`)}`, 'at most 100 endpoint ids'],
  ['too long', `ids=${'x'.repeat(101)}`, '100'],
  ['no text', 'ids=%00', 'well-formed'],
  ['missing', '', ''],
])('ids of endpoints that are %s are refused', async (_, query, words) => {
  const { manage } = await start();
  const { status, body } = await manage('GET', `/endpoints/figures?${query}`);
  expect(status).toBe(400);
  expect(body.error.details[0].field).toMatch(/^ids/);
  expect(body.error.details[0].message).toContain(words);
});

const plan = (limit: number, remaining: number, resetSeconds = 30) => ({ name: 'plan', limit, remaining, resetSeconds });

test('each account and token with calls is listed with its limits, most refused first', async () => {
  const { store, data, manage } = await start({ OPERATION_LIMITS: 'readMe=5/h' });
  await store.append('accounts', [{ id: 'acc_1', name: 'Boutique', plan: 'free', store_ids: null, active: true, created_at: 1 }]);
  await store.insert('users', [
    { id: 7, name: 'Awa', email: 'a', role: 'lecteur', structure_ids: null, active: true, created_at: 1 },
  ]);
  const times = { created_at: 1, last_used_at: null, last_used_ip: null, expires_at: null, revoked_at: null };
  await store.insert('tokens', [
    { id: 12, user_id: 7, name: 'tablet', token_hash: 'h', abilities: [], structure_ids: null, ...times },
  ]);
  const me = { name: 'operation-readMe', limit: 5, remaining: 0, resetSeconds: 600 };
  await recorded(store, [
    callAgo(1, { caller: 'account:acc_1', limit_state: plan(100, 40) }),
    callAgo(0.2, { caller: 'account:acc_1', limit_state: plan(100, 15) }),
    callAgo(30, { caller: 'token:12', limit_state: { ...plan(100, 90), name: 'plan' } }),
    callAgo(20, { caller: 'token:12', limit_state: me }),
    callAgo(20, { caller: 'token:12', limit_state: me, status: 429 }),
    callAgo(5, { caller: 'token:99', limit_state: plan(100, 99) }),
    callAgo(5, { caller: 'account:free' }),
    callAgo(5, { caller: 'operator' }),
    ...[70, 71].map((minutes) => callAgo(minutes, { caller: 'account:old', limit_state: plan(10, 0), status: 429 })),
  ]);
  const { body } = await manage('GET', '/limits');
  expect(body.truncated).toBe(false);
  expect(body.data.map(({ caller, state }: { caller: string; state: string }) => `${caller} ${state}`)).toEqual([
    'token:12 over',
    'account:acc_1 near',
    'account:free ok',
    'token:99 ok',
  ]);
  const [token, account, free, stranger] = body.data;
  expect(token).toMatchObject({ kind: 'token', id: '12', name: 'Awa, tablet', plan: null, calls: 3, refused: 1 });
  expect(token.limits).toEqual([
    {
      name: 'operation-readMe',
      limit: 5,
      window_seconds: 3600,
      peak_share: 1,
      calls: 2,
      refused: 1,
      used_now: 0,
      remaining_now: 5,
      resets_at: null,
    },
    {
      name: 'plan',
      limit: 100,
      window_seconds: 60,
      peak_share: 0.1,
      calls: 1,
      refused: 0,
      used_now: null,
      remaining_now: null,
      resets_at: null,
    },
  ]);
  expect(account).toMatchObject({ kind: 'account', id: 'acc_1', name: 'Boutique', plan: 'free', calls: 2, refused: 0 });
  expect(account.limits).toMatchObject([
    { used_now: 85, remaining_now: 15, resets_at: '2020-05-06T10:30:38.003Z', peak_share: 0.85 },
  ]);
  expect(account.series).toHaveLength(60);
  expect(account.series.slice(-2)).toEqual([
    { at: '2020-05-06T10:29:00.000Z', calls: 1, refused: 0, peak_share: 0.6 },
    { at: '2020-05-06T10:30:00.000Z', calls: 1, refused: 0, peak_share: 0.85 },
  ]);
  expect(free).toMatchObject({ caller: 'account:free', name: null, calls: 1, limits: [] });
  expect(stranger).toMatchObject({ name: null, limits: [{ peak_share: 0.01 }] });

  const near = await data('/limits?near=true');
  expect(near.map(({ caller }: { caller: string }) => caller)).toEqual(['token:12', 'account:acc_1']);
  const one = (await manage('GET', '/limits?period=day&limit=1')).body;
  expect([one.truncated, one.data.length, one.data[0].caller]).toEqual([true, 1, 'account:old']);
  expect((await data('/overview')).limits).toEqual({
    refused: 1,
    top: [{ caller: 'token:12', name: 'Awa, tablet', limit: 'operation-readMe', refused: 1 }],
  });
});
