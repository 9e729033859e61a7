import { expect, test } from 'vitest';
import { merged } from '../../gateway/console/page/lib/rows.ts';

const rows = (...ids: string[]) => ids.map((id) => ({ id, read: 'first' }));
const page = (next: string | null, ...ids: string[]) => ({ data: ids.map((id) => ({ id, read: 'again' })), next });
const told = (...given: Parameters<typeof merged<{ id: string; read: string }>>) =>
  merged(...given).map(({ id, read }) => `${id} ${read}`);
const idOf = ({ id }: { id: string }) => id;

test.each([
  ['nothing was read again', rows('3', '2'), undefined, ['3 first', '2 first']],
  ['new ones come on top', rows('3', '2', '1'), page('2', '4', '3', '2'), ['4 again', '3 again', '2 again', '1 first']],
  ['one that fits no more goes', rows('4', '3', '2', '1'), page('2', '4', '2'), ['4 again', '2 again', '1 first']],
  ['all of them are in the newest page', rows('4', '3'), page(null, '4'), ['4 again']],
  ['none fits any more', rows('4', '3'), page(null), []],
  ['more came than a page holds', rows('2', '1'), page('8', '9', '8'), ['9 again', '8 again', '2 first', '1 first']],
])('live rows: %s', (_, shown, newest, expected) => {
  expect(told(shown, newest, idOf)).toEqual(expected);
});
