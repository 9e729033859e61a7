import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { updateEndpoint } from '../../gateway/webhooks/endpoints/endpoints.ts';
import type { DeliveryListener } from '../../gateway/webhooks/model/listener.ts';
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
