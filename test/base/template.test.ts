import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fill, readerOf } from '../../gateway/base/template.ts';

test('a filled template is read back: its name and its value', () => {
  const templates = { first: '(a) costs {price} $.', second: '{name}: a + b? [yes|no]*\\ ^', third: 'All is well.' };
  const read = readerOf(templates);
  fc.assert(
    fc.property(fc.string(), (value) => {
      expect(read(fill(templates.first, { price: value }))).toEqual({ case: 'first', values: { price: value } });
      expect(read(fill(templates.second, { name: value }))).toEqual({ case: 'second', values: { name: value } });
    }),
  );
  expect(read(templates.third)).toEqual({ case: 'third', values: {} });
  expect(read('All is well!')).toBeNull();
});
