import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { reach } from '../../packaging/reach.ts';

function folder(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  return root;
}

test('imports of every kind are followed, and nothing else', () => {
  const root = folder({
    'index.js': `import 'first';
import {
  a,
} from './a.js';
export { c } from './c.js';
const later = await import('./later.js'); // from 'nowhere'
/** import x from 'an-example'; */
const text = "taken from 'prose'";
const pacts = new URL('../pacts', import.meta.url);
import data from './data.json' with { type: 'json' };`,
    'a.js': `import { b } from '@scope/b/deep';\nimport { readFile } from 'node:fs';`,
    'c.js': `export * from './index.js';`,
    'later.js': '',
    'data.json': '{}',
    'unused.js': '',
  });
  const { files, packages, data } = reach(root, ['index.js']);
  expect([...files].sort()).toEqual(['a.js', 'c.js', 'data.json', 'index.js', 'later.js']);
  expect([...data]).toEqual(['../pacts']);
  expect([...packages]).toEqual([
    ['first', 'index.js'],
    ['@scope/b', 'a.js'],
  ]);
});

test('the error for a missing file names its importer', () => {
  const root = folder({ 'index.js': `import './gone.js';` });
  expect(() => reach(root, ['index.js'])).toThrow('index.js imports ./gone.js, which is not in');
});
