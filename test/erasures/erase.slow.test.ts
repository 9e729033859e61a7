import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../gateway/base/ids.ts';
import type { Store } from '../../gateway/store/port.ts';
import { readLedger } from '../../gateway/webhooks/operator/ledger.ts';
import { onEveryStore } from '../every-store.ts';
import { buildTestApp, stillClock, type TestGateway } from '../helper.ts';
import { until } from '../webhooks/harness.ts';
import { receiver } from '../webhooks/receiver.ts';
import { rowsWith } from './search.ts';

/** The digits of the person's number that all its spellings have. */
const digits = '612345678';
const other = '+33699999999';
const minute = 60_000;

async function open(store?: Store) {
  const clock = stillClock();
  const gateway = await buildTestApp({ clock, ...(store ? { store } : {}), settings: { WEBHOOK_LOOPBACK: 'on' } });
  const token = await gateway.posToken();
  const pos = (path: string, body: unknown, headers = {}) => gateway.call('POST', `/pos/api/v1${path}`, { token, body, headers });
  const [stock] = await gateway.store.list('stock', { where: { quantity: { gt: '5' } }, limit: 1 });
  const store_id = stock?.store_id ?? '';
  const items = [{ product_id: stock?.product_id, quantity: 1, price: Number(stock?.price) }];
  const sell = (customer_phone: string, key?: string, payment_method = 'cash') => {
    const sale = { store_id, items, payment_method, customer_phone, total: Number(stock?.price) };
    return pos('/sales', sale, key === undefined ? {} : { 'idempotency-key': key });
  };
  const endpoint = async (url: string, more = {}) =>
    (await gateway.manage('POST', '/endpoints', { service: 'pos', url, ...more })).body.data.id as string;
  return { ...gateway, clock, pos, sell, endpoint, store_id };
}
type World = Awaited<ReturnType<typeof open>>;

/** Begins an erasure, and returns it when it is done. */
async function erase({ clock, manage }: Pick<World, 'clock' | 'manage'>, body: object) {
  const begun = await manage('POST', '/erasures', body);
  expect(begun.status, begun.text).toBe(201);
  return ended({ clock, manage }, begun.body.data.id);
}

/** Lets time pass until the erasure is done, and returns it. */
const ended = ({ clock, manage }: Pick<World, 'clock' | 'manage'>, id: string) =>
  until(async () => {
    const { data } = (await manage('GET', `/erasures/${id}`)).body;
    const { status, settled_at } = data;
    if (status !== 'done') await clock.advance(settled_at === null ? 0 : Math.max(1000, Date.parse(settled_at) - clock.now()));
    expect(status).toBe('done');
    return data;
  });

const deliveriesOf = async ({ store }: Pick<TestGateway, 'store'>, endpoint_id: string) =>
  store.list('deliveries', { where: { endpoint_id }, order: [['id', 'asc']] });

onEveryStore('a person who is erased by number', (emptyStore) => {
  test('is in no table any more, and everything else is where it was', async () => {
    const world = await open(await emptyStore());
    const { store, manage, pos, sell, endpoint, clock, settled } = world;
    const echo = await receiver((response, { body }) => response.writeHead(200, { 'x-seen': '06-12-34-56-78' }).end(body));
    // The clock may pass any number of retries. A retry after the erasure must not bring the number back.
    let answer = 'no customer 06 12 34 56 78';
    const failing = await receiver((response) => response.writeHead(500).end(answer));
    const took = await endpoint(`${echo.url}?of=%2B33612345678`, { description: 'of 0612345678' });
    const waits = await endpoint(failing.url);

    const sale = await sell('+33 6 12 34 56 78', 'till-1', 'mobile_money');
    expect(sale.status, sale.text).toBe(201);
    const payment = { reference: sale.body.data.reference, amount: 1, phone: '0612345678', provider: 'orange_money' };
    const paid = await pos('/payment/mobile', payment, { 'idempotency-key': '0612345678' });
    expect(paid.status, paid.text).toBe(201);
    expect((await sell('0033612345678')).status).toBe(201);
    expect((await sell(other, 'till-2')).status).toBe(201);
    expect((await pos('/sales', '{"customer_phone":"+33 6 12 34 56 78"')).status).toBe(400);
    await manage('GET', '/events?subject=%2B33612345678');
    await manage('POST', '/views', { list: 'events', name: 'of 0612345678', filters: { q: '0033612345678' } });
    await manage('POST', '/operators', { name: 'Awa 0612345678', role: 'viewer' });
    await manage('POST', '/recoveries', { from: '2026-01-01T00:00:00Z', statuses: ['failed'], q: '+33612345678' });
    await settled();
    await until(async () => expect((await deliveriesOf(world, waits)).every(({ attempts }) => attempts === 1)).toBe(true));
    await manage('GET', '/overview');
    const before = await readLedger(store);
    const counts = await countAll(store);
    const others = await recordsWith(store, '99999999');

    const dry = await erase(world, { number: '+33612345678' });
    expect(dry.found).toMatchObject({ events: 2, deliveries: 2, sales: 2, payments: 1, idempotency_keys: 2, operators: 1 });
    expect(dry.receivers).toMatchObject([
      { endpoint_id: took, host: expect.stringContaining('127.0.0.1'), delivered: 2, attempted: 0 },
      { endpoint_id: waits, delivered: 0, attempted: 2 },
    ]);
    expect((await rowsWith(store, digits)).length).toBeGreaterThan(15);

    answer = 'no customer';
    const done = await erase(world, { number: '0033 6 12 34 56 78', dry_run: false });
    expect(await rowsWith(store, digits)).toEqual([]);
    expect(done).toMatchObject({ target: { by: 'number', ends_with: '78' }, working_on: null, receivers: dry.receivers });
    expect(done.found).toMatchObject({ ...dry.found, calls: expect.any(Number), attempts: expect.any(Number) });

    // Whoever looks for the number does not bring it back.
    await manage('GET', '/calls?limit=5&q=%2B33612345678&api=pos');
    expect((await manage('GET', '/calls?api=manage')).text).toContain('limit=5&q=[search]&api=pos');
    expect(await rowsWith(store, digits)).toEqual([]);

    // Ids and counts stay, and so does what is of others.
    expect(await countAll(store)).toEqual(counts);
    expect(await recordsWith(store, '99999999')).toEqual(others);
    const after = await readLedger(store);
    expect(after).toMatchObject({ expected: before.expected, unaccounted: 0 });
    expect(after.deliveries).toEqual({ ...before.deliveries, pending: before.deliveries.pending - 2, skipped: 2 });

    // A repeated request does nothing twice.
    expect((await sell('+33 6 12 34 56 78', 'till-1', 'mobile_money')).body.error.code).toBe('idempotency_key_reused');

    // Nothing is sent any more.
    const sent = failing.received.length;
    await clock.advance(120 * minute);
    await settled();
    const bodies = failing.received.slice(sent).map(({ body }) => body);
    expect(bodies.filter((body) => body.includes('"data":null') || body.includes(digits))).toEqual([]);
    expect(bodies.length).toBeGreaterThan(0);

    const audited = (await manage('GET', '/audit?action=createErasure')).body.data;
    expect(audited.map(({ target }: { target: string }) => target)).toEqual([done.id, dry.id]);
    expect((await manage('GET', '/erasures')).body.data.map(({ id }: { id: string }) => id)).toEqual([done.id, dry.id]);
  });
});

const kept = [
  'events',
  'deliveries',
  'sales',
  'sale_items',
  'payments',
  'endpoints',
  'operators',
  'views',
  'recoveries',
] as const;
const countAll = (store: Store) => Promise.all(kept.map(async (name) => [name, await store.count(name)]));

const recordsWith = async (store: Store, text: string) => {
  const events = await store.list('events', { where: { body: { contains: text } } });
  const calls = await store.list('calls', { where: { request_body: { contains: text } }, order: [['id', 'asc']] });
  return [events, calls, await store.list('sales', { where: { customer_phone: { contains: text } } })];
};

test('what was erased is never sent again, and everybody sees why', async () => {
  const world = await open();
  const { store, manage, sell, endpoint, settled, clock } = world;
  let status = 500;
  const to = await receiver((response) => response.writeHead(status).end());
  const id = await endpoint(to.url);
  await sell('+33612345678', 'till-1');
  await settled();
  await until(async () => expect((await deliveriesOf(world, id))[0]?.attempts).toBe(1));
  const [event] = await store.list('events');
  const wanted = { event_ids: [event?.id], dry_run: false };
  const done = await erase(world, wanted);
  expect(done.found).toEqual({ events: 1, deliveries: 1, attempts: 1, calls: 1, idempotency_keys: 1 });
  expect(done.receivers).toMatchObject([{ endpoint_id: id, attempted: 1 }]);

  status = 200;
  const [delivery] = await deliveriesOf(world, id);
  expect(delivery).toMatchObject({ status: 'skipped', reason: 'erased' });
  const resent = await manage('POST', `/deliveries/${delivery?.id}/resend`);
  expect([resent.status, resent.body.error.message]).toEqual([409, expect.stringContaining('was erased')]);
  const recovery = await manage('POST', '/recoveries', { event_id: event?.id, statuses: ['skipped'] });
  await clock.advance(10_000);
  await until(async () => {
    const items = (await manage('GET', `/recoveries/${recovery.body.data.id}/items`)).body.data;
    expect(items).toMatchObject([{ result: 'refused', reason: 'erased' }]);
  });
  const diagnosis = await manage('POST', `/deliveries/${delivery?.id}/diagnose`, { language: 'python' });
  expect([diagnosis.status, diagnosis.text]).toEqual([409, expect.stringContaining('The event was erased')]);
  expect(to.received).toHaveLength(1);

  const shown = (await manage('GET', `/events/${event?.id}`)).body.data;
  expect(shown).toMatchObject({ erased: true, payload: { event: 'sale.completed', data: null } });
  expect((await manage('GET', `/deliveries/${delivery?.id}`)).body.data.cause.text).toContain('was erased');
  // The row of the sale belongs to the API: only a number takes it out.
  expect(await store.count('sales', { customer_phone: '+33612345678' })).toBe(1);
  // What finds nothing says so.
  for (const [input, note] of [
    [{ event_ids: [event?.id] }, 'erased before'],
    [{ subject: 'STROE-1' }, 'No event has the subject "STROE-1"'],
    [{ number: '+4930123456' }, 'Nothing that is kept has the number that ends with 56'],
  ] as const)
    expect(await erase(world, input)).toMatchObject({ found: {}, note: expect.stringContaining(note) });
  expect(done.note).toBeNull();
});

test('an attempt that is in flight may end, and is listed; its record is empty', async () => {
  const world = await open();
  const { sell, endpoint, store } = world;
  const { promise: erased, resolve: answer } = Promise.withResolvers<void>();
  const slow = await receiver(async (response, { body }) => {
    await erased;
    response.end(body);
  });
  const id = await endpoint(slow.url);
  await sell('+33612345678');
  await until(() => expect(slow.received).toHaveLength(1));
  const begun = await world.manage('POST', '/erasures', { subject: world.store_id, dry_run: false });
  await until(async () => expect((await store.list('events'))[0]?.erased_by).toBe(begun.body.data.id));
  expect((await deliveriesOf(world, id))[0]?.status).toBe('skipped');
  answer();
  await until(async () => expect((await deliveriesOf(world, id))[0]?.status).toBe('delivered'));
  const data = await ended(world, begun.body.data.id);
  expect(data).toMatchObject({ receivers: [{ endpoint_id: id, delivered: 1 }], receivers_count: 1 });
  expect((await store.list('attempts')).map(({ response_body }) => response_body)).toEqual([null]);
});

test('an answer in flight to the delivery of another person is erased, because it says the number', async () => {
  const world = await open();
  const { sell, endpoint, store } = world;
  const { promise: erased, resolve: answer } = Promise.withResolvers<void>();
  const slow = await receiver(async (response) => {
    await erased;
    response.end('not for 06 12 34 56 78');
  });
  const id = await endpoint(slow.url);
  await sell(other);
  await until(() => expect(slow.received).toHaveLength(1));
  const begun = await world.manage('POST', '/erasures', { number: '+33612345678', dry_run: false });
  await until(async () => expect((await store.get('erasures', { id: begun.body.data.id }))?.stage).toBe('remains'));
  answer();
  await until(async () => expect((await deliveriesOf(world, id))[0]?.status).toBe('delivered'));
  expect(await rowsWith(store, digits)).toHaveLength(1);
  await ended(world, begun.body.data.id);
  expect(await rowsWith(store, digits)).toEqual([]);
});

test.each([
  ['its head', {}, ['skipped', 'delivered']],
  ['the dead letter that blocks it', { on_dead_letter: 'block', retry_for_hours: 1 }, ['failed', 'delivered']],
])('an ordered endpoint goes on with the next event after %s is erased', async (_, more, statuses) => {
  const world = await open();
  const { sell, endpoint, store, clock, settled, manage } = world;
  let isAway = true;
  const to = await receiver((response) => response.writeHead(isAway ? 500 : 204).end());
  const id = await endpoint(to.url, { ordered: true, ...more });
  await sell('+33612345678');
  await until(async () => expect((await deliveriesOf(world, id))[0]?.attempts).toBe(1));
  await sell(other);
  await settled();
  const isOver = async () => statuses[0] === 'skipped' || (await deliveriesOf(world, id))[0]?.status === 'failed';
  while (!(await isOver())) {
    await clock.advance(30 * minute);
    await settled();
  }
  isAway = false;
  const [head] = await store.list('events', { order: [['id', 'asc']] });
  await erase(world, { event_ids: [head?.id], dry_run: false });
  await until(async () => {
    await clock.advance(10_000);
    expect((await deliveriesOf(world, id)).map((one) => one.status)).toEqual(statuses);
  });
  expect((await manage('GET', '/deliveries?blocking=true')).body.data).toEqual([]);
});

test('a partner reads that its event was erased, and its count and hash stay', async () => {
  const world = await open();
  const { sell, call, clock, demo, store } = world;
  const account = demo.pos.accounts.find(({ plan }) => plan === 'enterprise');
  const credentials = { api_key: account?.apiKey, api_secret: account?.apiSecret };
  const signedIn = await call('POST', '/profile/v1/session', { body: credentials });
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
  const read = async (path: string) => (await call('GET', `/profile/v1${path}`, { headers: { cookie } })).body.data;
  await sell('+33612345678');
  const [from, to] = [-1, 1].map((hours) => new Date(Math.floor(clock.now() / 3.6e6 + hours) * 3.6e6).toISOString());
  const digest = await read(`/events/digest?from=${from}&to=${to}`);
  expect((await read('/events'))[0]).toMatchObject({ erased: false, payload: { data: { reference: expect.any(String) } } });
  await erase(world, { event_ids: (await store.list('events')).map(({ id }) => id), dry_run: false });
  expect((await read('/events'))[0]).toMatchObject({ erased: true, payload: { event: 'sale.completed', data: null } });
  expect(await read(`/events/digest?from=${from}&to=${to}`)).toEqual(digest);
});

test('an event whose fan-out has not ended is erased after it, because filters go by its content', async () => {
  const world = await open();
  const { store, sell } = world;
  await sell('+33612345678');
  const [event] = await store.list('events');
  await store.update('events', { id: event?.id ?? '' }, { fanned_out_at: null });
  const begun = await world.manage('POST', '/erasures', { subject: world.store_id, dry_run: false });
  const { data } = begun.body;
  await world.clock.advance(2000);
  expect((await store.get('erasures', { id: data.id }))?.settled_at).toBeNull();
  expect((await store.list('events'))[0]?.erased_by).toBeNull();
  await store.update('events', { id: event?.id ?? '' }, { fanned_out_at: world.clock.now() });
  await until(async () => {
    await world.clock.advance(2000);
    expect((await store.list('events'))[0]?.erased_by).toBe(data.id);
  });
});

test.each([
  [{}, 'Give one of "number", "subject" and "event_ids", not none.'],
  [{ number: '+33612345678', subject: 'S' }, 'not number and subject'],
  [{ number: '0612345678' }, 'must begin with + or 00 and its country code'],
  [{ event_ids: [newId('evt')] }, 'There is no event evt_'],
  [{ numbers: '+33612345678' }, 'number'],
])('refuses %j', async (body, message) => {
  const world = await open();
  const { status, text } = await world.manage('POST', '/erasures', body);
  expect([status, JSON.parse(text).error.message + JSON.stringify(JSON.parse(text).error.details)]).toEqual([
    400,
    expect.stringContaining(message),
  ]);
  await world.manage('GET', '/calls');
  expect(await rowsWith(world.store, digits)).toEqual([]);
});

test('a filter of an endpoint stays one that can be read', async () => {
  const world = await open();
  const { store, sell } = world;
  const amount = { data: { total: { $gte: 612345678 } } };
  const filter = { $or: [{ data: { customer_phone: '+33612345678' } }, amount] };
  const one = await world.endpoint('http://127.0.0.1:9/hook', { filter: { data: { customer_phone: '+33612345678' } } });
  const two = await world.endpoint('http://127.0.0.1:9/hook', { filter: amount });
  const both = await world.endpoint('http://127.0.0.1:9/hook', { filter });
  await erase(world, { number: '+33612345678', dry_run: false });
  const filterOf = async (id: string) => JSON.parse((await store.get('endpoints', { id }))?.filter ?? '');
  expect(await filterOf(one)).toEqual({ data: { customer_phone: '[erased]' } });
  expect(await filterOf(two)).toEqual(amount);
  expect(await filterOf(both)).toEqual({ $or: [{ data: { customer_phone: '[erased]' } }, amount] });
  expect((await sell(other)).status).toBe(201);
});

test('goes on after its process ends, with as many rows as there are', async () => {
  const world = await open();
  const { store } = world;
  const sale = (await world.sell('+33612345678')).body.data;
  const row = await store.get('sales', { reference: sale.reference });
  if (!row) throw new Error(`There is no sale ${sale.reference}.`);
  const many = Array.from({ length: 950 }, (_, at) => ({ ...row, id: newId('sal'), reference: `R-${at}` }));
  await store.append('sales', many);
  const items = many.flatMap(({ id, store_id }) =>
    [1, 2].map((line) => ({
      sale_id: id,
      line,
      store_id,
      product_id: 'p',
      name: '0612345678',
      quantity: '1',
      price: '1',
      amount: '1',
      sold_on: null,
    })),
  );
  await store.append('sale_items', items);
  const transaction = store.transaction.bind(store);
  let steps = 0;
  store.transaction = (work, options) =>
    ++steps % 3 === 0 ? Promise.reject(new Error('The process ended.')) : transaction(work, options);
  onTestFinished(() => void Object.assign(store, { transaction }));
  const begun = await until(async () => {
    const reply = await world.manage('POST', '/erasures', { number: '+33612345678', dry_run: false });
    expect(reply.status).toBe(201);
    return reply.body.data.id;
  });
  await until(async () => {
    await world.clock.advance(3 * minute);
    expect((await store.get('erasures', { id: begun }))?.status).toBe('done');
  });
  expect((await store.get('erasures', { id: begun }))?.found).toMatchObject({ sales: 951, sale_items: 1900 });
  expect(await rowsWith(store, digits)).toEqual([]);
});
