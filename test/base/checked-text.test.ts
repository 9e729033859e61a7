import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkedText } from '../../gateway/base/checked-text.ts';

const named = z.object({ id: z.string(), name: z.string() });
const short = z.object({ id: z.string() });

test('the text of a value has what its schema keeps, also if another schema had it before', () => {
  const value = { id: 'a', name: 'Kiosque', secret: 'x' };
  expect(checkedText(named, value)).toBe('{"id":"a","name":"Kiosque"}');
  expect(checkedText(short, value)).toBe('{"id":"a"}');
  expect(checkedText(short, { id: 'b' })).toBe('{"id":"b"}');
  expect(checkedText(named, value)).toBe('{"id":"a","name":"Kiosque"}');
});

test('a value that does not fit is refused each time', () => {
  const value = { id: 1 } as never;
  for (const _time of [1, 2]) expect(() => checkedText(short, value)).toThrow(z.ZodError);
});

test('a value is checked once for each schema', () => {
  let checks = 0;
  const counted = short.refine(() => ++checks > 0);
  const value = { id: 'a' };
  expect([checkedText(counted, value), checkedText(counted, value), checks]).toEqual(['{"id":"a"}', '{"id":"a"}', 1]);
});
