import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { systemTimers } from '../../gateway/base/clock.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Store } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { AttemptRecorder } from '../../gateway/webhooks/delivery/record.ts';
import type { Attempt } from '../../gateway/webhooks/delivery/send.ts';
import { attempt as attemptRow, delivery as deliveryRow, endpoint as endpointRow } from '../store/rows.ts';
import { startMs } from './harness.ts';
import { watched } from './watched-store.ts';

/** A recorder on a store with one endpoint. `attempt` stores a pending delivery and returns its first attempt. */
async function start(endpointColumns: Partial<Row<'endpoints'>> = {}, before: Parameters<typeof watched>[1] = () => {}) {
  const store = new MemoryStore();
  const endpoint = endpointRow('ep_1', endpointColumns);
  await store.append('endpoints', [endpoint]);
  const log = pino({ level: 'silent' });
  const rules = { disableAfterMs: 1e9, random: () => 0.5, scheduleSeconds: [0, 5, 300] };
  const lanes = { check: () => {} };
  const watchedStore: Store = watched(store, before);
  const timers = systemTimers;
  const recorder = new AttemptRecorder({ store: watchedStore, timers, log, lanes, ...rules, wakeFanout: () => {} });
  const attempt = async (id: string, success: boolean, endedAt: number): Promise<Attempt> => {
    const delivery = deliveryRow(id, `evt_${id}`, endpoint.id);
    await store.append('deliveries', [delivery]);
    const made = { id: `att_${id}`, endpoint_id: endpoint.id, url: endpoint.url, started_at: endedAt - 10 };
    const row = attemptRow(id, endedAt, {
      ...made,
      outcome: success ? 'success' : 'status',
      response_status: success ? 200 : 500,
    });
    const answer = { success, failure: success ? null : 500, retryAfter: undefined, manual: false };
    const evidence = { ...answer, startedAt: endedAt - 10, endedAt };
    const verdict = success
      ? ({ kind: 'success' } as const)
      : ({ kind: 'retry', atMs: endedAt + 1000, why: { case: 'single', values: {} } } as const);
    const known = { eventAtMs: delivery.created_at, traceparent: null, resets: 0 };
    return { delivery, endpoint, row, verdict, evidence, ...known };
  };
  const health = async () => (await store.list('endpoints'))[0];
  return { recorder, attempt, store, health };
}

test("attempts of one batch count for the endpoint's health in the order in which they ended", async () => {
  const { recorder, attempt, health } = await start({ failing_since: startMs - 1000 });
  const [late, early] = [await attempt('dlv_1', true, startMs + 10), await attempt('dlv_2', false, startMs)];
  await Promise.all([recorder.record(late), recorder.record(early)]);
  expect(await health()).toMatchObject({ failing_since: null, updated_at: startMs + 10 });
});

test('the failures before a recovery do not open the circuit again', async () => {
  const { recorder, attempt, store, health } = await start();
  const at = startMs + 1000;
  const failures = await Promise.all(Array.from({ length: 10 }, (_, index) => attempt(`dlv_${index}`, false, at)));
  await Promise.all(failures.map((one) => recorder.record(one)));
  const { held_until: heldUntil } = (await health()) ?? {};
  expect(heldUntil).toBe(at + 10_000);
  // One attempt after the hold succeeds and the next one fails, all within a minute.
  await recorder.record({ ...(await attempt('dlv_good', true, at + 20_000)), endpoint: (await health()) as Row<'endpoints'> });
  expect(await health()).toMatchObject({ held_until: null });
  await recorder.record(await attempt('dlv_bad', false, at + 21_000));
  expect(await health()).toMatchObject({ held_until: null, failing_since: at + 21_000 });
  expect((await store.list('notices')).map(({ kind }) => kind)).toEqual(['endpoint.held', 'endpoint.recovered']);
});

test('an attempt that the store rejects does not lose the others of its batch', async () => {
  const { recorder, attempt, store } = await start({}, ({ name, table }) => {
    if (name === 'append' && table === 'attempts') throw new Error('rejected');
  });
  // A failure is written in a transaction with `append`, a success in one statement without it.
  const [bad, good] = [await attempt('dlv_1', false, startMs), await attempt('dlv_2', true, startMs)];
  const [rejected, recorded] = await Promise.all([recorder.record(bad), recorder.record(good)]);
  expect(rejected).toBeUndefined();
  expect(recorded).toMatchObject({ id: 'dlv_2', status: 'delivered' });
  expect((await store.list('attempts')).map(({ delivery_id }) => delivery_id)).toEqual(['dlv_2']);
});

test('two attempts that were made at once are both recorded, and the success stands', async () => {
  const { recorder, attempt, store } = await start();
  const good = await attempt('dlv_1', true, startMs);
  const bad = await attempt('dlv_2', false, startMs);
  const again = (one: Attempt, id: string, outcome: 'success' | 'status'): Attempt => {
    const verdict =
      outcome === 'success'
        ? { kind: 'success' as const }
        : { kind: 'dead' as const, why: { case: 'single' as const, values: {} } };
    return { ...one, row: { ...one.row, id, outcome }, verdict };
  };
  expect(await recorder.record(good)).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(await recorder.record(again(good, 'att_later', 'status'))).toBeUndefined();
  expect(await recorder.record(bad)).toMatchObject({ status: 'pending', attempts: 1 });
  expect(await recorder.record(again(bad, 'att_better', 'success'))).toMatchObject({ status: 'delivered', attempts: 2 });
  const attempts = await store.list('attempts', { order: [['id', 'asc']] });
  expect(attempts.map(({ id, delivery_id, number }) => [id, delivery_id, number])).toEqual([
    ['att_better', 'dlv_2', 2],
    ['att_dlv_1', 'dlv_1', 1],
    ['att_dlv_2', 'dlv_2', 1],
    ['att_later', 'dlv_1', 2],
  ]);
  expect(await store.list('deliveries', { order: [['id', 'asc']] })).toMatchObject([
    { status: 'delivered', attempts: 2, next_attempt_at: null },
    { status: 'delivered', attempts: 2, next_attempt_at: null },
  ]);
});

test('a resend during an attempt leads to another one, also if its job was put off to the time that the attempt had', async () => {
  const { recorder, attempt, store } = await start();
  const running = await attempt('dlv_1', true, startMs + 10);
  await store.update('deliveries', { id: 'dlv_1' }, { reason: 'brought_forward', updated_at: startMs + 5 });
  expect(await recorder.record(running)).toMatchObject({ status: 'pending', attempts: 1, reason: 'resend' });
});

test('an attempt that the store has already is not recorded twice', async () => {
  const { recorder, attempt, store } = await start();
  const good = await attempt('dlv_1', true, startMs);
  await recorder.record(good);
  // The first commit's answer was lost, so the recorder tries again.
  expect(await recorder.record(good)).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(await store.count('attempts')).toBe(1);
});

describe('as a hold opens', () => {
  /** Stores a delivery that failed before, and waits for its retry. */
  const failed = async (store: Store, id: string, columns: Partial<Row<'deliveries'>>) => {
    const waiting = { attempts: 1, reason: 'status', created_at: startMs, next_attempt_at: startMs + 1e6 } as const;
    await store.append('deliveries', [deliveryRow(id, `evt_${id}`, 'ep_1', { ...waiting, updated_at: startMs, ...columns })]);
  };
  const inLane = async (store: Store) => (await store.list('deliveries', { where: { parked: true } })).map(({ id }) => id).sort();

  test('what failed in the outage joins the lane, and so does what another process recorded without the hold', async () => {
    const { recorder, attempt, store, health } = await start();
    await failed(store, 'dlv_a', {});
    await failed(store, 'dlv_due', { next_attempt_at: startMs });
    await failed(store, 'dlv_asked', { reason: 'brought_forward' });
    await failed(store, 'dlv_in_order', { order_key: 'ep_1' });
    await failed(store, 'dlv_long_ago', { created_at: startMs - 9e6, updated_at: startMs - 8e6 });
    const opening = await attempt('dlv_b', false, startMs + 1000);
    const overloaded = { ...opening, evidence: { ...opening.evidence, failure: 503 as const } };
    expect(await recorder.record(overloaded)).toMatchObject({ parked: true });
    expect(await inLane(store)).toEqual(['dlv_a', 'dlv_b']);
    expect((await health())?.held_until).toBe(startMs + 2000);
    await recorder.record(await attempt('dlv_c', false, startMs + 1001));
    expect(await inLane(store)).toEqual(['dlv_a', 'dlv_b', 'dlv_c']);
  });

  test('what was sent early before waits for its own retry, so that an endpoint that works at times leaves it its attempts', async () => {
    const { recorder, attempt, store } = await start();
    await failed(store, 'dlv_ahead', { attempts: 3, updated_at: startMs + 200_000 });
    await failed(store, 'dlv_scheduled', { attempts: 3, updated_at: startMs + 290_000 });
    const opening = await attempt('dlv_b', false, startMs + 300_000);
    await recorder.record({ ...opening, evidence: { ...opening.evidence, failure: 503 as const } });
    expect(await inLane(store)).not.toContain('dlv_ahead');
    expect(await inLane(store)).toContain('dlv_scheduled');
  });
});
