import { expect, test } from 'vitest';
import { didYouMean, nearestOf } from '../../gateway/base/nearest.ts';

const gaps = ['pos.sale-states', 'pos.sale-status', 'pos.payment-status'];

test.each([
  ['pos.sale-statsu', 'pos.sale-status'],
  ['pos.slae-status', 'pos.sale-status'],
  ['POS.SALE-STATUS', 'pos.sale-status'],
  ['pos.sale-state', 'pos.sale-states'],
  ['', 'pos.sale-states'],
])('the nearest of %j is %s: two swapped letters are one mistake', (wanted, nearest) => {
  expect(nearestOf(wanted, gaps)).toBe(nearest);
});

test('names that are equally near are all suggested', () => {
  expect(didYouMean('pos.sale-stat', gaps)).toBe('Did you mean pos.sale-states or pos.sale-status? ');
  expect(didYouMean('pos.sale-stat', gaps, (name) => `"${name}"`)).toBe('Did you mean "pos.sale-states" or "pos.sale-status"? ');
});

test('what is like no name gets no suggestion', () => {
  expect(didYouMean('zzzzzzzz', gaps)).toBe('');
  expect(didYouMean('pos', [])).toBe('');
});
