import { expect, test } from 'vitest';
import { illegalMove } from '../../gateway/base/errors.ts';
import { type Store, StoreConflict } from '../../gateway/store/port.ts';
import { fact, stock, user } from './rows.ts';

export function transactionTests(store: () => Store): void {
  test('returns the result of the work, and its changes are stored', async () => {
    const name = await store().transaction(async (tx) => (await tx.insert('facts', [fact('a')]))[0]?.name);
    expect(name).toBe('a');
    expect(await store().count('facts')).toBe(1);
  });

  test('work that throws changes nothing', async () => {
    await store().insert('facts', [fact('kept', 'x'), fact('gone', 'y')]);
    await store().insert('users', [user('kept')]);
    const before = [await store().list('facts', { order: [['name', 'asc']] }), await store().list('users')];
    const work = store().transaction(async (tx) => {
      await tx.insert('facts', [fact('new')]);
      await tx.update('facts', { name: 'kept' }, { value: 'changed' });
      await tx.update('facts', { name: 'kept' }, { name: 'moved', value: 'again' });
      await tx.remove('facts', { name: 'gone' });
      await tx.insert('facts', [fact('gone', 'another'), fact('kept', 'another')]);
      await tx.update('users', { email: 'kept' }, { email: 'changed' });
      await tx.append('users', [user('kept')]);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect([await store().list('facts', { order: [['name', 'asc']] }), await store().list('users')]).toEqual(before);
    await expect(store().insert('users', [user('kept')])).rejects.toBeInstanceOf(StoreConflict);
    await store().insert('users', [user('changed')]);
  });

  test('an error that the work throws is not translated, whatever its message or code', async () => {
    const refusals = [
      illegalMove('cannot terminate after a timeout', []),
      new StoreConflict('facts', 'mine'),
      Object.assign(new Error('odd'), { code: '08006' }),
    ];
    for (const refusal of refusals) {
      const thrown = await store()
        .transaction(async () => Promise.reject(refusal))
        .catch((error: unknown) => error);
      expect(thrown).toBe(refusal);
    }
  });

  test('a failed statement cannot be ignored: the transaction throws and stores nothing', async () => {
    await store().insert('facts', [fact('a')]);
    const work = store().transaction(async (tx) => {
      await tx.insert('facts', [fact('b')]);
      await tx.insert('facts', [fact('a')]).catch(() => undefined);
    });
    await expect(work).rejects.toBeInstanceOf(StoreConflict);
    expect(await store().list('facts')).toEqual([fact('a')]);
    const onward = store().transaction(async (tx) => {
      await tx.insert('facts', [fact('a')]).catch(() => undefined);
      await tx.count('facts');
    });
    await expect(onward).rejects.toThrow();
  });

  test('statements that the work does not wait for run in order, and are stored with it', async () => {
    const found = await store().transaction(async (tx) => {
      tx.append('facts', [fact('a')]).catch(() => undefined);
      tx.update('facts', { name: 'a' }, { value: 'b' }).catch(() => undefined);
      const seen = tx.list('facts');
      tx.append('users', [user('a')], { table: 'facts', rows: [fact('c')] }).catch(() => undefined);
      return { seen };
    });
    expect(await found.seen).toEqual([fact('a', 'b')]);
    expect(await store().count('facts')).toBe(2);
    expect(await store().count('users')).toBe(1);
  });

  test('a failed statement that the work did not wait for fails the transaction, which stores nothing', async () => {
    await store().insert('facts', [fact('a')]);
    const work = store().transaction(async (tx) => {
      tx.append('facts', [fact('b')]).catch(() => undefined);
      tx.append('facts', [fact('a')]).catch(() => undefined);
      tx.append('users', [user('c')]).catch(() => undefined);
      return 'done';
    });
    await expect(work).rejects.toBeInstanceOf(StoreConflict);
    expect(await store().list('facts')).toEqual([fact('a')]);
    expect(await store().count('users')).toBe(0);
    await store().transaction((tx) => tx.append('facts', [fact('b')]));
    expect(await store().count('facts')).toBe(2);
  });

  test('a statement after one that the work did not wait for throws the error of the earlier one', async () => {
    await store().insert('facts', [fact('a')]);
    const work = store().transaction(async (tx) => {
      tx.append('facts', [fact('a')]).catch(() => undefined);
      return tx.count('users');
    });
    await expect(work).rejects.toBeInstanceOf(StoreConflict);
  });

  test('statements of one turn that one transaction sends together fail from the first failure on', async () => {
    await store().insert('facts', [fact('a')]);
    let outcomes: string[] = [];
    const work = store().transaction(async (tx) => {
      const results = await Promise.allSettled([tx.count('facts'), tx.append('facts', [fact('a')]), tx.count('facts')]);
      outcomes = results.map(({ status }) => status);
    });
    await expect(work).rejects.toBeInstanceOf(StoreConflict);
    expect(outcomes).toEqual(['fulfilled', 'rejected', 'rejected']);
    // The connection of the failed batch is used again, and so are its prepared statements.
    for (const name of ['b', 'c', 'd']) await store().transaction((tx) => tx.append('facts', [fact(name)]));
    expect(await store().count('facts')).toBe(4);
  });

  test('the caller gets the error that the work throws after a failed statement', async () => {
    await store().insert('facts', [fact('a')]);
    const refusal = new Error('there is such a fact');
    const work = store().transaction(async (tx) => {
      await tx.insert('facts', [fact('a')]).catch(() => Promise.reject(refusal));
    });
    expect(await work.catch((error: unknown) => error)).toBe(refusal);
  });

  test('two concurrent transactions that read and then write one row lose no update', async () => {
    await store().insert('stock', [stock('a', { quantity: '0' })]);
    const take = () =>
      store().transaction(async (tx) => {
        const row = await tx.get('stock', { store_id: 'STORE-1', product_id: 'a' }, { lock: true });
        await new Promise((resolve) => setImmediate(resolve));
        await tx.update('stock', { store_id: 'STORE-1', product_id: 'a' }, { quantity: String(Number(row?.quantity) + 1) });
      });
    await Promise.all(Array.from({ length: 20 }, take));
    expect(await store().get('stock', { product_id: 'a' })).toMatchObject({ quantity: '20' });
  });

  test('two concurrent transactions that lock rows in key order do not deadlock', async () => {
    await store().insert(
      'stock',
      ['a', 'b', 'c'].map((id) => stock(id, { quantity: '0' })),
    );
    const take = (ids: string[]) =>
      store().transaction(async (tx) => {
        await tx.list('stock', {
          where: { store_id: 'STORE-1', product_id: { in: ids } },
          order: [['product_id', 'asc']],
          lock: true,
        });
        await tx.update('stock', { store_id: 'STORE-1', product_id: { in: ids } }, { quantity: { add: '1' } });
      });
    await Promise.all([take(['a', 'b']), take(['b', 'a']), take(['c', 'a']), take(['a', 'c', 'b'])]);
    const rows = await store().list('stock', { order: [['product_id', 'asc']] });
    expect(rows.map(({ quantity }) => quantity)).toEqual(['4', '3', '2']);
  });

  test('two concurrent inserts of one key: one stores it, the other ignores it', async () => {
    const insert = () => store().transaction((tx) => tx.insert('facts', [fact('once')], { onConflict: 'ignore' }));
    const stored = await Promise.all([insert(), insert(), insert()]);
    expect(stored.map((rows) => rows.length).toSorted()).toEqual([0, 0, 1]);
  });

  test('the changes of a transaction are invisible before it ends', async () => {
    let seen: Promise<number> | undefined;
    const work = store().transaction(async (tx) => {
      await tx.insert('facts', [fact('a')]);
      seen = store().count('facts');
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await seen).toBe(0);
  });

  test('alone: one at a time for each name; other names are not affected', async () => {
    const [inside, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = store().alone('work', () => {
      inside.resolve();
      return held.promise;
    });
    await inside.promise;
    expect(await store().alone('work', async () => expect.unreachable())).toBe(false);
    expect(await store().alone('other work', async () => {})).toBe(true);
    held.resolve();
    expect(await first).toBe(true);
    await expect(store().alone('work', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await store().alone('work', async () => {})).toBe(true);
  });

  test('a snapshot sees the store as of its first read', async () => {
    await store().insert('facts', [fact('a')]);
    const seen = await store().transaction(
      async (tx) => {
        const before = await tx.count('facts');
        const other = store().insert('facts', [fact('b')]);
        await Promise.race([other, new Promise((resolve) => setImmediate(resolve))]);
        return { before, after: await tx.count('facts'), other };
      },
      { snapshot: true },
    );
    expect(seen).toMatchObject({ before: 1, after: 1 });
    await seen.other;
    expect(await store().count('facts')).toBe(2);
  });
}
