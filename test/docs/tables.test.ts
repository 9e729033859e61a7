import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { overloadedCode } from '../../gateway/base/errors.ts';
import { readGuide } from './guide.ts';
import { refusalCodes } from './refusal-codes.ts';
import { pagesWithTables } from './write-tables.ts';

const gateway = join(import.meta.dirname, '../../gateway');

test.each(Object.keys(pagesWithTables))('the table in %s is up to date (node test/docs/write-tables.ts writes it)', (page) => {
  expect(readGuide(page)).toBe(pagesWithTables[page]?.());
});

/** The codes that sources give to refusals, each as `kind code`. */
function codesIn(text: string): string[] {
  const written = text.matchAll(
    /new Refusal\(\s*'(\w+)',\s*'(\w+)'|\b(forbidden|unauthorized)\(\s*'(\w+)'|kind: '(\w+)',\s*code: '(\w+)'/g,
  );
  return [...written].map((found) =>
    found
      .slice(1)
      .filter((part) => part !== undefined)
      .join(' '),
  );
}

test('the page of refusals has every code of the management and the profile API, and no other', () => {
  const isOfApi = (file: string) => /^api\/(?!\w+\/back-office)/.test(file);
  const files = globSync('**/*.ts', { cwd: gateway }).filter((file) => !isOfApi(file) && !file.startsWith('console/'));
  const found = files.flatMap((file) => codesIn(readFileSync(join(gateway, file), 'utf8')));
  const listed = Object.entries(refusalCodes).flatMap(([kind, codes]) => Object.keys(codes).map((one) => `${kind} ${one}`));
  expect(listed.toSorted()).toEqual([...new Set([...found, `unavailable ${overloadedCode}`])].toSorted());
});
