import { beforeAll } from 'vitest';
import type { Store } from '../gateway/store/port.ts';
import { openSqlStore } from '../gateway/store/sql/store.ts';
import { type TableName, tables } from '../gateway/store/tables/index.ts';
import { openEmptyPglite } from './pglite.ts';

/** One PGlite for all tests of a file: it takes some seconds to start. Each that asks gets it with no row left in it. */
export function sharedPglite(): () => Promise<Store> {
  let pglite: Store;
  beforeAll(async () => {
    pglite = await openSqlStore((await openEmptyPglite()) as never);
    return () => pglite.close();
  });
  return async () => {
    for (const name of Object.keys(tables) as TableName[]) await pglite.remove(name, {});
    return pglite;
  };
}
