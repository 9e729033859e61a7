import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readGuide } from './guide.ts';

const root = join(import.meta.dirname, '../..');

test('every word of the glossary is used by another guide', () => {
  const guides = globSync('docs/**/*.md', { cwd: root })
    .filter((path) => path !== 'docs/glossary.md')
    .map((path) => readGuide(path).toLowerCase())
    .join('\n');
  const words = [...readGuide('docs/glossary.md').matchAll(/^\| (\*\*.+?\*\*) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/\*\*(.+?)\*\*/g)].map(([, word = '']) => word.toLowerCase()),
  );
  expect(words.length).toBeGreaterThan(25);
  expect(words.filter((word) => !new RegExp(`\\b${word}`).test(guides))).toEqual([]);
});
