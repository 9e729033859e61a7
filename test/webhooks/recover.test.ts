import type { ServerResponse } from 'node:http';
import pino from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { MemoryQueue } from '../../gateway/queue/memory.ts';
import type { Job, NewJob } from '../../gateway/queue/port.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Store } from '../../gateway/store/port.ts';
import { createRecovery } from '../../gateway/webhooks/operator/recoveries.ts';
import { buildTestApp, sharedByTests, type TestGateway } from '../helper.ts';
import { memoryAndPglite } from '../shared-pglite.ts';
import { startHarness, startMs, until } from './harness.ts';
import { type Receiver, receiver } from './receiver.ts';
import { storeDeliveries } from './rows.ts';

const dayMs = 86_400_000;

interface Shop extends TestGateway {
  clock: ManualClock;
}

async function start(open: () => Promise<Store>): Promise<Shop> {
  const clock = new ManualClock(startMs);
  const settings = { WEBHOOK_RETRY_SECONDS: '0,3600,3600' };
  return { ...(await buildTestApp({ demo: false, store: await open(), clock, settings })), clock };
}

const create = async (app: Shop, url: string, more: object = {}): Promise<string> =>
  (await app.manage('POST', '/endpoints', { service: 'pos', url, ...more })).body.data.id;

const recover = async (app: Shop, body: object) => {
  const reply = await app.manage('POST', '/recoveries', body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
};

const read = async (app: Shop, id: string) => (await app.manage('GET', `/recoveries/${id}`)).body.data;
const items = async (app: Shop, id: string, query = '') =>
  (await app.manage('GET', `/recoveries/${id}/items?limit=100${query}`)).body.data;

/** Lets seconds pass until the recovery matches, and returns it. */
const progress = (app: Shop, id: string, like: object) =>
  until(async () => {
    await app.clock.advance(1000);
    const found = await read(app, id);
    expect(found).toMatchObject(like);
    return found;
  });

/** Resolves when no process works under this lease. */
const notWorking = (store: Store, lease: string) =>
  until(async () => expect(await store.alone(lease, async () => {})).toBe(true));

const eventIds = ({ received }: Receiver) => received.map(({ headers }) => headers['webhook-id']).sort();
const answering = (status: number) => receiver((response) => response.writeHead(status).end());

/** A gateway with one endpoint. By default its receiver accepts everything. */
async function withEndpoint(open: () => Promise<Store>, to?: Receiver) {
  const app = await start(open);
  to ??= await answering(200);
  return { app, to, endpoint_id: await create(app, to.url) };
}

describe.each(memoryAndPglite())('on %s', (_, open) => {
  test('a dry run counts and stores nothing', async () => {
    const app = await start(open);
    const [up, off, gone] = [
      await create(app, 'https://a.example/'),
      await create(app, 'https://b.example/'),
      await create(app, 'https://c.example/'),
    ];
    await storeDeliveries(app.store, 3, { endpoint_id: up, created_at: startMs - dayMs });
    await storeDeliveries(app.store, 2, { endpoint_id: off, created_at: startMs - dayMs, reason: 'timeout' });
    await storeDeliveries(app.store, 1, { endpoint_id: gone, created_at: startMs - 3 * dayMs });
    await storeDeliveries(app.store, 4, { endpoint_id: up, created_at: startMs, status: 'delivered', reason: null });
    await app.manage('PATCH', `/endpoints/${off}`, { active: false });
    await app.manage('DELETE', `/endpoints/${gone}`);
    const count = async (filter: object) => (await app.manage('POST', '/recoveries', { ...filter, dry_run: true })).body.data;
    const at = (days: number) => new Date(startMs - days * dayMs).toISOString();
    expect(await count({ from: at(9) })).toEqual({
      dry_run: true,
      matching: 6,
      by_endpoint: [
        { endpoint_id: up, count: 3 },
        { endpoint_id: off, count: 2 },
        { endpoint_id: gone, count: 1 },
      ],
      not_possible: 3,
    });
    expect(await count({ from: at(2) })).toMatchObject({ matching: 5, not_possible: 2 });
    expect(await count({ from: at(9), to: at(2) })).toMatchObject({ matching: 1, not_possible: 1 });
    expect(await count({ endpoint_id: up })).toMatchObject({ matching: 3, not_possible: 0 });
    expect(await count({ from: at(9), reason: 'timeout' })).toMatchObject({ matching: 2 });
    expect(await count({ endpoint_id: up, event_type: 'payment.received' })).toMatchObject({ matching: 0, by_endpoint: [] });
    expect(await count({ endpoint_id: up, statuses: ['skipped'] })).toMatchObject({ matching: 0 });
    expect([await app.store.count('recoveries'), await app.store.count('deliveries', { status: 'pending' })]).toEqual([0, 0]);
  });

  test('a recovery sends each delivery once, oldest first, never faster than its pace', async () => {
    const { app, to, endpoint_id } = await withEndpoint(open);
    const failed = await storeDeliveries(app.store, 7, { endpoint_id, created_at: startMs - 1 });
    const made = await recover(app, { endpoint_id, pace: 2 });
    expect(made).toMatchObject({ status: 'running', pace: 2, total: 7, done: 0, remaining_seconds_estimate: 4, ended_at: null });
    // A delivery that changed after the recovery began is left out.
    await storeDeliveries(app.store, 1, { endpoint_id, created_at: startMs + 1 });
    let seconds = 0;
    await until(async () => {
      await app.clock.advance(1000);
      const { done, status, results } = await read(app, made.id);
      // Less if one of the second before still waits: the clock is moved by hand, and the attempts are real.
      expect(done).toBeLessThanOrEqual(2 * ++seconds);
      expect(results.queued).toBe(done);
      expect(status).toBe('done');
    });
    const done = await progress(app, made.id, { results: { queued: 7, delivered: 7, failed: 0, pending: 0, refused: 0 } });
    expect(done).toMatchObject({ total: 7, done: 7, remaining_seconds_estimate: null, ended_at: expect.any(String) });
    expect(eventIds(to)).toEqual(failed.map(({ event_id }) => event_id));
    const attempts = await app.store.list('attempts');
    expect(attempts.map(({ manual, number }) => [manual, number])).toEqual(Array(7).fill([true, 2]));
    expect(await items(app, made.id)).toEqual(
      failed.toReversed().map(({ id }) => ({
        delivery_id: id,
        event_type: 'sale.completed',
        endpoint_id,
        result: 'delivered',
        reason: null,
        at: expect.any(String),
      })),
    );
    expect((await app.manage('GET', '/recoveries?status=done')).body.data).toMatchObject([{ id: made.id, done: 7 }]);
    expect((await app.manage('GET', '/recoveries?status=running')).body.data).toEqual([]);
  });

  test('a recovery begins when it is stored, also while another one begins: no time passes', async () => {
    const app = await start(open);
    const to = await answering(200);
    const endpoints = [await create(app, to.url), await create(app, to.url), await create(app, to.url)];
    for (const endpoint_id of endpoints) await storeDeliveries(app.store, 1, { endpoint_id, created_at: startMs - 1 });
    await notWorking(app.store, 'recoveries');
    await Promise.all(endpoints.map((endpoint_id) => recover(app, { endpoint_id })));
    await until(() => expect(to.received).toHaveLength(3));
    expect(app.clock.now()).toBe(startMs);
  });

  test('a paused recovery stands still and a resumed one uses the new pace; an illegal move lists the legal ones', async () => {
    const { app, to, endpoint_id } = await withEndpoint(open);
    await storeDeliveries(app.store, 6, { endpoint_id, created_at: startMs - 1 });
    const { id } = await recover(app, { endpoint_id, pace: 1 });
    const move = (status: string) => app.manage('PATCH', `/recoveries/${id}`, { status });
    await progress(app, id, { status: 'running' });
    const paused = (await move('paused')).body.data;
    expect(paused).toMatchObject({ status: 'paused', remaining_seconds_estimate: null, ended_at: null });
    await app.clock.advance(60_000);
    expect(await read(app, id)).toMatchObject({ status: 'paused', done: paused.done });
    const again = await move('paused');
    expect([again.status, again.body.error.details]).toEqual([
      409,
      [
        {
          field: 'legal_moves',
          rule: 'one_of',
          message: `PATCH /manage/v1/recoveries/${id} {"status": "running"}, PATCH /manage/v1/recoveries/${id} {"status": "canceled"}`,
        },
      ],
    ]);
    expect((await app.manage('PATCH', `/recoveries/${id}`, { pace: 100 })).body.data).toMatchObject({
      pace: 100,
      status: 'paused',
    });
    expect((await move('running')).body.data).toMatchObject({ status: 'running' });
    await progress(app, id, { status: 'done', done: 6, results: { delivered: 6 } });
    expect(to.received).toHaveLength(6);
    for (const status of ['paused', 'running', 'canceled']) {
      const refused = await move(status);
      expect([refused.status, refused.body.error.details[0].message]).toEqual([409, 'none']);
    }
    expect((await app.manage('PATCH', `/recoveries/${id}`, { pace: 1 })).status).toBe(409);
  });

  test('a canceled recovery ends: queued attempts are made, other deliveries stay as they are', async () => {
    const held: ServerResponse[] = [];
    const { app, to, endpoint_id } = await withEndpoint(open, await receiver((response) => void held.push(response)));
    await storeDeliveries(app.store, 6, { endpoint_id, created_at: startMs - 1 });
    const { id } = await recover(app, { endpoint_id, pace: 2 });
    await until(async () => {
      await app.clock.advance(1000);
      expect(held.length).toBeGreaterThan(0);
    });
    const canceled = (await app.manage('PATCH', `/recoveries/${id}`, { status: 'canceled' })).body.data;
    expect(canceled).toMatchObject({ status: 'canceled', ended_at: expect.any(String) });
    const { queued } = canceled.results;
    expect(canceled.results).toEqual({ queued, pending: queued, delivered: 0, failed: 0, refused: 0 });
    await until(() => expect(held).toHaveLength(queued));
    for (const response of held) response.end();
    await progress(app, id, { status: 'canceled', done: queued, results: { delivered: queued, pending: 0 } });
    expect(await app.store.count('deliveries', { status: 'failed' })).toBe(6 - queued);
    expect(to.received).toHaveLength(queued);
  });

  test('a delivery that fails again is not taken twice; one that cannot be sent is refused with a reason', async () => {
    const app = await start(open);
    const [bad, good, idle] = [await answering(500), await answering(200), await answering(200)];
    const [failing, well, off, gone] = [
      await create(app, bad.url),
      await create(app, good.url),
      await create(app, idle.url),
      await create(app, idle.url),
    ];
    for (const endpoint_id of [failing, well, off, gone])
      await storeDeliveries(app.store, 2, {
        endpoint_id,
        created_at: startMs - dayMs,
        status: 'skipped',
        reason: 'endpoint_disabled',
      });
    for (const endpoint_id of [failing, off]) await storeDeliveries(app.store, 1, { endpoint_id, created_at: startMs - dayMs });
    await app.manage('PATCH', `/endpoints/${off}`, { active: false });
    await app.manage('DELETE', `/endpoints/${gone}`);
    const from = new Date(startMs - 2 * dayMs).toISOString();
    const { id } = await recover(app, { from, statuses: ['failed', 'skipped'], pace: 4 });
    const results = { queued: 5, delivered: 2, failed: 3, refused: 5, pending: 0 };
    await progress(app, id, { status: 'done', total: 10, done: 10, results });
    await app.clock.advance(60_000);
    expect([bad.received.length, good.received.length, idle.received.length]).toEqual([3, 2, 0]);
    const refused = await items(app, id, '&result=refused');
    expect(refused.map((one: { endpoint_id: string; reason: string }) => [one.endpoint_id, one.reason])).toEqual([
      [off, 'endpoint_disabled'],
      [gone, 'endpoint_deleted'],
      [gone, 'endpoint_deleted'],
      [off, 'endpoint_disabled'],
      [off, 'endpoint_disabled'],
    ]);
    expect(await items(app, id, '&result=failed')).toMatchObject(Array(3).fill({ endpoint_id: failing, reason: 'status' }));
    expect(await app.store.count('deliveries', { endpoint_id: { in: [off, gone] }, status: 'skipped', attempts: 1 })).toBe(4);
    expect(await app.store.count('deliveries', { endpoint_id: off, status: 'failed', attempts: 1 })).toBe(1);
    expect(await items(app, id, '&result=pending')).toEqual([]);
  });

  test('two recoveries of the same deliveries send each once', async () => {
    const { app, to, endpoint_id } = await withEndpoint(open);
    const failed = await storeDeliveries(app.store, 9, { endpoint_id, created_at: startMs - 1 });
    const made = [await recover(app, { endpoint_id, pace: 3 }), await recover(app, { endpoint_id, pace: 3 })];
    for (const { id } of made) await progress(app, id, { status: 'done', results: { pending: 0 } });
    expect(eventIds(to)).toEqual(failed.map(({ event_id }) => event_id));
    // The second may find a delivery of the first that is still pending: then it is an item of both.
    expect(await app.store.count('recovery_items', { result: { in: ['queued', 'failed'] } })).toBe(0);
  });

  test('a result stays the same when the delivery is resent later', async () => {
    const app = await start(open);
    const statuses = [500, 200];
    const to = await receiver((response) => response.writeHead(statuses.shift() ?? 200).end());
    const endpoint_id = await create(app, to.url);
    const [delivery] = await storeDeliveries(app.store, 1, { endpoint_id, created_at: startMs - 1 });
    const { id } = await recover(app, { endpoint_id });
    await progress(app, id, { results: { failed: 1 } });
    await app.manage('POST', `/deliveries/${delivery?.id}/resend`);
    await until(async () => expect(await app.store.count('deliveries', { status: 'delivered' })).toBe(1));
    await app.clock.advance(60_000);
    expect(await items(app, id)).toMatchObject([{ result: 'failed', reason: null }]);
  });

  describe('pending deliveries', () => {
    const hourMs = 3_600_000;
    const waiting = (endpoint_id: string, more: object = {}) => ({
      endpoint_id,
      created_at: startMs - 60_000,
      status: 'pending' as const,
      next_attempt_at: startMs + hourMs,
      ...more,
    });

    test('one that fails again is counted as failed, and its schedule continues', async () => {
      const { app, to, endpoint_id } = await withEndpoint(open, await answering(500));
      const [delivery] = await storeDeliveries(app.store, 1, waiting(endpoint_id));
      const { id } = await recover(app, { endpoint_id, statuses: ['pending'] });
      await progress(app, id, { status: 'done', results: { queued: 1, failed: 1, pending: 0 } });
      const after = (await app.manage('GET', `/deliveries/${delivery?.id}`)).body.data;
      expect(after).toMatchObject({
        status: 'pending',
        reason: 'status',
        attempts: 2,
        attempts_made: [{ manual: true, number: 2 }],
      });
      expect(Date.parse(after.next_attempt_at)).toBeGreaterThan(app.clock.now() + hourMs / 2);
      expect(to.received).toHaveLength(1);
    });

    test('the hold of a held endpoint ends: one attempt tests it, and what is parked follows', async () => {
      const { app, to, endpoint_id } = await withEndpoint(open);
      const until = { held_until: startMs + hourMs, held_because: 'failing' as const, holds: 7, failing_since: startMs - 1 };
      await app.store.update('endpoints', { id: endpoint_id }, until);
      await storeDeliveries(app.store, 30, waiting(endpoint_id, { parked: true, next_attempt_at: startMs - 1 }));
      await storeDeliveries(app.store, 5, waiting(endpoint_id));
      await app.clock.advance(60_000);
      expect(to.received).toHaveLength(0);
      const { id } = await recover(app, { endpoint_id, pace: 100 });
      await progress(app, id, { status: 'done', total: 35, results: { queued: 35, delivered: 35 } });
      expect(await app.store.get('endpoints', { id: endpoint_id })).toMatchObject({ held_until: null, holds: 0 });
      expect(new Set(eventIds(to)).size).toBe(35);
      expect(to.received).toHaveLength(35);
    });

    test('what failed while its endpoint was held is sent now, although its retry is due later', async () => {
      const { app, to, endpoint_id } = await withEndpoint(open);
      const held = { held_until: startMs, held_because: 'failing' as const, holds: 7, failing_since: startMs - 1 };
      await app.store.update('endpoints', { id: endpoint_id }, held);
      const failed = { parked: true, attempts: 1, reason: 'status', next_attempt_at: startMs + hourMs } as const;
      await storeDeliveries(app.store, 1, waiting(endpoint_id, failed));
      await app.clock.advance(60_000);
      expect(to.received).toHaveLength(0);
      const { id } = await recover(app, { endpoint_id });
      await progress(app, id, { status: 'done', total: 1, results: { delivered: 1 } });
    });

    test('an ordered endpoint gets them in their order', async () => {
      const app = await start(open);
      const to = await answering(200);
      const endpoint_id = await create(app, to.url, { ordered: true });
      const [head] = await storeDeliveries(app.store, 1, waiting(endpoint_id));
      const parked = await storeDeliveries(app.store, 4, waiting(endpoint_id, { parked: true, next_attempt_at: startMs - 1 }));
      await app.store.update('endpoints', { id: endpoint_id }, { head_delivery_id: head?.id });
      const { id } = await recover(app, { endpoint_id, pace: 100 });
      await progress(app, id, { status: 'done', results: { delivered: 5 } });
      const order = to.received.map(({ headers }) => headers['webhook-id']);
      expect(order).toEqual([head, ...parked].map((one) => one?.event_id));
    });

    test('an attempt that runs meanwhile counts: its success is not sent again', async () => {
      const held: ServerResponse[] = [];
      const { app, to, endpoint_id } = await withEndpoint(open, await receiver((response) => void held.push(response)));
      await storeDeliveries(app.store, 1, waiting(endpoint_id, { next_attempt_at: startMs + 1000 }));
      // The reconciler's third round finds it. Each must have ended: one that still runs takes the place of the next.
      await notWorking(app.store, 'reconcile');
      for (let round = 0; round < 3; round++) {
        await app.clock.advance(10_000);
        await notWorking(app.store, 'reconcile');
      }
      // From now on the clock stays within the lease of the attempt.
      await until(() => expect(held).toHaveLength(1));
      // As a slow attempt's delivery: its row is moved beyond the attempt's end.
      await app.store.update('deliveries', { endpoint_id }, { next_attempt_at: app.clock.now() + 30_000 });
      const { id } = await recover(app, { endpoint_id });
      await app.clock.advance(6000);
      await until(async () => expect(await read(app, id)).toMatchObject({ status: 'done', results: { queued: 1 } }));
      // Its job has found the running attempt, and waits for the end of that attempt's lease.
      await until(async () => {
        const waiting = { next_attempt_at: { gt: app.clock.now() } };
        expect(await app.store.count('deliveries', waiting)).toBe(1);
      });
      held[0]?.end('ok');
      await until(async () => expect(await app.store.count('deliveries', { status: 'delivered' })).toBe(1));
      await progress(app, id, { results: { delivered: 1 } });
      await app.clock.advance(60_000);
      expect(to.received).toHaveLength(1);
    });
  });

  test('a text in the event, an event and a status of the response choose deliveries; the rest stays', async () => {
    const { app, to, endpoint_id } = await withEndpoint(open);
    const body = (number: number) => JSON.stringify({ event: 'sale.completed', data: { reference: `S-${number % 3}é` } });
    const stored = await storeDeliveries(app.store, 9, { endpoint_id, created_at: startMs - 1, response_status: 503 }, body);
    const count = async (filter: object) => (await app.manage('POST', '/recoveries', { ...filter, dry_run: true })).body.data;
    expect(await count({ endpoint_id, q: 'S-1é' })).toMatchObject({ matching: 3, by_endpoint: [{ endpoint_id, count: 3 }] });
    expect(await count({ endpoint_id, q: 'S-9' })).toMatchObject({ matching: 0 });
    expect(await count({ endpoint_id, response_status: 503 })).toMatchObject({ matching: 9 });
    expect(await count({ endpoint_id, response_status: 500 })).toMatchObject({ matching: 0 });
    expect(await count({ event_id: stored[0]?.event_id })).toMatchObject({ matching: 1 });
    const { id } = await recover(app, { endpoint_id, q: 'S-1é', pace: 2 });
    await progress(app, id, { status: 'done', total: 3, done: 3, results: { delivered: 3 } });
    expect(eventIds(to)).toEqual([1, 4, 7].map((number) => stored[number]?.event_id));
    expect(await app.store.count('deliveries', { status: 'failed' })).toBe(6);
  });

  test('if it is killed before it queues, the next process continues: nothing is lost or sent twice', async () => {
    const store = await open();
    const silent = pino({ level: 'silent' });
    const to = await answering(200);
    class LosingQueue extends MemoryQueue {
      lost: Job[] = [];
      override async add(jobs: readonly NewJob[]): Promise<void> {
        this.lost.push(...jobs);
      }
    }
    const clock = new ManualClock(startMs);
    const queue = new LosingQueue(clock, silent);
    const killed = startHarness({ store, clock, queue });
    const { id: endpoint_id } = await killed.endpoint({ url: to.url });
    const failed = await storeDeliveries(store, 7, { endpoint_id, created_at: startMs - 1 });
    await killed.change((one) => createRecovery(one, { endpoint_id, statuses: ['failed'], pace: 2 }));
    await until(async () => {
      await clock.advance(1000);
      expect(queue.lost.length).toBeGreaterThan(0);
    });
    // What was lost comes later, so no more is queued until then: the receiver would get all of it in one second.
    for (let second = 0; second < 5; second++) await clock.advance(1000);
    expect(queue.lost).toHaveLength(2);
    // Its clock stands still from now on, so it does nothing more.
    const next = startHarness({ store, clock: new ManualClock(clock.now() + 60_000), keys: killed.keys });
    await until(async () => {
      await next.clock.advance(1000);
      expect(await store.list('recoveries')).toMatchObject([{ status: 'done', done: 7 }]);
      expect(await store.count('recovery_items', { result: 'delivered' })).toBe(7);
    });
    expect(eventIds(to)).toEqual(failed.map(({ event_id }) => event_id));
    expect(queue.lost.map(({ low }) => low)).toEqual(queue.lost.map(() => true));
  });
});

test('a recovery that is paused just before its step sends nothing', async () => {
  const store = new MemoryStore();
  const { list } = store;
  const pausing = async (...args: Parameters<typeof list>) => {
    const rows = await list(...args);
    if (args[0] === 'recoveries') await store.update('recoveries', { status: 'running' }, { status: 'paused' });
    return rows;
  };
  store.list = pausing as typeof list;
  const { clock, change } = startHarness({ store });
  await storeDeliveries(store, 1, { endpoint_id: 'ep', created_at: startMs });
  await change((one) => createRecovery(one, { from: 0, statuses: ['failed'], pace: 2 }));
  await clock.advance(10_000);
  await until(async () => expect(await store.get('recoveries', {})).toMatchObject({ status: 'paused', done: 0 }));
  await notWorking(store, 'recoveries');
  expect(await store.count('recovery_items')).toBe(0);
});

const refusing = sharedByTests((atEnd) => buildTestApp({ demo: false, atEnd }));

test.each([
  [{}, 'endpoint_id'],
  [{ to: '2026-11-21T00:00:00Z' }, 'endpoint_id'],
  [{ event_type: 'sale.completed' }, 'endpoint_id'],
  [{ endpoint_id: 'ep_unknown' }, 'endpoint_id'],
  [{ from: 'yesterday' }, 'from'],
  [{ from: '2026-11-21T00:00:00Z', to: '2026-11-20T00:00:00Z' }, 'to'],
  [{ from: '2026-11-21T00:00:00Z', statuses: ['delivered'] }, 'statuses.0'],
  [{ from: '2026-11-21T00:00:00Z', statuses: [] }, 'statuses'],
  [{ from: '2026-11-21T00:00:00Z', pace: 0 }, 'pace'],
  [{ from: '2026-11-21T00:00:00Z', pace: 1001 }, 'pace'],
  [{ from: '2026-11-21T00:00:00Z', everything: true }, 'everything'],
])('the recovery %j is refused with 400 and the field named, as a dry run too; nothing is stored', async (body, field) => {
  const app = refusing();
  for (const more of [{}, { dry_run: true }]) {
    const reply = await app.manage('POST', '/recoveries', { ...body, ...more });
    expect([reply.status, reply.body.error.details.map((detail: { field: string }) => detail.field)]).toEqual([400, [field]]);
  }
  expect(await app.store.count('recoveries')).toBe(0);
});

test('every route of an unknown recovery gives 404', async () => {
  const app = refusing();
  const replies = await Promise.all([
    app.manage('GET', '/recoveries/none'),
    app.manage('GET', '/recoveries/none/items'),
    app.manage('PATCH', '/recoveries/none', { pace: 1 }),
    app.manage('PATCH', '/recoveries/none', { status: 'paused' }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404));
});

test('a recovery that is stored while another process works on recoveries begins a second later', async () => {
  const store = new MemoryStore();
  const alone = vi.spyOn(store, 'alone');
  const { clock, change } = startHarness({ store });
  await notWorking(store, 'recoveries');
  await storeDeliveries(store, 1, { endpoint_id: 'ep', created_at: startMs });
  const elsewhere = Promise.withResolvers<void>();
  const working = store.alone('recoveries', () => elsewhere.promise);
  alone.mockClear();
  await change((one) => createRecovery(one, { from: 0, statuses: ['failed'], pace: 2 }));
  await until(async () => expect(await alone.mock.results.at(-1)?.value).toBe(false));
  elsewhere.resolve();
  await working;
  await clock.advance(1000);
  await until(async () => expect(await store.get('recoveries', {})).toMatchObject({ done: 1 }));
});
