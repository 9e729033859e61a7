import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { firstIdAt, newId, newIdAfter, newIdAt, timeOfId } from '../../gateway/base/ids.ts';
import { forAll } from '../for-all.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Moves the clock, in steps that may go back, and makes ids after each step. */
const steps = fc.array(fc.record({ byMs: fc.integer({ min: -3000, max: 5000 }), ids: fc.integer({ min: 1, max: 300 }) }), {
  minLength: 1,
  maxLength: 10,
});

test('an id is its prefix and a UUID version 7 with the variant of RFC 9562', () => {
  expect(newId('evt')).toMatch(/^evt_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
});

let day = Date.UTC(2026, 10, 21);

test('ids sort as they were made and are never the same, also while the clock stands still or is set back a little', () => {
  forAll(100, [steps], (moves) => {
    // Back by more than 10 s: this run does not continue the ids of the one before.
    day -= 86_400_000;
    vi.useFakeTimers({ now: day, toFake: ['Date'] });
    const made: string[] = [];
    let bound = 0;
    for (const { byMs, ids } of moves) {
      bound = Math.max(bound, Date.now());
      vi.setSystemTime(Math.max(bound - 9000, Date.now() + byMs));
      for (let id = 0; id < ids; id++) made.push(newId('call'));
    }
    expect(made).toEqual(made.toSorted());
    expect(new Set(made).size).toBe(made.length);
  });
});

test('a clock that is set back far counts: ids have its time', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21), toFake: ['Date'] });
  newId('evt');
  const before = Date.UTC(2026, 10, 20);
  vi.setSystemTime(before);
  expect(timeOfId(newId('evt'))).toBe(before);
});

test('the time of an id is read back, and ids after another or at a time sort there', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 22), toFake: ['Date'] });
  const last = firstIdAt('evt', Date.UTC(2030, 0, 1));
  expect(newIdAfter('evt', last) > last).toBe(true);
  expect(timeOfId(newIdAt('evt', 5))).toBe(5);
});
