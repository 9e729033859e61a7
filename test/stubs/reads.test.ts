import { expect, test } from 'vitest';
import { aSale, call, openStub, signIn } from './partner.ts';

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
