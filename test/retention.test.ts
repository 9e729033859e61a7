import { expect, test } from 'vitest';
import { ManualClock } from '../gateway/clock.ts';
import { firstIdAt } from '../gateway/ids.ts';
import { openLog } from '../gateway/log.ts';
import { startRetention } from '../gateway/retention.ts';
import { MemoryStore } from '../gateway/store/memory.ts';
import { StoreUnavailable } from '../gateway/store/port.ts';
import type { Row } from '../gateway/store/tables.ts';
import { buildTestApp } from './helper.ts';

const hourMs = 3_600_000;

const callAt = (at: number, serial: number): Row<'calls'> => ({
  id: `${firstIdAt('call', at)}${String(serial).padStart(20, '0')}`,
  at,
  api: 'pos',
  operation: null,
  caller: null,
  ip: '127.0.0.1',
  method: 'GET',
  path: '/',
  status: 200,
  duration_ms: 1,
  error_code: null,
  limit_state: null,
  request_headers: {},
  request_body: null,
  response_headers: {},
  response_body: null,
});

test('calls older than their retention go, in batches; younger ones stay; a store that is away is asked again', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 21));
  let away = true;
  const store = new MemoryStore();
  const { remove } = store;
  store.remove = (...args) => (away ? Promise.reject(new StoreUnavailable('away')) : remove(...args));
  const rows = Array.from({ length: 2500 }, (_, serial) => callAt(clock.now() - (serial < 2300 ? 3 : 1) * hourMs, serial));
  await store.append('calls', rows);
  const stop = startRetention({ store, clock, log: openLog('silent'), callHours: 2 });
  await clock.advance(61_000);
  expect(await store.count('calls')).toBe(2500);
  away = false;
  await clock.advance(61_000);
  await stop();
  expect(await store.count('calls')).toBe(200);
});

test('/readyz names what is not ready; /healthz still lives', async () => {
  const store = new MemoryStore();
  const gateway = await buildTestApp({ store });
  expect((await gateway.call('GET', '/readyz')).body).toEqual({ status: 'ready' });
  store.ping = () => Promise.reject(new StoreUnavailable('The database does not answer.'));
  const reply = await gateway.call('GET', '/readyz');
  expect([reply.status, reply.body]).toEqual([
    503,
    { status: 'not ready', notReady: { store: 'The database does not answer.' } },
  ]);
  expect((await gateway.call('GET', '/healthz')).status).toBe(200);
});

test('a database that is away is a 503 with Retry-After in the shape of each API, and nothing else', async () => {
  const store = new MemoryStore();
  const gateway = await buildTestApp({ store });
  const token = await gateway.posToken();
  const away = () => Promise.reject(new StoreUnavailable('The database does not answer.'));
  Object.assign(store, { get: away, list: away, transaction: away, count: away });
  const pos = await gateway.call('GET', `/pos/api/v1/inventory?store_id=${gateway.demo.pos.stores[0]}`, { token });
  expect([pos.status, pos.headers['retry-after'], pos.body.error.code]).toEqual([503, '5', 'unavailable']);
  const cohesion = await gateway.call('GET', '/cohesion/api/v1/me', { token: gateway.cohesionToken() });
  expect([cohesion.status, Object.keys(cohesion.body)]).toEqual([503, ['message']]);
});
