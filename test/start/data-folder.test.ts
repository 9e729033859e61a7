import { chmodSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { takeDataFolder } from '../../gateway/start/data-folder.ts';

function folderWith(mode: number): string {
  const path = join(mkdtempSync(join(tmpdir(), 'passerelle-folder-')), 'data');
  mkdirSync(join(path, 'postgres'), { recursive: true });
  writeFileSync(join(path, 'postgres', 'PG_VERSION'), '17');
  chmodSync(path, mode);
  return path;
}

function taken(path: string): string | undefined {
  const { tightened, release } = takeDataFolder(path);
  onTestFinished(release);
  return tightened;
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test.each([0o755, 0o711, 0o770, 0o701])('an existing data folder is closed to other users, and one line says so: %o', (mode) => {
  const path = folderWith(mode);
  expect(taken(path)).toBe(
    `DATA_DIR=${path} had mode 0${mode.toString(8)}: other users of this machine could read it. It has 0700 now.`,
  );
  expect(modeOf(path)).toBe('700');
});

test('a folder that is closed already, or made at this start, needs no line', () => {
  expect(taken(folderWith(0o700))).toBe(undefined);
  const made = join(mkdtempSync(join(tmpdir(), 'passerelle-folder-')), 'new');
  expect([taken(made), modeOf(made)]).toEqual([undefined, '700']);
});

test('an open folder that holds other files is refused and stays as it is', () => {
  const path = folderWith(0o755);
  writeFileSync(join(path, 'thesis.odt'), '');
  expect(() => takeDataFolder(path)).toThrow(/has mode 0755, .* holds files that are not Passerelle's\. Use a folder of its own/);
  expect(modeOf(path)).toBe('755');
  chmodSync(path, 0o700);
  expect(taken(path)).toBe(undefined);
});

test('a data folder that is a file is refused', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'passerelle-folder-')), 'file');
  writeFileSync(path, '');
  expect(() => takeDataFolder(path)).toThrow(/cannot be used: it is not a folder/);
});
