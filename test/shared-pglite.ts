import { beforeAll } from 'vitest';
import { MemoryStore } from '../gateway/store/memory/store.ts';
import type { Store } from '../gateway/store/port.ts';
import { openSqlStore } from '../gateway/store/sql/store.ts';
import { type TableName, tables } from '../gateway/store/tables/index.ts';
import { openEmptyPglite } from './pglite.ts';

/** Returns the one PGlite of a test file, without any rows. It is shared because it takes seconds to start. */
export const sharedPglite = (): (() => Promise<Store>) => sharedStore(async () => openSqlStore(await openEmptyPglite()));

/** For `describe.each`: a new store in memory, and the one PGlite of a test file. Both are given without rows. */
export const memoryAndPglite = (): [name: string, emptyStore: () => Promise<Store>][] => [
  ['memory', async () => new MemoryStore()],
  ['PGlite', sharedPglite()],
];

/** Opens one store for the tests of a file or a block. Returns a function that removes its rows. */
export function sharedStore(open: () => Promise<Store>): () => Promise<Store> {
  let store: Store;
  beforeAll(async () => {
    store = await open();
    return () => store.close();
  });
  return async () => {
    // The tables that others name are last.
    for (const name of Object.keys(tables).toReversed() as TableName[]) await store.remove(name, {});
    return store;
  };
}
