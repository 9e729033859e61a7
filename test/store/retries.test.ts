import { expect, test } from 'vitest';
import { StoreTooSlow, StoreUnavailable } from '../../gateway/store/port.ts';
import { kyselyOn } from '../../gateway/store/sql/connection.ts';
import { SqlStore } from '../../gateway/store/sql/store.ts';
import { fact } from './rows.ts';

/** A store on a database that fails the first `failures` inserts (or other statements) with this SQLSTATE. `statements` lists what it was sent. */
function failingStore(code: string, failures: number, failing = 'insert') {
  const statements: string[] = [];
  const query = async ({ text }: { text: string }) => {
    const command = text.split(' ')[0] ?? '';
    statements.push(command);
    if (command === failing && failures-- > 0) throw Object.assign(new Error('the database gave up'), { code });
    // The server skips what follows in the same message.
    if (failing === 'start' && command === 'insert') throw Object.assign(new Error('skipped'), { code: '25P02' });
    return { command: 'INSERT', rowCount: 1, rows: [] };
  };
  const client = { query, release: () => {} };
  const pool = { connect: async () => client, end: async () => {} } as never;
  return { store: new SqlStore(pool, kyselyOn(pool)), statements };
}

const insertOne = (store: SqlStore) => store.transaction((tx) => tx.append('facts', [fact('a')]).then(() => 'done'));

test.each(['40P01', '40001'])('a transaction that fails with %s is rolled back and runs again', async (code) => {
  const { store, statements } = failingStore(code, 1);
  expect(await insertOne(store)).toBe('done');
  expect(statements).toEqual(['start', 'insert', 'rollback', 'start', 'insert', 'commit']);
});

test('a transaction that deadlocks four times throws the error', async () => {
  const { store, statements } = failingStore('40P01', 4);
  await expect(insertOne(store)).rejects.toMatchObject({ code: '40P01' });
  expect(statements.filter((command) => command === 'insert')).toHaveLength(4);
});

test.each(['23502', '08006'])('a transaction that fails with %s does not run again', async (code) => {
  const { store, statements } = failingStore(code, 1);
  await expect(insertOne(store)).rejects.toThrow();
  expect(statements).toEqual(['start', 'insert', 'rollback']);
});

test('a transaction that cannot begin throws the error of its begin, and sends no commit', async () => {
  const { store, statements } = failingStore('57P01', 1, 'start');
  await expect(insertOne(store)).rejects.toBeInstanceOf(StoreUnavailable);
  expect(statements).toEqual(['start', 'insert', 'rollback']);
});

test.each([
  ['57014', true],
  ['08006', false],
])('a read that fails with %s tells a query that took too long from a database that is away: %s', async (code, isTooSlow) => {
  const { store } = failingStore(code, 1, 'select');
  const error = await store.list('facts').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StoreUnavailable);
  expect(error instanceof StoreTooSlow).toBe(isTooSlow);
});
