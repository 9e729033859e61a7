import { expect, test } from 'vitest';
import { Repeats } from '../../gateway/http/record/repeats.ts';

test('equal headers are shared, and different ones never are', () => {
  const repeats = new Repeats();
  const first = { host: 'a', accept: '*/*' };
  expect(repeats.headers('read', first)).toBe(first);
  expect(repeats.headers('read', { accept: '*/*', host: 'a' })).toBe(first);
  for (const other of [{ host: 'a' }, { ...first, cookie: 'b' }, { host: 'a', accept: 'c' }, { host: 'a', cookie: '*/*' }]) {
    repeats.headers('read', first);
    expect(repeats.headers('read', other)).toBe(other);
  }
  repeats.headers('read', first);
  const ofAnother = { ...first };
  expect(repeats.headers('write', ofAnother)).toBe(ofAnother);
});
