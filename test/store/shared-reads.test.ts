import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { type Query, StoreUnavailable } from '../../gateway/store/port.ts';
import { SharedReads } from '../../gateway/store/shared-reads.ts';
import { event, fact } from './rows.ts';

/** Reads from a store that notes each statement, and fails those that `fail` finds an error for. */
async function reads(fail: (keys: readonly string[]) => Error | undefined = () => undefined) {
  const store = new MemoryStore();
  await store.insert('facts', [fact('a', 'one', 1), fact('b', 'two', 2), fact('c', 'two', 3)]);
  const statements: string[][] = [];
  const note = (...keys: string[]) => {
    statements.push(keys);
    const error = fail(keys);
    if (error) throw error;
  };
  const shared = new SharedReads({
    async get(table, where) {
      note((where as { name: string }).name);
      return store.get(table, where);
    },
    async list(table, query) {
      note(...((query as Query<'facts'>).where as { name: { in: string[] } }).name.in);
      return store.list(table, query);
    },
  });
  const value = async (name: string, others = {}) => (await shared.get('facts', { name, ...others }))?.value;
  return { shared, statements, value };
}

test('reads of one turn of the event loop share a statement, and each has its own row', async () => {
  const { shared, statements, value } = await reads();
  expect(await Promise.all(['a', 'none', 'b', 'a'].map((name) => value(name)))).toEqual(['one', undefined, 'two', 'one']);
  expect(statements).toEqual([['a', 'none', 'b']]);
  const [one, same] = await Promise.all([shared.get('facts', { name: 'a' }), shared.get('facts', { name: 'a' })]);
  expect(one).toEqual(same);
  expect(one).not.toBe(same);
});

test('reads that begin in callbacks of the same turn share a statement too', async () => {
  const { statements, value } = await reads();
  const later = new Promise((resolve) => process.nextTick(() => resolve(value('b'))));
  expect(await Promise.all([value('a'), later])).toEqual(['one', 'two']);
  expect(statements).toEqual([['a', 'b']]);
});

test('a read on its own is the statement it was, and the next turn has a statement of its own', async () => {
  const { statements, value } = await reads();
  expect([await value('a'), await value('b')]).toEqual(['one', 'two']);
  expect(statements).toEqual([['a'], ['b']]);
});

test('reads with other conditions beside the key have a statement of their own', async () => {
  const { statements, value } = await reads();
  const two = { value: 'two' };
  expect(await Promise.all([value('a', two), value('b', two), value('a')])).toEqual([undefined, 'two', 'one']);
  expect(statements).toEqual([['a', 'b'], ['a']]);
});

test('a statement has at most 100 keys', async () => {
  const { statements, value } = await reads();
  await Promise.all(Array.from({ length: 150 }, (_, index) => value(`${index}`)));
  expect(statements.map(({ length }) => length)).toEqual([100, 50]);
});

test('reads by anything but one key are not shared', async () => {
  const { shared } = await reads();
  expect(shared.get('facts', { value: 'one' })).toBe(undefined);
  expect(shared.get('facts', { name: { in: ['a'] } })).toBe(undefined);
  expect(shared.get('events', { id: event('x').id })).toBeInstanceOf(Promise);
});

describe('when the statement fails', () => {
  test('a key that the database refuses fails its own read only', async () => {
    const refused = new Error('invalid byte sequence');
    const { value } = await reads((keys) => (keys.includes('bad') ? refused : undefined));
    const results = await Promise.allSettled([value('a'), value('bad'), value('b')]);
    expect(results.map((one) => (one.status === 'fulfilled' ? one.value : one.reason))).toEqual(['one', refused, 'two']);
  });

  test('because the store is away, every read fails, and no further statement is sent', async () => {
    const { statements, value } = await reads(() => new StoreUnavailable('away'));
    const results = await Promise.allSettled([value('a'), value('b')]);
    expect(results.map((one) => one.status === 'rejected' && one.reason.name)).toEqual(['StoreUnavailable', 'StoreUnavailable']);
    expect(statements.length).toBe(1);
  });
});
