import { describe, expect, test } from 'vitest';
import { openShop, openTill, riceSale } from './harness.ts';

describe('accounts', () => {
  test('are created, listed in pages, read and changed', async () => {
    const { manage } = await openShop();
    const made = await manage('POST', '/accounts', { name: 'Chez Awa', plan: 'pro', store_ids: ['S1'] });
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^acc_/),
        name: 'Chez Awa',
        plan: 'pro',
        store_ids: ['S1'],
        active: true,
        created_at: '2026-11-21T08:53:00.000Z',
      },
    ]);
    for (const name of ['B', 'C']) await manage('POST', '/accounts', { name, plan: 'free' });
    const first = (await manage('GET', '/accounts?limit=2')).body;
    const second = (await manage('GET', `/accounts?limit=2&cursor=${first.next}`)).body;
    expect([...first.data, ...second.data].map(({ name }: { name: string }) => name)).toEqual(['C', 'B', 'Chez Awa']);
    expect(second.next).toBeNull();

    const path = `/accounts/${made.body.data.id}`;
    expect((await manage('PATCH', path, { store_ids: null, plan: 'enterprise' })).body.data).toMatchObject({
      name: 'Chez Awa',
      plan: 'enterprise',
      store_ids: null,
    });
    expect((await manage('GET', path)).body.data).toMatchObject({ plan: 'enterprise', store_ids: null });
  });

  test.each([
    [{}, 'name'],
    [{ name: 'A', plan: 'gold' }, 'plan'],
    [{ name: 'A', plan: 'free', store_ids: ['S1', 'S9'] }, 'store_ids'],
    [{ name: ' ', plan: 'free' }, 'name'],
  ])('%j is refused', async (body, field) => {
    const { manage } = await openShop();
    const reply = await manage('POST', '/accounts', body);
    expect([reply.status, reply.body.error.details[0].field]).toEqual([400, field]);
  });

  test('an empty change, an unknown account and a malformed id are refused', async () => {
    const { manage, id } = await openTill();
    expect((await manage('PATCH', `/accounts/${id}`, {})).status).toBe(400);
    expect((await manage('PATCH', `/accounts/${id}`, { store_ids: ['S9'] })).status).toBe(400);
    expect((await manage('PATCH', '/accounts/acc_0', { name: 'A' })).status).toBe(404);
    expect((await manage('GET', '/accounts/acc_0')).status).toBe(404);
    expect((await manage('GET', '/accounts/%00')).status).toBe(400);
    expect((await manage('GET', '/accounts?cursor=%00')).status).toBe(400);
    expect((await manage('POST', '/accounts/acc_0/keys')).status).toBe(404);
  });
});

test('a key shows its own last use only', async () => {
  const { manage, openAccount } = await openShop();
  const { id, api_key } = await openAccount();
  const unused = (await manage('POST', `/accounts/${id}/keys`)).body.data;
  await openAccount();
  const { data } = (await manage('GET', `/accounts/${id}/keys`)).body;
  const lastUses = data.map((key: { api_key: string; last_used_at: string | null }) => [key.api_key, key.last_used_at]);
  expect(Object.fromEntries(lastUses)).toEqual({ [api_key]: '2026-11-21T08:53:00.000Z', [unused.api_key]: null });
});

test('a key’s secret is shown once and kept as a hash; a revoked key stays revoked', async () => {
  const { manage, openAccount, store } = await openShop();
  const { id, api_key, api_secret } = await openAccount();
  expect(api_key).toMatch(/^pk_/);
  expect(api_secret).toMatch(/^sk_.{43}$/);
  expect(JSON.stringify(await store.list('api_keys'))).not.toContain(api_secret);
  const list = await manage('GET', `/accounts/${id}/keys`);
  expect(list.text).not.toContain('secret');
  expect(list.body.data).toMatchObject([{ api_key, account_id: id, last_used_at: '2026-11-21T08:53:00.000Z', revoked_at: null }]);
  const revoke = () => manage('DELETE', `/accounts/${id}/keys/${api_key}`);
  expect((await revoke()).body.data.revoked_at).toBe('2026-11-21T08:53:00.000Z');
  expect((await revoke()).status).toBe(200);
  const other = await openAccount();
  expect((await manage('DELETE', `/accounts/${id}/keys/${other.api_key}`)).status).toBe(404);
});

describe('stores', () => {
  test('are created once, listed, and read with their stock', async () => {
    const { manage } = await openShop();
    expect((await manage('POST', '/stores', { id: 'S3', name: 'Trois', city: 'Man' })).body.data).toMatchObject({
      id: 'S3',
      currency: 'XOF',
      synchronized_at: null,
    });
    const again = await manage('POST', '/stores', { id: 'S3', name: 'Autre', city: 'Man' });
    expect([again.status, again.body.error.code]).toEqual([409, 'already_exists']);
    const first = (await manage('GET', '/stores?limit=2')).body;
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual(['S1', 'S2']);
    expect((await manage('GET', `/stores?cursor=${first.next}`)).body).toMatchObject({
      data: [{ id: 'S3', name: 'Trois' }],
      next: null,
    });
    expect((await manage('GET', '/stores/S1')).body.data).toMatchObject({
      id: 'S1',
      stock: [{ product_id: 'MIL' }, { product_id: 'RIZ', low: false }],
    });
    expect((await manage('GET', '/stores/S9')).status).toBe(404);
    expect((await manage('POST', '/stores', { id: 'S 4', name: 'A', city: 'B' })).status).toBe(400);
  });

  test('replacing a product changes all its fields and sends no event', async () => {
    const { manage, events } = await openShop();
    const product = {
      product_id: 'RIZ',
      name: 'Riz brisé',
      category: 'Alimentation',
      price: 4000,
      quantity: 1,
      low_threshold: 3,
    };
    expect((await manage('POST', '/stores/S1/products', product)).body.data).toEqual({ ...product, low: true });
    expect((await manage('POST', '/stores/S9/products', product)).status).toBe(404);
    expect(await events()).toEqual([]);
  });

  test('restocking adds quantities, also for several lines of one product', async () => {
    const { manage, quantityOf, events } = await openShop();
    const line = { product_id: 'RIZ', quantity: 0.1 };
    const reply = await manage('POST', '/stores/S1/restock', { items: [line, { ...line, quantity: 0.2 }] });
    expect(reply.body.data).toMatchObject({ store_id: 'S1', items: [{ product_id: 'RIZ', quantity: 100.3 }] });
    expect(await quantityOf('RIZ')).toBe('100.3');
    const unknown = await manage('POST', '/stores/S1/restock', { items: [line, { ...line, product_id: 'X' }] });
    expect([unknown.status, unknown.body.error.details[0].field, await quantityOf('RIZ')]).toEqual([
      404,
      'items.1.product_id',
      '100.3',
    ]);
    expect(await events()).toEqual([]);
  });

  test('synchronizing replaces the stored quantities with the counted ones and sends an event', async () => {
    const { manage, quantityOf, events } = await openShop();
    const items = [
      { product_id: 'RIZ', quantity: 4 },
      { product_id: 'MIL', quantity: 50 },
    ];
    const { status, body } = await manage('POST', '/stores/S1/sync', { items });
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ id: 'S1', synchronized_at: '2026-11-21T08:53:00.000Z', products: 2, changed: 1 }),
    ]);
    expect([await quantityOf('RIZ'), await quantityOf('MIL')]).toEqual(['4', '50']);
    expect(await events()).toEqual([
      {
        type: 'inventory.low',
        subject: 'S1',
        data: { store_id: 'S1', product_id: 'RIZ', name: 'Riz 5 kg', quantity: 4, low_threshold: 10 },
      },
      {
        type: 'sync.completed',
        subject: 'S1',
        data: { store_id: 'S1', synchronized_at: '2026-11-21T08:53:00.000Z', products: 2, changed: 1 },
      },
    ]);
    expect((await manage('POST', '/stores/S1/sync', {})).body.data).toMatchObject({ products: 2, changed: 0 });
    const twice = await manage('POST', '/stores/S1/sync', { items: [items[0], items[0]] });
    expect([twice.status, twice.body.error.details[0].field]).toEqual([400, 'items.1.product_id']);
    expect((await manage('POST', '/stores/S9/sync', {})).status).toBe(404);
  });
});

test('sales are listed newest first, in pages, by store, account, status and payment method', async () => {
  const { manage, call, id, token } = await openTill();
  const sell = async (changes: object) => (await call('POST', '/pos/api/v1/sales', token, riceSale(changes))).body.data;
  const cash = await sell({});
  const mobile = await sell({ payment_method: 'mobile_money' });
  const other = await sell({ store_id: 'S2' });
  const first = (await manage('GET', '/sales?limit=2')).body;
  expect(first.data).toEqual([other, mobile].map((sale) => ({ ...sale, account_id: id })));
  expect((await manage('GET', `/sales?limit=2&cursor=${first.next}`)).body).toEqual({
    data: [{ ...cash, account_id: id }],
    next: null,
  });
  const ids = async (query: string) => (await manage('GET', `/sales?${query}`)).body.data.map((sale: { id: string }) => sale.id);
  expect(await ids('status=pending')).toEqual([mobile.id]);
  expect(await ids('store_id=S2')).toEqual([other.id]);
  expect(await ids('payment_method=cash&store_id=S1')).toEqual([cash.id]);
  expect(await ids('account_id=acc_0')).toEqual([]);
});
