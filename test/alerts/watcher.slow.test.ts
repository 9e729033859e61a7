import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { removeOldAlerts } from '../../gateway/alerts/alerts.ts';
import { endOfNight } from '../../gateway/alerts/night.ts';
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

test('a lasting rule waits for its period, and a short problem is no alert', async () => {
  const gateway = await alertedGateway();
  await gateway.manage('PUT', '/alerts/rules/disk_space', { period_minutes: 5 });
  for (const free of [low, 2 ** 40]) {
    gateway.broken.freeBytes = free;
    for (let round = 0; round < 6; round++) await gateway.rounds(() => {});
  }
  gateway.broken.freeBytes = low;
  const from = gateway.clock.now();
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  expect(gateway.clock.now() - from).toBeGreaterThanOrEqual(5 * minuteMs);
  expect((await gateway.manage('GET', '/alerts')).body.data).toHaveLength(1);
});

test.each(tiers)(
  '%s: within the quiet time the same alert is recorded and not sent; after it, it is sent if it is still open',
  async (_, openStore) => {
    const gateway = await alertedGateway({ store: await openStore() });
    await gateway.manage('PUT', '/alerts/rules/queue_down', { period_minutes: 0, quiet_minutes: 20 });
    const flap = async (isDown: boolean, open: number) => {
      gateway.broken.queue = isDown;
      await gateway.rounds(async () => expect(await gateway.store.count('alerts', { resolved_at: null })).toBe(open));
    };
    await flap(true, 1);
    await flap(false, 0);
    await gateway.rounds(() => expect(gateway.mails).toHaveLength(2));
    await flap(true, 1);
    await flap(false, 0);
    const { data } = (await gateway.manage('GET', '/alerts?rule=queue_down')).body;
    expect(data.map((one: { messages: unknown[] }) => one.messages.length)).toEqual([0, 4]);
    expect(data[0].notified_at).toBeNull();
    await flap(true, 1);
    await gateway.rounds(() => expect(gateway.mails).toHaveLength(3), minuteMs);
    const [again, , first] = await gateway.store.list('alerts', { order: [['id', 'desc']] });
    // The last message was the one that said it was over.
    expect((again?.notified_at ?? 0) - (first?.resolved_at ?? 0)).toBeGreaterThanOrEqual(20 * minuteMs);
  },
);

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
  await gateway.manage('PUT', '/alerts/rules/disk_space', { quiet_minutes: 0 });
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

test('at night a channel gets what is critical; the rest comes in the morning, if it is not over', async () => {
  const gateway = await alertedGateway();
  const night = { from: '16:00', to: '18:00', time_zone: 'UTC' };
  await gateway.manage('PATCH', `/alerts/channels/${gateway.channels.email}`, { night });
  const rule = (severity: string) =>
    gateway.manage('PUT', '/alerts/rules/disk_space', { severity, quiet_minutes: 0, period_minutes: 0 });
  const down = async (isLow: boolean, posts: number) => {
    gateway.broken.freeBytes = isLow ? low : 2 ** 40;
    await gateway.rounds(() => expect(gateway.posts).toHaveLength(posts));
  };
  await rule('warning');
  await down(true, 1);
  await down(false, 2);
  await rule('critical');
  await down(true, 3);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  await down(false, 4);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(2));
  await rule('warning');
  await down(true, 5);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(3), 2 * minuteMs);
  expect(gateway.clock.now()).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 22, 18));
  const { data } = (await gateway.manage('GET', '/alerts')).body;
  const toEmail = data.map((one: { messages: { channel: string; status: string }[] }) =>
    one.messages.filter(({ channel }) => channel === 'On call').map(({ status }) => status),
  );
  expect(toEmail).toEqual([[expect.stringMatching(/sent|pending/)], ['sent', 'sent'], ['skipped']]);
});

test.each([
  ['22:00', '06:00', 'UTC', '23:30', '06:00'],
  ['22:00', '06:00', 'UTC', '05:59', '06:00'],
  ['22:00', '06:00', 'UTC', '06:00', null],
  ['01:00', '05:00', 'UTC', '00:59', null],
  ['22:00', '06:00', 'Asia/Tokyo', '13:00', '21:00'],
])('night from %s to %s %s: what begins at %s UTC waits until %s', (from, to, time_zone, now, end) => {
  const at = (time: string) => Date.parse(`2026-11-22T${time}:00Z`);
  const day = 24 * 60 * minuteMs;
  const expected = end === null ? at(now) : at(end) + (at(end) < at(now) ? day : 0);
  expect(endOfNight({ from, to, time_zone }, at(now))).toBe(expected);
});

test.each(tiers)('%s: an outage of many endpoints is one message for each channel', async (_, openStore) => {
  const gateway = await alertedGateway({ store: await openStore() });
  for (const rule of ['endpoint_held', 'endpoint_failing'])
    await gateway.manage('PUT', `/alerts/rules/${rule}`, { enabled: false });
  const { url } = await receiver((response) => response.writeHead(500).end());
  for (let made = 0; made < 30; made++) await gateway.manage('POST', '/endpoints', { service: 'pos', url });
  await emit(gateway, 1);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  expect(gateway.mails[0]?.subject).toBe('[Passerelle] 30 new alerts');
  expect(gateway.mails[0]?.body).toContain('10 more are in the list of alerts.');
  const { data, next } = (await gateway.manage('GET', '/alerts?limit=20')).body;
  const rest = (await gateway.manage('GET', `/alerts?limit=20&cursor=${next}`)).body;
  expect([data.length, rest.data.length, rest.next]).toEqual([20, 10, null]);
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

test('a rule names its channels, or takes all that accept its severity; unknown names are refused with the nearest', async () => {
  const gateway = await alertedGateway();
  const { email, slack } = gateway.channels;
  await gateway.manage('PATCH', `/alerts/channels/${email}`, { min_severity: 'critical' });
  await gateway.manage('PUT', '/alerts/rules/disk_space', { severity: 'warning', period_minutes: 0 });
  gateway.broken.freeBytes = low;
  await gateway.rounds(() => expect(gateway.posts).toHaveLength(1));
  gateway.broken.queue = true;
  await gateway.manage('PUT', '/alerts/rules/queue_down', { channels: [email], period_minutes: 0 });
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  expect([gateway.posts.length, gateway.mails[0]?.subject]).toEqual([1, expect.stringContaining('queue')]);

  const misspelt = await gateway.manage('PUT', '/alerts/rules/disk_spaces', {});
  expect([misspelt.status, misspelt.body.error.message]).toEqual([
    404,
    'There is no rule "disk_spaces". Did you mean disk_space?',
  ]);
  const refused = async (body: object) => (await gateway.manage('PUT', '/alerts/rules/queue_down', body)).body.error.code;
  expect(await refused({ threshold: 5 })).toBe('no_threshold');
  expect(await refused({ channels: ['alc_1'] })).toBe('unknown_channel');
  expect(await refused({ period_minutes: 100_000 })).toBe('invalid_request');
  expect((await gateway.manage('PUT', '/alerts/rules/dead_letters', { threshold: 0 })).body.error.code).toBe('out_of_bounds');

  await gateway.manage('DELETE', `/alerts/channels/${slack}`);
  await gateway.manage('DELETE', `/alerts/channels/${email}`);
  const { data } = (await gateway.manage('GET', '/alerts/rules')).body;
  expect(data.find((rule: { name: string }) => rule.name === 'queue_down').channels).toEqual([]);
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

test('viewers see alerts, rules and channels, and change nothing', async () => {
  const gateway = await alertedGateway();
  const { credential } = (await gateway.manage('POST', '/operators', { name: 'Awa', role: 'viewer' })).body.data;
  const status = async (...[method, path, body]: Parameters<typeof gateway.manage>) =>
    (await gateway.call(method, `/manage/v1/alerts${path}`, { token: credential, body })).status;
  expect([await status('GET', ''), await status('GET', '/rules'), await status('GET', '/channels')]).toEqual([200, 200, 200]);
  const changes = [
    await status('PUT', '/rules/disk_space', {}),
    await status('POST', '/channels', emailChannel(25)),
    await status('POST', `/channels/${gateway.channels.email}/test`),
    await status('DELETE', `/channels/${gateway.channels.email}`),
  ];
  expect(changes).toEqual([403, 403, 403, 403]);
});

test('an endpoint that is attempted less often is not over: the alert stays until an attempt succeeds', async () => {
  const gateway = await alertedGateway();
  for (const rule of ['endpoint_held', 'dead_letters']) await gateway.manage('PUT', `/alerts/rules/${rule}`, { enabled: false });
  const answer = { status: 500 };
  const { url } = await receiver((response) => response.writeHead(answer.status).end());
  const { id } = (await gateway.manage('POST', '/endpoints', { service: 'pos', url })).body.data;
  await emit(gateway, 3);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  const later = gateway.clock.now() + 30 * minuteMs;
  await gateway.rounds(() => expect(gateway.clock.now()).toBeGreaterThan(later), minuteMs);
  expect(await gateway.store.count('alerts', { resolved_at: null })).toBe(1);
  answer.status = 204;
  await gateway.manage('POST', `/endpoints/${id}/test`, { event_type: 'sale.completed' });
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(2));
});

test('a rule that is switched off ends its alert; a channel that is deactivated or removed gets nothing more', async () => {
  const gateway = await alertedGateway();
  gateway.broken.freeBytes = low;
  await gateway.rounds(() => expect([gateway.mails.length, gateway.posts.length]).toEqual([1, 1]));
  await gateway.manage('PATCH', `/alerts/channels/${gateway.channels.slack}`, { active: false });
  await gateway.manage('PUT', '/alerts/rules/disk_space', { enabled: false });
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
