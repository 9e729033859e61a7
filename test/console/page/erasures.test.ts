// Must be the first import: the page's libraries look for a document when they are loaded.
import './dom.ts';

import { expect, test } from 'vitest';
import { ManualClock } from '../../../gateway/base/clock.ts';
import { buildTestApp } from '../../helper.ts';
import { click, fireEvent, screen, type, until, visit, within } from './console.ts';

test('an operator counts a person, erases what was counted, and sees when it is done', async () => {
  const clock = new ManualClock(Date.now());
  const gateway = await buildTestApp({ clock });
  const [sale] = await gateway.store.list('sales', { limit: 1 });
  await gateway.store.update('sales', { id: sale?.id ?? '' }, { customer_phone: '06 12 34 56 78' });
  await visit(gateway, '/erasures');
  await screen.findByText(/^Nobody asked to be erased yet/);

  const formOf = async () => within(await screen.findByRole('dialog', { name: /^(Count|Erase)/ }));
  await click('Count a person');
  const count = await formOf();
  type(count.getByLabelText(/^Telephone number/), '0612345678');
  fireEvent.click(count.getByRole('button', { name: 'Count a person' }));
  await count.findByText(/must begin with \+ or 00/);
  type(count.getByLabelText(/^Telephone number/), '+33 6 12 34 56 78');
  fireEvent.click(count.getByRole('button', { name: 'Count a person' }));
  await screen.findByText('It is being counted. Nothing is erased.');
  fireEvent.click(await screen.findByRole('link', { name: 'Open' }));

  const row = within(await screen.findByRole('dialog', { name: 'Erasures of persons' }));
  await row.findByText('Number that ends with 78');
  await row.findByText('Would lose content');
  await row.findByText('Sales');
  fireEvent.click(await row.findByRole('button', { name: 'Erase now' }));
  const erase = await formOf();
  type(erase.getByLabelText(/^Telephone number/), '+33612345678');
  fireEvent.click(erase.getByRole('button', { name: 'Erase now' }));
  await row.findByText('The erasure has begun.');
  await until(async () => {
    await clock.advance(180_000);
    const { data } = (await gateway.manage('GET', '/erasures')).body;
    expect(data.map(({ dry_run, status }: { dry_run: boolean; status: string }) => [dry_run, status])).toEqual([
      [false, 'done'],
      [true, 'done'],
    ]);
  });
  expect((await gateway.store.get('sales', { id: sale?.id ?? '' }))?.customer_phone).toBe('[erased]');
});
