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

test('endpoints and deliveries show their owner, and are found by its name or id', async () => {
  const gateway = await buildTestApp();
  const account = (await gateway.manage('POST', '/pos/accounts', { name: 'Zèbre & Fils', plan: 'free' })).body.data;
  const user = { name: 'Zoé Zébré', email: 'zoe@example.com', role: 'lecteur', structure_ids: [1] };
  const { id: userId } = (await gateway.manage('POST', '/cohesion/users', user)).body.data;
  const owners = [
    { id: `account:${account.id}`, kind: 'account', name: account.name },
    { id: `user:${userId}`, kind: 'user', name: user.name },
    { id: null, kind: null, name: null },
  ];
  const services = ['pos', 'cohesion', 'pos'];
  const made: string[] = [];
  for (const [index, owner] of owners.entries()) {
    const input = { service: services[index], url: 'https://example.com/hook', ...(owner.id ? { owner: owner.id } : {}) };
    const { status, body } = await gateway.manage('POST', '/endpoints', input);
    expect([status, body.data.owner, body.data.active]).toEqual([201, owner, true]);
    made.push(body.data.id);
    await storeDeliveries(gateway.store, 1, { endpoint_id: body.data.id, created_at: startMs });
  }
  const listed = (await gateway.manage('GET', '/endpoints')).body.data.reverse();
  expect(listed.map(({ owner }: { owner: object }) => owner)).toEqual(owners);
  const find = async (list: string, query: Record<string, string>) =>
    (await gateway.manage('GET', `/${list}?${new URLSearchParams(query)}`)).body.data;
  const [ofAccount, ofUser] = made;
  expect(await find('endpoints', { partner: 'zebre' })).toMatchObject([{ id: ofUser }, { id: ofAccount }]);
  expect(await find('endpoints', { owner: owners[1]?.id ?? '' })).toMatchObject([{ id: ofUser, owner: owners[1] }]);
  expect(await find('deliveries', { partner: 'ZEBRE &' })).toMatchObject([{ endpoint_id: ofAccount, owner: owners[0] }]);
  const [found] = await find('deliveries', { owner: owners[1]?.id ?? '' });
  expect(found).toMatchObject({ endpoint_id: ofUser, owner: owners[1] });
  expect((await gateway.manage('GET', `/deliveries/${found.id}`)).body.data.owner).toEqual(owners[1]);
  expect((await gateway.manage('GET', '/deliveries/count?partner=zebre')).body.data.count).toBe(2);
  const csv = (await gateway.manage('GET', '/endpoints/export?format=csv&partner=zebre')).text;
  expect(csv).toContain(`${owners[1]?.id},${user.name}`);
  for (const path of ['endpoints?owner=nobody', 'deliveries?owner=operator', 'endpoints?owner=constructor:1'])
    expect((await gateway.manage('GET', `/${path}`)).status, path).toBe(400);
});

test('partners are found by their names, in any case and without accents, or by their whole id', async () => {
  const gateway = await buildTestApp({ demo: false });
  const make = async (path: string, fields: object) => (await gateway.manage('POST', path, fields)).body.data.id;
  const shop = await make('/pos/accounts', { name: 'Zèbre & Fils', plan: 'free' });
  const other = await make('/pos/accounts', { name: 'Boutique', plan: 'free' });
  const zoe = await make('/cohesion/users', { name: 'Zoé Zébré', email: 'zoe@example.com', role: 'lecteur' });
  await gateway.manage('PATCH', `/cohesion/users/${zoe}`, { active: false });
  const found = async (query: Record<string, string>) =>
    (await gateway.manage('GET', `/partners?${new URLSearchParams(query)}`)).body;
  const [ofShop, ofOther, ofZoe] = [
    { id: `account:${shop}`, kind: 'account', service: 'pos', name: 'Zèbre & Fils', active: true },
    { id: `account:${other}`, kind: 'account', service: 'pos', name: 'Boutique', active: true },
    { id: `user:${zoe}`, kind: 'user', service: 'cohesion', name: 'Zoé Zébré', active: false },
  ];
  expect(await found({})).toEqual({ data: [ofOther, ofShop, ofZoe], more: false });
  expect(await found({ q: 'ZEBR' })).toEqual({ data: [ofShop, ofZoe], more: false });
  expect(await found({ q: 'zebr', service: 'cohesion' })).toEqual({ data: [ofZoe], more: false });
  expect(await found({ q: 'zebr', limit: '1' })).toEqual({ data: [ofShop], more: true });
  expect(await found({ q: ofOther.id })).toEqual({ data: [ofOther], more: false });
  expect(await found({ q: 'nobody' })).toEqual({ data: [], more: false });
});

test('an owner that does not exist is refused by every list, count, export and recovery that takes one', async () => {
  const gateway = await buildTestApp({ demo: false });
  const { id } = (await gateway.manage('POST', '/cohesion/users', { name: 'Zoé', email: 'zoe@example.com', role: 'lecteur' }))
    .body.data;
  const lists = ['/endpoints?', '/endpoints/count?', '/endpoints/export?format=csv&', '/deliveries?', '/deliveries/count?'];
  lists.push('/deliveries/export?format=csv&', '/attempts/export?format=csv&', '/profile-links?');
  for (const list of lists) {
    const reply = (owner: string) => gateway.manage('GET', `${list}owner=${owner}`);
    expect([list, (await reply(`user:${id}`)).status]).toEqual([list, 200]);
    // One user has one name.
    for (const owner of [`user:0${id}`, 'user:99999', 'account:acc_none']) {
      const { status, body } = await reply(owner);
      expect([list, owner, status, body.error?.code]).toEqual([list, owner, 400, 'unknown_owner']);
      expect(body.error.message).toContain('GET /manage/v1/partners');
    }
  }
  const recovery = await gateway.manage('POST', '/recoveries', { owner: `user:0${id}`, dry_run: true });
  expect([recovery.status, recovery.body.error.code]).toEqual([400, 'unknown_owner']);
});

test('the perimeter of a user is kept, changed and read, and its structures must exist', async () => {
  const gateway = await buildTestApp();
  const user = { name: 'Léa', email: 'lea@example.com', role: 'lecteur' };
  const created = await gateway.manage('POST', '/cohesion/users', user);
  expect([created.status, created.body.data.structure_ids]).toEqual([201, null]);
  const path = `/cohesion/users/${created.body.data.id}`;
  const input = { service: 'cohesion', url: 'https://example.com/hook', owner: `user:${created.body.data.id}` };
  const { id } = (await gateway.manage('POST', '/endpoints', input)).body.data;
  expect((await gateway.manage('PATCH', path, { structure_ids: [2, 1, 2] })).body.data.structure_ids).toEqual([2, 1]);
  expect((await gateway.manage('GET', path)).body.data.structure_ids).toEqual([2, 1]);
  expect((await gateway.store.get('endpoints', { id }))?.visible).toEqual({ subjects: ['2', '1'], unscoped: false });
  for (const body of [{ structure_ids: [1, 99_999] }, { structure_ids: ['1'] }])
    expect((await gateway.manage('PATCH', path, body)).status).toBe(400);
  expect((await gateway.manage('PATCH', path, { active: false })).status).toBe(200);
  const refused = await gateway.manage('PATCH', `/endpoints/${id}`, { active: true });
  expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('inactive. Activate the owner')]);
  expect((await gateway.manage('POST', `/endpoints/${id}/test`, { event_type: 'plan.closed' })).status).toBe(409);
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
