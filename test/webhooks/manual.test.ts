import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { buildTestApp, sharedByTests, type TestGateway } from '../helper.ts';
import { until } from './harness.ts';
import { type Receiver, receiver } from './receiver.ts';
import { storeDeliveries } from './rows.ts';

const create = async (app: TestGateway, url: string, more: object = {}): Promise<string> =>
  (await app.manage('POST', '/endpoints', { service: 'cohesion', url, ...more })).body.data.id;

/** Closes a plan, which emits plan.closed. */
async function closeAPlan(app: TestGateway): Promise<void> {
  await app.manage('POST', '/cohesion/plans', { annee: 2031 });
  expect((await app.manage('POST', '/cohesion/plans/2031/close')).status).toBe(200);
}

/** Waits until the only delivery matches, and returns it with its attempts. Checks that the ledger always balances. */
const delivery = (app: TestGateway, like: object) =>
  until(async () => {
    const [found] = (await app.manage('GET', '/deliveries')).body.data;
    expect((await app.manage('GET', '/ledger')).body.data.unaccounted).toBe(0);
    expect(found).toMatchObject(like);
    return (await app.manage('GET', `/deliveries/${found.id}`)).body.data;
  });

/** A receiver that answers with these statuses in turn, and then repeats the last one. */
const answering = (...statuses: number[]): Promise<Receiver> =>
  receiver((response) => response.writeHead((statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200).end());

const start = (seconds: string) => buildTestApp({ demo: false, settings: { WEBHOOK_RETRY_SECONDS: seconds } });
const resend = (app: TestGateway, id: string) => app.manage('POST', `/deliveries/${id}/resend`);
const sent = ({ received }: Receiver) => received.map(({ body, headers }) => ({ body, id: headers['webhook-id'] }));

test('a delivered one is resent: a manual attempt with the same id and the same bytes', async () => {
  const app = await start('0,3600');
  const to = await answering(200);
  await create(app, to.url);
  await closeAPlan(app);
  const before = await delivery(app, { status: 'delivered' });
  const reply = await resend(app, before.id);
  expect([reply.status, reply.body.data]).toMatchObject([
    202,
    { id: before.id, status: 'pending', reason: 'resend', attempts: 1 },
  ]);
  const after = await delivery(app, { status: 'delivered', attempts: 2, reason: null, next_attempt_at: null });
  expect(after.attempts_made).toMatchObject([
    { number: 1, manual: false },
    { number: 2, manual: true, outcome: 'success' },
  ]);
  expect(sent(to)).toEqual(Array(2).fill({ body: before.event.body, id: before.event_id }));
});

test('a delivered one whose resend fails is failed: a resend is not retried', async () => {
  const app = await start('0,3600,3600');
  const to = await answering(200, 500);
  await create(app, to.url);
  await closeAPlan(app);
  const { id } = await delivery(app, { status: 'delivered' });
  await resend(app, id);
  const after = await delivery(app, { status: 'failed', attempts: 2, reason: 'status', next_attempt_at: null });
  expect(after.attempts_made[1]).toMatchObject({
    manual: true,
    next_attempt_at: null,
    next_attempt_why: expect.stringMatching(/single attempt on request/),
  });
});

test('a resent dead letter fails again until its receiver is back', async () => {
  const app = await start('0');
  const to = await answering(500, 500, 200);
  await create(app, to.url);
  await closeAPlan(app);
  const { id } = await delivery(app, { status: 'failed', attempts: 1 });
  await resend(app, id);
  await delivery(app, { status: 'failed', attempts: 2 });
  await resend(app, id);
  const { attempts_made } = await delivery(app, { status: 'delivered', attempts: 3 });
  expect(attempts_made.map(({ manual }: { manual: boolean }) => manual)).toEqual([false, true, true]);
  expect(new Set(sent(to).map((one) => JSON.stringify(one))).size).toBe(1);
});

test('a pending one is attempted now, and its schedule continues', async () => {
  const app = await start('0,3600,7200');
  const to = await answering(500, 500, 200);
  await create(app, to.url);
  await closeAPlan(app);
  const { id } = await delivery(app, { status: 'pending', attempts: 1, next_attempt_at: expect.any(String) });
  expect((await resend(app, id)).body.data).toMatchObject({ status: 'pending', reason: 'brought_forward' });
  const waiting = await delivery(app, { status: 'pending', attempts: 2, reason: 'status' });
  const lastMs = Date.parse(waiting.attempts_made[1].ended_at);
  expect(Date.parse(waiting.next_attempt_at) - lastMs).toBeGreaterThan(6_000_000);
  await resend(app, id);
  const { attempts_made } = await delivery(app, { status: 'delivered', attempts: 3 });
  expect(attempts_made.map(({ manual }: { manual: boolean }) => manual)).toEqual([false, true, true]);
});

test('a resend during an attempt waits for it, and leads to another attempt', async () => {
  const app = await start('0,3600');
  const held: ServerResponse[] = [];
  const to = await receiver((response) => held.push(response));
  await create(app, to.url);
  await closeAPlan(app);
  await until(() => expect(held).toHaveLength(1));
  const { id } = await delivery(app, { status: 'pending', attempts: 0 });
  const { next_attempt_at: askedFor } = (await resend(app, id)).body.data;
  // The resend's job was run, and its delivery put off.
  await until(async () =>
    expect((await app.store.get('deliveries', { id }))?.next_attempt_at).toBeGreaterThan(Date.parse(askedFor) + 5000),
  );
  expect(held).toHaveLength(1);
  held[0]?.end();
  await until(() => expect(held).toHaveLength(2));
  held[1]?.end();
  const { attempts_made } = await delivery(app, { status: 'delivered', attempts: 2 });
  expect(attempts_made).toMatchObject([
    { manual: false, outcome: 'success', next_attempt_why: expect.stringMatching(/while this one was running/) },
    { manual: true, outcome: 'success' },
  ]);
  expect(to.received).toHaveLength(2);
});

test.each([
  ['recover', 'resend', { status: 'failed', next_attempt_at: null }],
  ['retry_now', 'brought_forward', { status: 'pending', next_attempt_at: expect.any(String) }],
] as const)(
  'one that a recovery (%s) put behind a hold is attempted at once when it is resent',
  async (before, reason, after) => {
    const app = await start('0,3600,3600');
    const to = await answering(500);
    const endpoint_id = await create(app, to.url);
    const now = app.clock.now();
    const hold = { held_until: now + 3_600_000, held_because: 'failing', holds: 7, failing_since: now - 1 } as const;
    await app.store.update('endpoints', { id: endpoint_id }, hold);
    const of = { endpoint_id, event_type: 'plan.closed', created_at: now - 1000 };
    const behind = { status: 'pending', reason: before, parked: true, next_attempt_at: of.created_at } as const;
    const [stored] = await storeDeliveries(app.store, 1, { ...of, ...behind });
    expect((await resend(app, stored?.id as string)).body.data).toMatchObject({ status: 'pending', reason });
    const { attempts_made } = await delivery(app, { ...after, attempts: 2, reason: 'status' });
    expect(attempts_made).toMatchObject([{ number: 2, manual: true }]);
    expect(to.received).toHaveLength(1);
  },
);

test.each([
  [200, { status: 'delivered', attempts: 1, reason: null, next_attempt_at: null }],
  [500, { status: 'skipped', attempts: 1, reason: 'endpoint_deleted', next_attempt_at: null }],
])('the attempt that runs while its endpoint is deleted is recorded; its answer was %i', async (status, ended) => {
  const app = await start('0,3600');
  const held: ServerResponse[] = [];
  const to = await receiver((response) => held.push(response));
  const endpoint = await create(app, to.url);
  await closeAPlan(app);
  await until(() => expect(held).toHaveLength(1));
  const { id } = await delivery(app, { status: 'pending', attempts: 0 });
  await app.manage('DELETE', `/endpoints/${endpoint}`);
  await delivery(app, { status: 'skipped', attempts: 0 });
  held[0]?.writeHead(status).end();
  const { attempts_made } = await delivery(app, ended);
  expect(attempts_made).toMatchObject([{ number: 1, response_status: status }]);
  expect((await app.manage('GET', '/ledger')).body.data).toMatchObject({ unaccounted: 0, deliveries: { [ended.status]: 1 } });
  expect(await app.store.get('deliveries', { id })).toMatchObject({ parked: false });
});

test('a delivery that a disabled endpoint missed can be resent only when the endpoint is active again', async () => {
  const app = await start('0');
  const to = await answering(200);
  const endpoint = await create(app, to.url, { active: false });
  await closeAPlan(app);
  const { id } = await delivery(app, { status: 'skipped' });
  const refused = await resend(app, id);
  expect([refused.status, refused.body.error]).toMatchObject([
    409,
    { code: 'illegal_move', message: expect.stringMatching(/disabled \(operator\)/), details: [{ field: 'legal_moves' }] },
  ]);
  await delivery(app, { status: 'skipped', reason: 'endpoint_disabled' });
  await app.manage('PATCH', `/endpoints/${endpoint}`, { active: true });
  await resend(app, id);
  await delivery(app, { status: 'delivered', attempts: 1 });
  await app.manage('DELETE', `/endpoints/${endpoint}`);
  const deleted = await resend(app, id);
  expect([deleted.status, deleted.body.error.message]).toEqual([409, expect.stringMatching(/is deleted/)]);
  expect((await resend(app, 'nothing')).status).toBe(404);
  await delivery(app, { status: 'delivered', attempts: 1 });
  expect(to.received).toHaveLength(1);
});

test('a resend whose job is lost is made at the next start, still as a manual attempt', async () => {
  const app = await start('0');
  const to = await answering(200);
  await create(app, to.url);
  await closeAPlan(app);
  const { id } = await delivery(app, { status: 'delivered' });
  await app.close();
  const patch = { status: 'pending', reason: 'resend', next_attempt_at: app.clock.now() } as const;
  await app.store.update('deliveries', { id }, patch);
  const again = await buildTestApp({ demo: false, store: app.store });
  await until(async () => expect(await app.store.get('deliveries', { id })).toMatchObject({ attempts: 2 }));
  const attempts = await again.store.list('attempts', { where: { delivery_id: id }, order: [['number', 'asc']] });
  expect(attempts.map(({ manual }) => manual)).toEqual([false, true]);
});

test.each(['pos', 'cohesion'])(
  'a test event of each type of %s goes to this endpoint only and ignores its filters',
  async (service) => {
    const app = await start('0');
    const [to, other] = [await answering(200), await answering(200)];
    const id = await create(app, to.url, { service, perimeter: ['nowhere'], active: true });
    await create(app, other.url, { service });
    const types = (await app.manage('GET', `/event-types?service=${service}`)).body.data;
    for (const { type, example } of types) {
      const reply = await app.manage('POST', `/endpoints/${id}/test`, { event_type: type });
      expect([reply.status, reply.body.data]).toMatchObject([201, { endpoint_id: id, event_type: type, status: 'pending' }]);
      const event = (await app.manage('GET', `/events/${reply.body.data.event_id}`)).body.data;
      expect(event).toMatchObject({ service, type, matched: 1, payload: { event: type, data: example } });
      await until(() => expect(sent(to)).toContainEqual({ body: event.body, id: event.id }));
    }
    await until(async () =>
      expect((await app.manage('GET', '/ledger')).body.data).toMatchObject({
        expected: types.length,
        deliveries: { delivered: types.length },
        unaccounted: 0,
      }),
    );
    expect([to.received.length, other.received.length]).toEqual([types.length, 0]);
  },
);

test('a test event can have given data, and a failing one follows the schedule', async () => {
  const app = await start('0,3600');
  const to = await answering(500);
  const id = await create(app, to.url);
  const { example } = (await app.manage('GET', '/event-types')).body.data.find(
    ({ type }: { type: string }) => type === 'plan.closed',
  );
  const data = { ...example, annee: 2044 };
  expect((await app.manage('POST', `/endpoints/${id}/test`, { event_type: 'plan.closed', data })).status).toBe(201);
  await delivery(app, { status: 'pending', attempts: 1, reason: 'status' });
  expect(JSON.parse(to.received[0]?.body ?? '')).toMatchObject({ event: 'plan.closed', data });
});

const refusing = sharedByTests(async (atEnd) => {
  const app = await buildTestApp({ demo: false, atEnd });
  return { app, id: await create(app, 'https://example.com/') };
});

test.each([
  [{ event_type: 'plan.closed', data: { annee: 'soon' } }, 'data.annee'],
  [{ event_type: 'plan.closed', data: null }, 'data'],
  [{ event_type: 'plan.closed', data: [] }, 'data'],
  [{ event_type: 'sale.completed' }, 'event_type'],
  [{ event_type: 'nothing' }, 'event_type'],
  [{}, 'event_type'],
  [{ event_type: 'plan.closed', other: 1 }, 'other'],
])('the test event %j is refused with 400 and the field named; nothing is stored', async (body, field) => {
  const { app, id } = refusing();
  const reply = await app.manage('POST', `/endpoints/${id}/test`, body);
  expect([reply.status, reply.body.error.details.map((detail: { field: string }) => detail.field)]).toEqual([
    400,
    expect.arrayContaining([field]),
  ]);
  expect([await app.store.count('events'), await app.store.count('deliveries')]).toEqual([0, 0]);
});

test('a test event to an endpoint that is held is attempted at once, and its success ends the hold', async () => {
  const app = await start('0,3600');
  const replies = [503, 200];
  const to = await receiver((response) => response.writeHead(replies.shift() ?? 200, { 'retry-after': '3000' }).end());
  const id = await create(app, to.url);
  const state = async () => (await app.manage('GET', `/endpoints/${id}`)).body.data.health.state;
  await closeAPlan(app);
  await until(async () => expect(await state()).toBe('held'));
  await app.manage('POST', `/endpoints/${id}/test`, { event_type: 'plan.closed' });
  const tested = await delivery(app, { status: 'delivered', reason: null });
  expect(tested.attempts_made).toMatchObject([{ manual: true, outcome: 'success' }]);
  await until(async () => expect(await state()).toBe('ok'));
});

test('a test event to an inactive, deleted or unknown endpoint is refused', async () => {
  const app = await start('0');
  const id = await create(app, 'https://example.com/', { active: false });
  const body = { event_type: 'plan.closed' };
  expect((await app.manage('POST', `/endpoints/${id}/test`, body)).status).toBe(409);
  await app.manage('DELETE', `/endpoints/${id}`);
  for (const unknown of [id, 'nothing']) expect((await app.manage('POST', `/endpoints/${unknown}/test`, body)).status).toBe(404);
  expect(await app.store.count('events')).toBe(0);
});
