import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { ReadCache } from '../../gateway/store/read-cache.ts';

function openCache() {
  const clock = new ManualClock(0);
  const values = new Map<string, string>([['a', 'first']]);
  let reads = 0;
  const waiting: (() => void)[] = [];
  const state = { clock, values, waiting, held: false, reads: () => reads };
  const cache = new ReadCache<string, string>({
    clock,
    maxAgeMs: 5000,
    async read(key) {
      reads += 1;
      const value = values.get(key);
      if (state.held) await new Promise<void>((resolve) => waiting.push(resolve));
      return value;
    },
  });
  return Object.assign(state, { cache });
}

describe('a read cache', () => {
  test('reads a key once until it is too old', async () => {
    const { cache, clock, values, reads } = openCache();
    await cache.get('a');
    values.set('a', 'second');
    await clock.advance(4999);
    expect([await cache.get('a'), reads()]).toEqual(['first', 1]);
    await clock.advance(1);
    expect([await cache.get('a'), reads()]).toEqual(['second', 2]);
  });

  test('reads a dropped key again, and keeps the others', async () => {
    const { cache, values, reads } = openCache();
    values.set('b', 'other');
    await cache.get('a');
    await cache.get('b');
    values.set('a', 'second');
    cache.drop(['a', undefined]);
    expect([await cache.get('a'), await cache.get('b'), reads()]).toEqual(['second', 'other', 3]);
    cache.drop();
    await cache.get('b');
    expect(reads()).toBe(4);
  });

  test('does not keep a value that was read while something was dropped', async () => {
    const state = openCache();
    state.held = true;
    const reading = state.cache.get('a');
    state.values.set('a', 'second');
    state.cache.drop(['a']);
    state.held = false;
    for (const resume of state.waiting) resume();
    expect(await reading).toBe('first');
    expect(await state.cache.get('a')).toBe('second');
  });

  test('reads a key once for all who ask meanwhile, and again for those who ask after it was dropped', async () => {
    const state = openCache();
    state.held = true;
    const [one, other] = [state.cache.get('a'), state.cache.get('a')];
    state.values.set('a', 'second');
    state.cache.drop(['a']);
    const later = state.cache.get('a');
    for (const resume of state.waiting) resume();
    expect(await Promise.all([one, other, later])).toEqual(['first', 'first', 'second']);
    expect(state.reads()).toBe(2);
  });

  test('does not keep keys that do not exist', async () => {
    const { cache, values } = openCache();
    expect(await cache.get('b')).toBe(undefined);
    values.set('b', 'made');
    expect(await cache.get('b')).toBe('made');
  });
});
