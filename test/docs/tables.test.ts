import { expect, test } from 'vitest';
import { readGuide } from './guide.ts';
import { pagesWithTables } from './write-tables.ts';

test.each(Object.keys(pagesWithTables))('the table in %s is up to date (node test/docs/write-tables.ts writes it)', (page) => {
  expect(readGuide(page)).toBe(pagesWithTables[page]?.());
});
