import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readGuide } from './guide.ts';

const root = join(import.meta.dirname, '../..');

/** The texts of the program, as it prints them: without escapes, and joined where a line ends within one. */
const program = globSync(['{cli,stubs,gateway,contracts,probe,receivers}/**/*.{ts,py,php}', 'package.json'], {
  cwd: root,
  exclude: ['**/built/**', '**/generated/**'],
})
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n')
  .replaceAll('\\', '');

/** What the first column of the tables quotes, except the names of other programs and what it tells the reader to write. */
const quoted = readGuide('docs/troubleshooting.md')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));

const partsOf = (text: string): string[] => text.split('[...]').map((part) => part.trim());

test('the program has every message, code and reason that the guide quotes', () => {
  expect(quoted.length).toBeGreaterThan(90);
  const missing = quoted.filter((text) => !partsOf(text).every((part) => program.includes(part)));
  expect(missing).toEqual([]);
});
