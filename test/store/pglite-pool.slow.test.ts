import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { afterCall, asCall } from '../../gateway/base/in-call.ts';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';
import { vacuumTables } from '../../gateway/store/pglite/upkeep.ts';

let pool: PglitePool;
beforeAll(async () => {
  pool = await PglitePool.open('memory://');
  await pool.query('create table numbers (n integer primary key)');
});
beforeEach(() => pool.query('delete from numbers'));
afterAll(() => pool.end());

const numbers = async () => (await pool.query<{ n: number }>('select n from numbers order by n')).rows.map(({ n }) => n);
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('statements of other clients wait for a transaction and do not become part of it', async () => {
  const [one, two] = [await pool.connect(), await pool.connect()];
  await one.query('begin');
  await one.query('insert into numbers values (1)');
  let done = '';
  const others = [pool.query('insert into numbers values (2)'), two.query('insert into numbers values (3)')];
  for (const other of others) void other.then(() => (done += 'other '));
  await one.query('insert into numbers values (4)');
  await nextTurn();
  done += 'rollback ';
  await one.query('rollback');
  await Promise.all(others);
  expect(done).toBe('rollback other other ');
  expect(await numbers()).toEqual([2, 3]);
  one.release();
  two.release();
});

test('calls and the gateway’s own work have the connection in turns', async () => {
  const client = await pool.connect();
  await client.query('begin');
  const order: string[] = [];
  const ask = (name: string) => pool.query('select 1').then(() => order.push(name));
  const calls = ['call 1', 'call 2', 'call 3', 'call 4', 'call 5'].map((name) => asCall(() => ask(name)));
  // What a call leaves behind is no longer the call.
  const own = [ask('own 1'), asCall(() => afterCall(() => ask('own 2')))];
  await client.query('commit');
  await Promise.all([...calls, ...own]);
  expect(order).toEqual(['call 1', 'own 1', 'call 2', 'own 2', 'call 3', 'call 4', 'call 5']);
  client.release();
});

test('a rollback to a savepoint does not end the transaction', async () => {
  const client = await pool.connect();
  for (const text of [
    'begin',
    'insert into numbers values (1)',
    'savepoint s',
    'insert into numbers values (2)',
    'rollback to s',
  ]) {
    await client.query(text);
  }
  const other = pool.query('insert into numbers values (3)');
  await client.query('insert into numbers values (4)');
  await client.query('rollback');
  await other;
  expect(await numbers()).toEqual([3]);
  client.release();
});

test('a transaction that its client abandons is rolled back, and the next one begins', async () => {
  const client = await pool.connect();
  await client.query('begin');
  await client.query('insert into numbers values (1)');
  client.release();
  await pool.query('insert into numbers values (2)');
  expect(await numbers()).toEqual([2]);
});

test('a client that is released while its transaction waits to begin leaves nothing behind', async () => {
  const [one, two] = [await pool.connect(), await pool.connect()];
  await one.query('begin');
  const begun = two.query('begin').catch(() => undefined);
  two.release();
  await one.query('commit');
  await begun;
  one.release();
  await pool.query('insert into numbers values (1)');
  expect(await numbers()).toEqual([1]);
});

test('a notification reaches every client that is connected', async () => {
  const [one, two, released] = [await pool.connect(), await pool.connect(), await pool.connect()];
  const heard: unknown[] = [];
  for (const client of [one, two, released]) client.on('notification', (notification) => heard.push(notification));
  released.release();
  await one.query('listen news');
  await two.query("select pg_notify('news', 'hello')");
  await pool.query('select 1');
  expect(heard).toEqual([
    { channel: 'news', payload: 'hello' },
    { channel: 'news', payload: 'hello' },
  ]);
  await one.query('unlisten news');
  one.release();
  two.release();
});

test('end waits for the running transaction, then refuses statements; a second end is harmless', async () => {
  const own = await PglitePool.open('memory://');
  const client = await own.connect();
  await client.query('begin');
  const ended = Promise.all([own.end(), own.end()]);
  const late = own.query('select 1').catch((error: Error) => error.message);
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await client.query('commit');
  client.release();
  await ended;
  expect(await late).toContain('closed');
  await expect(own.connect()).rejects.toThrow('closed');
  await own.end();
});

test('tables that grew or changed are vacuumed once, and again after more changes', async () => {
  await pool.query('create schema passerelle');
  await pool.query('create table passerelle.grown as select n, repeat($1, 500) as filler from generate_series(1, 6000) n', ['x']);
  await pool.query('create table passerelle.small as select 1 as n');
  await pool.query('select pg_stat_force_next_flush()');
  const size = async () =>
    (await pool.query<{ bytes: string }>("select pg_relation_size('passerelle.grown') as bytes")).rows[0]?.bytes;
  expect(await vacuumTables(pool)).toEqual(['passerelle.grown']);
  const known = "select count(*)::integer as columns from pg_stats where schemaname = 'passerelle'";
  expect((await pool.query(known)).rows).toEqual([{ columns: 2 }]);
  expect(await vacuumTables(pool)).toEqual([]);

  // New rows use the space of removed ones, so the table does not grow.
  const before = await size();
  await pool.query('delete from passerelle.grown where n % 2 = 0');
  await pool.query('select pg_stat_force_next_flush()');
  expect(await vacuumTables(pool)).toEqual(['passerelle.grown']);
  await pool.query("insert into passerelle.grown select n, repeat('y', 500) from generate_series(1, 2900) n");
  expect(await size()).toBe(before);
});
