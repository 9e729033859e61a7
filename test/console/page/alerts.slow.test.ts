// Must be the first import: the page's libraries look for a document when they are loaded.
import './dom.ts';

import { expect, test } from 'vitest';
import { type Clock, ManualClock } from '../../../gateway/base/clock.ts';
import type { Store } from '../../../gateway/store/port.ts';
import type { Row } from '../../../gateway/store/tables/index.ts';
import { buildTestApp } from '../../helper.ts';
import { makeOperator } from '../../manage/harness.ts';
import { alert } from '../../store/rows.ts';
import { receiver } from '../../webhooks/receiver.ts';
import { click, fireEvent, screen, sendTest, until, visit, within } from './console.ts';

/** Alerts about these endpoints, the first one opened first. */
const addAlerts = (store: Store, subjects: readonly string[], more: Partial<Row<'alerts'>> = {}): Promise<void> =>
  store.append(
    'alerts',
    subjects.map((subject, at) => alert(`alt_${at}`, subject, { opened_at: Date.now() - 60_000, ...more })),
  );

/** Without rounds of the rules, which would end alerts that a test has made. */
const quietGateway = () => buildTestApp({ demo: false, clock: new ManualClock(Date.now()) });

const chooseItem = async (name: string) => fireEvent.click(await screen.findByRole('menuitem', { name }));
const alertsOf = async ({ store, clock }: { store: Store; clock: Clock }) =>
  (await store.list('alerts', { order: [['id', 'asc']] })).map(({ acknowledged_at, snoozed_until, assigned_to }) => [
    acknowledged_at !== null,
    snoozed_until === null ? 0 : Math.round((snoozed_until - clock.now()) / 3_600_000),
    assigned_to,
  ]);

test('an alert is acknowledged, snoozed and assigned on its page; the list shows who has it, and filters', async () => {
  const gateway = await quietGateway();
  await makeOperator(gateway, 'Awa', 'operator');
  await makeOperator(gateway, 'Adjoa', 'viewer');
  await addAlerts(gateway.store, ['ep_1']);
  await visit(gateway, '/alerts?row=alt_0');
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByText('nobody yet');
  await click('Handle');
  await screen.findByRole('menuitem', { name: 'Awa' });
  expect(screen.queryByRole('menuitem', { name: 'Adjoa' })).toBeNull();
  await chooseItem('Acknowledge');
  await drawer.findByText(/^operator has it, acknowledged/);
  expect(await alertsOf(gateway)).toEqual([[true, 0, 'operator']]);
  await click('Handle');
  await chooseItem('Awa');
  await drawer.findByText(/^Awa has it, acknowledged/);
  await click('Handle');
  await chooseItem('4 h');
  await drawer.findByText(/^Awa has it, snoozed until/);
  expect(await alertsOf(gateway)).toEqual([[false, 4, 'Awa']]);

  await visit(gateway, '/alerts?state=snoozed');
  await screen.findByText('3 of 3 attempts', { exact: false });
  expect(screen.getAllByText('snoozed').length).toBeGreaterThan(0);
  screen.getByText('Awa');
  await visit(gateway, '/alerts?state=unhandled');
  await screen.findByText('No matches', { exact: false });
});

test('an alert that is over says what ended it, and cannot be handled', async () => {
  const gateway = await quietGateway();
  const values = { endpoint: 'ep_1', host: 'till.example.org', description: '', failed: 3, attempts: 3, minutes: 10 };
  const detail = { case: 'endpoint_failing', values, ending: { case: 'answers', waiting: 14 } } as const;
  await addAlerts(gateway.store, ['ep_1'], { resolved_at: Date.now(), detail });
  await visit(gateway, '/alerts?row=alt_0');
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByText('till.example.org answers again. 14 deliveries wait. (ep_1)');
  drawer.getByText('What ended it');
  expect(drawer.queryByRole('button', { name: 'Handle' })).toBeNull();
});

test('the overview groups endpoints by cause, names hosts, and handles all alerts of a cause together', async () => {
  const gateway = await quietGateway();
  const { url } = await receiver((response) => response.writeHead(500).end());
  const ids: string[] = [];
  for (const path of ['/one', '/two']) {
    const { body } = await gateway.manage('POST', '/endpoints', { service: 'pos', url: `${url}${path}` });
    ids.push(body.data.id);
    for (let sent = 0; sent < 2; sent++) await sendTest(gateway, body.data.id);
  }
  await addAlerts(gateway.store, ids);
  await until(async () => expect((await gateway.manage('GET', '/overview')).body.data.verdict.problems).toHaveLength(1));
  await visit(gateway, '/');
  await screen.findByText(`2 endpoints fail (answered 500): ${new URL(url).host}.`);
  await screen.findByText('Answered 4xx/5xx, now 500');
  await click('Handle');
  await chooseItem('Acknowledge');
  await screen.findByText(/^operator has it, acknowledged/);
  expect(await alertsOf(gateway)).toEqual([
    [true, 0, 'operator'],
    [true, 0, 'operator'],
  ]);
  // One of them is over meanwhile: the other is still handled.
  await gateway.store.update('alerts', { id: 'alt_0' }, { resolved_at: Date.now() });
  await click('Handle');
  await chooseItem('24 h');
  await screen.findByText(/^operator has it, snoozed until/);
  expect(await alertsOf(gateway)).toEqual([
    [true, 0, 'operator'],
    [false, 24, 'operator'],
  ]);
});
