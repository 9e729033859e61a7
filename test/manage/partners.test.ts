import { expect, test } from 'vitest';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { countFound, type Search } from '../../gateway/store/search.ts';
import { buildTestApp } from '../helper.ts';
import { storeDeliveries } from '../webhooks/rows.ts';

const startMs = Date.UTC(2026, 10, 20);

test('calls are found by the name of an account, a user or a token, and show it', async () => {
  const gateway = await buildTestApp();
  const account = (await gateway.manage('POST', '/pos/accounts', { name: 'Boutique Adjamé', plan: 'free' })).body.data;
  const key = (await gateway.manage('POST', `/pos/accounts/${account.id}/keys`)).body.data;
  const { token } = (await gateway.call('POST', '/pos/api/auth', { body: { api_key: key.api_key, api_secret: key.api_secret } }))
    .body;
  await gateway.call('GET', '/pos/api/v1/inventory?store_id=S', { token });
  await gateway.call('GET', '/cohesion/api/v1/structures', { token: gateway.cohesionToken() });
  const named = async (partner: string) =>
    (await gateway.manage('GET', `/calls?partner=${encodeURIComponent(partner)}`)).body.data as Record<string, string>[];
  const calls = await named('adjame');
  expect(calls.length).toBeGreaterThan(0);
  for (const call of calls) expect(call).toMatchObject({ caller: `account:${account.id}`, caller_name: 'Boutique Adjamé' });
  const [user] = await gateway.store.list('users', { order: [['id', 'asc']] });
  for (const call of await named(user?.name ?? '')) expect(call.caller_name).toContain(user?.name);
  expect(await named('nobody is called so')).toEqual([]);
  const { data } = (await gateway.manage('GET', '/calls/count?partner=adjame')).body;
  expect(data).toEqual({ count: calls.length, more: false, searched_to: null });
});

test('deliveries, events and endpoints are found by the name of a store or of the account that uses it', async () => {
  const gateway = await buildTestApp();
  const [store, other] = await gateway.store.list('stores', { order: [['id', 'asc']] });
  const rows = await storeDeliveries(gateway.store, 3, { endpoint_id: 'ep_1', created_at: startMs });
  const [first, second] = rows;
  await gateway.store.update('events', { id: first?.event_id ?? '' }, { subject: store?.id ?? '' });
  await gateway.store.update('events', { id: second?.event_id ?? '' }, { subject: other?.id ?? '' });
  await gateway.manage('POST', '/pos/accounts', { name: 'Zèbre & Fils', plan: 'free', store_ids: [store?.id] });
  const endpoint = { service: 'pos', url: 'https://example.com/hook', perimeter: [store?.id] };
  const { id } = (await gateway.manage('POST', '/endpoints', endpoint)).body.data;
  for (const partner of [store?.name.toUpperCase() ?? '', 'zebre &']) {
    const query = `partner=${encodeURIComponent(partner)}`;
    const deliveries = (await gateway.manage('GET', `/deliveries?${query}`)).body.data;
    expect(deliveries).toMatchObject([{ id: first?.id, subject: store?.id, subject_name: store?.name }]);
    const events = (await gateway.manage('GET', `/events?${query}`)).body.data;
    expect(events).toMatchObject([{ id: first?.event_id, subject_name: store?.name }]);
    expect((await gateway.manage('GET', `/endpoints?${query}`)).body.data).toMatchObject([{ id }]);
    expect((await gateway.manage('GET', `/deliveries/count?${query}`)).body.data.count).toBe(1);
  }
});

test('a name that too many partners have is refused, and names are resolved in one read of each table', async () => {
  const store = new MemoryStore();
  const gateway = await buildTestApp({ demo: false, store });
  const account = { plan: 'free' as const, store_ids: null, active: true, created_at: 1 };
  const accounts = Array.from({ length: 501 }, (_, number) => ({ ...account, id: `acc_${number}`, name: `Shop ${number}` }));
  await store.append('accounts', accounts);
  const { status, body } = await gateway.manage('GET', '/calls?partner=shop');
  expect([status, body.error.code]).toEqual([400, 'too_many_partners']);
  expect(body.error.message).toContain('501 partners');
  expect((await gateway.manage('GET', '/calls?partner=shop%20500')).status).toBe(200);
});

test('a count ends at its bound, and says how far it came if no index has the filter', async () => {
  const store = new MemoryStore();
  const rows = await storeDeliveries(store, 50, { endpoint_id: 'ep_1', created_at: startMs });
  const all: Search<'deliveries'> = { table: 'deliveries', key: 'id', where: {}, range: {}, indexed: [], limit: 1 };
  expect(await countFound(store, all, 20)).toEqual({ count: 20, more: true, stopped: null });
  expect(await countFound(store, all, 50)).toEqual({ count: 50, more: false, stopped: null });
  const failed = { ...all, where: { status: 'failed' } };
  const { count, more, stopped } = await countFound(store, failed, 20);
  expect([count, more, stopped?.id]).toEqual([20, true, rows[29]?.id]);
});
