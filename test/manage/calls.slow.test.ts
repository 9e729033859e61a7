import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CallFilter, countCalls, listCalls } from '../../gateway/manage/calls/queries.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { serviceNames } from '../../spec/documents/services.ts';
import { forAllAsync } from '../for-all.ts';
import { missingOfHar } from '../har.ts';
import { buildTestApp } from '../helper.ts';
import { idAt } from '../webhooks/rows.ts';

const startMs = Date.UTC(2026, 10, 20);
const count = 90;
const of = <V>(values: readonly V[], number: number, step: number) =>
  values[(number * step + (number >> 3)) % values.length] as V;
const operations = ['createSale', 'readStats', null];
const callers = ['account:a', 'token:1', null];
const ips = ['192.0.2.1', '2001:db8::1'];
const methods = ['GET', 'POST', 'DELETE'];
const answers = [
  [200, null],
  [404, 'not_found'],
  [429, 'rate_limited'],
  [503, 'unavailable'],
] as const;
const texts = ['Été', 'a "b"', '100%_\\', ''];

function callAt(number: number): Row<'calls'> {
  const at = startMs + (number >> 1);
  const [status, error_code] = of(answers, number, 5);
  return {
    id: idAt('call', at),
    at,
    api: of(serviceNames, number, 1),
    operation: of(operations, number, 2),
    caller: of(callers, number, 7),
    ip: of(ips, number, 3),
    method: of(methods, number, 5),
    path: `/pos/api/v1/things/${number}?q=${of(texts, number, 3)}`,
    status,
    error_code,
    duration_ms: 1.5,
    limit_state: null,
    request_headers: { host: 'gateway.example.org', 'content-type': 'application/json' },
    request_body: number % 3 === 0 ? null : of(texts, number, 5),
    response_headers: { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] },
    response_body: number % 4 === 0 ? null : of(texts, number, 2),
  };
}

const calls = Array.from({ length: count }, (_, number) => callAt(number));

/** The model of a filter: a plain search over all calls. Returns ids. */
function plainly({ id, q, from, to, status, limited, callers: some, ...columns }: CallFilter): string[] {
  const fitting = calls.filter((call) => {
    if (id !== undefined && call.id !== id) return false;
    if (q && ![call.path, call.request_body, call.response_body].some((text) => text?.includes(q))) return false;
    if ((from !== undefined && call.at < from) || (to !== undefined && call.at >= to)) return false;
    if (status !== undefined && !new RegExp(`^${status.replace('xx', '..')}$`).test(String(call.status))) return false;
    if (limited && call.status !== 429) return false;
    if (some && !some.includes(call.caller ?? '')) return false;
    return Object.entries(columns).every(([name, value]) => call[name as 'api'] === value);
  });
  return fitting.map(({ id: found }) => found).reverse();
}

const some = <V>(values: readonly V[]) =>
  fc.constantFrom(...values.filter((value) => value !== null)) as fc.Arbitrary<V & string>;
const instant = fc.integer({ min: -2, max: count }).map((after) => startMs + after);
const parts = {
  id: fc.constantFrom(...calls.map(({ id }) => id), 'call_0', 'x'),
  api: some(serviceNames),
  operation: some(operations),
  caller: some(callers),
  callers: fc.subarray(['account:a', 'token:1', 'token:2']),
  ip: some([...ips, '198.51.100.1']),
  method: some(methods),
  status: some(['2xx', '4xx', '5xx', '3xx', '404', '429', '201']),
  error_code: some(['not_found', 'rate_limited', 'nothing']),
  limited: fc.constant(true),
  q: some([...texts, 'things/4', 'nowhere']),
  from: instant,
  to: instant,
};

/** At most three conditions, because with more of them no call would match. */
const anyFilter = fc
  .subarray(Object.keys(parts) as (keyof typeof parts)[], { maxLength: 3 })
  .chain((names) =>
    fc.record(Object.fromEntries(names.map((name) => [name, parts[name] as fc.Arbitrary<unknown>]))),
  ) as fc.Arbitrary<CallFilter>;

test('every combination of filters finds what a plain search finds, on any pages and with any reach', async () => {
  const store = new MemoryStore();
  await store.append('calls', calls);
  await forAllAsync(
    { numRuns: 500, seed: 20_261_121 },
    [anyFilter, fc.integer({ min: 1, max: 30 }), fc.constantFrom([7], [3, 20])],
    async (filter, limit, reach) => {
      const found: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const { data, next } = await listCalls(store, { ...filter, limit, reach, cursor });
        expect(data.length).toBeLessThanOrEqual(limit);
        found.push(...data.map(({ id }) => id));
        if (next === null) break;
        cursor = next;
      }
      expect(found).toEqual(plainly(filter));
      expect(await countCalls(store, filter)).toEqual({ count: found.length, more: false, stopped: null });
    },
  );
});

describe('GET /calls', () => {
  const gateway = async () => {
    const app = await buildTestApp({ demo: false });
    await app.store.append('calls', calls);
    return app;
  };

  test('reads the filters from the query', async () => {
    const to = startMs + 20;
    const until = new Date(to).toISOString();
    const app = await gateway();
    const page = (
      await app.manage('GET', `/calls?limited=true&method=get&ip=192.0.2.1&error_code=rate_limited&limit=100&until=${until}`)
    ).body;
    const ids = plainly({ limited: true, method: 'GET', ip: '192.0.2.1', error_code: 'rate_limited', to });
    expect(ids.length).toBeGreaterThan(0);
    expect(page).toMatchObject({ data: ids.map((id) => ({ id })), next: null, searched_to: null });
  });

  test.each(['method=G%20T', 'limited=yes', 'status=600', `ip=${'x'.repeat(101)}`, 'from=today'])(
    '%s is refused',
    async (query) => {
      const app = await gateway();
      expect((await app.manage('GET', `/calls?${query}`)).status).toBe(400);
      expect((await app.manage('GET', `/calls/export?format=har&${query}`)).status).toBe(400);
    },
  );

  test('the export as HAR is a download with the matching calls, newest first', async () => {
    const app = await gateway();
    const reply = await app.manage('GET', '/calls/export?format=har&status=4xx&method=POST');
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="calls.har"',
    });
    const { log } = reply.body;
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'passerelle' } });
    const ids = plainly({ status: '4xx', method: 'POST' });
    expect(log.entries.map(({ comment }: { comment: string }) => comment.split(':')[0])).toEqual(ids);
    for (const entry of log.entries) expect(missingOfHar(entry)).toEqual([]);
    const newest = calls.find(({ id }) => id === ids[0]) as Row<'calls'>;
    expect(log.entries[0]).toMatchObject({
      request: { method: 'POST', url: `http://gateway.example.org${newest.path}` },
      response: { status: newest.status, headers: expect.arrayContaining([{ name: 'set-cookie', value: 'b=2' }]) },
    });
  });

  test('a call is found by its id; an unknown id is 404', async () => {
    const app = await gateway();
    const id = calls[4]?.id;
    const { log } = (await app.manage('GET', `/calls/export?format=har&id=${id}`)).body;
    expect(log.entries).toHaveLength(1);
    expect(log.entries[0].comment).toContain(id);
    expect((await app.manage('GET', '/calls/export?format=har&id=call_none')).body.log.entries).toEqual([]);
  });
});
