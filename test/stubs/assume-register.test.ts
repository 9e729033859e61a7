import { expect, test } from 'vitest';
import { everyAlternative, notPlayed } from '../alternative-sets.ts';

const sentence = /^[A-Z/][^.]*(\.[a-z/][^.]*)*\.$/;

test('each alternative is played, or has a reason of one sentence why not', () => {
  const wrong = everyAlternative.filter(({ is, notPlayed: reason }) =>
    reason === undefined ? is === undefined : !sentence.test(reason),
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('what an alternative excludes is played', () => {
  const played = everyAlternative.flatMap(({ name }) => (notPlayed.includes(name) ? [] : name));
  const excluded = everyAlternative.flatMap(({ excludes = {} }) => Object.keys(excludes));
  expect(excluded.filter((name) => !played.includes(name))).toEqual([]);
});
