import { beforeEach, describe, expect, test } from 'vitest';
import { type Store, StoreUnavailable } from '../../gateway/store/port.ts';
import type { TableName } from '../../gateway/store/tables/index.ts';
import { conditionTests } from './conditions.ts';
import { expiryTests } from './expiring.ts';
import { listTests, summaryTests } from './reading.ts';
import { newestTests, tallyTests } from './tallying.ts';
import { transactionTests } from './transactions.ts';
import { valueTests } from './values.ts';
import { insertTests, removeTests, updateTests } from './writing.ts';

const touched: TableName[] = [
  'facts',
  'stock',
  'tokens',
  'users',
  'events',
  'deliveries',
  'endpoints',
  'indicators',
  'reports',
  'tallies',
  'calls',
  'attempts',
];

/** Empties the tables that these tests use. One database serves a whole file. */
export async function empty(store: Store): Promise<void> {
  for (const table of touched) await store.remove(table, {});
}

/** The tests of every adapter of the Store port. `open` is called for each test and may return the same store. */
export function storeConformance(name: string, open: () => Store): void {
  describe(name, () => {
    let store: Store;
    beforeEach(async () => {
      store = open();
      await empty(store);
    });
    const current = () => store;
    describe('values', () => valueTests(current));
    describe('insert and append', () => insertTests(current));
    describe('conditions', () => conditionTests(current));
    describe('list', () => listTests(current));
    describe('summarize and count', () => summaryTests(current));
    describe('update', () => updateTests(current));
    describe('tally', () => tallyTests(current));
    describe('newest', () => newestTests(current));
    describe('remove', () => removeTests(current));
    describe('expire', () => expiryTests(current));
    describe('transactions', () => transactionTests(current));
  });
}

/** Tests a closed store, so it needs a store of its own. */
export function closingConformance(name: string, open: () => Promise<Store>): void {
  test(`${name}: after closing, calls throw StoreUnavailable`, async () => {
    const store = await open();
    await store.close();
    await expect(store.ping()).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.list('facts')).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.transaction((tx) => tx.list('facts'))).rejects.toBeInstanceOf(StoreUnavailable);
  });
}
