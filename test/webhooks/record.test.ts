import pino from 'pino';
import { expect, test } from 'vitest';
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

test('a resend during an attempt leads to another one, also if its job was put off to the time that the attempt had', async () => {
  const { recorder, attempt, store } = await start();
  const running = await attempt('dlv_1', true, startMs + 10);
  await store.update('deliveries', { id: 'dlv_1' }, { reason: 'brought_forward', updated_at: startMs + 5 });
  expect(await recorder.record(running)).toMatchObject({ status: 'pending', attempts: 1, reason: 'resend' });
});
