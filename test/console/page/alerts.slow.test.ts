// Must be the first import: the page's libraries look for a document when they are loaded.
import './dom.ts';

import { expect, test } from 'vitest';
import { ManualClock } from '../../../gateway/base/clock.ts';
import type { Store } from '../../../gateway/store/port.ts';
import type { Row } from '../../../gateway/store/tables/index.ts';
import { buildTestApp } from '../../helper.ts';
import { alert } from '../../store/rows.ts';
import { receiver } from '../../webhooks/receiver.ts';
import { screen, sendTest, until, visit, within } from './console.ts';

/** Alerts about these endpoints, the first one opened first. */
const addAlerts = (store: Store, subjects: readonly string[], more: Partial<Row<'alerts'>> = {}): Promise<void> =>
  store.append(
    'alerts',
    subjects.map((subject, at) => alert(`alt_${at}`, subject, { opened_at: Date.now() - 60_000, ...more })),
  );

/** Without rounds of the rules, which would end alerts that a test has made. */
const quietGateway = () => buildTestApp({ demo: false, clock: new ManualClock(Date.now()) });

test('an alert that is over says what ended it, and the list filters by state', async () => {
  const gateway = await quietGateway();
  const values = { endpoint: 'ep_1', host: 'till.example.org', description: '' };
  const detail = { case: 'endpoint_failing', values, ending: { case: 'answers', waiting: 14 } } as const;
  await addAlerts(gateway.store, ['ep_1'], { resolved_at: Date.now(), detail });
  await visit(gateway, '/alerts?row=alt_0');
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByText('till.example.org answers again. 14 deliveries wait. (ep_1)');
  drawer.getByText('What ended it');
  await visit(gateway, '/alerts?state=open');
  await screen.findByText('No matches', { exact: false });
});

test('the overview groups endpoints by cause, and names hosts', async () => {
  const gateway = await quietGateway();
  const { url } = await receiver((response) => response.writeHead(500).end());
  for (const path of ['/one', '/two']) {
    const { body } = await gateway.manage('POST', '/endpoints', { service: 'pos', url: `${url}${path}` });
    for (let sent = 0; sent < 2; sent++) await sendTest(gateway, body.data.id);
  }
  await until(async () => expect((await gateway.manage('GET', '/overview')).body.data.verdict.problems).toHaveLength(1));
  await visit(gateway, '/');
  await screen.findByText(`2 endpoints fail (answered 500): ${new URL(url).host}.`);
  await screen.findByText('Answered 4xx/5xx, now 500');
});
