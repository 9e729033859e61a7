import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { restoreDatabase } from '../../gateway/start/prepared-database.ts';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';
import { until } from '../e2e/process.ts';
import { mountSmallDisk, type SmallDisk } from '../small-disk.ts';

async function openPool({ folder }: SmallDisk): Promise<PglitePool> {
  const path = join(folder, 'postgres');
  await restoreDatabase(path);
  const pool = await PglitePool.open(path);
  onTestFinished(() => pool.end());
  return pool;
}

const codeOf = (error: { code?: string }) => error.code;
const run = (pool: { query(text: string): Promise<unknown> }, text: string) => pool.query(text).then(() => 'done', codeOf);

/** Adds to the write-ahead log and nothing else, so that it is the log that cannot grow. Also runs if writes are refused. */
const growLog = "select pg_logical_emit_message(false, '', repeat('x', 1000000))";

test('the log cannot grow: statements fail at once, and the database opens again without a restart', async (context) => {
  const disk = mountSmallDisk(200);
  if (!disk) return context.skip('a tmpfs cannot be mounted here');
  const pool = await openPool(disk);
  const events: string[] = [];
  for (const event of ['lost', 'reopened']) pool.on(event, () => events.push(event));
  await pool.query('create schema chosen');
  await pool.query('set search_path to chosen');
  await pool.query('create table kept (n integer)');
  await pool.query('insert into kept values (1)');

  const client = await pool.connect();
  disk.fill();
  await client.query('begin');
  const inTransaction = await until(async () => {
    const code = await run(client, growLog);
    return code !== 'done' && code;
  });
  expect(inTransaction).toBe('57P03');
  // The rest of a lost transaction must not run by itself in the new database.
  expect(await run(client, 'insert into kept values (2)')).toBe('57P03');
  expect(await run(client, 'commit')).toBe('57P03');
  expect(await run(pool, 'select 1')).toBe('57P03');
  client.release();

  disk.free();
  await until(async () => events.includes('reopened'));
  await until(async () => (await run(pool, 'insert into kept values (3)')) === 'done');
  expect((await pool.query('select n from kept order by n')).rows).toEqual([{ n: 1 }, { n: 3 }]);
  await pool.end();
});

test('on a full disk reads go on and writes are refused', async (context) => {
  const disk = mountSmallDisk(200);
  if (!disk) return context.skip('a tmpfs cannot be mounted here');
  const pool = await openPool(disk);
  await pool.query('create table kept (n integer)');
  disk.fill();
  await until(async () => (await run(pool, 'insert into kept values (1)')) === '25006');
  const client = await pool.connect();
  await client.query('begin');
  expect(await run(client, 'insert into kept values (2)')).toBe('25006');
  await client.query('rollback');
  client.release();
  await pool.query('select n from kept');
  disk.free();
  await pool.query('insert into kept values (3)');
  expect((await pool.query('select n from kept')).rows).toContainEqual({ n: 3 });
});
