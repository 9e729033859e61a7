import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packDatabase, preparedFile, restoreDatabase } from '../../gateway/start/prepared-database.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'passerelle-prepared-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** A folder in the shape of a database, packed. */
function packed() {
  const root = folder();
  const source = join(root, 'source');
  mkdirSync(join(source, 'pg_notify/empty'), { recursive: true });
  writeFileSync(join(source, 'PG_VERSION'), '18\n');
  writeFileSync(join(source, 'pg_notify/page'), Buffer.from([0, 255, 1]));
  const file = join(root, 'prepared/database.gz');
  packDatabase(source, file);
  return { root, file, target: join(root, 'postgres') };
}

test('a packed database is restored with its empty folders, readable by its owner only', async () => {
  const { file, target } = packed();
  await restoreDatabase(target, { file });
  expect(readFileSync(join(target, 'PG_VERSION'), 'utf8')).toBe('18\n');
  expect([...readFileSync(join(target, 'pg_notify/page'))]).toEqual([0, 255, 1]);
  expect(statSync(join(target, 'pg_notify/empty')).isDirectory()).toBe(true);
  expect([target, join(target, 'PG_VERSION')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
});

test('a database that exists is left alone, and what an interrupted restore left is replaced', async () => {
  const { file, target } = packed();
  mkdirSync(`${target}.partial`);
  writeFileSync(join(`${target}.partial`, 'torn'), '');
  await restoreDatabase(target, { file });
  expect([existsSync(join(target, 'torn')), existsSync(`${target}.partial`)]).toEqual([false, false]);
  writeFileSync(join(target, 'PG_VERSION'), 'mine');
  await restoreDatabase(target, { file });
  expect(readFileSync(join(target, 'PG_VERSION'), 'utf8')).toBe('mine');
});

test('without a prepared database of this schema nothing is restored', async () => {
  const { root, target } = packed();
  await restoreDatabase(target, { file: preparedFile(join(root, 'prepared')) });
  expect(existsSync(target)).toBe(false);
});
