import { expect, test } from 'vitest';
import { regressions, settle } from '../../bench/regressions.ts';
import results from '../../bench/results.json' with { type: 'json' };

const expected = { '/me': 4, '/indicateurs/1': 8 };
const fine = { '/me': [4.1, 3.9, 4], '/indicateurs/1': [8, 7.5, 8.2] };

test('results near the committed ones, and better ones, are no regression', () => {
  expect(regressions(expected, fine)).toEqual([]);
  expect(regressions(expected, { ...fine, '/me': [2, 2, 2] })).toEqual([]);
  expect(regressions(expected, { ...fine, '/me': [5.6, 5.6, 5.6] })).toEqual([]);
});

test('a variant over 1.4 times worse in the median of its rounds is named; one bad round is noise', () => {
  expect(regressions(expected, { ...fine, '/me': [4, 9, 4] })).toEqual([]);
  expect(regressions(expected, { ...fine, '/me': [4, 5.7, 5.7] })).toEqual([
    '"/me" costs 5.70 times bare in the median of 3 rounds, 1.43 times its result of 4.',
  ]);
});

test('a variant without a result, without a measurement, or without a figure fails with what to do', () => {
  const renew = 'Run the benchmark with --update, and commit bench/results.json.';
  expect(regressions(expected, { ...fine, new: [1, 1, 1] })).toEqual([`"new" has no result in bench/results.json. ${renew}`]);
  expect(regressions(undefined, { new: [1] })).toEqual([`"new" has no result in bench/results.json. ${renew}`]);
  expect(regressions(expected, { '/me': fine['/me'] })).toEqual([
    `"/indicateurs/1" is in bench/results.json but was not measured. ${renew}`,
  ]);
  expect(regressions(expected, { ...fine, '/me': [Number.NaN] })).toEqual([
    '"/me": no CPU time was measured. This check needs Linux.',
  ]);
});

test.each(Object.entries(results))(
  'the check of %s accepts its committed results, and fails on made-up worse ones',
  (name, all) => {
    const rounds = (factor: number) =>
      Object.fromEntries(Object.entries(all).map(([variant, multiple]) => [variant, Array(3).fill(multiple * factor)]));
    settle(name, rounds(1), { check: true });
    settle(name, rounds(2), {});
    expect(() => settle(name, rounds(1.5), { check: true })).toThrow(
      new RegExp(`^Regression in ${name}:(\n".*" costs .* 1\\.50 times its result of .*){${Object.keys(all).length}}$`),
    );
  },
);
