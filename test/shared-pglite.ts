import { beforeAll } from 'vitest';
import type { Store } from '../gateway/store/port.ts';
import { openSqlStore } from '../gateway/store/sql/store.ts';
import { type TableName, tables } from '../gateway/store/tables/index.ts';
import { openEmptyPglite } from './pglite.ts';

/** Returns the one PGlite of a test file, without any rows. It is shared because it takes seconds to start. */
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
