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
