import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock, systemTimers } from '../../gateway/base/clock.ts';
import { noTracing } from '../../gateway/base/tracing.ts';
import { MemoryGate } from '../../gateway/queue/gate/memory.ts';
import { Deliverer } from '../../gateway/webhooks/delivery/deliver.ts';
import { Lanes } from '../../gateway/webhooks/delivery/lanes.ts';
import { ProxyHold } from '../../gateway/webhooks/delivery/proxy-hold.ts';
import { SlowShares } from '../../gateway/webhooks/delivery/shares.ts';
import { updateEndpoint } from '../../gateway/webhooks/endpoints/endpoints.ts';
import { type DeliveryListener, nobodyListens } from '../../gateway/webhooks/model/listener.ts';
import { RecentDeliveries } from '../../gateway/webhooks/outbox/recent-deliveries.ts';
import { Sender } from '../../gateway/webhooks/sending/send.ts';
import { storedSecret } from '../store/rows.ts';
import { attemptMade, rules, settled, startHarness, startMs, until } from './harness.ts';
import { receiver } from './receiver.ts';

test('an event reaches its receiver signed and byte for byte, and is recorded completely', async () => {
  const { url, received } = await receiver((response) =>
    response.writeHead(202, { 'set-cookie': 'session=secret', 'x-more': 'yes' }).end('thanks'),
  );
  const harness = startHarness();
  const { id, secret } = await harness.endpoint({ url });
  await harness.emit();
  const [delivery] = await settled(harness, 1, 'delivered');
  const [event] = await harness.store.list('events');
  const [post] = received;
  if (!post || !event) throw new Error('no event arrived');

  expect(post).toMatchObject({ method: 'POST', path: '/hook', body: event.body });
  expect(post.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event.id });
  expect(JSON.parse(post.body)).toEqual({
    event: 'sale.completed',
    delivered_at: '2026-11-21T08:53:00+00:00',
    data: { number: 1 },
  });
  expect(post.headers['x-service-signature']).toBe(`sha256=${createHmac('sha256', secret).update(post.body).digest('hex')}`);
  expect(post.headers['webhook-timestamp']).toBe(String(startMs / 1000));

  expect(delivery).toMatchObject({
    endpoint_id: id,
    event_id: event.id,
    event_type: 'sale.completed',
    attempts: 1,
    reason: null,
    next_attempt_at: null,
  });
  const attempt = await attemptMade(harness);
  expect(attempt).toMatchObject({
    number: 1,
    outcome: 'success',
    error: null,
    url,
    address: '127.0.0.1',
    response_status: 202,
    response_body: 'thanks',
    response_truncated: false,
  });
  expect(attempt.response_headers).toMatchObject({ 'set-cookie': '[redacted]', 'x-more': 'yes' });
  expect(attempt.request_headers).toMatchObject({
    'webhook-id': event.id,
    'X-SERVICE-Signature': post.headers['x-service-signature'],
  });
  expect(JSON.stringify(attempt)).not.toContain(secret);
  expect(Object.keys(attempt.timings)).toEqual(expect.arrayContaining(['connect', 'first_byte', 'total']));
});

test('after a 500 it is retried on schedule with the same bytes and id, until a 200', async () => {
  let answers = 0;
  const { url, received } = await receiver((response) => response.writeHead(answers++ < 2 ? 500 : 200).end('answer'));
  const heard: string[] = [];
  const listener: DeliveryListener = {
    attempted: ({ outcome }) => heard.push(outcome),
    ended: (status, count) => heard.push(`${status} ${count}`),
    reached: (stage, ms) => heard.push(`${stage} ${ms}`),
  };
  const harness = startHarness({ listener });
  await harness.endpoint({ url });
  await harness.emit();
  const first = await attemptMade(harness);
  expect(first).toMatchObject({
    outcome: 'status',
    response_status: 500,
    response_body: 'answer',
    next_attempt_at: startMs + 5000,
  });
  await until(async () => expect((await harness.queue.depth()).delayed).toBe(1));
  expect(await harness.deliveries()).toMatchObject([
    { status: 'pending', reason: 'status', attempts: 1, next_attempt_at: startMs + 5000 },
  ]);

  await harness.clock.advance(4999);
  expect(received).toHaveLength(1);
  await harness.clock.advance(1);
  await attemptMade(harness, 2);
  await until(async () => expect((await harness.queue.depth()).delayed).toBe(1));
  await harness.clock.advance(300_000);
  const [delivery] = await settled(harness, 1, 'delivered');

  expect(delivery?.attempts).toBe(3);
  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(received[1]?.headers['webhook-timestamp']).toBe(String((startMs + 5000) / 1000));
  expect(heard).toEqual(['status', 'first_attempt 0', 'status', 'success', 'receipt 305000', 'delivered 1']);
});

test('a change of retry_for_hours applies from the next attempt on', async () => {
  const { url } = await receiver((response) => response.writeHead(500).end());
  const harness = startHarness({ settings: { scheduleSeconds: [0, 7200] } });
  const { id } = await harness.endpoint({ url, retry_for_hours: 2 });
  await harness.emit();
  await until(async () => expect((await harness.queue.depth()).delayed).toBe(1));
  await harness.change((one) => updateEndpoint(one, { id, retry_for_hours: 4 }, rules));
  await harness.clock.advance(7_200_000);
  await until(async () => expect(await harness.deliveries()).toMatchObject([{ status: 'pending', attempts: 2 }]));
  await harness.change((one) => updateEndpoint(one, { id, retry_for_hours: 3 }, rules));
  await harness.clock.advance(7_200_000);
  expect(await settled(harness, 1, 'failed')).toMatchObject([{ attempts: 3, reason: 'status' }]);
});

test('a schedule whose first delay is not zero delays the first attempt', async () => {
  const { url, received } = await receiver();
  const harness = startHarness({ settings: { scheduleSeconds: [60] } });
  await harness.endpoint({ url });
  await harness.emit();
  await until(async () => expect((await harness.queue.depth()).delayed).toBe(1));
  expect(received).toHaveLength(0);
  await harness.clock.advance(60_000);
  await settled(harness, 1, 'delivered');
});

test('an attempt whose secret cannot be decrypted fails, and is retried', async () => {
  const { url, received } = await receiver();
  const harness = startHarness();
  const { id } = await harness.endpoint({ url });
  await harness.store.update('endpoints', { id }, { secrets: [storedSecret('v1.AAAA.AAAA.AAAA')] });
  await harness.emit();
  expect(await attemptMade(harness)).toMatchObject({ outcome: 'secret_unreadable', next_attempt_at: startMs + 5000 });
  expect(received).toEqual([]);
});

test('an endpoint disabled before a retry gets no more attempts', async () => {
  const { url, received } = await receiver((response) => response.writeHead(500).end());
  const harness = startHarness();
  const { id } = await harness.endpoint({ url });
  await harness.emit();
  await until(async () => expect((await harness.queue.depth()).delayed).toBe(1));
  await harness.change((one) => updateEndpoint(one, { id, active: false }, rules));
  await harness.clock.advance(5000);
  expect(await settled(harness, 1, 'skipped')).toMatchObject([{ reason: 'endpoint_disabled', attempts: 1 }]);
  expect(received).toHaveLength(1);
});

test('if two workers make the same attempt, both are recorded and followed by one next attempt', async () => {
  const gate = Promise.withResolvers<void>();
  const { url, received } = await receiver((response) => void gate.promise.then(() => response.writeHead(500).end()));
  const harness = startHarness({ settings: { scheduleSeconds: [3600, 3600] } });
  await harness.endpoint({ url });
  await harness.emit();
  const [delivery] = await settled(harness, 1, 'pending');
  const sender = new Sender({ deadlineMs: 60_000, keptBodyBytes: 1024, allow: { loopback: true } });
  onTestFinished(() => sender.close());
  const parts = {
    ...harness,
    // The delivery is due for these two, and not for the harness's own worker.
    clock: new ManualClock(harness.clock.now() + 3_600_000),
    sender,
    operatorSender: sender,
    proxyHold: new ProxyHold({ timers: systemTimers, log: harness.log }),
    listener: nobodyListens,
    signatureHeader: 'X-SERVICE-Signature',
    tracing: noTracing,
    maxInFlight: 5,
    concurrency: 10,
    deadlineMs: 60_000,
    timers: systemTimers,
  };
  const worker = () => {
    const slow = new SlowShares(parts);
    const gated = { ...parts, gate: new MemoryGate(harness.clock, 60_000), slow, recent: new RecentDeliveries() };
    const lanes = new Lanes(gated);
    return new Deliverer({
      ...gated,
      lanes,
      scheduleSeconds: [0, 3600],
      disableAfterMs: 1e9,
      random: () => 0.5,
      wakeFanout: () => {},
    });
  };
  const job = { deliveryId: delivery?.id ?? '', attempt: 1, dueAt: delivery?.next_attempt_at ?? 0 };
  const [one, other] = [worker(), worker()];
  const both = Promise.all([one.deliver(job), other.deliver(job)]);
  await until(() => expect(received).toHaveLength(2));
  gate.resolve();
  await both;
  expect((await harness.attempts()).map(({ number }) => number).sort()).toEqual([1, 2]);
  expect(await harness.deliveries()).toMatchObject([{ attempts: 2, status: 'pending' }]);
  // A stale job does nothing: it ran before, is for another attempt or another time, or comes minutes early from a fast clock.
  const dueAt = (await harness.deliveries())[0]?.next_attempt_at ?? 0;
  await one.deliver(job);
  await one.deliver({ ...job, attempt: 4, dueAt });
  await one.deliver({ ...job, attempt: 3, dueAt: dueAt - 1 });
  await one.deliver({ ...job, attempt: 3, dueAt });
  await one.deliver({ ...job, deliveryId: 'dlv_unknown' });
  expect(received).toHaveLength(2);
});
