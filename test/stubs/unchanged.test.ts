import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { repeatUnchanged } from '../../stubs/unchanged.ts';
import { aSale, call, openStub, signIn } from './partner.ts';

/** An app with one read of the store. `during` runs while the reply is composed. */
function reading({ during = () => {}, readsStoreOnly = true }: { during?: () => void; readsStoreOnly?: boolean } = {}) {
  const store = { version: 1, composed: 0 };
  const app = Fastify();
  app.decorateRequest('caller', null);
  repeatUnchanged(app, store);
  app.addHook('onRequest', async (request) => {
    request.caller = { id: String(request.headers.caller) };
  });
  app.get('/things', { config: { readsStoreOnly } }, async (request, reply) => {
    store.composed += 1;
    during();
    if ((request.query as { id?: string }).id === 'none') reply.code(404);
    return { composed: store.composed };
  });
  const read = async (url = '/things', caller = 'one') => (await app.inject({ url, headers: { caller } })).json().composed;
  return { store, app, read };
}

test('another caller, another URL, a refusal and a read of more than the store are composed anew', async () => {
  const { read } = reading();
  expect([await read(), await read('/things', 'two'), await read('/things?id=1')]).toEqual([1, 2, 3]);
  expect([await read('/things?id=none'), await read('/things?id=none')]).toEqual([4, 5]);
  const clocked = reading({ readsStoreOnly: false });
  expect([await clocked.read(), await clocked.read()]).toEqual([1, 2]);
});

test('a reply that a write met while it was composed is not sent again', async () => {
  const writes = [1, 0, 0];
  const { store, read } = reading({
    during() {
      store.version += writes.shift() ?? 0;
    },
  });
  expect([await read(), await read(), await read()]).toEqual([1, 2, 2]);
});

test('a stub shows what any part of it wrote, at once, and records each call', async () => {
  const stub = await openStub('pos');
  const token = await signIn(stub);
  const read = async () => {
    const { body } = await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token });
    return body.data.items.find((item: { product_id: string }) => item.product_id === 'PRD-0001').quantity;
  };
  const before = await read();
  expect(await read()).toBe(before);
  await call(stub, 'POST', '/api/v1/sales', { token, body: aSale(3) });
  expect(await read()).toBe(before - 3);
  await stub.trigger('inventory.low', undefined, { on: 'PRD-0001' });
  expect(await read()).toBeLessThan(before - 3);
  await stub.reset();
  expect(await read()).toBe(before);

  const reads = stub.calls({ operation: 'readInventory', status: 200 });
  expect(reads).toHaveLength(1);
  expect(JSON.parse(reads[0]?.responseBody ?? '').data.items).toContainEqual(expect.objectContaining({ quantity: before }));
  expect((await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token: 'wrong' })).status).toBe(401);
});
