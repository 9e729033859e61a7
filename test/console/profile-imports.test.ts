import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const imported = /^(?:import|export)\b(?! type\b)[^'";]*?(?:\bfrom )?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

/** Every file that a page's code loads, now or later. Types are not loaded. */
function loadedBy(entry: string): Set<string> {
  const found = new Set<string>();
  const visit = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    if (!/\.tsx?$/.test(file)) return;
    for (const [, from, lazy] of readFileSync(join(root, file), 'utf8').matchAll(imported))
      visit(posix.join(posix.dirname(file), from ?? lazy ?? ''));
  };
  visit(entry);
  return found;
}

const profile = loadedBy('gateway/console/profile/main.ts');
const console = loadedBy('gateway/console/page/main.ts');

test('the profile loads no page, catalogue or sign-in of the operator', () => {
  expect([...profile].filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const ofOperators = ['root.tsx', 'session-gate.tsx', 'main.ts', 'pages/index.ts', 'texts/index.ts', 'texts/en/index.ts'];
  for (const file of ofOperators) {
    expect(console.has(`gateway/console/page/${file}`), file).toBe(true);
    expect(profile.has(`gateway/console/page/${file}`), file).toBe(false);
  }
  expect([...profile].filter((file) => file.startsWith('gateway/console/page/pages/'))).toEqual([]);
});

test('every file of the profile is used', () => {
  const files = globSync('gateway/console/profile/**/*.{ts,tsx}', { cwd: root });
  const types = /\/lib\/page-props\.ts$/;
  expect(files.filter((file) => !profile.has(file) && !types.test(file))).toEqual([]);
});
