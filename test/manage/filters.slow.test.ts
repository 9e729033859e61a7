import { expect, test } from 'vitest';
import { buildTestApp, sharedByTests, type TestGateway } from '../helper.ts';
import { storeDeliveries } from '../webhooks/rows.ts';

/** For calls that change nothing. */
const empty = sharedByTests((atEnd) => buildTestApp({ demo: false, atEnd }));

const idsOf = async (app: TestGateway, path: string): Promise<string[]> => {
  const reply = await app.manage('GET', path);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body).toMatchObject({ next: null, searched_to: null });
  return reply.body.data.map(({ id }: { id: string }) => id);
};

test('events are found by text, as it is or as JSON writes it, and by subject', async () => {
  const app = await buildTestApp({ demo: false });
  const words = ['plain', 'he said "no"', 'Été'];
  const at = Date.UTC(2026, 10, 20);
  const made = await storeDeliveries(app.store, 3, { endpoint_id: 'ep_1', created_at: at }, (number) =>
    JSON.stringify({ data: { word: words[number] } }),
  );
  const [plain, quoted, accented] = made.map(({ event_id }) => event_id);
  await app.store.update('events', { id: plain as string }, { subject: 'store_1' });
  expect(await idsOf(app, `/events?q=${encodeURIComponent('"no"')}`)).toEqual([quoted]);
  expect(await idsOf(app, `/events?q=${encodeURIComponent('Été')}&type=sale.completed`)).toEqual([accented]);
  expect(await idsOf(app, '/events?q=PLAIN')).toEqual([]);
  expect(await idsOf(app, '/events?subject=store_1&service=pos')).toEqual([plain]);
  expect(await idsOf(app, '/events?subject=store_1&q=no')).toEqual([]);
});

test('endpoints are found by state and by text in the URL or the description', async () => {
  const app = await buildTestApp({ demo: false });
  const create = async (name: string, more = {}) => {
    const body = { service: 'pos', url: `https://example.com/${name}`, description: `Till of ${name}`, ...more };
    return (await app.manage('POST', '/endpoints', body)).body.data.id as string;
  };
  const ok = await create('Abidjan');
  const held = await create('bouake');
  const probing = await create('Daloa', { service: 'cohesion' });
  const disabled = await create('korhogo', { active: false });
  const deleted = await create('man');
  await app.manage('DELETE', `/endpoints/${deleted}`);
  await app.store.update('endpoints', { id: held }, { held_until: app.clock.now() + 60_000, held_because: 'failing' });
  await app.store.update('endpoints', { id: probing }, { held_until: 1, held_because: 'failing' });

  expect(await idsOf(app, '/endpoints')).toEqual([disabled, probing, held, ok]);
  expect(await idsOf(app, '/endpoints?state=ok')).toEqual([ok]);
  expect(await idsOf(app, '/endpoints?state=held')).toEqual([probing, held]);
  expect(await idsOf(app, '/endpoints?state=held&service=pos')).toEqual([held]);
  expect(await idsOf(app, '/endpoints?state=disabled')).toEqual([disabled]);
  expect(await idsOf(app, '/endpoints?q=BOUAKE')).toEqual([held]);
  expect(await idsOf(app, '/endpoints?q=till%20of%20daloa')).toEqual([probing]);
  expect(await idsOf(app, '/endpoints?q=till&state=disabled')).toEqual([disabled]);
  expect(await idsOf(app, `/endpoints?ids=${ok},${deleted},${disabled},ep_unknown`)).toEqual([disabled, ok]);
  expect(await idsOf(app, `/endpoints?ids=${ok},${held},${disabled}&q=till&service=pos&state=ok`)).toEqual([ok]);
  const page = (await app.manage('GET', `/endpoints?ids=${ok},${held},${disabled}&limit=2`)).body;
  expect([page.data.map(({ id }: { id: string }) => id), page.next]).toEqual([[disabled, held], held]);
  expect(await idsOf(app, `/endpoints?ids=${ok},${held},${disabled}&limit=2&cursor=${page.next}`)).toEqual([ok]);
  expect((await app.manage('GET', '/endpoints?state=well')).status).toBe(400);
  expect((await app.manage('GET', '/endpoints?ids=,')).status).toBe(400);
});

test.each([
  ...['deliveries', 'events', 'calls', 'audit', 'alerts', 'notices', 'recoveries', 'operators', 'endpoints'],
  ...['alerts/channels'],
])('%s refuses a cursor that is not the `next` of a page', async (list) => {
  const { manage } = empty();
  for (const cursor of ['abc', '{}', 'zz', 'sale_0123456789abcdef0123456789abcdef', '~']) {
    const { status, body } = await manage('GET', `/${list}${list.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`);
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining('must be `next` of the previous page')]);
  }
});

test.each([
  ...[
    'deliveries',
    'deliveries/count',
    'deliveries/export?format=csv',
    'events',
    'calls',
    'calls/count',
    'audit',
    'alerts',
    'ledger',
  ],
])('%s refuses a period that ends before it begins', async (list) => {
  const { manage } = empty();
  const end = list.startsWith('calls') ? 'until' : 'to';
  const period = `from=2026-11-21T00:00:00Z&${end}=2026-11-20T00:00:00Z`;
  const { status, body } = await manage('GET', `/${list}${list.includes('?') ? '&' : '?'}${period}`);
  expect([status, body.error?.details?.[0]]).toMatchObject([400, { field: end, rule: 'after_from' }]);
  expect((await manage('GET', `/${list}${list.includes('?') ? '&' : '?'}from=2026-11-20T00:00:00Z`)).status).toBe(200);
});

test('an unknown reason is refused with the nearest, in lists and in recoveries', async () => {
  const { manage } = empty();
  const refused = [
    await manage('GET', '/deliveries?reason=time_out'),
    await manage('GET', '/deliveries/count?reason=time_out'),
    await manage('POST', '/recoveries', { from: '2026-01-01T00:00:00Z', reason: 'time_out', dry_run: true }),
  ];
  for (const { status, body } of refused)
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('"time_out"; the nearest is timeout')]);
  const { data } = (await manage('GET', '/reasons')).body;
  for (const { reason } of data) expect((await manage('GET', `/deliveries?reason=${reason}`)).status, reason).toBe(200);
});

test('an unknown event type is refused with the nearest name, wherever it filters', async () => {
  const app = empty();
  const words = 'there is no event type "sale.complete"; the nearest is sale.completed';
  const refused = async (method: 'GET' | 'POST', path: string, body?: object) =>
    (await app.manage(method, path, body)).body.error?.details[0];
  for (const path of ['/deliveries?', '/deliveries/count?', '/deliveries/export?format=csv&', '/attempts/export?format=curl&'])
    expect(await refused('GET', `${path}event_type=sale.complete`), path).toMatchObject({
      field: 'event_type',
      rule: 'unknown_event',
      message: expect.stringContaining(words),
    });
  for (const path of ['/events?', '/events/count?', '/events/export?format=csv&'])
    expect(await refused('GET', `${path}type=sale.complete`), path).toMatchObject({ field: 'type', rule: 'unknown_event' });
  expect(await refused('POST', '/recoveries', { event_type: 'sale.complete', dry_run: true })).toMatchObject({
    field: 'event_type',
    rule: 'unknown_event',
  });
  // Also the events of the other API, and the notices.
  for (const type of ['sale.completed', 'plan.closed', 'endpoint.held'])
    expect(await idsOf(app, `/deliveries?event_type=${type}`)).toEqual([]);
});
