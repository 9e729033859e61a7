import { afterAll, describe } from 'vitest';
import { openLog } from '../gateway/base/log.ts';
import { MemoryStore } from '../gateway/store/memory/store.ts';
import type { Store } from '../gateway/store/port.ts';
import { openPostgres } from '../gateway/store/sql/postgres.ts';
import { createDatabase, onScale } from './scale/services.ts';
import { sharedPglite, sharedStore } from './shared-pglite.ts';

/**
 * Runs the tests on each store: memory, PGlite, and PostgreSQL under `.ci/scale`. A store that is asked for has no rows. `runs`
 * is for property tests, which take longer on SQL.
 */
export function onEveryStore(story: string, tests: (emptyStore: () => Promise<Store>, runs: number) => void): void {
  describe(`${story} (memory)`, () => tests(async () => new MemoryStore(), 10));
  describe(`${story} (PGlite)`, () => tests(sharedPglite(), 3));
  onScale(story, () => tests(sharedPostgres(), 10));
}

function sharedPostgres(): () => Promise<Store> {
  let drop: (() => Promise<void>) | undefined;
  afterAll(() => drop?.());
  return sharedStore(async () => {
    const database = await createDatabase();
    drop = database.drop;
    return openPostgres({ url: database.url, connections: 5, log: openLog('silent') });
  });
}
