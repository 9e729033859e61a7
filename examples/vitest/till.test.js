// Tests a client of the point of sale against its own stub. Each test starts with the same data.
import { startStub } from 'passerelle';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openTill } from './till.js';

const stub = await startStub('pos');
beforeEach(() => stub.reset());
afterAll(() => stub.close());

const rice = { product_id: 'PRD-0001', quantity: 2, price: 4500 };

test('a sale is sent once, as the API requires', async () => {
  const till = await openTill(stub.url, stub.credentials);
  expect(await till.sell('STORE-ABJ-01', [rice])).toMatchObject({ status: 'completed', total: 9000 });
  expect(stub.calls({ operation: 'createSale', status: 201 })).toHaveLength(1);
});

test('a failed sale is retried, and sold once', async () => {
  stub.faults.add('createSale:status=503,times=2');
  const till = await openTill(stub.url, stub.credentials);
  expect(await till.sell('STORE-ABJ-01', [rice])).toMatchObject({ status: 'completed' });
  expect(stub.calls({ operation: 'createSale' }).map(({ status }) => status)).toEqual([503, 503, 201]);
});
