import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { removeOldAlerts } from '../../gateway/alerts/alerts.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { eventually } from '../eventually.ts';
import { buildTestApp } from '../helper.ts';
import { sharedPglite } from '../shared-pglite.ts';
import { receiver } from '../webhooks/receiver.ts';
import { alertedGateway, emailChannel, emit, roundsOn } from './harness.ts';
import { mailServer } from './mail-server.ts';

const low = 100 * 1024 * 1024;
const minuteMs = 60_000;
const pglite = sharedPglite();
const tiers = [
  ['memory', async () => new MemoryStore()],
  ['embedded', pglite],
] as const;

test('a condition must hold for a minute: a short problem is no alert', async () => {
  const gateway = await alertedGateway();
  for (const free of [low, 2 ** 40]) {
    gateway.broken.freeBytes = free;
    for (let round = 0; round < 5; round++) await gateway.rounds(() => {});
  }
  gateway.broken.freeBytes = low;
  const from = gateway.clock.now();
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  expect(gateway.clock.now() - from).toBeGreaterThanOrEqual(minuteMs);
  expect((await gateway.manage('GET', '/alerts')).body.data).toHaveLength(1);
});

test.each(tiers)(
  '%s: a restart neither repeats nor loses an open alert, and one of two processes sends it',
  async (_, openStore) => {
    const keys = new Keyring(randomBytes(32));
    const first = await alertedGateway({ keys, store: await openStore() });
    const { alerts, rounds } = roundsOn(first.clock);
    const same = { keys, store: first.store, clock: first.clock, demo: false, alerts };
    const second = await buildTestApp({ ...same, freeBytes: async () => first.broken.freeBytes });
    first.broken.freeBytes = low;
    await first.rounds(() => expect(first.mails).toHaveLength(1));
    await eventually(async () => expect(await first.store.count('alert_messages', { status: 'sent' })).toBe(2));
    await first.close();
    for (let round = 0; round < 12; round++) await rounds(() => {});
    expect([first.mails.length, first.posts.length, await first.store.count('alerts')]).toEqual([1, 1, 1]);

    first.broken.freeBytes = 2 ** 40;
    await rounds(() => expect([first.mails.length, first.posts.length]).toEqual([2, 2]));
    expect(first.mails[1]?.subject).toMatch(/^\[Passerelle\] Over after \d+ \w+: /);
    await second.close();
  },
);

test('a channel that is down is tried again with a bound; its failure is visible, and the order stays', async () => {
  const gateway = await alertedGateway();
  const answer = { status: 503 };
  const chat = await receiver((response) => response.writeHead(answer.status).end('away'));
  await gateway.manage('PATCH', `/alerts/channels/${gateway.channels.slack}`, { credential: chat.url });
  gateway.broken.freeBytes = low;
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  gateway.broken.freeBytes = 2 ** 40;
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(2));
  await gateway.rounds(() => expect(chat.received.length).toBeGreaterThan(2));
  const channel = (await gateway.manage('GET', '/alerts/channels?kind=slack')).body.data[0];
  expect(channel).toMatchObject({ last_answer: '503 away', failing_since: expect.any(String) });

  answer.status = 200;
  await gateway.rounds(async () => expect(await gateway.store.count('alert_messages', { status: 'pending' })).toBe(0));
  const told = JSON.parse(chat.received.at(-1)?.body ?? '').text;
  expect(told).toMatch(/Critical: The disk .*Over after \d+ \w+: The disk/s);

  answer.status = 503;
  gateway.broken.freeBytes = low;
  await gateway.rounds(
    async () => expect(await gateway.store.count('alert_messages', { status: 'failed' })).toBe(1),
    2 * minuteMs,
  );
  const [last] = (await gateway.manage('GET', '/alerts?state=open')).body.data;
  expect(last.messages.find((one: { channel: string }) => one.channel === 'Chat')).toMatchObject({
    status: 'failed',
    attempts: 6,
    answer: '503 away',
    due_at: null,
  });
});

test.each(tiers)('%s: an outage of many endpoints is one message for each channel', async (_, openStore) => {
  const gateway = await alertedGateway({ store: await openStore() });
  // Each is disabled, and has a dead letter.
  const { url } = await receiver((response) => response.writeHead(410).end());
  for (let made = 0; made < 30; made++) await gateway.manage('POST', '/endpoints', { service: 'pos', url });
  await emit(gateway, 1);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  expect(gateway.mails[0]?.subject).toBe('[Passerelle] 60 new alerts');
  expect(gateway.mails[0]?.body).toContain('40 more are in the list of alerts.');
  const { data, next } = (await gateway.manage('GET', '/alerts?limit=40')).body;
  const rest = (await gateway.manage('GET', `/alerts?limit=40&cursor=${next}`)).body;
  expect([data.length, rest.data.length, rest.next]).toEqual([40, 20, null]);
});

test('a mail server that hangs delays neither the rounds nor the other channel', async () => {
  const gateway = await alertedGateway({ alerts: { deadlineMs: 60_000 } });
  const hanging = await mailServer({ onConnect: () => {} });
  await gateway.manage('PATCH', `/alerts/channels/${gateway.channels.email}`, { port: hanging.port });
  gateway.broken.freeBytes = low;
  await gateway.rounds(() => expect(gateway.posts).toHaveLength(1));
  gateway.broken.freeBytes = 2 ** 40;
  await gateway.rounds(async () => expect(await gateway.store.count('alerts', { resolved_at: null })).toBe(0));
});

test('a channel takes the alerts of its severity and above', async () => {
  const gateway = await alertedGateway();
  const { email } = gateway.channels;
  await gateway.manage('PATCH', `/alerts/channels/${email}`, { min_severity: 'critical' });
  const { url } = await receiver((response) => response.writeHead(410).end());
  const { id } = (await gateway.manage('POST', '/endpoints', { service: 'pos', url })).body.data;
  await gateway.manage('POST', `/endpoints/${id}/test`, { event_type: 'sale.completed' });
  await gateway.settled();
  await gateway.rounds(() => expect(gateway.posts).toHaveLength(1));
  gateway.broken.queue = true;
  await gateway.rounds(() => expect(gateway.posts).toHaveLength(2));
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  expect(gateway.mails[0]?.subject).toContain('Critical: The queue');
});

test('without a channel alerts are recorded; a channel that is made later gets what is still open', async () => {
  const gateway = await alertedGateway();
  for (const id of Object.values(gateway.channels)) await gateway.manage('DELETE', `/alerts/channels/${id}`);
  gateway.broken.freeBytes = low;
  await gateway.rounds(async () => expect((await gateway.manage('GET', '/alerts?state=open')).body.data).toHaveLength(1));
  const { port, mails } = await mailServer();
  await gateway.manage('POST', '/alerts/channels', emailChannel(port));
  await gateway.rounds(() => expect(mails).toHaveLength(1));
});

test('a channel that is deactivated gets nothing more', async () => {
  const gateway = await alertedGateway();
  gateway.broken.freeBytes = low;
  await gateway.rounds(() => expect([gateway.mails.length, gateway.posts.length]).toEqual([1, 1]));
  await gateway.manage('PATCH', `/alerts/channels/${gateway.channels.slack}`, { active: false });
  gateway.broken.freeBytes = 2 ** 40;
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(2));
  expect(gateway.posts).toHaveLength(1);
});

test('alerts that ended long ago are removed with their messages; open ones stay', async () => {
  const gateway = await alertedGateway();
  gateway.broken.freeBytes = low;
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  const later = gateway.clock.now() + 1;
  await removeOldAlerts(gateway.store, later);
  expect(await gateway.store.count('alerts')).toBe(1);
  gateway.broken.freeBytes = 2 ** 40;
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(2));
  await removeOldAlerts(gateway.store, gateway.clock.now() + 1);
  expect([await gateway.store.count('alerts'), await gateway.store.count('alert_messages')]).toEqual([0, 0]);
});
