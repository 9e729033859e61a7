// Must be the first import: the page's libraries look for a document when they are loaded.
import './dom.ts';

import { expect, test } from 'vitest';
import { sections } from '../../../gateway/console/page/pages/back-office/sections.ts';
import { requestBody } from '../../../gateway/console/page/parts/resource/form-values.ts';
import type { Resource } from '../../../gateway/console/page/parts/resource/resource.ts';
import { alertedGateway } from '../../alerts/harness.ts';
import { buildTestApp } from '../../helper.ts';
import { receiver } from '../../webhooks/receiver.ts';
import { choose, click, fireEvent, gatewayWithDeadLetters, screen, sendTest, type, until, visit, within } from './console.ts';

/** The entries of the audit list. */
const trail = async () => within(await screen.findByRole('list', { name: 'Entries, newest first' }));

test('an endpoint: create, test, edit, rotate the secret, pause, enable and remove it', async () => {
  const gateway = await buildTestApp({ demo: false });
  const { url } = await receiver();
  await visit(gateway, '/endpoints?new=1');
  const creation = within(await screen.findByRole('dialog'));
  type(await creation.findByLabelText(/^URL/), url);
  fireEvent.click(creation.getByRole('button', { name: 'Create endpoint' }));
  await screen.findByText('Copy the signing secret now');
  fireEvent.click(screen.getByRole('button', { name: 'I have copied it: send a test event' }));
  await screen.findByText('Send a test event');
  await click('Send');
  await screen.findByText('Test event delivered');
  fireEvent.click(screen.getByText('Show the delivery'));
  await screen.findByText(/Delivered at the first attempt/);

  const [{ id }] = (await gateway.manage('GET', '/endpoints')).body.data;
  await visit(gateway, `/endpoints/${id}`);
  await choose('Edit');
  type(await screen.findByLabelText('Description'), 'The till');
  await click('Save');
  await screen.findByText('The endpoint was changed. The next attempt uses the new settings.');
  await choose('Rotate secret');
  await click('Create new secret');
  await screen.findByText('Copy the signing secret now');
  await click('I have copied it');
  await screen.findByRole('button', { name: 'Test the new secret' });
  await visit(gateway, '/audit');
  (await trail()).getByText('rotate endpoint secret');
  await visit(gateway, `/endpoints/${id}`);
  await choose('Pause');
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Pause' }));
  await screen.findByText('The endpoint is paused. Nothing is sent to it.');
  fireEvent.click((await screen.findAllByRole('button', { name: 'Resume' }))[0] as HTMLElement);
  await screen.findByText('The endpoint receives deliveries again.');
  expect((await gateway.manage('GET', `/endpoints/${id}`)).body.data).toMatchObject({ active: true, description: 'The till' });
  await choose('Remove');
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }));
  await screen.findByText('No endpoints yet');
});

test('a filter is tried before it is saved: how many events meet it, why one does not, what the API refuses', async () => {
  const { gateway, endpointId } = await gatewayWithDeadLetters(2);
  await visit(gateway, `/endpoints/${endpointId}`);
  await choose('Edit');
  const form = within(await screen.findByRole('dialog'));
  const typed = await form.findByLabelText(/^Filter on the payload/);
  const attempt = form.getByRole('button', { name: 'Try on recent events' });
  expect((attempt as HTMLButtonElement).disabled).toBe(true);
  type(typed, '{"data": {"totl": 1}}');
  fireEvent.click(attempt);
  await form.findByText(/Did you mean total\?/);
  type(typed, '{"data": {"total": {"$lt": 0}}}');
  expect(form.queryByText(/Did you mean/)).toBeNull();
  fireEvent.click(attempt);
  await form.findByText(
    /^0 of the last 2 events meet it. Not sale.completed evt_.*: data.total is .* and the filter wants {"\$lt":0}/,
  );
  expect((await gateway.manage('GET', `/endpoints/${endpointId}`)).body.data.filter).toBeNull();
  type(typed, '');
  expect(form.queryByText(/^0 of the last/)).toBeNull();
});

test('partners: an endpoint for one who is found by name; a link to the profile, shown once, listed and revoked; the trail', async () => {
  const gateway = await buildTestApp({ demo: false });
  const { data: user } = (
    await gateway.manage('POST', '/cohesion/users', { name: 'Zoé Zébré', email: 'zoe@example.com', role: 'lecteur' })
  ).body;
  const { url } = await receiver();
  await visit(gateway, '/endpoints?new=1');
  const creation = within(await screen.findByRole('dialog'));
  const owner = await creation.findByPlaceholderText('part of a name');
  fireEvent.click(owner);
  // Without focus, the field takes what is typed for a browser that fills in the form.
  owner.focus();
  type(owner, 'nobody');
  await screen.findByText('No account or user has “nobody” in its name.');
  type(owner, 'zebre');
  fireEvent.click(await screen.findByText('Zoé Zébré', { selector: 'bdi' }));
  expect(creation.getByLabelText<HTMLSelectElement>('Service')).toMatchObject({ value: 'cohesion', disabled: true });
  type(creation.getByLabelText(/^URL/), url);
  fireEvent.click(creation.getByRole('button', { name: 'Create endpoint' }));
  await screen.findByText('Copy the signing secret now');
  const [endpoint] = (await gateway.manage('GET', '/endpoints')).body.data;
  expect(endpoint).toMatchObject({ service: 'cohesion', active: true, owner: { id: `user:${user.id}`, name: 'Zoé Zébré' } });

  await visit(gateway, `/endpoints/${endpoint.id}`);
  await choose('Profile link');
  const links = within(await screen.findByRole('dialog', { name: 'Profile of Zoé Zébré' }));
  await links.findByText(/^No links in the last day/);
  await click('Create link');
  const form = within(await screen.findByRole('dialog', { name: 'Create link' }));
  type(form.getByLabelText(/^It can be opened for/), '15');
  fireEvent.click(form.getByRole('switch', { name: /^For reading only/ }));
  fireEvent.click(form.getByRole('button', { name: 'Create link' }));
  await links.findByText('Copy the link for Zoé Zébré now');
  const address = links.getByText(/\/profile#link_secret=/).textContent ?? '';
  const [secret = ''] = address.split('=').slice(-1);
  const opened = await gateway.call('POST', '/profile/v1/session', { body: { link_secret: secret } });
  expect([opened.status, opened.body.data.read_only]).toEqual([201, true]);
  await click('I have copied it');
  expect(links.queryByText(/link_secret/)).toBeNull();

  await visit(gateway, `/back-office/users?row=${user.id}`);
  const row = within(await screen.findByRole('dialog', { name: 'Users' }));
  await row.findByText(/^opened/);
  row.getByText('for reading only');
  const ofUser = within(row.getByRole('group', { name: 'Links to the profile' }));
  fireEvent.click(ofUser.getByRole('button', { name: 'Revoke' }));
  fireEvent.click(within(await screen.findByRole('dialog', { name: /^Revoke: / })).getByRole('button', { name: 'Revoke' }));
  await screen.findByText('The link was revoked, and its session has ended.');
  const cookie = String([opened.headers['set-cookie']].flat()[0]).split(';')[0] ?? '';
  expect((await gateway.call('GET', '/profile/v1/me', { headers: { cookie } })).status).toBe(401);
  fireEvent.click(row.getByRole('link', { name: 'deliveries' }));
  await screen.findByText('No matching deliveries');
  expect((await screen.findByLabelText<HTMLSelectElement>('Owner')).value).toBe(`user:${user.id}`);

  await visit(gateway, '/audit?action=openProfileSession');
  await screen.findByRole('link', { name: 'Zoé Zébré' });
  (await trail()).getByText('open session');
});

test('a delivery: resend it and compare its signature; a call, an event, limits and every other page open', async () => {
  const { gateway, endpointId } = await gatewayWithDeadLetters(1);
  const { id, event_id: eventId } = await sendTest(gateway, endpointId);
  await until(async () => expect((await gateway.manage('GET', `/deliveries/${id}`)).body.data.status).toBe('failed'));
  await visit(gateway, `/deliveries/${id}`);
  await click(/^Resend/);
  await click('Send now');
  await screen.findByRole('heading', { name: 'Attempt 2' });
  await click('Compare');
  type(await screen.findByLabelText(/^Raw body received/), '{"changed": true}');
  fireEvent.click(screen.getByRole('button', { name: /^Compare with attempt/ }));
  await screen.findByText('The signature does not match');

  // As if it were no test, and its endpoint ordered from the start.
  await gateway.manage('PATCH', `/endpoints/${endpointId}`, { ordered: true, on_dead_letter: 'block' });
  await gateway.store.update('deliveries', { id }, { order_key: endpointId });
  await visit(gateway, `/endpoints/${endpointId}`);
  await screen.findByText('Dead letters block deliveries');
  await screen.findByText('wait until somebody resends or skips it');
  fireEvent.click(await screen.findByRole('link', { name: 'Show what blocks' }));
  const blocking = within(await screen.findByRole('table'));
  expect(blocking.getAllByRole('columnheader').map(({ textContent }) => textContent)).toContain('Blocks since');
  await blocking.findByRole('row', { name: / 0 behind it Answered 500/ });
  await visit(gateway, `/deliveries/${id}`);
  await click('Skip');
  await click('Skip it');
  await until(async () => expect((await gateway.manage('GET', `/deliveries/${id}`)).body.data.blocking).toBe(false));
  await screen.findByText(/^Skipped by an operator, .* Those behind it were sent\.$/);

  await gateway.call('GET', '/pos/api/v1/inventory');
  await visit(gateway, '/calls?api=pos');
  fireEvent.click(await screen.findByText('/inventory'));
  await screen.findByText('Request headers');
  for (const [path, text] of [
    [`/events/${eventId}`, 'Sent to 1 endpoint'],
    ['/events', 'sale.completed'],
    ['/events?view=catalogue', 'Event catalogue'],
    ['/limits', /No calls by a known caller/],
    ['/', /failed permanently in the last hour/],
  ] as const) {
    await visit(gateway, path);
    await screen.findAllByText(text);
  }
  // A call leads to the event that it caused, and back.
  await gateway.manage('POST', '/cohesion/plans', { annee: 2031 });
  const closing = await gateway.manage('POST', '/cohesion/plans/2031/close');
  await visit(gateway, `/calls/${closing.headers['x-request-id']}`);
  fireEvent.click(await screen.findByRole('link', { name: 'plan.closed' }));
  await screen.findByRole('heading', { level: 1, name: 'plan.closed' });
  await screen.findByRole('link', { name: /^call_/ });
});

test('an endpoint lists the recoveries that may have sent to it, and says whose endpoints they are for', async () => {
  const gateway = await buildTestApp({ demo: false });
  const made = async (path: string, body: object) => {
    const reply = await gateway.manage('POST', path, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.body.data.id as string;
  };
  const from = '2020-01-01T00:00:00Z';
  const owned = async (name: string) => {
    const owner = `account:${await made('/pos/accounts', { name, plan: 'pro' })}`;
    const id = await made('/endpoints', { service: 'pos', url: `https://example.org/${owner}`, owner });
    await made('/recoveries', { owner, from });
    return id;
  };
  const [id] = [await owned('Aya'), await owned('Ben')];
  await made('/recoveries', { from });
  await visit(gateway, `/endpoints/${id}`);
  await screen.findByText('0 of 0 (all endpoints of Aya)');
  screen.getByText('0 of 0 (all endpoints)');
  expect(screen.queryByText(/Ben/)).toBeNull();
});

test('a recovery: start, change its pace, pause, resume and cancel it, and see it on the overview', async () => {
  const { gateway, endpointId } = await gatewayWithDeadLetters(3);
  await visit(gateway, `/endpoints/${endpointId}?retry=1`);
  const dialog = within(await screen.findByRole('dialog'));
  type(await dialog.findByLabelText(/^Pace/), '1');
  fireEvent.click(await dialog.findByRole('button', { name: 'Retry 3 deliveries now' }));
  await dialog.findByRole('button', { name: 'Pause' });
  fireEvent.click(dialog.getByRole('button', { name: 'Pause' }));
  fireEvent.click(await dialog.findByRole('button', { name: 'Resume' }));
  await dialog.findByRole('button', { name: 'Pause' });
  type(dialog.getByLabelText(/^Pace/), '2');
  fireEvent.click(await dialog.findByRole('button', { name: 'Set pace' }));
  await screen.findByText('The pace was changed.');
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel recovery' }));
  fireEvent.click(
    within((await screen.findByText('Cancel this recovery?')).closest('[role=dialog]') as HTMLElement).getByRole('button', {
      name: 'Cancel recovery',
    }),
  );
  await screen.findByText('The recovery was cancelled.');
  await visit(gateway, `/endpoints/${endpointId}`);
  await screen.findByText('canceled');
});

test('operators: create one, change the role, rotate the credential, deactivate and activate, sign out', async () => {
  const gateway = await buildTestApp({ demo: false });
  await visit(gateway, '/operators');
  await click('New operator');
  type(await screen.findByLabelText(/^Name/), 'Awa');
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'New operator' }));
  await screen.findByText('Copy the credential of Awa now');
  await click('I have copied it');
  const [{ id }] = (await gateway.manage('GET', '/operators')).body.data;
  await visit(gateway, `/operators?row=${id}`);
  await click('Edit');
  type(await screen.findByLabelText(/^Role/), 'operator');
  fireEvent.click(
    within((await screen.findByText('Edit: Awa')).closest('[role=dialog]') as HTMLElement).getByRole('button', { name: 'Edit' }),
  );
  await screen.findByText('Awa is an operator.');
  for (const [action, title, result] of [
    ['Rotate credential', 'Rotate credential: Awa?', 'Copy the new credential of Awa now'],
    ['Deactivate', 'Deactivate: Awa?', 'Awa is no longer active.'],
  ] as const) {
    await click(action);
    fireEvent.click(
      within((await screen.findByText(title)).closest('[role=dialog]') as HTMLElement).getByRole('button', { name: action }),
    );
    await screen.findByText(result);
  }
  await click('Activate');
  await screen.findByText('Awa is active again, with the same credential.');
  await click('Signed in as operator');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
  await screen.findByLabelText(/^Credential/);
});

test('alerts: make a channel, send a test, edit and remove it; see an alert and its messages', async () => {
  const { posts, ...gateway } = await alertedGateway();
  gateway.broken.freeBytes = 1;
  await gateway.rounds(() => expect(posts).toHaveLength(1));
  const dialog = async (title: string | RegExp) =>
    within((await screen.findByText(title, { selector: 'h2' })).closest('[role=dialog]') as HTMLElement);

  await visit(gateway, '/alerts/chat');
  await click('New channel');
  const form = await dialog('New channel');
  type(form.getByLabelText(/^Name/), 'Till chat');
  type(
    form.getByLabelText(/incoming webhook's URL/),
    (await receiver((response) => response.writeHead(410).end('archived'))).url,
  );
  fireEvent.click(form.getByRole('button', { name: 'New channel' }));
  await screen.findByText('Till chat was created. Open it to send a test.');
  fireEvent.click(await screen.findByRole('link', { name: 'Open' }));
  await click('Send a test');
  await screen.findByText('The test was not accepted.');
  await screen.findByText('The server answered: 410 archived');
  await click('Edit');
  const edit = await dialog('Edit: Till chat');
  type(edit.getByLabelText(/^Name/), 'Other chat');
  fireEvent.click(edit.getByRole('button', { name: 'Edit' }));
  await screen.findByText('Other chat was changed.');
  const [channel] = (await gateway.manage('GET', '/alerts/channels?kind=slack')).body.data;
  expect(channel).toMatchObject({ name: 'Other chat', has_secret: true });
  await screen.findByText('Messages do not arrive');
  await click('Remove');
  fireEvent.click((await dialog('Remove: Other chat?')).getByRole('button', { name: 'Remove' }));
  await screen.findByText('Other chat was removed.');

  await visit(gateway, '/alerts?state=open');
  fireEvent.click(await screen.findByText(/^The disk with the database has/, { selector: 'a' }));
  await screen.findByText('200 ok');
});

test('every list of the back office opens with its first row', async () => {
  const gateway = await buildTestApp();
  await visit(gateway, '/back-office');
  for (const { path, title, resources } of sections) {
    for (const { load, idOf, name, title: listTitle } of resources) {
      const [row] = (await load({ limit: 1 })).data;
      await visit(gateway, `/back-office/${path}?of=${name}${row ? `&row=${idOf(row)}` : ''}`);
      await screen.findByText(title, { selector: 'h1' });
      if (row) await within(await screen.findByRole('dialog', { name: listTitle })).findAllByText(/./, { selector: 'dd' });
    }
  }
});

const all = sections.flatMap(({ resources }) => resources);
const resourceOf = (name: string) => all.find((resource) => resource.name === name) as Resource<object>;

/** Fills the form of an action as typed text and sends it, as the form does. */
async function act<R>(
  resource: Resource<R>,
  label: string,
  row: R | null,
  inputs: Record<string, string | string[] | boolean> = {},
) {
  const action = row === null ? resource.create : resource.actions.find((one) => one.label === label);
  if (!action || action.label !== label) throw new Error(`${resource.name} has no action "${label}".`);
  const fields = action.fields?.(row as never) ?? [];
  return action.run(row as never, requestBody(fields, Object.fromEntries(fields.map(({ name }) => [name, inputs[name] ?? '']))));
}

const rowOf = async (resource: Resource<object>, id: string) =>
  (await resource.load({ limit: 100 })).data.find((row) => resource.idOf(row) === id) as object;

test('every action of the back office sends what its form has, and the API accepts it', async () => {
  const gateway = await buildTestApp();
  await visit(gateway, '/back-office');
  await screen.findByRole('heading', { level: 1, name: 'Accounts' });

  const accounts = resourceOf('accounts');
  const { createdId: accountId = '' } = await act(accounts, 'New account', null, { name: 'Adjamé', plan: 'pro' });
  const account = await rowOf(accounts, accountId);
  expect(account).toMatchObject({ name: 'Adjamé', plan: 'pro', store_ids: null });
  await act(accounts, 'Edit', account, { name: 'Cocody', plan: 'free', active: true });
  const [keys] = accounts.nested?.(account) ?? [];
  const key = await act(keys as Resource<object>, 'Create key', null);
  expect(key.secret?.text).toMatch(/api_secret: \S+/);
  const [keyRow] = (await (keys as Resource<object>).load({ limit: 10 })).data;
  await act(keys as Resource<object>, 'Revoke', keyRow as object);

  const stores = resourceOf('stores');
  await act(stores, 'New store', null, { id: 'STORE-T-01', name: 'Treichville', city: 'Abidjan', currency: 'XOF' });
  const store = await rowOf(stores, 'STORE-T-01');
  const [stock] = stores.nested?.(store) ?? [];
  const product = { product_id: 'PRD-9', name: 'Attiéké', category: 'Food', price: '500', quantity: '3', low_threshold: '1' };
  await act(stock as Resource<object>, 'Add product', null, product);
  await act(stores, 'Restock', store, { items: 'PRD-9 4\n' });
  const counted = await act(stores, 'Synchronize', store, { items: 'PRD-9 6' });
  expect(counted).toMatchObject({ message: 'Synchronized: 1 product, 1 of them corrected.', events: ['sync.completed'] });

  const users = resourceOf('users');
  const { createdId: userId = '' } = await act(users, 'New user', null, {
    name: 'Aya',
    role: 'lecteur',
    email: 'aya@example.org',
  });
  const user = await rowOf(users, userId);
  await act(users, 'Edit', user, { name: 'Aya K.', role: 'admin', active: true });
  const [tokens] = users.nested?.(user) ?? [];
  const token = { name: 'Board', abilities: ['read:stats'], structure_ids: '1, 2', expires_at: '2030-01-01T00:00' };
  await act(tokens as Resource<object>, 'Create token', null, token);
  const [tokenRow] = (await (tokens as Resource<object>).load({ limit: 10 })).data;
  expect(tokenRow).toMatchObject({ structure_ids: [1, 2], expires_at: new Date('2030-01-01T00:00').toISOString() });
  await act(tokens as Resource<object>, 'Revoke', tokenRow as object);

  const structures = resourceOf('structures');
  const fields = { nom: 'Croix', sigle: '', type: 'ong', region: 'Gbêkê', active: true };
  const { createdId: structureId = '' } = await act(structures, 'New structure', null, fields);
  await act(structures, 'Edit', await rowOf(structures, structureId), fields);

  const indicators = resourceOf('indicators');
  const indicator = {
    code: 'IND-T',
    intitule: 'Comités',
    type: 'impact',
    unite: 'comités',
    cible_annuelle: '100',
    is_kpi: false,
  };
  const { createdId: indicatorId = '' } = await act(indicators, 'New indicator', null, indicator);
  const low = await act(indicators, 'Set value', await rowOf(indicators, indicatorId), { valeur_courante: '150' });
  expect(low).toMatchObject({ events: ['indicator.alert'] });
  await act(indicators, 'Deactivate', await rowOf(indicators, indicatorId));

  const interventions = resourceOf('interventions');
  const draft = { reference: 'INT-T-1', intitule: 'Dialogue', structure_id: structureId, annee: '2026', budget: '1000' };
  const { createdId: interventionId = '' } = await act(interventions, 'New draft', null, draft);
  for (const move of ['Publish', 'Suspend', 'Resume', 'Terminate', 'Validate'])
    await act(interventions, move, await rowOf(interventions, interventionId));
  expect(await rowOf(interventions, interventionId)).toMatchObject({ statut: 'approuve', legal_moves: [] });

  const plans = resourceOf('plans');
  await act(plans, 'Open a plan', null, { annee: '2031' });
  await act(plans, 'Close the plan', await rowOf(plans, '2031'));
  const { createdId: reportId } = await act(resourceOf('reports'), 'Create report', null, { annee: '2026', titre: '' });
  await visit(gateway, `/back-office/plans-and-reports?of=reports&row=${reportId}`);
  await screen.findByText('Average attainment');
});
