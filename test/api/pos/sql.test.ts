import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedPos } from '../../../gateway/api/pos/seed.ts';
import { MemoryStore } from '../../../gateway/store/memory/store.ts';
import type { Store } from '../../../gateway/store/port.ts';
import { openSqlStore } from '../../../gateway/store/sql/store.ts';
import { openEmptyPglite } from '../../pglite.ts';
import { openShop, riceSale, startMs } from './harness.ts';

let sqlStore: Store;
beforeAll(async () => {
  sqlStore = await openSqlStore(await openEmptyPglite());
});
afterAll(() => sqlStore.close());

/** The rows that a day of sales stores, without random ids and references. */
async function day(store: Store) {
  const { call, manage, openAccount, events, quantityOf } = await openShop(store);
  await store.transaction((tx) => seedPos(tx, startMs));
  const { token } = await openAccount();
  const sell = (changes: object, headers?: Record<string, string>) =>
    call('POST', '/pos/api/v1/sales', token, riceSale(changes), headers);
  const items = [
    { product_id: 'RIZ', quantity: 90.1, price: 0.1 },
    { product_id: 'MIL', quantity: 45, price: 0.2 },
  ];
  const twice = await Promise.all(
    [1, 2, 3].map(() => sell({ items, payment_method: 'mobile_money', total: 18.01 }, { 'idempotency-key': 'k' })),
  );
  const { reference } = twice[0]?.body.data ?? {};
  const reused = await sell({}, { 'idempotency-key': 'k' });
  const short = await Promise.all([
    sell({ items: [{ ...items[0], quantity: 6 }], total: 0.6 }),
    sell({ items: [{ ...items[0], quantity: 6 }], total: 0.6 }),
  ]);
  const pay = (amount: number) =>
    call('POST', '/pos/api/v1/payment/mobile', token, { amount, phone: '0700000000', provider: 'mtn_momo', reference });
  const paid = await Promise.all([pay(8.01), pay(10), pay(1)]);
  await manage('POST', '/stores/S1/restock', { items: [{ product_id: 'RIZ', quantity: 0.2 }] });
  const sync = await manage('POST', '/stores/S1/sync', { items: [{ product_id: 'MIL', quantity: 5 }] });
  const read = async (path: string) => (await call('GET', `/pos/api/v1${path}`, token)).body;
  return {
    statuses: [...twice, reused, ...short, ...paid, sync].map(({ status }) => status),
    sales: new Set(twice.map(({ text }) => text)).size,
    remaining: paid.map(({ body }) => body.data?.sale.remaining),
    events: (await events()).map(({ type, subject }) => [type, subject]),
    quantities: [await quantityOf('RIZ'), await quantityOf('MIL')],
    inventory: await read('/inventory?store_id=S1'),
    report: await read('/reports/sales?store_id=S1'),
    seeded: await read('/reports/sales?store_id=STORE-ABJ-01'),
    counts: await Promise.all(
      (['sales', 'sale_items', 'payments', 'idempotency_keys', 'stock'] as const).map((table) => store.count(table)),
    ),
  };
}

test('a day of sales stores the same rows in memory and in SQL', async () => {
  const memory = await day(new MemoryStore());
  expect(memory.statuses).toEqual([201, 201, 201, 400, 201, 400, 201, 201, 400, 200]);
  expect(memory.sales).toBe(1);
  expect(memory.remaining).toEqual([10, 0, undefined]);
  expect(memory.report.data.totals).toEqual({ sales: 2, quantity: 141.1, amount: 18.61 });
  expect(memory.seeded.data.totals.sales).toBeGreaterThan(80);
  expect(await day(sqlStore)).toEqual(memory);
});
