import { expect, test } from 'vitest';
import type { Store } from '../../gateway/store/port.ts';
import { event, facts, tally } from './rows.ts';

const all = (store: Store) =>
  store.list('tallies', {
    order: [
      ['at', 'asc'],
      ['name', 'asc'],
    ],
  });

export function tallyTests(store: () => Store): void {
  test('stores new rows, adds to existing ones, and keeps the maximum in `greatest` columns', async () => {
    await store().tally('tallies', [
      tally('a', { total: 2, latency: '1', share: 700, limit_max: 100 }),
      tally('b', { total: 1 }),
    ]);
    await store().tally('tallies', [
      tally('c', { total: 5 }),
      tally('a', { total: 3, latency: '2000000000001', share: 600, limit_max: 1000 }),
      tally('a', { at: 60_000, total: 1 }),
    ]);
    await store().tally('tallies', []);
    expect(await all(store())).toEqual([
      tally('a', { total: 5, latency: '2000000000002', share: 700, limit_max: 1000 }),
      tally('b', { total: 1 }),
      tally('c', { total: 5 }),
      tally('a', { at: 60_000, total: 1 }),
    ]);
  });

  test('a repeated key is an error, and nothing is stored', async () => {
    await store().tally('tallies', [tally('a', { total: 1 })]);
    await expect(store().tally('tallies', [tally('a', { total: 1 }), tally('b'), tally('a', { total: 1 })])).rejects.toThrow();
    expect(await all(store())).toEqual([tally('a', { total: 1 })]);
  });

  test('a transaction that fails leaves the tallies as they were', async () => {
    await store().tally('tallies', [tally('a', { total: 1, share: 5 })]);
    const work = store().transaction(async (tx) => {
      await tx.tally('tallies', [tally('a', { total: 1, share: 9 }), tally('b', { total: 1 })]);
      await tx.tally('tallies', [tally('b', { total: 1 })]);
      throw new Error('changed its mind');
    });
    await expect(work).rejects.toThrow('changed its mind');
    expect(await all(store())).toEqual([tally('a', { total: 1, share: 5 })]);
  });

  test('concurrent writers that tally the same keys in different orders all count', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const writers = Array.from({ length: 12 }, (_, index) => {
      const rows = [...names.slice(index % 5), ...names.slice(0, index % 5)].map((name) =>
        tally(name, { total: 1, share: index }),
      );
      return store().transaction((tx) => tx.tally('tallies', rows));
    });
    await Promise.all(writers);
    expect(await all(store())).toEqual(names.map((name) => tally(name, { total: 12, share: 11 })));
  });

  test('sums of tallies are exact text for every kind of column', async () => {
    const rows = ['a', 'b'].map((name) => tally(name, { total: 2_000_000_000, latency: '7e1968' }));
    await store().tally('tallies', rows);
    await store().tally('tallies', [tally('a', { latency: '5' })]);
    expect(await store().summarize('tallies', { by: ['subject'], sum: ['total', 'latency'] })).toEqual([
      { subject: 'subject', total: '4000000000', latency: `14${'0'.repeat(1967)}5`, count: 2 },
    ]);
  });
}

export function newestTests(store: () => Store): void {
  test('returns the newest matching rows of each value, with the requested columns only', async () => {
    const rows = ['1 a x', '2 b x', '3 a y', '4 a x', '5 a x', '6 c x', '7 b y'].map((text) => {
      const [id = '', type = '', subject = ''] = text.split(' ');
      return event(id, { type, subject });
    });
    await store().append('events', rows);
    const query = { of: 'type', by: 'id', where: { subject: 'x' }, columns: ['id', 'type'], limit: 2 } as const;
    expect(await store().newest('events', { ...query, values: ['b', 'a', 'none', 'a'] })).toEqual([
      { id: '5', type: 'a' },
      { id: '4', type: 'a' },
      { id: '2', type: 'b' },
    ]);
    expect(await store().newest('events', { ...query, values: [] })).toEqual([]);
  });

  test('a bounded count stops at its bound', async () => {
    await store().append('facts', facts(['a', 'b', 'c']));
    const counts = [2, 3, 4].map((atMost) => store().count('facts', {}, { atMost }));
    expect(await Promise.all(counts)).toEqual([2, 3, 3]);
    expect(await store().count('facts', { name: { gt: 'b' } }, { atMost: 2 })).toBe(1);
  });
}
