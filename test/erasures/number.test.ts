import { expect, test } from 'vitest';
import { digitsOf, erased, patternOf, replaced } from '../../gateway/erasures/number.ts';

const without = (number: string, text: string) => replaced(patternOf(digitsOf(number)), text);

test.each([
  ...['+33612345678', '0033612345678', '33612345678', '0612345678', '612345678', '06 12 34 56 78', '06.12.34.56.78'],
  ...['+33 (0)6 12 34 56 78', '33-612-345-678', '0033 6/12/34/56/78', '+33\u00a06\u202f12\u00a034\u00a056\u00a078'],
  ...['%2B33612345678', '%2b33%206%2012%2034%2056%2078', '%2B33+6+12+34+56+78', '%30612345678'],
  ...[String.raw`\u002b33612345678`, String.raw`\u002B33\u00206\u002012 34 56 78`],
])('finds +33 6 12 34 56 78 in %s', (spelling) => {
  expect(without('+33 6 12 34 56 78', spelling)).toBe(erased);
  expect(without('0033612345678', `{"a":"x${spelling}"}`)).toBe(`{"a":"x${erased}"}`);
  expect(without('+33 (0)612345678', `?q=%20${spelling}&b=1`)).toBe(`?q=%20${erased}&b=1`);
  expect(without('+33612345678', String.raw`line\n${spelling}\n`)).toBe(String.raw`line\n${erased}\n`);
});

test.each(['+34612345678', '133612345678', '06123456780', '61234567', 'evt_06123456789', '6 12 34 abc 56 78'])(
  'leaves %s alone',
  (other) => expect(without('+33612345678', other)).toBe(other),
);

test.each(['+2250700000000', '+225 07 00 00 00 00', '07 00 00 00 00', '0700000000'])(
  'finds %s, a number whose 0 is its own',
  (spelling) => expect(without('+2250700000000', spelling)).toBe(erased),
);

test('takes a number out of JSON, and returns what has none as it is', () => {
  const pattern = patternOf('33612345678');
  expect(replaced(pattern, { a: ['of 0612345678', 1], b: { c: 33612345678 }, '+33612345678': true })).toEqual({
    a: [`of ${erased}`, 1],
    b: { c: null },
    [erased]: true,
  });
  const other = { a: [1, 'b'] };
  expect(replaced(pattern, other)).toBe(other);
});

test.each(['0612345678', 'Awa', '+33', '+0612345678', '+3361234567890123', '+33612345678; x'])(
  'refuses %s, and does not repeat it',
  (number) => {
    expect(() => digitsOf(number)).toThrow('must begin with + or 00');
    expect(() => digitsOf(number)).not.toThrow(number);
  },
);

test('reads long texts of what is in numbers', () => {
  const pattern = patternOf('33612345678');
  for (const text of [' '.repeat(1e5), '%20'.repeat(3e4), '0 '.repeat(5e4), '6 1 2 3 4 5 6 7 '.repeat(6000)])
    expect(replaced(pattern, text)).toBe(text);
});
