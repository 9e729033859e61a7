import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { openLog } from '../../gateway/base/log.ts';
import { Recorder } from '../../gateway/http/record/recorder.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { StoreUnavailable } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { buildTestApp, stillClock, type TestGateway } from '../helper.ts';

const recordOf = async (gateway: TestGateway, reply: { headers: Record<string, unknown> }) =>
  (await gateway.manage('GET', `/calls/${reply.headers['x-request-id']}`)).body.data;

test('a call is recorded with operation, caller, limit, request and reply, without secrets', async () => {
  const gateway = await buildTestApp();
  const account = gateway.demo.pos.accounts.find(({ plan }) => plan === 'pro');
  const auth = await gateway.call('POST', '/pos/api/auth', {
    body: { api_key: account?.apiKey, api_secret: account?.apiSecret },
  });
  const store = gateway.demo.pos.stores[0];
  const read = await gateway.call('GET', `/pos/api/v1/inventory?store_id=${store}`, { token: auth.body.token });

  const first = await recordOf(gateway, auth);
  expect(first).toMatchObject({
    api: 'pos',
    operation: 'issueToken',
    caller: null,
    status: 200,
    method: 'POST',
    path: '/pos/api/auth',
  });
  expect(JSON.parse(first.request_body)).toEqual({ api_key: account?.apiKey, api_secret: '[redacted]' });
  expect(JSON.parse(first.response_body).token).toBe('[redacted]');

  const second = await recordOf(gateway, read);
  expect(second).toMatchObject({ operation: 'readInventory', status: 200, limit_state: { name: 'plan', limit: 1000 } });
  expect(second.caller).toMatch(/^account:/);
  expect(second.request_headers.authorization).toBe('Bearer [redacted]');
  expect(JSON.stringify([first, second])).not.toContain(auth.body.token);
  expect(JSON.stringify([first, second])).not.toContain(account?.apiSecret);
});

test('refused calls are recorded too, each with its reason', async () => {
  const gateway = await buildTestApp({
    clock: stillClock(),
    settings: { BODY_LIMIT_BYTES: '2000', OPERATION_LIMITS: 'readMe=1/min' },
  });
  const token = gateway.cohesionToken();
  const replies = {
    token_missing: await gateway.call('GET', '/pos/api/v1/inventory'),
    unknown_operation: await gateway.call('GET', '/cohesion/api/v1/nothing'),
    body_too_large: await gateway.call('POST', '/pos/api/auth', { body: { api_key: 'x'.repeat(3000), api_secret: 's' } }),
    unsupported_media_type: await gateway.call('POST', '/pos/api/auth', {
      body: 'api_key=a',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    malformed_request: await gateway.call('POST', '/pos/api/auth', { body: '{"api_key": ' }),
    rate_limited: await gateway
      .call('GET', '/cohesion/api/v1/me', { token })
      .then(() => gateway.call('GET', '/cohesion/api/v1/me', { token })),
  };
  const statuses = {
    token_missing: 401,
    unknown_operation: 404,
    body_too_large: 413,
    unsupported_media_type: 415,
    malformed_request: 400,
    rate_limited: 429,
  };
  for (const [code, reply] of Object.entries(replies)) {
    expect(reply.status).toBe(statuses[code as keyof typeof statuses]);
    expect(await recordOf(gateway, reply)).toMatchObject({ error_code: code, status: reply.status });
  }
  expect((await recordOf(gateway, replies.malformed_request)).request_body).toBe('{"api_key": ');
});

test('calls are filtered, searched and paged by keyset', async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 15));
  const gateway = await buildTestApp({ clock });
  // Each look at the clock is later: filters compare ids, and what is shown must be the time of the id.
  const now = clock.now.bind(clock);
  let looks = 0;
  clock.now = () => now() + 5 * ++looks;
  const token = gateway.cohesionToken('read:stats');
  for (let call = 0; call < 7; call++) await gateway.call('GET', `/cohesion/api/v1/stats?annee=202${call}`, { token });
  await gateway.call('GET', '/cohesion/api/v1/structures', { token });
  await gateway.call('GET', '/pos/api/v1/inventory');

  const list = async (query: string) => (await gateway.manage('GET', `/calls?${query}`)).body;
  expect((await list('api=cohesion')).data.length).toBe(8);
  expect((await list('operation=readStats&status=2xx')).data.length).toBe(7);
  expect((await list('status=401')).data.map(({ api }: { api: string }) => api)).toEqual(['pos']);
  const { caller } = (await list('operation=readStats')).data[0];
  expect((await list(`caller=${caller}&status=403`)).data.length).toBe(1);
  expect((await list('api=cohesion&q=annee=2023')).data.length).toBe(1);
  const [{ at }] = (await list('api=pos')).data;
  const later = new Date(Date.parse(at) + 1).toISOString();
  expect((await list(`api=pos&until=${at}`)).data).toEqual([]);
  expect((await list(`api=pos&from=${later}`)).data).toEqual([]);
  expect((await list(`api=pos&from=${at}&until=${later}`)).data.length).toBe(1);

  const paths: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await list(`operation=readStats&limit=3${cursor}`);
    paths.push(...page.data.map(({ path }: { path: string }) => path.slice(-4)));
    if (page.next === null) break;
    cursor = `&cursor=${page.next}`;
  }
  expect(paths).toEqual(['2026', '2025', '2024', '2023', '2022', '2021', '2020']);
  expect((await list('status=9')).error.details[0]).toMatchObject({ field: 'status' });
});

test('the store accepts any text in paths, headers and bodies of recorded calls', async () => {
  const gateway = await buildTestApp();
  const reply = await gateway.call('POST', '/pos/api/auth?x=%00%ff', { body: '{"a": "\u0000 \ud800 \\ud800"}' });
  expect(reply.status).toBe(400);
  expect((await recordOf(gateway, reply)).request_body).toContain('"a"');
});

test('a path with invalid escapes gets its API’s 404, and is recorded unchanged', async () => {
  const gateway = await buildTestApp();
  const reply = await gateway.call('GET', '/pos/api/v1/%ff%zz');
  expect([reply.status, reply.body.success, reply.body.error?.code]).toEqual([404, false, 'unknown_operation']);
  expect(await recordOf(gateway, reply)).toMatchObject({ path: '/pos/api/v1/%ff%zz', api: 'pos', status: 404 });
});

test.each([
  ['127.0.0.1', '203.0.113.9'],
  ['10.0.0.1', '127.0.0.1'],
])('with %s as trusted proxy, a forwarded address is taken as %s', async (proxy, ip) => {
  const gateway = await buildTestApp({ settings: { TRUST_PROXY: proxy } });
  const reply = await gateway.call('GET', '/pos/api/v1/inventory', { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect((await recordOf(gateway, reply)).ip).toBe(ip);
});

const ended = (id: string, bytes = 100) => ({ bytes, row: () => ({ id }) as Row<'calls'> });

test('the recorder drops and counts records beyond its memory bound, and none below it', async () => {
  const written: string[] = [];
  const store = Object.assign(new MemoryStore(), {
    append: async (_table: string, rows: { id: string }[]) => void written.push(...rows.map(({ id }) => id)),
  });
  const recorder = new Recorder({ store, log: openLog('silent'), maxBytes: 1000 });
  for (let call = 0; call < 15; call++) recorder.push(ended(`call_${call}`));
  expect(recorder.state).toEqual({ backlog: 10, lost: 5 });
  await recorder.close();
  expect(written.length).toBe(10);
});

test('a full batch is written at once; later records wait and are written together', async () => {
  const written: number[] = [];
  const append = async (_table: string, rows: unknown[]) => void written.push(rows.length);
  const store = Object.assign(new MemoryStore(), { append });
  const recorder = new Recorder({ store, log: openLog('silent'), maxBytes: 100_000 });
  for (let call = 0; call < 600; call++) recorder.push(ended(`call_${call}`));
  await expect.poll(() => recorder.state.backlog).toBe(350);
  recorder.push(ended('call_600'));
  await expect.poll(() => recorder.state.backlog).toBe(101);
  await recorder.flush();
  expect(written).toEqual([250, 250, 101]);
});

test('a row that the store refuses does not delay the others; while the store is down, none is lost', async () => {
  const written: string[] = [];
  let away = true;
  const append = async (_table: string, rows: { id: string }[]) => {
    if (away) throw new StoreUnavailable('away');
    if (rows.some(({ id }) => id === 'call_7')) throw new Error('this row cannot be stored');
    written.push(...rows.map(({ id }) => id));
  };
  const recorder = new Recorder({
    store: Object.assign(new MemoryStore(), { append }),
    log: openLog('silent'),
    maxBytes: 100_000,
  });
  for (let call = 0; call < 15; call++) recorder.push(ended(`call_${call}`));
  await recorder.flush();
  expect(recorder.state).toEqual({ backlog: 15, lost: 0 });
  away = false;
  await recorder.flush();
  expect(recorder.state).toEqual({ backlog: 0, lost: 1 });
  expect(written.length).toBe(14);
  await recorder.close();
});
