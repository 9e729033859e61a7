import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { blockedEndpoints, blockedKeys, withWaiting } from '../../gateway/figures/blocked.ts';
import type { Tier } from '../../gateway/start/tiers.ts';
import { removeEndpoint, updateEndpoint } from '../../gateway/webhooks/endpoints/endpoints.ts';
import { readHeldBack } from '../../gateway/webhooks/operator/held-back.ts';
import { readLedger } from '../../gateway/webhooks/operator/ledger.ts';
import { resendDelivery, skipDelivery } from '../../gateway/webhooks/operator/manual.ts';
import { listDeliveries } from '../../gateway/webhooks/operator/queries.ts';
import type { WebhookSettings } from '../../gateway/webhooks/webhooks.ts';
import { rules, sold, startHarness, until } from './harness.ts';
import { patientReceiver, receiver } from './receiver.ts';
import { onEveryTier } from './tiers.ts';

const numberIn = (body: string): number => JSON.parse(body).data.number;

onEveryTier('webhooks', (open) => {
  const started = ({ store, queue, gate, clock }: Tier, settings: Partial<WebhookSettings>) =>
    startHarness({ clock, store, queue, gate, settings: { deadlineMs: 60_000, ...settings } });

  test('a change reaches its receiver after a retry, and the ledger balances', async () => {
    let answers = 0;
    const { url, received } = await receiver((response) => response.writeHead(answers++ === 0 ? 500 : 200).end());
    const harness = started(await open(), { scheduleSeconds: [0, 0.1] });
    await harness.endpoint({ url });
    await harness.endpoint({ url, active: false });
    await harness.emit(sold, { count: 20 });
    await until(async () =>
      expect(await readLedger(harness.store)).toMatchObject({
        expected: 40,
        awaiting_fan_out: 0,
        deliveries: { delivered: 20, skipped: 20, pending: 0, failed: 0 },
        unaccounted: 0,
      }),
    );
    expect(received).toHaveLength(21);
    const outcomes = (await harness.attempts()).map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(['status', ...Array(20).fill('success')].toSorted());
  });

  test('a resend is attempted at once, though the scheduled job of the same attempt waits in the queue', async () => {
    const { url, received } = await receiver();
    const harness = started(await open(), { scheduleSeconds: [3600] });
    await harness.endpoint({ url });
    await harness.emit();
    await until(async () => expect((await harness.queue.depth()).delayed).toBe(1));
    const [delivery] = await harness.deliveries();
    await harness.change((change) => resendDelivery(change, delivery?.id ?? ''));
    await until(async () => expect(await harness.deliveries()).toMatchObject([{ status: 'delivered' }]));
    expect(received).toHaveLength(1);
  });

  test('an ordered endpoint gets each delivery after the one before is delivered or dead', async () => {
    const failures = new Map([
      [2, 1],
      [5, 9],
    ]);
    const { url, received } = await receiver((response, { body }) => {
      const left = failures.get(numberIn(body)) ?? 0;
      failures.set(numberIn(body), left - 1);
      response.writeHead(left > 0 ? 500 : 200).end();
    });
    const harness = started(await open(), { scheduleSeconds: [0, 0, 0] });
    const { id } = await harness.endpoint({ url });
    await harness.store.update('endpoints', { id }, { ordered: true });
    for (let batch = 0; batch < 2; batch++) await harness.emit(undefined, { count: 8 });
    await until(async () => {
      const statuses = (await harness.deliveries()).map(({ status }) => status);
      expect(statuses).toHaveLength(16);
      expect(statuses).not.toContain('pending');
    });
    const sent = received.map(({ body }) => numberIn(body));
    expect(sent).toEqual([1, 2, 2, 3, 4, 5, 5, 5, 6, 7, 8, 1, 2, 3, 4, 5, 5, 5, 6, 7, 8]);
    expect((await harness.deliveries()).filter(({ status }) => status === 'failed')).toHaveLength(2);
  });

  test('an endpoint ordered by subject gets the events of each subject in order, and one that fails delays no other subject', async () => {
    const isMended = { value: false };
    const { url, received } = await receiver((response, { body }) => {
      const { number } = JSON.parse(body).data;
      response.writeHead(number === 1 && !isMended.value ? 500 : 200).end();
    });
    const harness = started(await open(), { scheduleSeconds: [0, 3600], reconcileEveryMs: 3_600_000 });
    const { id } = await harness.endpoint({ url });
    await harness.store.update('endpoints', { id }, { ordered: true, order_by: 'subject' });
    const emit = (subject: string, number: number) =>
      harness.change(async ({ emit: one }) => one(sold, { subject, data: { number } }));
    await emit('s1', 1);
    await until(() => expect(received).toHaveLength(1));
    for (const number of [2, 3, 4]) await emit('s1', number);
    for (const number of [11, 12, 13]) await emit('s2', number);
    await until(() => expect(received.map(({ body }) => numberIn(body))).toEqual([1, 11, 12, 13]));
    isMended.value = true;
    const blocking = (await harness.deliveries({ status: 'pending', parked: false }))[0];
    const [failed] = (await harness.attempts()).filter(({ delivery_id }) => delivery_id === blocking?.id);
    const heldBackBy = await readHeldBack(harness.store, blocking ? [blocking] : []);
    expect(blocking && heldBackBy(blocking)).toEqual({ since: failed?.ended_at, waiting: 3, more: false });
    await harness.change((change) => resendDelivery(change, blocking?.id ?? ''));
    await until(() => expect(received.map(({ body }) => numberIn(body))).toEqual([1, 11, 12, 13, 1, 2, 3, 4]));
    const places = received.map(({ headers }) => [headers['webhook-sequence'], headers['webhook-previous-id']]);
    const ids = received.map(({ headers }) => headers['webhook-id']);
    expect(places).toEqual([
      ['1', undefined],
      ['1', undefined],
      ['2', ids[1]],
      ['3', ids[2]],
      ['1', undefined],
      ['2', ids[0]],
      ['3', ids[5]],
      ['4', ids[6]],
    ]);
  });

  test.each(['endpoint', 'subject'] as const)(
    'a dead letter blocks an endpoint ordered by %s if it should, until it is skipped or sent again with success',
    async (order_by) => {
      const { url, received } = await receiver((response, { body }) => {
        response.writeHead(numberIn(body) % 2 === 1 && received.length <= 3 ? 500 : 200).end();
      });
      const harness = started(await open(), { scheduleSeconds: [0], reconcileEveryMs: 3_600_000 });
      const { id } = await harness.endpoint({ url });
      await harness.store.update('endpoints', { id }, { ordered: true, order_by, on_dead_letter: 'block' });
      const numbers = () => received.map(({ body }) => numberIn(body));
      const blocking = async () => (await listDeliveries(harness.store, { blocking: true, limit: 10 })).data;
      for (const number of [1, 2, 3, 4, 5])
        await harness.change(async ({ emit }) => emit(sold, { subject: 's1', data: { number } }));
      await until(async () => expect(await blocking()).toMatchObject([{ status: 'failed', reason: 'status' }]));
      await harness.change((change) => skipDelivery(change, 'dlv_none')).catch((error) => expect(error.kind).toBe('not_found'));
      const [first] = await blocking();
      const blocked = (await blockedEndpoints(harness.store)).get(id);
      expect(blocked).toEqual({ since: first?.updated_at, blocking: 1 });
      expect(blocked && (await withWaiting(harness.store, id, blocked))).toMatchObject({ waiting: 4 });
      const keys = await blockedKeys(harness.store, await harness.deliveries({ status: 'pending' }), { counts: true });
      expect([...keys]).toEqual([[first?.order_key, { since: first?.updated_at, blocking: 1, waiting: 4 }]]);
      await harness.change((change) => skipDelivery(change, first?.id ?? ''));
      await until(() => expect(numbers()).toEqual([1, 2, 3]));
      await until(async () => expect(await blocking()).toMatchObject([{ status: 'failed' }]));
      const [third] = await blocking();
      expect(third?.id).not.toBe(first?.id);
      await harness.change((change) => resendDelivery(change, third?.id ?? ''));
      await until(() => expect(numbers()).toEqual([1, 2, 3, 3, 4, 5]));
      await until(async () => expect((await harness.deliveries({ status: 'delivered' })).length).toBe(4));
      expect([await blocking(), await blockedEndpoints(harness.store)]).toEqual([[], new Map()]);
      await expect(harness.change((change) => skipDelivery(change, first?.id ?? ''))).rejects.toThrow('is already skipped');
      expect(await readLedger(harness.store)).toMatchObject({ deliveries: { delivered: 4, failed: 1 }, unaccounted: 0 });
    },
  );

  test('a change of its order, and its removal, end what blocks an endpoint', async () => {
    const { url, received } = await receiver((response) => response.writeHead(500).end());
    const harness = started(await open(), { scheduleSeconds: [0], reconcileEveryMs: 3_600_000 });
    const { id } = await harness.endpoint({ url });
    const blocking = async () => (await listDeliveries(harness.store, { blocking: true, limit: 10 })).data;
    await harness.store.update('endpoints', { id }, { ordered: true, order_by: 'subject', on_dead_letter: 'block' });
    await harness.emit(undefined, { count: 2 });
    await until(async () => expect(await blocking()).toMatchObject([{ status: 'failed' }]));
    await harness.change((change) => updateEndpoint(change, { id, on_dead_letter: 'skip' }, rules));
    await until(async () => expect(await harness.deliveries({ status: 'failed' })).toHaveLength(2));
    expect([received.length, await blocking()]).toEqual([2, []]);

    await harness.change((change) => updateEndpoint(change, { id, on_dead_letter: 'block' }, rules));
    await harness.emit();
    await until(async () => expect(await blocking()).toMatchObject([{ status: 'failed' }]));
    await harness.change((change) => removeEndpoint(change, id));
    expect(await blocking()).toEqual([]);
  });

  test.each([
    ['skip', { on_dead_letter: 'skip' }, 0],
    ['block', { on_dead_letter: 'block' }, 1],
    ['removal', null, 0],
  ] as const)('what dies after a change of the rule goes by the new one: %s', async (_, patch, blocking) => {
    const waiting: ServerResponse[] = [];
    const { url } = await receiver((response) => waiting.push(response));
    const harness = started(await open(), { scheduleSeconds: [0], reconcileEveryMs: 3_600_000 });
    const { id } = await harness.endpoint({ url });
    const before = patch?.on_dead_letter === 'block' ? 'skip' : 'block';
    await harness.store.update('endpoints', { id }, { ordered: true, order_by: 'subject', on_dead_letter: before });
    await harness.emit();
    await until(() => expect(waiting).toHaveLength(1));
    await harness.change(async (change) => {
      if (patch) await updateEndpoint(change, { id, ...patch }, rules);
      else await removeEndpoint(change, id);
    });
    waiting[0]?.writeHead(500).end();
    await until(async () => expect(await harness.attempts()).toHaveLength(1));
    const { data } = await listDeliveries(harness.store, { blocking: true, limit: 10 });
    expect(data).toHaveLength(blocking);
  });

  test('an endpoint never has more attempts in flight than its cap; the others are parked without jobs, and sent later', async () => {
    const { url, waiting, answerAll, most } = await patientReceiver();
    const harness = started(await open(), { reconcileEveryMs: 100, deadlineMs: 50_000 });
    const { id } = await harness.endpoint({ url });
    await harness.store.update('endpoints', { id }, { max_in_flight: 3 });
    await harness.emit(undefined, { count: 20 });
    await until(async () => {
      expect(waiting).toHaveLength(3);
      expect(await harness.deliveries({ parked: true })).toHaveLength(17);
      // The queue has the attempts in flight only: active, or delayed until after the deadline if they were detached. BullMQ
      // may carry several as one job.
      const { waiting: queued, delayed, active } = await harness.queue.depth();
      const held = await harness.queue.held?.();
      expect([queued, held?.ids.size ?? delayed + active]).toEqual([0, 3]);
    });
    await until(async () => {
      answerAll();
      expect(await harness.deliveries({ status: 'delivered' })).toHaveLength(20);
    });
    expect(most()).toBe(3);
  });
});
