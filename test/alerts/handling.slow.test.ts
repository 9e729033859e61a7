import { expect, onTestFinished, test } from 'vitest';
import { alertStates, listAlerts } from '../../gateway/alerts/alerts.ts';
import { readTroubles } from '../../gateway/figures/trouble.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import { unhandled } from '../../gateway/store/tables/alerts.ts';
import { makeOperator, refusalOf, signedIn } from '../manage/harness.ts';
import { openEmptyPglite } from '../pglite.ts';
import { sharedPglite } from '../shared-pglite.ts';
import { watchedPool } from '../store/plans.ts';
import { endpoint } from '../store/rows.ts';
import { receiver } from '../webhooks/receiver.ts';
import { type Alerted, alertedGateway, emit, startMs } from './harness.ts';

const low = 100 * 1024 * 1024;
const hourMs = 3_600_000;
const pglite = sharedPglite();
const tiers = [
  ['memory', async () => new MemoryStore()],
  ['embedded', pglite],
] as const;

const iso = (atMs: number) => new Date(atMs).toISOString();
const listed = async (gateway: Alerted, state: string) =>
  (await gateway.manage('GET', `/alerts?state=${state}`)).body.data.map(({ id }: { id: string }) => id);

/** A gateway whose disk is nearly full, which two channels were told. */
async function withAlert(options: Parameters<typeof alertedGateway>[0] = {}) {
  const gateway = await alertedGateway(options);
  await gateway.manage('PUT', '/alerts/rules/disk_space', { period_minutes: 0 });
  gateway.broken.freeBytes = low;
  await gateway.rounds(() => expect([gateway.mails.length, gateway.posts.length]).toEqual([1, 1]));
  await gateway.rounds(async () => expect(await gateway.store.count('alert_messages', { status: 'sent' })).toBe(2));
  const [alert] = (await gateway.manage('GET', '/alerts')).body.data;
  const handle = (body: object, token?: string) =>
    token === undefined
      ? gateway.manage('PATCH', `/alerts/${alert.id}`, body)
      : gateway.call('PATCH', `/manage/v1/alerts/${alert.id}`, { token, body });
  const end = () => {
    gateway.broken.freeBytes = 2 ** 40;
  };
  return { gateway, id: alert.id as string, handle, end };
}

test.each(tiers)(
  '%s: who acknowledges an alert has it; others can be given it, and the lists tell them apart',
  async (_, openStore) => {
    const { gateway, id, handle } = await withAlert({ store: await openStore() });
    const [awa, kofi] = [await makeOperator(gateway, 'Awa', 'operator'), await makeOperator(gateway, 'Kofi', 'operator')];
    expect([await listed(gateway, 'unhandled'), await listed(gateway, 'open')]).toEqual([[id], [id]]);

    const at = iso(gateway.clock.now());
    const acknowledged = await handle({ acknowledged: true }, awa.credential);
    expect(acknowledged.body.data).toMatchObject({
      id,
      state: 'open',
      acknowledged_at: at,
      assigned_to: 'Awa',
      snoozed_until: null,
    });
    expect(acknowledged.body.data.messages).toHaveLength(2);
    expect((await handle({ assigned_to: kofi.name })).body.data).toMatchObject({ acknowledged_at: at, assigned_to: 'Kofi' });
    const state = async () => ({
      unhandled: await listed(gateway, 'unhandled'),
      acknowledged: await listed(gateway, 'acknowledged'),
      snoozed: await listed(gateway, 'snoozed'),
    });
    expect(await state()).toEqual({ unhandled: [], acknowledged: [id], snoozed: [] });

    const until = iso(gateway.clock.now() + hourMs);
    const snoozed = (await handle({ snoozed_until: until })).body.data;
    expect(snoozed).toMatchObject({ acknowledged_at: null, snoozed_until: until, assigned_to: 'Kofi' });
    expect(await state()).toEqual({ unhandled: [], acknowledged: [], snoozed: [id] });
    expect((await handle({ acknowledged: true })).body.data).toMatchObject({ snoozed_until: null, assigned_to: 'operator' });
    expect((await handle({ acknowledged: false, assigned_to: null })).body.data).toMatchObject({
      acknowledged_at: null,
      assigned_to: null,
    });
    expect(await listed(gateway, 'unhandled')).toEqual([id]);
  },
);

test.each(tiers)('%s: a snoozed alert sends nothing until its time, then is back by itself', async (_, openStore) => {
  const { gateway, id, handle, end } = await withAlert({ store: await openStore() });
  const until = gateway.clock.now() + hourMs;
  const { messages } = (await handle({ snoozed_until: iso(until) })).body.data;
  expect(messages.map(({ status, due_at }: Record<string, string>) => [status, due_at])).toEqual([
    ['pending', iso(until)],
    ['pending', iso(until)],
  ]);
  await gateway.rounds(() => expect(gateway.clock.now()).toBeGreaterThan(until - 120_000), 60_000);
  expect([gateway.mails.length, await listed(gateway, 'snoozed')]).toEqual([1, [id]]);
  await gateway.rounds(() => expect(gateway.clock.now()).toBeGreaterThanOrEqual(until), 60_000);
  expect(await listed(gateway, 'unhandled')).toEqual([id]);
  await gateway.rounds(() => expect([gateway.mails.length, gateway.posts.length]).toEqual([2, 2]));
  expect(gateway.mails[1]?.subject).toMatch(/^\[Passerelle\] Critical, still open after its snooze: The disk/);
  end();
  await gateway.rounds(() => expect([gateway.mails.length, gateway.posts.length]).toEqual([3, 3]));
  expect(gateway.mails[2]?.subject).toMatch(/^\[Passerelle\] Over after 6\d min/);
});

test.each([
  ['acknowledged', { acknowledged: true }],
  ['snoozed', { snoozed_until: 'in an hour' }],
])('an alert that is %s is over by itself, and who was told hears of it once', async (_, given) => {
  const { gateway, id, handle, end } = await withAlert();
  const body = 'snoozed_until' in given ? { snoozed_until: iso(gateway.clock.now() + hourMs) } : given;
  expect((await handle(body)).status).toBe(200);
  end();
  await gateway.rounds(() => expect([gateway.mails.length, gateway.posts.length]).toEqual([2, 2]));
  expect(gateway.mails[1]?.subject).toMatch(/Over after/);
  await gateway.rounds(() => {}, 2 * hourMs);
  expect(gateway.mails).toHaveLength(2);
  const [{ ending, state, messages }] = (await gateway.manage('GET', '/alerts')).body.data;
  expect([state, ending]).toEqual([
    'resolved',
    { case: 'cleared', text: 'The disk with the database has enough space again.', cause: null, waiting: null },
  ]);
  expect(gateway.mails[1]?.body).toContain(ending.text);
  expect(messages.map(({ status }: { status: string }) => status)).toEqual(['sent', 'sent', 'sent', 'sent']);
  const refused = await handle({ acknowledged: true });
  expect(refusalOf(refused)).toEqual([409, 'alert_over']);
  expect(refused.body.error.message).toMatch(
    new RegExp(`^The alert "${id}" is over since .* UTC: there is nothing left to handle\\.$`),
  );
});

test('a snooze that is ended early sends nothing again; what nobody had heard yet is sent then, or never if it is acknowledged', async () => {
  const { gateway, handle } = await withAlert();
  const hour = () => iso(gateway.clock.now() + hourMs);
  await handle({ snoozed_until: hour() });
  const { messages } = (await handle({ snoozed_until: null })).body.data;
  expect(messages.map(({ status }: { status: string }) => status)).toEqual(['sent', 'sent']);
  await gateway.rounds(() => {}, 2 * hourMs);
  expect(gateway.mails).toHaveLength(1);

  const night = { from: '16:00', to: '15:59', time_zone: 'UTC' };
  await gateway.manage('PATCH', `/alerts/channels/${gateway.channels.email}`, { night });
  await gateway.manage('PUT', '/alerts/rules/queue_down', { severity: 'warning', period_minutes: 0 });
  gateway.broken.queue = true;
  await gateway.rounds(() => expect(gateway.posts).toHaveLength(2));
  const [other] = (await gateway.manage('GET', '/alerts?rule=queue_down')).body.data;
  const acknowledged = (await gateway.manage('PATCH', `/alerts/${other.id}`, { acknowledged: true })).body.data;
  const statusOf = (channel: string) => acknowledged.messages.find((one: { channel: string }) => one.channel === channel).status;
  expect([statusOf('On call'), statusOf('Chat')]).toEqual(['skipped', 'sent']);
});

test('an alert that nobody could be told is not sent while it is snoozed', async () => {
  const gateway = await alertedGateway();
  for (const id of Object.values(gateway.channels)) await gateway.manage('PATCH', `/alerts/channels/${id}`, { active: false });
  gateway.broken.freeBytes = low;
  await gateway.rounds(async () => expect(await listed(gateway, 'open')).toHaveLength(1));
  const [id] = await listed(gateway, 'open');
  const until = gateway.clock.now() + hourMs;
  await gateway.manage('PATCH', `/alerts/${id}`, { snoozed_until: iso(until) });
  await gateway.manage('PATCH', `/alerts/channels/${gateway.channels.email}`, { active: true });
  await gateway.rounds(() => expect(gateway.clock.now()).toBeGreaterThan(until - 120_000), 60_000);
  expect(gateway.mails).toHaveLength(0);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1), 60_000);
  expect(gateway.clock.now()).toBeGreaterThanOrEqual(until);
});

test('what cannot be is refused, and says what can', async () => {
  const { gateway, handle } = await withAlert();
  await makeOperator(gateway, 'Awa', 'operator');
  await makeOperator(gateway, 'Adjoa', 'viewer');
  const now = gateway.clock.now();
  const refused = async (body: object) => {
    const { status, body: reply } = await handle(body);
    return [status, reply.error.message, reply.error.details[0]?.message];
  };
  const [, unknown] = await refused({ assigned_to: 'Awwa' });
  expect(unknown).toBe('There is no active operator "Awwa". Did you mean Awa? GET /manage/v1/operators lists them.');
  expect((await refused({ assigned_to: 'Adjoa' }))[0]).toBe(400);
  for (const [at, means] of [
    [now, 'now'],
    [now + 31 * 24 * hourMs, 'too far'],
  ] as const)
    expect(await refused({ snoozed_until: iso(at) }), means).toEqual([
      400,
      `\`snoozed_until\` must be after now, and within 30 days, got ${iso(at)}.`,
      expect.any(String),
    ]);
  expect((await refused({}))[2]).toBe('must have at least one of acknowledged, snoozed_until, assigned_to');
  expect((await refused({ acknowledged: true, snoozed_until: iso(now + 1000) }))[2]).toBe(
    'must not be both acknowledged and snoozed',
  );
  expect(refusalOf(await gateway.manage('PATCH', '/alerts/alt_none', { acknowledged: true }))).toEqual([404, 'not_found']);

  const [alert] = await gateway.store.list('alerts');
  const told = { ...alert, id: 'alt_0', open_key: 'alt_0', owner: 'account:acc_1' } as NonNullable<typeof alert>;
  await gateway.store.append('alerts', [told]);
  const ofPartner = await gateway.manage('PATCH', '/alerts/alt_0', { acknowledged: true });
  expect([ofPartner.status, ofPartner.body.error.code]).toEqual([409, 'alert_of_partner']);
  expect(await listed(gateway, 'unhandled')).toEqual([alert?.id]);
});

test('the overview says who has the alerts of a cause; what is snoozed leaves the headline until its time, or until something new happens', async () => {
  const gateway = await alertedGateway({ settings: { WEBHOOK_RETRY_SECONDS: '0,360000' } });
  for (const rule of ['endpoint_held', 'dead_letters']) await gateway.manage('PUT', `/alerts/rules/${rule}`, { enabled: false });
  for (let count = 0; count < 2; count++) {
    const { url } = await receiver((response) => response.writeHead(500).end());
    await gateway.manage('POST', '/endpoints', { service: 'pos', url });
  }
  await emit(gateway, 3);
  await gateway.rounds(async () => expect(await listed(gateway, 'unhandled')).toHaveLength(2));
  const verdict = async () => (await gateway.manage('GET', '/overview')).body.data.verdict;
  const ids = await listed(gateway, 'open');
  const { problems, state } = await verdict();
  expect([state, problems.length, problems[0].severity]).toEqual(['error', 1, 'error']);
  const none = { acknowledged_at: null, snoozed_until: null, assigned_to: null };
  expect(problems[0].alerts).toEqual(expect.arrayContaining(ids.map((id: string) => ({ id, ...none }))));

  await gateway.manage('PATCH', `/alerts/${ids[0]}`, { acknowledged: true });
  const has = (await verdict()).problems[0].alerts.map((alert: { assigned_to: string }) => alert.assigned_to);
  expect(has.toSorted()).toEqual([null, 'operator']);

  const until = gateway.clock.now() + hourMs;
  for (const id of ids) await gateway.manage('PATCH', `/alerts/${id}`, { snoozed_until: iso(until) });
  expect(await verdict()).toMatchObject({ state: 'ok', text: expect.stringMatching(/^All is well/) });
  expect((await verdict()).problems).toMatchObject([
    { case: 'failing_many', severity: 'note', alerts: [{ snoozed_until: iso(until) }, {}] },
  ]);
  await gateway.manage('PUT', '/alerts/rules/endpoint_held', { period_minutes: 1 });
  await emit(gateway, 12);
  await gateway.rounds(async () => expect(await listed(gateway, 'unhandled')).toHaveLength(2));
  expect((await verdict()).state).toBe('error');
  for (const id of await listed(gateway, 'unhandled'))
    await gateway.manage('PATCH', `/alerts/${id}`, { snoozed_until: iso(until) });
  expect((await verdict()).state).toBe('ok');
  await gateway.rounds(() => expect(gateway.clock.now()).toBeGreaterThanOrEqual(until), 60_000);
  expect((await verdict()).problems).toMatchObject([{ severity: 'error', alerts: Array(4).fill({ snoozed_until: null }) }]);
});

test('a viewer changes nothing; each change is in the audit trail with the values before it', async () => {
  const { gateway, id, handle } = await withAlert();
  const viewer = await makeOperator(gateway, 'Adjoa', 'viewer');
  expect(refusalOf(await handle({ acknowledged: true }, viewer.credential))).toEqual([403, 'viewer_cannot_change']);
  const awa = await makeOperator(gateway, 'Awa', 'operator');
  const console = await signedIn(gateway, awa.credential);
  expect(refusalOf(await console('PATCH', `/alerts/${id}`, { acknowledged: true }, {}))).toEqual([403, 'forged_request']);
  expect((await console('PATCH', `/alerts/${id}`, { acknowledged: true })).status).toBe(200);
  const entries = (await gateway.manage('GET', '/audit?action=updateAlert')).body.data;
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({ operator: 'operator:Awa', target: id, more: 0 });
  const at = iso(gateway.clock.now());
  const fields = { acknowledged_at: { before: null, after: at }, assigned_to: { before: null, after: 'Awa' } };
  expect(entries[0].changes).toEqual([{ table: 'alerts', id, did: 'changed', fields }]);
});

test('beside many alerts that are over, the overview and the lists read the open ones only', async () => {
  const pglite = await openEmptyPglite();
  const { pool, readingOf } = watchedPool(pglite);
  const store = await openSqlStore(pool);
  onTestFinished(() => store.close());
  const [now, open] = [startMs, 8];
  const alerts = Array.from({ length: 5000 }, (_, index) => {
    const id = `alt_${String(index).padStart(5, '0')}`;
    const isOpen = index % (5000 / open) === 0;
    return {
      ...({ id, owner: null, about: null, rule: 'endpoint_failing', severity: 'warning', subject: `ep_${index % 2}` } as const),
      open_key: id,
      message: 'It fails.',
      page: '/',
      opened_at: now,
      notified_at: now,
      resolved_at: isOpen ? null : now,
      detail: { case: 'disk_space', values: { megabytes: 1 } } as const,
      ...unhandled,
      acknowledged_at: index % 2 ? now : null,
    };
  });
  await store.append('alerts', alerts);
  const held = { held_until: now + hourMs, held_because: 'failing', failing_since: now - hourMs } as const;
  await store.append('endpoints', [endpoint('ep_0', held), endpoint('ep_1', held)]);
  const client = await pglite.connect();
  await client.query('analyze', []);
  client.release();

  const troubles = await readingOf(() => readTroubles(store, now, 100));
  const ofAlerts = troubles.by.filter(({ text }) => text.includes('alerts'));
  expect(ofAlerts).toHaveLength(1);
  expect(ofAlerts[0]?.rows).toBeLessThanOrEqual(open);
  for (const state of alertStates.filter((one) => one !== 'resolved')) {
    const { rows, by } = await readingOf(() => listAlerts(store, { state, now, limit: 50 }));
    expect(rows, `${state}: ${by[0]?.text}`).toBeLessThanOrEqual(2 * open);
  }
});
