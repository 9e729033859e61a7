import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { buildTestApp } from '../helper.ts';
import { sold, startHarness, until } from './harness.ts';
import { receiver } from './receiver.ts';
import { storeDeliveries } from './rows.ts';

const [second, minute, hour] = [1000, 60_000, 3_600_000];
const fridayEvening = Date.UTC(2026, 10, 20, 18);

async function start(clock = new ManualClock(fridayEvening)) {
  const app = await buildTestApp({ demo: false, clock });
  const create = async (url: string, more: object = {}): Promise<string> =>
    (await app.manage('POST', '/endpoints', { service: 'pos', url, ...more })).body.data.id;
  const emit = (number: number) => app.services.change(async ({ emit }) => emit(sold, { subject: null, data: { number } }));
  /** Lets time pass in steps in which everything settles. */
  const pass = async (ms: number, stepMs: number) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await clock.advance(stepMs);
      await app.settled();
    }
  };
  const recoveries = async () => (await app.manage('GET', '/recoveries')).body.data;
  const statuses = async (endpoint_id: string) => {
    const groups = await app.store.summarize('deliveries', { where: { endpoint_id }, by: ['status'] });
    return Object.fromEntries(groups.map(({ status, count }) => [status, count]));
  };
  return { ...app, clock, create, emit, pass, recoveries, statuses };
}

/** An endpoint whose outage is over, and four deliveries of each kind. */
async function afterOutage(more: Partial<Row<'endpoints'>> = {}) {
  const app = await start();
  const to = await receiver();
  const id = await app.create(to.url);
  const [before, during] = [fridayEvening - hour, fridayEvening - minute];
  const store = (of: Partial<Row<'deliveries'>>) =>
    storeDeliveries(app.store, 4, { endpoint_id: id, created_at: before - hour, updated_at: during, ...of });
  const dead = await store({ status: 'failed', reason: 'timeout' });
  const skipped = await store({ status: 'skipped', reason: 'endpoint_disabled' });
  await store({ status: 'failed', reason: 'gone' });
  await store({ status: 'skipped', reason: 'not_visible' });
  await store({ status: 'skipped', reason: 'owner_inactive' });
  await store({ status: 'failed', reason: 'timeout', updated_at: before - 1 });
  await store({ status: 'failed', reason: 'timeout', recovered_at: before });
  await store({ status: 'failed', reason: 'timeout', test: true });
  await app.store.update('endpoints', { id }, { outage_since: before, outage_over_at: fridayEvening, ...more });
  return { ...app, to, id, dead, skipped };
}

/** Looks every 10 minutes for what needs upkeep, not every 5 s: a weekend has 45,000 times 5 s. */
class WeekendClock extends ManualClock {
  override after(delayMs: number, run: () => void, { upkeep = false } = {}): () => void {
    return super.after(upkeep ? 120 * delayMs : delayMs, run);
  }
}

test('a receiver that is away from Friday to Monday gets everything without a hand', async () => {
  const { clock, webhooks, store, endpoint, emit, deliveries } = startHarness({ clock: new WeekendClock(fridayEvening) });
  let isAway = true;
  const to = await receiver((response) => response.writeHead(isAway ? 500 : 204).end());
  const { id: patient } = await endpoint({ url: to.url });
  const { id: impatient } = await endpoint({ url: to.url, retry_for_hours: 12 });
  const pass = async (hours: number) => {
    for (let step = 0; step < hours * 6; step++) {
      await clock.advance(10 * minute);
      await webhooks.settled();
    }
  };
  for (let hours = 0; hours < 62; hours += 2) {
    await emit(sold, { count: 6 });
    await pass(2);
  }
  expect((await deliveries({ endpoint_id: impatient, status: 'failed' })).length).toBeGreaterThan(0);
  expect(await store.count('recoveries')).toBe(0);
  isAway = false;
  await emit();
  await pass(26);
  const all = 31 * 6 + 1;
  expect(await deliveries({ endpoint_id: patient, status: 'delivered' })).toHaveLength(all);
  expect(await deliveries({ endpoint_id: impatient, status: 'delivered' })).toHaveLength(all);
  expect(await store.list('recoveries')).toMatchObject([{ status: 'done', filter: { endpoint_id: impatient } }]);
});

test.each([
  ['everything without a hand', {}, 'delivered'],
  ['nothing if that is off', { auto_recovery: false }, 'failed'],
])('a receiver that is away for a weekend with three events, and no circuit, gets %s', async (_, more, status) => {
  const { clock, webhooks, store, endpoint, emit, deliveries } = startHarness({ clock: new WeekendClock(fridayEvening) });
  let isAway = true;
  const to = await receiver((response) => response.writeHead(isAway ? 500 : 204).end());
  const { id } = await endpoint({ url: to.url, retry_for_hours: 12, ...more });
  const pass = async (hours: number) => {
    for (let step = 0; step < hours * 2; step++) {
      await clock.advance(30 * minute);
      await webhooks.settled();
    }
  };
  for (let day = 0; day < 3; day++) {
    await emit();
    await webhooks.settled();
    await pass(20);
  }
  expect(await deliveries({ endpoint_id: id, status: 'failed' })).toHaveLength(3);
  expect(await store.list('notices')).toEqual([]);
  expect(await store.count('recoveries')).toBe(0);
  isAway = false;
  await emit();
  await pass(2);
  expect((await deliveries({ endpoint_id: id })).map((one) => one.status)).toEqual([status, status, status, 'delivered']);
  const filter = { endpoint_id: id, outage_since: fridayEvening };
  expect(await store.list('recoveries')).toMatchObject(status === 'failed' ? [] : [{ status: 'done', filter, total: 3 }]);
});

test('an event that its receiver refuses while it takes others is no outage, and dies once', async () => {
  const { clock, webhooks, store, endpoint, emit, deliveries } = startHarness({ clock: new WeekendClock(fridayEvening) });
  const refused = new Set<string>();
  const to = await receiver((response, { headers }) => {
    const id = String(headers['webhook-id']);
    if (refused.size === 0) refused.add(id);
    response.writeHead(refused.has(id) ? 422 : 204).end();
  });
  const { id } = await endpoint({ url: to.url, retry_for_hours: 12 });
  for (let hours = 0; hours < 16; hours++) {
    if (hours % 4 === 0) await emit();
    await clock.advance(hour);
    await webhooks.settled();
  }
  await emit();
  await clock.advance(hour);
  await webhooks.settled();
  expect((await deliveries({ endpoint_id: id })).map((one) => one.status)).toEqual(['failed', ...Array(4).fill('delivered')]);
  expect(await store.get('endpoints', { id })).toMatchObject({ outage_since: null, failing_since: null });
  expect(await store.count('recoveries')).toBe(0);
});

test('what an outage ended is sent again, oldest first and once, and nothing else', async () => {
  const { to, id, dead, skipped, pass, recoveries, manage, clock, store } = await afterOutage();
  await pass(10 * second, second);
  await until(() => expect(to.received).toHaveLength(8));
  const sent = to.received.map(({ headers }) => headers['webhook-id']);
  const events = await store.list('deliveries', { where: { id: { in: [...dead, ...skipped].map((one) => one.id) } } });
  expect(sent.toSorted()).toEqual(events.map(({ event_id }) => event_id).toSorted());
  const outage_since = new Date(fridayEvening - hour).toISOString();
  const [recovery, ...others] = await recoveries();
  expect(recovery).toMatchObject({ total: 8, done: 8, status: 'done', filter: { endpoint_id: id, outage_since } });
  expect(others).toEqual([]);
  const { data } = (await manage('GET', '/audit?action=createRecovery')).body;
  expect(data).toMatchObject([{ operator: 'gateway', target: recovery.id, call_id: '', changes: [{ did: 'created' }] }]);
  // The same outage again, as after a crash of the process: what was taken is not taken again.
  await store.update('deliveries', { endpoint_id: id, status: 'delivered' }, { status: 'failed', reason: 'timeout' });
  await store.update('endpoints', { id }, { outage_since: fridayEvening - hour, outage_over_at: clock.now() });
  await pass(10 * second, second);
  expect(to.received).toHaveLength(8);
  expect(await recoveries()).toHaveLength(1);
});

test.each([
  ['that recovers by hand', { auto_recovery: false }],
  ['that was deleted', { deleted_at: fridayEvening, active: false, disabled_reason: 'deleted' }],
] as const)('nothing is sent again by itself to an endpoint %s', async (_, more) => {
  const { to, pass, recoveries, store, id } = await afterOutage(more);
  await pass(10 * second, second);
  expect([await recoveries(), to.received]).toEqual([[], []]);
  expect(await store.get('endpoints', { id })).toMatchObject({ outage_since: null, outage_over_at: null });
});

test.each([
  ['is held again', { held_until: fridayEvening + hour, held_because: 'failing' }, { held_until: null, held_because: null }],
  ['is disabled for failing again', { active: false, disabled_reason: 'failing' }, { active: true, disabled_reason: null }],
] as const)('a recovery waits while its endpoint %s, and goes on afterwards', async (_, away, back) => {
  const { to, id, pass, recoveries, store } = await afterOutage(away);
  await pass(10 * second, second);
  expect(await recoveries()).toMatchObject([{ status: 'running', done: 0, total: 8 }]);
  expect(to.received).toEqual([]);
  await store.update('endpoints', { id }, back);
  await pass(10 * second, second);
  await until(() => expect(to.received).toHaveLength(8));
  expect(await recoveries()).toMatchObject([{ status: 'done', done: 8 }]);
});

test('an endpoint that was disabled for failing gets what it missed after it was activated and its first delivery arrived', async () => {
  const app = await start();
  let isAway = true;
  const to = await receiver((response) => response.writeHead(isAway ? 500 : 204).end());
  const id = await app.create(to.url);
  await app.emit(1);
  const state = {
    failing_since: fridayEvening - 120 * hour,
    held_until: fridayEvening - 1,
    holds: 1,
    held_because: 'failing',
  } as const;
  await app.store.update('endpoints', { id }, { ...state, outage_since: fridayEvening - 120 * hour });
  await app.pass(10 * second, second);
  expect(await app.store.get('endpoints', { id })).toMatchObject({ active: false, disabled_reason: 'failing' });
  await app.emit(2);
  await app.settled();
  isAway = false;
  expect((await app.manage('PATCH', `/endpoints/${id}`, { active: true })).status).toBe(200);
  await app.pass(10 * minute, minute);
  expect(await app.recoveries()).toEqual([]);
  await app.emit(3);
  await app.pass(20 * second, second);
  await until(async () => expect(await app.statuses(id)).toEqual({ delivered: 3 }));
  expect(await app.recoveries()).toMatchObject([{ total: 2, status: 'done' }]);
});
