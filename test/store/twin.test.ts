import { expect, test } from 'vitest';
import { MemoryStore } from '../../gateway/store/memory/store.ts';

const structure = (nom: string) => ({
  nom,
  sigle: null,
  type: 'ong' as const,
  region: '',
  active: true,
  created_at: 0,
  search: nom,
  region_search: '',
});

test('what a twin changes is returned and undone, with serial numbers, while the store waits', async () => {
  const store = new MemoryStore();
  const twin = new MemoryStore({}, store);
  await store.append('structures', [structure('a'), structure('b')]);
  const before = await store.list('structures', { order: [['id', 'asc']] });
  let waiting: Promise<number> | undefined;
  const written = await store.lend(twin, async (undo) => {
    waiting = store.count('structures');
    await twin.remove('structures', { id: 1 });
    await twin.insert('structures', [structure('c')]);
    expect((await twin.list('structures')).map(({ id }) => id)).toEqual([2, 3]);
    const first = undo();
    await twin.insert('structures', [structure('d')]);
    return [first, undo()];
  });
  const ids = written.map((one) => one.map(({ table, before, after }) => [table, before?.id, after?.id]));
  expect(ids).toEqual([
    [
      ['structures', 1, undefined],
      ['structures', undefined, 3],
    ],
    [['structures', undefined, 3]],
  ]);
  expect([await waiting, await store.list('structures', { order: [['id', 'asc']] })]).toEqual([2, before]);
  const failing = store.lend(twin, async () => {
    await twin.remove('structures', {});
    throw new Error('stopped');
  });
  await expect(failing).rejects.toThrow('stopped');
  expect(await store.list('structures', { order: [['id', 'asc']] })).toEqual(before);
});
