// Must be the first import: the page's libraries look for a document when they are loaded.
import './dom.ts';

import { expect, test } from 'vitest';
import type { DeadLetters } from '../../../gateway/console/page/pages/overview/dead-letters.ts';
import { allWellText, problemsOf } from '../../../gateway/console/page/pages/overview/problems.ts';
import { buildTestApp, type TestGateway } from '../../helper.ts';
import { makeOperator } from '../../manage/harness.ts';
import {
  address,
  click,
  fireEvent,
  gatewayWithDeadLetters,
  queryOf,
  requests,
  screen,
  type,
  until,
  visit,
  within,
} from './console.ts';

const overviewOf = async (gateway: TestGateway) => (await gateway.manage('GET', '/overview')).body.data;
const none: DeadLetters = { count: 0, more: false };

test('the overview lists everything that is wrong, most urgent first, with links to it', async () => {
  const { gateway, endpointId, url } = await gatewayWithDeadLetters(1);
  const overview = await overviewOf(gateway);
  const endpoint = (await gateway.manage('GET', `/endpoints/${endpointId}`)).body.data;
  const wrong = {
    ...overview,
    ledger: {
      ...overview.ledger,
      balanced: false,
      missing: { events: 0, deliveries: 2, attempts: 1 },
      surplus: { deliveries: 0, attempts: 3 },
    },
    endpoints: {
      ...overview.endpoints,
      in_trouble: [{ ...endpoint, url: `${url}?key=secret`, active: false, disabled_reason: 'gone' }],
    },
    calls: { ...overview.calls, failed: 1 },
    recorder: { ...overview.recorder, lost: 3 },
    deliveries: { ...overview.deliveries, due_late: 1000, counted_to: 1000 },
  };
  const shortUrl = url.replace('http://', '');
  expect(problemsOf(wrong, { count: 100, more: true }).map(({ tone, text, href }) => [tone, text, href])).toEqual([
    [
      'error',
      'The ledger does not balance: 2 deliveries are missing, 1 attempt is missing, 3 attempts are too many',
      '/events?since=1h',
    ],
    ['error', `${shortUrl} is disabled and receives nothing`, `/endpoints/${endpointId}`],
    ['error', '100+ deliveries failed permanently in the last hour', '/deliveries?status=failed&since=1h'],
    ['error', '1 call failed with a gateway error (5xx) in the last hour', '/calls?status=5xx&since=1h'],
    ['error', '3 records of calls were lost under overload since startup', '/calls'],
    ['warning', '1,000+ deliveries are more than 30 s late', '/deliveries?status=pending'],
  ]);
  const held = { ...endpoint, health: { ...endpoint.health, state: 'held', held_because: 'failing' } };
  const twoHeld = { ...overview, endpoints: { ...overview.endpoints, in_trouble: [held, held] } };
  expect(problemsOf(twoHeld, none)).toEqual([
    { tone: 'error', text: '2 endpoints are held: they keep failing, so their deliveries wait', href: '/endpoints?state=held' },
  ]);
});

test('the overview says that all is well, and how much happened', async () => {
  const gateway = await buildTestApp({ demo: false });
  const overview = await overviewOf(gateway);
  const with_ = (delivered: number, pending: number, calls: number) =>
    allWellText({
      ...overview,
      deliveries: { ...overview.deliveries, delivered, pending, counted_to: 1000 },
      calls: { ...overview.calls, total: calls },
    });
  expect(problemsOf(overview, none)).toEqual([]);
  expect(with_(0, 0, 0)).toBe('All is well: no activity in the last hour');
  expect(with_(0, 0, 7)).toBe('All is well: 7 calls and no deliveries in the last hour');
  expect(with_(1, 0, 0)).toBe('All is well: 1 delivery in the last hour, all delivered');
  expect(with_(5, 2, 0)).toBe('All is well: 5 deliveries delivered in the last hour, 2 in progress');
});

test('a new gateway shows the first steps; after a delivery the overview shows its verdict', async () => {
  const fresh = await buildTestApp({ demo: false });
  await visit(fresh, '/');
  await screen.findByText('Nothing has been delivered yet');
  const { gateway } = await gatewayWithDeadLetters(1);
  await visit(gateway, '/?period=day');
  fireEvent.click(await screen.findByText(/^1 delivery failed permanently in the last 24 hours/));
  await until(() => expect(address()).toBe('/deliveries?status=failed&since=24h'));
});

test('the recovery dialog counts before it sends: only the confirmed recovery reaches the receiver', async () => {
  const { gateway, endpointId, received, fix } = await gatewayWithDeadLetters(3);
  await visit(gateway, `/endpoints/${endpointId}?retry=1`);
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('3 deliveries');
  dialog.getByText(/would be sent, in about 1 s/);

  const failed = await dialog.findByRole('checkbox', { name: /^Failed/ });
  fireEvent.click(failed);
  await dialog.findByRole('button', { name: 'Nothing to retry' });
  fireEvent.click(dialog.getByRole('checkbox', { name: /^Pending/ }));
  await dialog.findByText('Choose at least one.');
  fireEvent.click(dialog.getByRole('checkbox', { name: /^Skipped/ }));
  await dialog.findByRole('button', { name: 'Nothing to retry' });
  fireEvent.click(failed);
  const send = await dialog.findByRole('button', { name: 'Retry 3 deliveries now' });
  expect(received).toHaveLength(3);
  expect((await gateway.manage('GET', '/recoveries')).body.data).toEqual([]);

  type(dialog.getByLabelText(/^Pace/), '0');
  fireEvent.click(send);
  await until(() => expect(dialog.getByLabelText(/^Pace/).getAttribute('aria-invalid')).toBe('true'));
  expect((await gateway.manage('GET', '/recoveries')).body.data).toEqual([]);

  fix();
  type(dialog.getByLabelText(/^Pace/), '1000');
  fireEvent.click(send);
  await dialog.findByText(/all were delivered/);
  expect(received).toHaveLength(6);
  expect(address()).toMatch(/\?recovery=rcv_\w+|\?recovery=\w+/);
});

test('a list of deliveries is retried with its filter, and the overview retries what every endpoint is owed', async () => {
  const { gateway, endpointId, received, fix } = await gatewayWithDeadLetters(2, { WEBHOOK_RETRY_SECONDS: '0,3600' }, 'pending');
  fix();
  const stored = (await gateway.manage('GET', '/deliveries?status=pending')).body.data;
  expect(stored).toHaveLength(2);
  await visit(gateway, `/deliveries?endpoint_id=${endpointId}&status=pending&event_type=sale.completed&q=no+such+text`);
  await click('Retry these now');
  const none = within(await screen.findByRole('dialog'));
  await none.findByText(/sale\.completed, text “no such text”/);
  expect((none.getByRole('checkbox', { name: /^Failed/ }) as HTMLInputElement).checked).toBe(false);
  await none.findByRole('button', { name: 'Nothing to retry' });

  await visit(gateway, '/');
  await click('Retry now');
  const all = within(await screen.findByRole('dialog'));
  await all.findByText(/^all endpoints/);
  fireEvent.click(await all.findByRole('button', { name: 'Retry 2 deliveries now' }));
  await all.findByText(/all were delivered/);
  expect(received).toHaveLength(4);
});

test('a viewer sees the recovery dialog but cannot count, send or change anything', async () => {
  const { gateway, endpointId } = await gatewayWithDeadLetters(1);
  const { credential } = await makeOperator(gateway, 'Koffi', 'viewer');
  requests.length = 0;
  await visit(gateway, `/endpoints/${endpointId}?retry=1`, { credential });
  await screen.findByText('Only an operator can retry deliveries.');
  for (const name of ['Send test event', 'Retry now', 'Pause', 'Edit', 'Rotate secret', 'Remove'])
    for (const button of screen.getAllByRole('button', { name }) as HTMLButtonElement[]) expect(button.disabled, name).toBe(true);
  expect(requests.filter((request) => !request.startsWith('GET ')).slice(1)).toEqual([]);
});

test('a test event must be JSON, and its result is shown', async () => {
  const { gateway, endpointId, fix } = await gatewayWithDeadLetters(1);
  fix();
  await visit(gateway, `/endpoints/${endpointId}?test=1`);
  const dialog = within(await screen.findByRole('dialog'));
  const data = await dialog.findByLabelText('Data');
  type(data, '{ "a": ');
  await dialog.findByText(/^This is not valid JSON/);
  expect((dialog.getByRole('button', { name: 'Send' }) as HTMLButtonElement).disabled).toBe(true);
  fireEvent.click(dialog.getByText('Reset to example'));
  await until(() => expect((dialog.getByRole('button', { name: 'Send' }) as HTMLButtonElement).disabled).toBe(false));
  fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
  await dialog.findByText('Test event delivered');
});

test("a form shows the API's message at its field, and sends what was typed", async () => {
  const gateway = await buildTestApp({ demo: false });
  await visit(gateway, '/back-office/stores');
  await click('New store');
  const form = within(await screen.findByRole('dialog'));
  type(form.getByLabelText(/^Id/), ' STORE-T-01 ');
  type(form.getByLabelText(/^Name/), 'Treichville');
  type(form.getByLabelText(/^City/), 'Abidjan');
  type(form.getByLabelText(/^Currency/), 'francs');
  fireEvent.click(form.getByRole('button', { name: 'New store' }));
  await until(() => expect(form.getByLabelText(/^Currency/).getAttribute('aria-invalid')).toBe('true'));
  expect(form.getByLabelText(/^Name/).getAttribute('aria-invalid')).not.toBe('true');
  type(form.getByLabelText(/^Currency/), 'XOF');
  fireEvent.click(form.getByRole('button', { name: 'New store' }));
  await screen.findByText('Treichville was created.');
  expect((await gateway.manage('GET', '/pos/stores')).body.data).toMatchObject([{ id: 'STORE-T-01', currency: 'XOF' }]);
  fireEvent.click(screen.getByRole('link', { name: 'Open' }));
  await until(() => expect(address()).toBe('/back-office/stores?row=STORE-T-01'));
  await screen.findByText('No products yet.');
});

test('signing in: a wrong credential is explained, the right one opens the page, and an ended session returns to it', async () => {
  const gateway = await buildTestApp({ demo: false });
  const { id, credential } = await makeOperator(gateway, 'Awa', 'operator');
  await visit(gateway, '/deliveries?status=failed', { credential: null });
  type(await screen.findByLabelText(/^Credential/), 'op_wrong');
  await click('Sign in');
  await screen.findByText('No operator has this credential. Check that you copied all of it.');
  type(screen.getByLabelText(/^Credential/), credential);
  await click('Sign in');
  await screen.findByText('No matching deliveries');

  await gateway.manage('PATCH', `/operators/${id}`, { role: 'viewer' });
  type(screen.getByLabelText('Status'), 'pending');
  await screen.findByText('Your session has ended');
  type(screen.getByLabelText(/^Credential/), credential);
  await click('Sign in');
  await screen.findByText('No matching deliveries');
  expect(address()).toBe('/deliveries?status=pending');
  expect(await queryOf('/deliveries')).toMatchObject({ status: 'pending' });
});
