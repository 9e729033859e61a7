import { afterAll, describe } from 'vitest';
import { openLog } from '../gateway/base/log.ts';
import { MemoryStore } from '../gateway/store/memory/store.ts';
import type { Store } from '../gateway/store/port.ts';
import { openPostgres } from '../gateway/store/sql/postgres.ts';
import { createDatabase, onScale } from './scale/services.ts';
import { sharedPglite, sharedStore } from './shared-pglite.ts';

/** Gets a function that returns a store without rows, and how often a property test runs. */
type Tests = (emptyStore: () => Promise<Store>, runs: number) => void;

/** Runs the tests on each store: memory, PGlite, and PostgreSQL under `.ci/scale`. */
export function onEveryStore(story: string, tests: Tests): void {
  onMemoryAndPostgres(story, tests);
  describe(`${story} (PGlite)`, () => tests(sharedPglite(), 3));
}

/** Runs tests of many calls, which take minutes on PGlite. It executes the same statements as PostgreSQL. */
export function onMemoryAndPostgres(story: string, tests: Tests): void {
  describe(`${story} (memory)`, () => tests(async () => new MemoryStore(), 10));
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
