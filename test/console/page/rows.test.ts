import { expect, test } from 'vitest';
import { mergeNewest } from '../../../gateway/console/page/lib/rows.ts';

const rows = (...ids: string[]) => ids.map((id) => ({ id, read: 'first' }));
const page = (next: string | null, ...ids: string[]) => ({ data: ids.map((id) => ({ id, read: 'again' })), next });
const shownAfter = (...given: Parameters<typeof mergeNewest<{ id: string; read: string }>>) =>
  mergeNewest(...given).map(({ id, read }) => `${id} ${read}`);
const idOf = ({ id }: { id: string }) => id;

test.each([
  ['without a newer page, rows stay', rows('3', '2'), undefined, ['3 first', '2 first']],
  ['new rows come on top', rows('3', '2', '1'), page('2', '4', '3', '2'), ['4 again', '3 again', '2 again', '1 first']],
  ['a row that no longer matches is removed', rows('4', '3', '2', '1'), page('2', '4', '2'), ['4 again', '2 again', '1 first']],
  ['the newest page is the whole list', rows('4', '3'), page(null, '4'), ['4 again']],
  ['no row matches any more', rows('4', '3'), page(null), []],
  ['more new rows than a page holds', rows('2', '1'), page('8', '9', '8'), ['9 again', '8 again', '2 first', '1 first']],
])('live rows: %s', (_, shown, newest, expected) => {
  expect(shownAfter(shown, newest, idOf)).toEqual(expected);
});
