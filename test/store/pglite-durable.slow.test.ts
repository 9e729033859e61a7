import { mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { restoreDatabase } from '../../gateway/start/prepared-database.ts';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';
import { until } from '../e2e/process.ts';

async function restored(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-durable-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'postgres');
  await restoreDatabase(path, { isDurable: true });
  return path;
}

test('a log that cannot be synced: nothing is acknowledged, and the database opens again', async () => {
  const path = await restored();
  const pool = await PglitePool.open(path, { isDurable: true });
  onTestFinished(() => pool.end());
  const run = (text: string) =>
    pool.query(text).then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );
  const events: string[] = [];
  for (const event of ['lost', 'reopened']) pool.on(event, () => events.push(event));

  const [name] = readdirSync(join(path, 'pg_wal')).filter((entry) => /^[0-9A-F]{24}$/.test(entry));
  const log = join(path, 'pg_wal', name as string);
  renameSync(log, `${log}.away`);
  symlinkSync(log, log);
  expect(await run('create table kept (n integer)')).toBe('57P03');
  rmSync(log);
  renameSync(`${log}.away`, log);
  await until(async () => events.includes('reopened'));
  expect(await run('create table if not exists kept (n integer)')).toBe('done');
  expect(await run('insert into kept values (1)')).toBe('done');
  expect((await pool.query('select n from kept')).rows).toEqual([{ n: 1 }]);
});

test('a database opens although a power cut has left an empty postmaster.pid', async () => {
  const path = await restored();
  writeFileSync(join(path, 'postmaster.pid'), '');
  const pool = await PglitePool.open(path, { isDurable: true });
  onTestFinished(() => pool.end());
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});
