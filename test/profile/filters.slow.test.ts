import { expect, test } from 'vitest';
import { until } from '../webhooks/harness.ts';
import { bodiesAt, deliveriesOf, openWorld } from './webhook-world.ts';

const marker = (name: string) => ({ data: { name: { $startsWith: name } } });

test('an endpoint gets only events whose payload meets its filter, and its page says why another did not come', async () => {
  const { gateway, account, store, emit, to, at } = await openWorld();
  await store('STORE-A');
  const aya = await account('Aya', ['STORE-A']);
  const made = await aya.data('POST', '/endpoints', { url: at('/aya'), events: ['inventory.low'], filter: marker('large') });
  expect(made).toMatchObject({ filter: marker('large'), filter_matches: { events: 0, matched: 0, unmatched: null } });
  // The test event does not meet the filter.
  expect(await aya.data('POST', `/endpoints/${made.id}/verify`)).toMatchObject({ verified: true });

  for (const name of ['large one', 'small one', 'large two']) await emit.stock('STORE-A', name);
  await deliveriesOf(aya, 'status=delivered', 3);
  const names = () => bodiesAt(to, '/aya').map((body) => JSON.parse(body).data.name);
  await until(() => expect(names().slice(1).sort()).toEqual(['large one', 'large two']));

  expect((await aya.data('GET', `/endpoints/${made.id}`)).filter_matches).toEqual({
    events: 3,
    matched: 2,
    unmatched: {
      event_id: expect.stringMatching(/^evt_/),
      event_type: 'inventory.low',
      path: 'data.name',
      condition: { $startsWith: 'large' },
      value: 'small one',
    },
  });
  const ledger = (await gateway.manage('GET', '/ledger')).body.data;
  expect(ledger).toMatchObject({ expected: 3, filtered: 1, unaccounted: 0 });
  const events = (await gateway.manage('GET', '/events?type=inventory.low')).body.data;
  expect(events.map((one: { matched: number; filtered: number }) => [one.matched, one.filtered])).toEqual([
    [1, 0],
    [0, 1],
    [1, 0],
    [1, 0],
  ]);
});

test('a filter is compared only with events that its owner may see', async () => {
  const { account, store, emit, at } = await openWorld();
  for (const id of ['STORE-A', 'STORE-B']) await store(id);
  const aya = await account('Aya', ['STORE-A']);
  for (const id of ['STORE-B', 'STORE-A', 'STORE-B']) await emit.stock(id, `of ${id}`);
  const { filter_matches } = await aya.data('POST', '/endpoints', { url: at('/aya'), filter: marker('none') });
  expect(filter_matches).toMatchObject({ events: 1, matched: 0, unmatched: { value: 'of STORE-A' } });
});

test('a filter that no event can meet is refused, also when the events change under it', async () => {
  const { account, at } = await openWorld();
  const aya = await account('Aya');
  const refused = async (method: 'POST' | 'PATCH', path: string, body: object) => {
    const { status, body: reply } = await aya.call(method, path, body);
    return [status, reply.error.details?.[0]?.field, reply.error.details?.[0]?.rule];
  };
  const endpoint = { url: at('/aya'), events: ['sale.completed'] };
  expect(await refused('POST', '/endpoints', { ...endpoint, filter: { data: { totl: 1 } } })).toEqual([
    400,
    'filter.data.totl',
    'unknown_field',
  ]);
  for (const filter of ['total > 1', [], 5]) expect((await refused('POST', '/endpoints', { ...endpoint, filter }))[0]).toBe(400);

  const filter = { data: { total: { $gte: 1 } } };
  const { id } = await aya.data('POST', '/endpoints', { ...endpoint, filter });
  expect(await refused('PATCH', `/endpoints/${id}`, { events: ['inventory.low'] })).toEqual([
    400,
    'filter.data.total',
    'unknown_field',
  ]);
  const both = { events: ['inventory.low'], filter: { data: { quantity: 1 } } };
  expect(await aya.data('PATCH', `/endpoints/${id}`, both)).toMatchObject(both);
  expect(await aya.data('PATCH', `/endpoints/${id}`, { description: 'x' })).toMatchObject(both);
  expect(await aya.data('PATCH', `/endpoints/${id}`, { filter: null })).toMatchObject({ filter: null, filter_matches: null });
});

test('a filter can be tried before it is saved: it is judged as a saved one, and no row changes', async () => {
  const { gateway, account, store, emit, at } = await openWorld();
  for (const id of ['STORE-A', 'STORE-B']) await store(id);
  const aya = await account('Aya', ['STORE-A']);
  for (const id of ['STORE-B', 'STORE-A', 'STORE-B']) await emit.stock(id, `of ${id}`);
  await gateway.settled();
  const rows = async () =>
    JSON.stringify(
      await Promise.all((['endpoints', 'subscriptions', 'audit'] as const).map((table) => gateway.store.list(table))),
    );
  const before = await rows();

  const wanted = { events: ['inventory.low'], filter: marker('none') };
  const tried = await aya.data('POST', '/endpoints/filter-preview', wanted);
  expect(tried).toMatchObject({ events: 1, matched: 0, unmatched: { path: 'data.name', value: 'of STORE-A' } });
  const byOperator = async (body: object) =>
    (await gateway.manage('POST', '/endpoints/filter-preview', { ...wanted, service: 'pos', ...body })).body;
  expect((await byOperator({ owner: aya.owner })).data).toEqual(tried);
  expect((await byOperator({})).data).toMatchObject({ events: 3, matched: 0 });
  expect((await byOperator({ perimeter: ['STORE-B'] })).data).toMatchObject({ events: 2, matched: 0 });
  expect((await byOperator({ owner: 'account:nobody' })).error.details[0]).toMatchObject({ field: 'owner' });
  expect((await byOperator({ owner: aya.owner, service: 'cohesion' })).error.details[0]).toMatchObject({ rule: 'other_service' });
  expect((await byOperator({ filter: null })).error.details[0]).toMatchObject({ field: 'filter' });

  const invalid = [
    { filter: { data: { nam: 'x' } } },
    { filter: marker('x'), events: ['sale.complete'] },
    { filter: marker('x'), perimeter: ['STORE-B'] },
    { filter: marker('x'), event: ['sale.completed'] },
  ];
  for (const body of invalid) {
    const refusals = [
      await aya.call('POST', '/endpoints/filter-preview', body),
      await aya.call('POST', '/endpoints', { url: at('/aya'), ...body }),
    ].map((reply) => [reply.status, reply.body.error.details]);
    expect(refusals[0]).toEqual(refusals[1]);
    expect(refusals[0]?.[0]).toBe(400);
  }
  expect(await rows()).toBe(before);
  expect(await aya.data('POST', '/endpoints', { url: at('/aya'), ...wanted })).toMatchObject({ filter_matches: tried });
});
