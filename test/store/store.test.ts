import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openLog } from '../../gateway/base/log.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { type Rows, type Store, StoreUnavailable } from '../../gateway/store/port.ts';
import { openPostgres } from '../../gateway/store/sql/postgres.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import { openEmptyPglite } from '../pglite.ts';
import { createDatabase, onScale } from '../scale/services.ts';
import { closingConformance, empty, storeConformance } from './conformance.ts';
import { observe, program } from './model.ts';
import { fact } from './rows.ts';

const openOnPglite = async () => openSqlStore(await openEmptyPglite());

/** One database for the whole file, because it takes seconds to start. */
let sqlStore: Store;
beforeAll(async () => {
  sqlStore = await openOnPglite();
});
afterAll(() => sqlStore.close());

storeConformance('memory', () => new MemoryStore());
storeConformance('SQL on PGlite', () => sqlStore);

test('any operations in any order have the same results on both adapters', async () => {
  const same = fc.asyncProperty(program, async (parts) => {
    await empty(sqlStore);
    expect(await observe(new MemoryStore(), parts)).toEqual(await observe(sqlStore, parts));
  });
  await fc.assert(same, { numRuns: 50 });
});

closingConformance('SQL on PGlite', openOnPglite);

onScale('SQL on PostgreSQL', () => {
  let url: string;
  let store: Store;
  const open = () => openPostgres({ url, connections: 5, log: openLog('silent') });
  beforeAll(async () => {
    const database = await createDatabase();
    url = database.url;
    store = await open();
    return async () => {
      await store.close();
      await database.drop();
    };
  });

  storeConformance('the port', () => store);
  closingConformance('a store of its own', open);

  test('any operations in any order have the same results in memory and on PostgreSQL', async () => {
    const same = fc.asyncProperty(program, async (parts) => {
      await empty(store);
      expect(await observe(new MemoryStore(), parts)).toEqual(await observe(store, parts));
    });
    await fc.assert(same, { numRuns: 15 });
  });

  test('two transactions that deadlock commit both in the end', async () => {
    await empty(store);
    await store.append('facts', [fact('a', ''), fact('b', '')]);
    const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const update = (first: string, second: string, own: 0 | 1) =>
      store.transaction(async (tx) => {
        await tx.update('facts', { name: first }, { created_at: { add: 1 } });
        locked[own].resolve();
        await locked[1 - own]?.promise;
        await tx.update('facts', { name: second }, { created_at: { add: 1 } });
      });
    await Promise.all([update('a', 'b', 0), update('b', 'a', 1)]);
    const rows = await store.list('facts', { order: [['name', 'asc']] });
    expect(rows.map(({ created_at }) => created_at)).toEqual([3, 3]);
    await empty(store);
  });

  test('a transaction waits for a row longer than one of its statements may', async () => {
    await empty(store);
    await store.append('facts', [fact('a', '')]);
    const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const add = (tx: Rows) => tx.update('facts', { name: 'a' }, { created_at: { add: 1 } });
    const holder = store.transaction(async (tx) => {
      await add(tx);
      locked.resolve();
      await free.promise;
    });
    await locked.promise;
    let runs = 0;
    const waiter = store.transaction((tx) => {
      if (++runs === 2) free.resolve();
      return add(tx);
    });
    await Promise.all([holder, waiter]);
    expect([runs, (await store.get('facts', { name: 'a' }))?.created_at]).toEqual([2, 3]);
    await empty(store);
  });

  test('a statement waits for a free connection for 30 s', async () => {
    await store.ping();
    const free = Promise.withResolvers<void>();
    const holders = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    const held = holders.map(({ resolve }) =>
      store.transaction(async (tx) => {
        await tx.count('facts');
        resolve();
        await free.promise;
      }),
    );
    await Promise.all(holders.map(({ promise }) => promise));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(async () => {
      vi.useRealTimers();
      free.resolve();
      await Promise.all(held);
    });
    const outcomes: unknown[] = [];
    const settled = store.ping().catch((error) => outcomes.push(error));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(outcomes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    await settled;
    expect(outcomes).toEqual([expect.any(StoreUnavailable)]);
  });

  test('a closed store has no connection left', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
    const before = sockets();
    const store = await open();
    await Promise.all(Array.from({ length: 20 }, () => store.count('accounts')));
    expect(sockets()).toBeGreaterThan(before);
    await store.close();
    expect(sockets()).toBeLessThanOrEqual(before);
  });
});
