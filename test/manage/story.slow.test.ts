import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstIdAt } from '../../gateway/base/ids.ts';
import { findStory } from '../../gateway/manage/story/find.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Store } from '../../gateway/store/port.ts';
import { forAllAsync } from '../for-all.ts';
import { buildTestApp, type TestGateway } from '../helper.ts';
import { sharedPglite } from '../shared-pglite.ts';
import { call, event } from '../store/rows.ts';
import { receiver } from '../webhooks/receiver.ts';

const story = async (app: TestGateway, q: string, more = '') =>
  (await app.manage('GET', `/story?q=${encodeURIComponent(q)}${more}`)).body;

/** A sale by mobile money that is paid in one part and delivered, and one more sale that has nothing to do with it. */
async function sold() {
  const { url } = await receiver();
  const app = await buildTestApp();
  const endpoint = (await app.manage('POST', '/endpoints', { service: 'pos', url })).body.data;
  const token = await app.posToken();
  const [store] = app.demo.pos.stores;
  const { items } = (await app.call('GET', `/pos/api/v1/inventory?store_id=${store}`, { token })).body.data;
  const [{ product_id, price }] = items;
  const sale = {
    store_id: store,
    items: [{ product_id, quantity: 1, price }],
    payment_method: 'mobile_money',
    customer_phone: '+22507010203',
    total: price,
  };
  const post = (path: string, body: object, key: string) =>
    app.call('POST', `/pos/api/v1/${path}`, { token, body, headers: { 'idempotency-key': key } });
  const made = await post('sales', sale, 'till-4-000123');
  await post('sales', sale, 'till-5');
  const { id, reference } = made.body.data;
  const payment = { reference, amount: price, phone: '+22507010203', provider: 'orange_money' };
  const paid = await post('payment/mobile', payment, 'pay-1');
  expect([made.status, paid.status]).toEqual([201, 201]);
  await app.settled();
  return { app, endpoint, id, reference, made: String(made.headers['x-request-id']), paid: String(paid.headers['x-request-id']) };
}

test('a sale’s whole story is found by any id, reference, key or text of it, and its parts are linked', async () => {
  const { app, endpoint, id, reference, made, paid } = await sold();
  const whole = (await story(app, reference)).data;
  expect(whole.calls.map((one: { id: string }) => one.id)).toEqual([made, paid]);
  const events = whole.events as { id: string; type: string; caused_by: string }[];
  expect(events.filter(({ type }) => type !== 'inventory.low').map(({ type, caused_by }) => [type, caused_by])).toEqual([
    ['payment.received', paid],
    ['sale.completed', paid],
  ]);
  expect(new Set(whole.deliveries.map((one: { event_id: string }) => one.event_id))).toEqual(
    new Set(events.map((one) => one.id)),
  );
  expect(whole.attempts.map((one: { delivery_id: string }) => one.delivery_id).sort()).toEqual(
    whole.deliveries.map((one: { id: string }) => one.id).sort(),
  );
  expect(whole.attempts.every((one: { outcome: string }) => one.outcome === 'success')).toBe(true);
  const owner = { id: null, kind: null, name: null };
  expect(whole.endpoints).toEqual([{ id: endpoint.id, service: 'pos', url: endpoint.url, description: '', owner }]);
  expect([whole.calls_gone, whole.cut]).toEqual([[], false]);

  expect((await story(app, id)).data).toEqual(whole);
  const ofPayment = [paid, events[0]?.id, whole.deliveries[0].id, 'pay-1', ` ${paid} `];
  for (const q of ofPayment) {
    const { data } = await story(app, String(q));
    expect(
      data.calls.map((one: { id: string }) => one.id),
      q,
    ).toEqual(q === events[0]?.id || q === whole.deliveries[0].id ? [paid] : [paid]);
    expect(data.attempts, q).toEqual(whole.attempts);
  }
  expect((await story(app, 'till-4-000123')).data.calls.map((one: { id: string }) => one.id)).toEqual([made]);
  // A part of an Idempotency-Key is no key.
  expect((await story(app, 'till-4')).data.calls).toEqual([]);
});

test('a change by an operator is a part of the story, with its call', async () => {
  const app = await buildTestApp({ demo: false });
  await app.manage('POST', '/cohesion/plans', { annee: 2031 });
  const closing = await app.manage('POST', '/cohesion/plans/2031/close');
  const id = String(closing.headers['x-request-id']);
  const { data } = await story(app, id);
  expect([data.calls, data.events]).toMatchObject([
    [{ id, api: 'manage', operation: 'closePlan', caller: 'operator' }],
    [{ type: 'plan.closed', caused_by: id }],
  ]);
  expect((await app.manage('GET', `/events/${data.events[0].id}`)).body.data.caused_by).toBe(id);
  expect((await story(app, data.events[0].id)).data).toEqual(data);
});

test('a call that is no longer kept is named, and leads to its events', async () => {
  const { app, reference, paid, made } = await sold();
  const whole = (await story(app, reference)).data;
  await app.store.remove('calls', {});
  const { data } = await story(app, reference);
  expect(data).toEqual({ ...whole, calls: [], calls_gone: [paid] });
  expect((await story(app, paid)).data).toEqual(data);
  expect((await story(app, made)).data).toMatchObject({ calls: [], calls_gone: [], events: [] });
});

test('unknown ids and empty or unknown fields have clear answers', async () => {
  const app = await buildTestApp({ demo: false });
  const nothing = { calls: [], calls_gone: [], events: [], deliveries: [], attempts: [], endpoints: [], cut: false };
  for (const prefix of ['call', 'evt', 'dlv', 'sale', 'constructor']) {
    expect((await story(app, `${prefix}_${'0'.repeat(32)}`)).data).toEqual(nothing);
  }
  for (const path of ['/story', '/story?q=', '/story?q=%20', '/story?query=x', '/story?q=x&limit=51'])
    expect((await app.manage('GET', path)).status, path).toBe(400);
});

const pglite = sharedPglite();

describe.each<[string, () => Promise<Store>]>([
  ['memory', async () => new MemoryStore()],
  ['PGlite', pglite],
])('%s', (_, open) => {
  test('the pages together find each call and each event once, in whatever order they happened', async () => {
    const startMs = Date.UTC(2026, 10, 20);
    const kinds = fc.array(fc.constantFrom('call', 'event', 'both', 'other'), { minLength: 1, maxLength: 40 });
    await forAllAsync(20, [kinds, fc.integer({ min: 1, max: 7 })], async (order, limit) => {
      const store = await open();
      const calls = order.flatMap((kind, at) =>
        kind === 'event' ? [] : [call(startMs + at, 1, { api: 'pos', path: kind === 'other' ? '/' : '/?q=BON-7' })],
      );
      const events = order.flatMap((kind, at) =>
        kind === 'call'
          ? []
          : [event(`${firstIdAt('evt', startMs + at)}00`, { body: kind === 'other' ? '{}' : '{"ref":"BON-7"}' })],
      );
      if (calls.length > 0) await store.append('calls', calls);
      if (events.length > 0) await store.append('events', events);
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await findStory(store, { q: 'BON-7', limit, cursor });
        found.push(...page.calls.map(({ id }) => id), ...page.events.map(({ id }) => id));
        cursor = page.next ?? undefined;
      } while (cursor !== undefined);
      const wanted = [...calls.filter(({ path }) => path !== '/'), ...events.filter(({ body }) => body !== '{}')];
      expect(found.sort()).toEqual(wanted.map(({ id }) => id).sort());
    });
  });
});

test('a story says why something has not arrived: in the story, the list of deliveries, the delivery and its endpoint', async () => {
  const { url } = await receiver((response) => response.writeHead(500).end());
  const app = await buildTestApp({ demo: false });
  const make = async () => (await app.manage('POST', '/endpoints', { service: 'cohesion', url })).body.data.id;
  const id = await make();
  await app.manage('POST', '/cohesion/plans', { annee: 2031 });
  const call = String((await app.manage('POST', '/cohesion/plans/2031/close')).headers['x-request-id']);
  await app.settled();
  const of = (endpoint: string) => (one: { endpoint_id: string }) => one.endpoint_id === endpoint;
  const told = (await story(app, call)).data.deliveries.find(of(id));
  const { host } = new URL(url);
  expect(told.cause).toMatchObject({ case: 'retry', values: { host, failure: 500, failed: 1 } });
  expect(told.cause.text).toMatch(/^127.*:\d+ has answered 500 \(1 of 1\)\. Next try at .* UTC\.$/);

  // Its circuit opens.
  const failing = {
    failing_since: Date.UTC(2026, 10, 24, 4, 10, 38),
    failing_with: { failure: 500, mixed: false, attempts: 16 },
  };
  const held_until = Date.UTC(2126, 10, 24);
  await app.store.update('endpoints', { id }, { ...failing, held_until, held_because: 'failing' });
  const text = `${host} has answered 500 since 2026-11-24 04:10:38 UTC (16 of 16). 1 delivery waits. Next try at 2126-11-24 00:00:00 UTC.`;
  const cause = { case: 'held', text, values: { failure: 500, waiting: 1 } };
  expect((await story(app, call)).data.deliveries.find(of(id)).cause).toMatchObject(cause);
  expect((await app.manage('GET', `/deliveries/${told.id}`)).body.data).toMatchObject({
    cause,
    advice: 'The receiver answered 500. The recorded response may say why.',
  });
  expect((await app.manage('GET', `/endpoints/${id}`)).body.data.cause).toMatchObject(cause);
  // A list counts nothing.
  expect((await app.manage('GET', '/deliveries')).body.data.find(of(id))).toMatchObject({
    url,
    cause: { case: 'held', text: text.replace(' 1 delivery waits.', ''), values: { waiting: null } },
  });

  await app.store.update(
    'deliveries',
    { id: told.id },
    { status: 'skipped', reason: 'endpoint_disabled', next_attempt_at: null },
  );
  expect((await story(app, call)).data.deliveries.find(of(id)).cause.text).toBe(
    `${host} was paused or disabled when the delivery was due, so it was skipped.`,
  );
});
