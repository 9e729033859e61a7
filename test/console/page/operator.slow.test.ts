// Must be the first import: the page's libraries look for a document when they are loaded.
import './dom.ts';

import { act } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queries } from '../../../gateway/console/page/lib/queries.ts';
import { hrefOf } from '../../../gateway/console/page/pages/overview/problems.ts';
import { addTo, inEveryWidth, type Tallies } from '../../../gateway/figures/tally.ts';
import { verdictTexts } from '../../../gateway/manage/figures/verdict.ts';
import { MemoryStore } from '../../../gateway/store/memory/store.ts';
import { StoreUnavailable } from '../../../gateway/store/port.ts';
import { buildTestApp, type Reply, stillClock } from '../../helper.ts';
import { makeOperator } from '../../manage/harness.ts';
import { receiver } from '../../webhooks/receiver.ts';
import {
  address,
  click,
  fireEvent,
  gatewayWithDeadLetters,
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

test('each problem of the verdict leads to what it is about', async () => {
  const gateway = await buildTestApp({ demo: false });
  const overview = (await gateway.manage('GET', '/overview?period=day')).body.data;
  const to = (name: string, endpoints: { id: string; url: string }[] = [], raw: Record<string, string> = {}) =>
    hrefOf(
      {
        case: name as keyof typeof verdictTexts,
        severity: 'error',
        text: '',
        values: {},
        raw,
        endpoints,
        since: null,
        owed: null,
        cause: null,
      },
      overview,
    );
  const [one, other] = ['ep_1', 'ep_2'].map((id) => ({ id, url: 'https://example.com/' })) as [
    { id: string; url: string },
    never,
  ];
  expect(to('failing', [one])).toBe('/endpoints/ep_1');
  expect(to('failing_many', [one, other])).toBe('/endpoints');
  // What dead letters block waits for a person, who finds it in the list.
  expect(to('failing_many', [one, other], { reason: 'blocked' })).toBe('/deliveries?blocking=true');
  expect(to('failing', [one], { reason: 'blocked' })).toBe('/deliveries?blocking=true&endpoint_id=ep_1');
  expect(to('held_many', [one, other])).toBe('/endpoints?state=held');
  expect(to('dead_letters')).toBe('/deliveries?status=failed&since=24h');
  expect(to('calls_failed_one')).toBe('/calls?status=5xx&since=24h');
  expect(to('ledger_unbalanced')).toBe('/events?since=24h');
  // A case for one counts as a case for many.
  for (const name of Object.keys(verdictTexts).filter((name) => name.endsWith('_one') && !name.startsWith('delivered')))
    if (!name.startsWith('only')) expect(to(name), name).not.toBe('/endpoints');
});

test('while the figures cannot be read, the overview does not say that all is well', async () => {
  const store = new MemoryStore();
  let isAway = false;
  const { summarize } = store;
  store.summarize = (...args) => (isAway ? Promise.reject(new StoreUnavailable('away')) : summarize(...args)) as never;
  const gateway = await buildTestApp({ store });
  const { url } = await receiver();
  const created = await gateway.manage('POST', '/endpoints', { service: 'pos', url });
  await sendTest(gateway, created.body.data.id);
  await until(async () => expect((await gateway.manage('GET', '/overview')).body.data.deliveries.delivered).toBe(1));
  await visit(gateway, '/');
  await screen.findByText(/^All is well/);
  isAway = true;
  await screen.findByText(verdictTexts.store_down);
  expect(screen.queryByText(/^All is well/)).toBeNull();
  isAway = false;
  await screen.findByText(/^All is well/);
});

test('no figure is red under “All is well”, and the states of endpoints add up', async () => {
  const store = new MemoryStore();
  const clock = stillClock();
  const gateway = await buildTestApp({ store, clock, demo: false });
  const { url } = await receiver();
  const [{ body: used }] = (await Promise.all(
    [url, `${url}/off`].map((one) => gateway.manage('POST', '/endpoints', { service: 'pos', url: one })),
  )) as [Reply, Reply];
  await store.update('endpoints', { id: { not: used.data.id } }, { active: false, disabled_reason: 'owner' });
  const failed: Tallies = new Map();
  const past = { kind: 'attempt', subject: '*', name: 'refused', atMs: clock.now() - 20 * 60_000, total: 9 } as const;
  addTo(failed, [past]);
  await store.append('tallies', inEveryWidth(failed));
  await sendTest(gateway, used.data.id);
  await visit(gateway, '/');
  await screen.findByText(/^All is well/);
  const figure = (label: string) => screen.getByText(label, { selector: '.figure *' }).closest('.figure') as HTMLElement;
  expect(figure('Success rate').textContent).toContain('9 failed');
  expect(figure('Endpoints').textContent).toContain('1 of 2well, 0 in trouble, 0 held, 1 disabled');
  expect([...document.querySelectorAll('.figure[data-colour]')].map(({ textContent }) => textContent)).toEqual([]);
});

test('a page that goes offline says so at once, with the time of its figures, and nothing of it when it is online again', async () => {
  const gateway = await buildTestApp({ demo: false });
  await visit(gateway, '/limits');
  await screen.findByRole('heading', { level: 1 });
  await until(() => expect(queries.isFetching()).toBe(0));
  expect(screen.queryByText('You are offline')).toBeNull();
  act(() => void dispatchEvent(new Event('offline')));
  const banner = screen.getByText('You are offline').closest('[role=alert]') as HTMLElement;
  expect(banner.textContent).toMatch(/The newest figures on this page are from \d/);
  const readAt = Date.parse(banner.querySelector('time')?.dateTime ?? '');
  expect(
    queries
      .getQueryCache()
      .findAll({ type: 'active' })
      .map(({ state }) => state.dataUpdatedAt),
  ).toContain(readAt);
  act(() => void dispatchEvent(new Event('online')));
  expect(screen.queryByText('You are offline')).toBeNull();
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

test("a delivery's page says why it has not arrived", async () => {
  const { gateway, url } = await gatewayWithDeadLetters(1, { WEBHOOK_RETRY_SECONDS: '0,3600' }, 'pending');
  const [delivery] = await gateway.store.list('deliveries');
  await visit(gateway, `/deliveries/${delivery?.id}`);
  const { host } = new URL(url);
  await screen.findByText(new RegExp(`^${host} has answered 500 \\(1 of 1\\)\\. Next try in \\d+`));
  await gateway.store.update(
    'deliveries',
    { id: delivery?.id ?? '' },
    { status: 'skipped', reason: 'endpoint_disabled', next_attempt_at: null },
  );
  await visit(gateway, `/deliveries/${delivery?.id}`);
  await screen.findByText(`${host} was paused or disabled when the delivery was due, so it was skipped.`);
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

test('the items of a recovery are read again when it ends', async () => {
  const { gateway, endpointId, fix } = await gatewayWithDeadLetters(1);
  fix();
  const started = await gateway.manage('POST', '/recoveries', { endpoint_id: endpointId, statuses: ['failed'] });
  const path = `/recoveries/${started.body.data.id}`;
  await until(async () => expect((await gateway.manage('GET', path)).body.data.results.delivered).toBe(1));

  await visit(gateway, `/endpoints/${endpointId}?recovery=${started.body.data.id}`);
  // The first answer still says that it runs. Items read before the second one are none.
  let reads = 0;
  const real = network.fetch;
  network.fetch = async (input, init) => {
    const { pathname } = new URL((input as Request).url);
    const before = reads;
    if (pathname.endsWith(path)) reads += 1;
    const reply = await real(input, init);
    if (pathname.endsWith(path) && before === 0) {
      const { data } = (await reply.json()) as { data: object };
      return Response.json({ data: { ...data, status: 'running' } });
    }
    return pathname.endsWith('/items') && before < 2 ? Response.json({ data: [], next: null }) : reply;
  };
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText(/all were delivered/);
  await until(() => expect(dialog.queryByRole('link', { name: 'sale.completed' })).not.toBeNull());
  expect(reads).toBe(2);
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
  // A recovery would send more than what blocks others.
  await visit(gateway, '/deliveries?blocking=true');
  await screen.findByRole('heading', { name: 'Deliveries' });
  expect(screen.queryByRole('button', { name: 'Retry these now' })).toBeNull();

  await visit(gateway, '/');
  await click('Retry now');
  const all = within(await screen.findByRole('dialog'));
  await all.findByText(/^all endpoints/);
  fireEvent.click(await all.findByRole('button', { name: 'Retry 2 deliveries now' }));
  await all.findByText(/all were delivered/);
  expect(received).toHaveLength(4);
});

test('a filter that a recovery cannot keep is refused, not dropped', async () => {
  const { gateway } = await gatewayWithDeadLetters(1);
  requests.length = 0;
  for (const dropped of [
    'status=fail',
    'status=delivered',
    'partner=Koffi',
    'waits_for=turn',
    'blocking=true',
    'colour=red',
    'since=1y',
  ]) {
    await visit(gateway, `/deliveries?retry=1&${dropped}`);
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByText(`Deliveries cannot be retried by ${dropped}`);
    expect(dialog.queryByRole('button', { name: /^Retry/ })).toBeNull();
  }
  expect(requests.filter((request) => request.includes('/recoveries'))).toEqual([]);
});

test('a viewer sees the recovery dialog but cannot count, send or change anything', async () => {
  const { gateway, endpointId } = await gatewayWithDeadLetters(1);
  const { credential } = await makeOperator(gateway, 'Koffi', 'viewer');
  requests.length = 0;
  await visit(gateway, `/endpoints/${endpointId}?retry=1`, { credential });
  await screen.findByText('Only an operator can retry deliveries.');
  for (const name of ['Send test event', 'Retry now', 'More'])
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
  const tries = () => requests.filter((request) => request === 'POST /manage/v1/session').length;
  const first = tries();
  await until(async () => {
    if (tries() < first + 10) await click('Sign in');
    screen.getByText(/Try again in \d+ s/);
  });
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
