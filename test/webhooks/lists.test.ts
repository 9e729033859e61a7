import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Store } from '../../gateway/store/port.ts';
import type { Found } from '../../gateway/store/search.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { Partner } from '../../gateway/store/tables/webhooks.ts';
import { deliveryStatuses } from '../../gateway/store/tables/webhooks.ts';
import { noticeRow } from '../../gateway/webhooks/endpoints/notices.ts';
import {
  countDeliveries,
  type DeliveryFilter,
  type EventFilter,
  listDeliveries,
  listEvents,
} from '../../gateway/webhooks/operator/queries.ts';
import { forAllAsync } from '../for-all.ts';
import { buildTestApp } from '../helper.ts';
import { memoryAndPglite } from '../shared-pglite.ts';
import { endpoint } from '../store/rows.ts';
import { storeDeliveries } from './rows.ts';

const startMs = Date.UTC(2026, 10, 20);
const endpoints = ['ep_a', 'ep_b', 'ep_c'];
const ownerOf: Record<string, string> = { ep_a: 'account:a', ep_b: 'account:b', ep_c: 'account:a' };
const types = ['sale.completed', 'payment.received'];
const reasons = [null, 'status', 'tls'] as const;
const answers = [null, 200, 404, 500];

const texts = ['Été', 'he said "no"', 'a\\b%_', 'plain'];
const count = 60;
const seed = 20_261_121;

interface Known {
  deliveries: Row<'deliveries'>[];
  events: Map<string, Row<'events'>>;
}

/** Stores two deliveries of each millisecond, in a fixed mix of all kinds. */
async function fill(store: Store): Promise<Known> {
  for (let number = 0; number < count; number++) {
    const of = <V>(values: readonly V[], step: number) => values[(number * step + (number >> 3)) % values.length] as V;
    const row = {
      endpoint_id: of(endpoints, 1),
      event_type: of(types, 3),
      status: of(deliveryStatuses, 5),
      reason: of(reasons, 7),
      response_status: of(answers, 11),
      created_at: startMs + (number >> 1),
    };
    await storeDeliveries(store, 1, row, () => JSON.stringify({ event: row.event_type, data: { text: of(texts, 13), number } }));
  }
  await store.append('endpoints', [endpoint('ep_a', { owner: 'account:a' }), endpoint('ep_b', { owner: 'account:b' })]);
  await store.append('endpoints', [endpoint('ep_c', { owner: 'account:a', deleted_at: startMs })]);
  await store.update('events', { body: { contains: 'plain' } }, { matched: 0 });
  const events = await store.list('events');
  return { deliveries: await store.list('deliveries'), events: new Map(events.map((event) => [event.id, event])) };
}

const newestFirst = <R extends { id: string }>(rows: R[]) => rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
const inPeriod = ({ created_at }: { created_at: number }, { from, to }: { from?: number; to?: number }) =>
  (from === undefined || created_at >= from) && (to === undefined || created_at < to);

/** The model that the search is compared with: a plain filter over all rows. */
function plainly({ deliveries, events }: Known, { q, from, to, owner, ...columns }: Partial<DeliveryFilter>): string[] {
  const fitting = deliveries.filter((delivery) => {
    const { text } = JSON.parse(events.get(delivery.event_id)?.body ?? '{}').data;
    if (q !== undefined && !text.includes(q)) return false;
    if (owner !== undefined && ownerOf[delivery.endpoint_id] !== owner) return false;
    return (
      inPeriod(delivery, { from, to }) && Object.entries(columns).every(([name, value]) => delivery[name as 'status'] === value)
    );
  });
  return newestFirst(fitting).map(({ id }) => id);
}

/** Reads all pages. Returns their ids and the number of pages. */
async function pages<T extends 'deliveries' | 'events'>(read: (cursor: string | undefined) => Promise<Found<T>>, limit: number) {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const { data, next, stopped } = await read(cursor);
    expect(data.length).toBeLessThanOrEqual(limit);
    if (next !== null && stopped === null) expect(data).toHaveLength(limit);
    ids.push(...data.map(({ id }) => id));
    if (next === null) return { ids, page };
    cursor = next;
  }
}

const bounds = { from: fc.integer({ min: -2, max: count }), to: fc.integer({ min: -2, max: count }) };
const period = fc
  .record(bounds, { requiredKeys: [] })
  .map((offsets) => Object.fromEntries(Object.entries(offsets).map(([name, offset]) => [name, startMs + offset])));
const deliveryFilter = fc.record(
  {
    endpoint_id: fc.constantFrom(...endpoints, 'ep_none'),
    owner: fc.constantFrom<Partner>('account:a', 'account:b', 'account:none'),
    event_type: fc.constantFrom(...types, 'none'),
    status: fc.constantFrom(...deliveryStatuses),
    reason: fc.constantFrom('status', 'tls', 'none'),
    response_status: fc.constantFrom(200, 404, 500, 599),
    q: fc.constantFrom('Été', 'lai', 'said "', '\\b%', '%_', 'nobody'),
  },
  { requiredKeys: [] },
);
const eventFilter = fc.record(
  { type: fc.constantFrom(...types, 'none'), service: fc.constantFrom('pos', 'cohesion'), unmatched: fc.boolean() },
  { requiredKeys: [] },
);
const paging = fc.record({ limit: fc.integer({ min: 1, max: 9 }), reach: fc.constantFrom([4, 5], [1], [3, 1000], undefined) });

describe.each(memoryAndPglite())('on %s', (name, emptyStore) => {
  const numRuns = name === 'memory' ? 150 : 70;

  test('every combination of filters finds what a plain filter finds, on any pages and with any reach', async () => {
    const store = await emptyStore();
    const known = await fill(store);
    const [event] = known.deliveries.map(({ event_id }) => event_id);
    expect(plainly(known, { event_id: event })).toHaveLength(1);
    const filters = fc.tuple(deliveryFilter, period, fc.constantFrom({}, {}, {}, { event_id: event }));
    await forAllAsync({ numRuns, seed }, [filters, paging], async (parts, { limit, reach }) => {
      const filter: Partial<DeliveryFilter> = Object.assign({}, ...parts);
      const { ids } = await pages((cursor) => listDeliveries(store, { ...filter, limit, reach, cursor }), limit);
      expect(ids).toEqual(plainly(known, filter));
      const counted = await countDeliveries(store, filter);
      expect(counted).toEqual({ count: ids.length, more: false, stopped: null });
    });
    await forAllAsync(
      { numRuns, seed },
      [eventFilter, period, paging],
      async ({ type, service, unmatched }, { from, to }, { limit, reach }) => {
        const filter: Omit<EventFilter, 'limit'> = { type, service, unmatched, from, to };
        const { ids } = await pages((cursor) => listEvents(store, { ...filter, limit, reach, cursor }), limit);
        const fitting = [...known.events.values()].filter(
          (event) =>
            (type === undefined || event.type === type) &&
            (service === undefined || event.service === service) &&
            (!unmatched || event.matched === 0) &&
            inPeriod(event, { from, to }),
        );
        expect(ids).toEqual(newestFirst(fitting).map(({ id }) => id));
      },
    );
  });
});

test('a search with few matches stops at its reach, and the next page continues there', async () => {
  const store = new MemoryStore();
  await storeDeliveries(store, 1, { endpoint_id: 'ep_a', created_at: startMs, response_status: 204 });
  await storeDeliveries(store, 29, { endpoint_id: 'ep_a', created_at: startMs + 1, response_status: 200 });
  const read = (cursor?: string) => listDeliveries(store, { response_status: 204, limit: 5, reach: [4, 6], cursor });
  const first = await read();
  expect([first.data, first.next]).toEqual([[], first.stopped?.id]);
  expect((await store.list('deliveries', { where: { id: { gte: first.next as string } } })).length).toBe(10);
  expect((await pages(read, 5)).page).toBe(4);
});

test('the manage API accepts each filter, and rejects invalid ones', async () => {
  const app = await buildTestApp({ demo: false });
  const [one] = await storeDeliveries(
    app.store,
    1,
    { endpoint_id: 'ep_a', created_at: startMs, response_status: 500, status: 'pending', next_attempt_at: startMs },
    () => '{"note":"Été \\"a\\""}',
  );
  const [two] = await storeDeliveries(app.store, 1, {
    endpoint_id: 'ep_b',
    created_at: startMs + 1,
    parked: true,
    status: 'pending',
  });
  const find = async (path: string) => (await app.manage('GET', path)).body;
  const at = new Date(startMs + 1).toISOString();
  for (const query of [
    'reason=status&response_status=500',
    `to=${at}`,
    `q=${encodeURIComponent('Été "a"')}`,
    'endpoint_id=ep_a&q=note',
    'waits_for=time',
  ])
    expect(await find(`/deliveries?${query}`), query).toMatchObject({
      data: [{ id: one?.id, response_status: 500, waits_for: 'time' }],
      next: null,
      searched_to: null,
    });
  expect(await find(`/deliveries?from=${at}`)).toMatchObject({
    data: [{ id: two?.id, response_status: null, waits_for: 'turn' }],
  });
  expect((await find('/deliveries?waits_for=turn')).data.map(({ id }: { id: string }) => id)).toEqual([two?.id]);
  expect((await find('/deliveries?waits_for=turn&status=failed')).data).toEqual([]);
  expect((await find(`/events?from=${at}`)).data).toMatchObject([{ id: two?.event_id }]);
  expect((await find('/events?unmatched=true')).data).toEqual([]);
  for (const query of [
    'deliveries?response_status=99',
    'deliveries?from=now',
    'deliveries?q=%00',
    'events?unmatched=yes',
    'events?to=1',
  ])
    expect((await app.manage('GET', `/${query}`)).status, query).toBe(400);
});

test('notices are listed newest first, by endpoint and by kind, each with advice', async () => {
  const app = await buildTestApp({ demo: false });
  const rows = [
    noticeRow('endpoint.held', 'ep_a', 'Ten attempts in a row failed.', startMs),
    noticeRow('endpoint.recovered', 'ep_a', 'It answers again.', startMs),
    noticeRow('endpoint.disabled', 'ep_b', 'It failed for five days.', startMs),
  ];
  await app.store.append('notices', rows);
  const [held, recovered, disabled] = rows.map(({ id }) => id);
  const find = async (query: string) => (await app.manage('GET', `/notices?${query}`)).body;
  const ids = async (query: string) => (await find(query)).data.map(({ id }: { id: string }) => id);
  expect(await find('limit=1')).toEqual({
    data: [
      {
        id: disabled,
        kind: 'endpoint.disabled',
        endpoint_id: 'ep_b',
        message: 'It failed for five days.',
        advice: expect.stringContaining('When its receiver works again, activate it'),
        created_at: new Date(startMs).toISOString(),
      },
    ],
    next: disabled,
    searched_to: null,
  });
  expect(await ids(`cursor=${disabled}`)).toEqual([recovered, held]);
  expect(await ids('endpoint_id=ep_a')).toEqual([recovered, held]);
  expect(await ids('kind=endpoint.held')).toEqual([held]);
  expect(await ids('kind=endpoint.held&endpoint_id=ep_b')).toEqual([]);
  expect((await app.manage('GET', '/notices?kind=other')).status).toBe(400);
});
