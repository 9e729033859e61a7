import { expect, test } from 'vitest';
import { everyAlternative, notPlayed } from '../../alternative-sets.ts';
import { buildTestApp } from '../../helper.ts';
import { screen, visit, within } from './console.ts';

/** The part of the page about an entry. */
async function entryOf(id: string) {
  const anchor = await screen.findByRole('link', { name: id });
  return within(anchor.closest('article') as HTMLElement);
}

test('the gap register shows the command that plays an alternative, and why a stub does not play another one', async () => {
  await visit(await buildTestApp({ demo: false }), '/contracts/gaps');
  const status = await entryOf('pos.sale-status');
  status.getByText('passerelle stub pos --assume pos.sale-status=200');
  status.getByRole('button', { name: 'Copy the command for pos.sale-status=200' });
  const plain = await entryOf('pos.plain-http');
  expect(plain.getAllByText(/A stub is reached over plain http only/)).toHaveLength(2);
  expect(plain.queryByText(/--assume/)).toBeNull();

  expect(screen.getAllByText(/^passerelle stub \w+ --assume /)).toHaveLength(everyAlternative.length - notPlayed.length);
  expect(screen.getAllByText(/No stub plays it\./)).toHaveLength(notPlayed.length);
});
