import { beforeEach, expect, test } from 'vitest';
import { buildTestApp } from '../../helper.ts';
import { stopClock } from '../../stopped-clock.ts';
import {
  address,
  click,
  fireEvent,
  gatewayWithDeadLetters,
  press,
  queryOf,
  requests,
  screen,
  sendTest,
  type,
  until,
  visit,
  within,
} from './console.ts';
import { network } from './dom.ts';

beforeEach(() => {
  requests.length = 0;
});

test('filters in the address become the query of the API, and the page says that nothing matches', async () => {
  const now = stopClock();
  const gateway = await buildTestApp({ demo: false });
  await visit(gateway, '/deliveries?status=failed&since=1h&view=mine');
  await screen.findByText('No matching deliveries');
  const { from, ...query } = await queryOf('/deliveries');
  expect(query).toEqual({ status: 'failed', limit: '50' });
  expect(from).toBe(new Date(now - 3_600_000).toISOString());
});

test('changing a filter changes the address and reads the list again; Clear removes all filters', async () => {
  const gateway = await buildTestApp({ demo: false });
  await visit(gateway, '/deliveries');
  await screen.findByText('No deliveries yet');
  type(screen.getByLabelText('Status'), 'failed');
  await screen.findByText('No matching deliveries');
  expect(address()).toBe('/deliveries?status=failed');
  expect(await queryOf('/deliveries')).toMatchObject({ status: 'failed' });
  await click('Clear');
  await screen.findByText('No deliveries yet');
  expect(address()).toBe('/deliveries');
  screen.getByText(/^npx --no -- passerelle trigger sale\.completed --at /);
  await visit(gateway, '/audit?since=1h&q=no-such-entry');
  await click('Remove all filters');
  await until(() => expect(address()).toBe('/audit'));
});

test('an event id in the search field becomes the event filter, other text a search', async () => {
  const gateway = await buildTestApp({ demo: false });
  await visit(gateway, '/deliveries');
  const search = await screen.findByLabelText('Text in payload, or event id');
  type(search, ' evt_123 ');
  await until(() => expect(address()).toBe('/deliveries?event_id=evt_123'));
  type(search, 'REF-7');
  await until(() => expect(address()).toBe('/deliveries?q=REF-7'));
});

test('a custom time range is in the address in UTC, and the list uses it', async () => {
  const gateway = await buildTestApp({ demo: false });
  await visit(gateway, '/calls?since=custom&from=2026-01-02T03:04:05.000Z&to=2026-01-03T00:00:00.000Z');
  await screen.findByText('No matching calls');
  expect(await queryOf('/calls')).toMatchObject({ from: '2026-01-02T03:04:05.000Z', until: '2026-01-03T00:00:00.000Z' });
  const local = new Date('2026-01-02T03:04:05.000Z');
  const field = screen.getByLabelText(/^From \(/) as HTMLInputElement;
  expect(new Date(field.value).getTime()).toBe(local.getTime());
});

test('rows show status, endpoint and error, and link to their delivery', async () => {
  const { gateway, url } = await gatewayWithDeadLetters(1);
  await visit(gateway, '/deliveries');
  const cells = within((await screen.findByRole('cell', { name: /^sale\.completed/ })).closest('tr') as HTMLElement);
  cells.getByText('failed');
  cells.getByText('Answered 500');
  await cells.findByTitle(url.replace('http://', ''));
  // The list has the names of its endpoints.
  expect(requests.filter((request) => request.includes('/endpoints?ids='))).toEqual([]);
  const link = cells.getAllByRole('link')[0] as HTMLAnchorElement;
  fireEvent.click(link);
  await screen.findByRole('heading', { level: 1, name: 'sale.completed' });
  expect(address()).toMatch(/^\/deliveries\/dlv_\w+$/);
  await screen.findByText('the disk is full');
});

test('keyboard: j and Enter open a row, n and p go to the next and previous one, r asks before it resends', async () => {
  const { gateway } = await gatewayWithDeadLetters(2);
  const { data } = (await gateway.manage('GET', '/deliveries')).body;
  const [newest, oldest] = (data as { id: string }[]).map(({ id }) => `/deliveries/${id}`);
  const previous = () => screen.getByRole('button', { name: 'Previous delivery in the list (p)' }) as HTMLButtonElement;
  await visit(gateway, '/deliveries');
  await until(() => expect(screen.getAllByRole('cell', { name: 'sale.completed' })).toHaveLength(2));
  press('j');
  press('j');
  press('k');
  await until(() => expect(document.querySelector('[aria-selected] a')?.getAttribute('href')).toBe(`/console${newest}`));
  press('Enter');
  await until(() => expect(address()).toBe(newest));
  await screen.findByRole('button', { name: 'Next delivery in the list (n)' });
  press('n');
  await until(() => expect(address()).toBe(oldest));
  await until(() => expect(previous().disabled).toBe(false));
  press('p');
  await until(() => expect(address()).toBe(newest));
  await screen.findByRole('button', { name: /^Resend/ });
  press('r');
  await screen.findByText('Send this delivery again?');
  expect(requests.filter((request) => request.startsWith('POST /manage/v1/deliveries'))).toEqual([]);
  await click('Send now');
  await screen.findByText('Sent again. The attempt will appear below.');
});

test('keyboard: Enter on a link or a button is not taken by the selected row', async () => {
  const { gateway } = await gatewayWithDeadLetters(1);
  await visit(gateway, '/deliveries');
  await screen.findByRole('cell', { name: 'sale.completed' });
  press('j');
  const button = screen.getByRole('button', { name: 'Export' });
  expect(fireEvent.keyDown(button, { key: 'Enter' })).toBe(true);
  expect(address()).toBe('/deliveries');
});

test('a filter that the list does not have is named, and can be removed', async () => {
  const gateway = await buildTestApp({ demo: false });
  await visit(gateway, '/deliveries?status=failed&colour=red');
  expect((await screen.findByRole('alert')).textContent).toContain('colour');
  await click('Remove it');
  await until(() => expect(address()).toBe('/deliveries?status=failed'));
});

test('keyboard: / goes to the search field, g to the quick search, l turns live on, ? shows the shortcuts', async () => {
  const { gateway, endpointId } = await gatewayWithDeadLetters(1);
  await visit(gateway, '/deliveries');
  await screen.findByRole('cell', { name: 'sale.completed' });
  press('/');
  expect(document.activeElement).toBe(screen.getByLabelText('Text in payload, or event id'));
  (document.activeElement as HTMLElement).blur();
  press('l');
  await until(() => expect((screen.getByRole('switch', { name: 'Live' }) as HTMLInputElement).checked).toBe(true));
  fireEvent.keyDown(document.body, { key: '?', shiftKey: true });
  await screen.findByText('Keyboard shortcuts');
  press('g');
  const quickSearch = screen.getByLabelText('Go to an id, or find the calls with a text');
  expect(document.activeElement).toBe(quickSearch);
  type(quickSearch, endpointId);
  fireEvent.submit(quickSearch);
  await until(() => expect(address()).toBe(`/endpoints/${endpointId}`));
  type(quickSearch, 'REF 7');
  fireEvent.submit(quickSearch);
  await until(() => expect(address()).toBe('/calls?q=REF+7'));
  type(quickSearch, 'account:acc_1');
  fireEvent.submit(quickSearch);
  await until(() => expect(address()).toBe('/back-office/accounts?row=acc_1'));
});

test('a live list shows a new delivery on top without a reload', async () => {
  const { gateway, endpointId } = await gatewayWithDeadLetters(1);
  await visit(gateway, '/deliveries');
  await screen.findByRole('cell', { name: 'sale.completed' });
  press('l');
  const { id } = await sendTest(gateway, endpointId);
  await until(() => expect(document.querySelector('[data-row] a')?.getAttribute('href')).toBe(`/console/deliveries/${id}`));
});

test('a filter that the API refuses shows its message, and an unknown id or page says so', async () => {
  const gateway = await buildTestApp({ demo: false });
  await visit(gateway, '/deliveries?response_status=banana');
  expect((await screen.findByRole('alert')).textContent).toContain('response_status');
  await visit(gateway, '/deliveries/dlv_unknown');
  await screen.findByText('Not found');
  await visit(gateway, '/unknown');
  await screen.findByText('There is no such page');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  await visit(gateway, '/calls/call_unknown');
  fireEvent.click(await screen.findByRole('link', { name: 'All calls' }));
  await until(() => expect(address()).toBe('/calls'));
});

test('a list shows a placeholder while it loads; if the gateway is unreachable, it says so and can be retried', async () => {
  const gateway = await buildTestApp({ demo: false });
  await visit(gateway, '/events');
  const connected = network.fetch;
  let isDown = true;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  network.fetch = async (input, init) => {
    if (!(input instanceof Request) || !input.url.includes('/events?')) return connected(input, init);
    await released;
    return isDown ? Promise.reject(new TypeError('fetch failed')) : connected(input, init);
  };
  await screen.findByRole('status', { name: 'Loading' });
  release();
  await screen.findByText('The gateway cannot be reached');
  isDown = false;
  await click('Try again');
  await screen.findByText('No events yet');
});

test('a list without matches says whose name the filter by a partner is', async () => {
  const gateway = await buildTestApp({ demo: false });
  const account = (await gateway.manage('POST', '/pos/accounts', { name: 'Boutique Adjamé', plan: 'free' })).body.data;
  for (const list of ['deliveries', 'endpoints', 'events', 'calls']) {
    await visit(gateway, `/${list}?partner=nobody`);
    await screen.findByText(/^No account or user has “nobody” in its name\./);
    await visit(gateway, `/${list}?partner=adjame`);
    await screen.findByText(/^Found by this name: Boutique Adjamé\. The list has nothing of theirs/);
  }
  await gateway.manage('PATCH', `/pos/accounts/${account.id}`, { active: false });
  await visit(gateway, '/deliveries?partner=adjame');
  await screen.findByText(/Not active, so nothing is sent to their endpoints: Boutique Adjamé\.$/);
  await visit(gateway, '/deliveries?owner=user:06');
  await screen.findByText(/^There is no user "06"\./);
});
