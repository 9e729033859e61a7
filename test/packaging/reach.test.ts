import { expect, test } from 'vitest';
import { reach } from '../../packaging/reach.ts';
import { folderWith } from './folder.ts';

test('imports of every kind are followed, and nothing else', () => {
  const { root } = folderWith({
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
  const { root } = folderWith({ 'index.js': `import './gone.js';` });
  expect(() => reach(root, ['index.js'])).toThrow('index.js imports ./gone.js, which is not in');
});
