import { createHmac } from 'node:crypto';
import { createServer } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DeliveryListener } from '../../gateway/webhooks/listener.ts';
import { deliver } from '../../gateway/webhooks/deliver.ts';
import { rotateSecret, updateEndpoint } from '../../gateway/webhooks/endpoints.ts';
import { Sender } from '../../gateway/webhooks/send.ts';
import { rules, settled, startHarness, startMs, until } from './harness.ts';
import { receiver } from './receiver.ts';

const firstAttempt = (harness: ReturnType<typeof startHarness>, count = 1) =>
  until(async () => {
    const attempts = await harness.attempts();
    expect(attempts).toHaveLength(count);
    return attempts.at(-1) as (typeof attempts)[number];
  });

test('an event reaches its receiver: signed, byte for byte, and recorded whole', async () => {
  const { url, received } = await receiver((response) => response.writeHead(202, { 'set-cookie': 'session=secret', 'x-more': 'yes' }).end('thanks'));
  const harness = startHarness();
  const { id, secret } = await harness.endpoint({ url });
  await harness.emit();
  const [delivery] = await settled(harness, 1, 'delivered');
  const [event] = await harness.store.list('events');
  const [post] = received;
  if (!post || !event) throw new Error('nothing came');

  expect(post).toMatchObject({ method: 'POST', path: '/hook', body: event.body });
  expect(post.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event.id });
  expect(JSON.parse(post.body)).toEqual({ event: 'sale.completed', delivered_at: '2026-11-21T08:53:00+00:00', data: { number: 1 } });
  expect(post.headers['x-service-signature']).toBe(`sha256=${createHmac('sha256', secret).update(post.body).digest('hex')}`);
  expect(post.headers['webhook-timestamp']).toBe(String(startMs / 1000));

  expect(delivery).toMatchObject({ endpoint_id: id, event_id: event.id, event_type: 'sale.completed', attempts: 1, reason: null, next_attempt_at: null });
  const attempt = await firstAttempt(harness);
  expect(attempt).toMatchObject({ number: 1, outcome: 'success', error: null, url, address: '127.0.0.1', response_status: 202, response_body: 'thanks', response_truncated: false });
  expect(attempt.response_headers).toMatchObject({ 'set-cookie': '[redacted]', 'x-more': 'yes' });
  expect(attempt.request_headers).toMatchObject({ 'webhook-id': event.id, 'X-SERVICE-Signature': post.headers['x-service-signature'] });
  expect(JSON.stringify(attempt)).not.toContain(secret);
  expect(Object.keys(attempt.timings)).toEqual(expect.arrayContaining(['connect', 'first_byte', 'total']));
});

test('after 500 it is tried again by the schedule, with the same bytes and id, until 200', async () => {
  let answers = 0;
  const { url, received } = await receiver((response) => response.writeHead(answers++ < 2 ? 500 : 200).end('answer'));
  const heard: string[] = [];
  const listener: DeliveryListener = { attempted: ({ outcome }) => heard.push(outcome), ended: (status, count) => heard.push(`${status} ${count}`) };
  const harness = startHarness({ listener });
  await harness.endpoint({ url });
  await harness.emit();
  const first = await firstAttempt(harness);
  expect(first).toMatchObject({ outcome: 'status', response_status: 500, response_body: 'answer', next_attempt_at: startMs + 5000 });
  await until(async () => expect((await harness.queue.depth()).delayed).toBe(1));
  expect(await harness.deliveries()).toMatchObject([{ status: 'pending', reason: 'status', attempts: 1, next_attempt_at: startMs + 5000 }]);

  await harness.clock.advance(4999);
  expect(received).toHaveLength(1);
  await harness.clock.advance(1);
  await firstAttempt(harness, 2);
  await until(async () => expect((await harness.queue.depth()).delayed).toBe(1));
  await harness.clock.advance(300_000);
  const [delivery] = await settled(harness, 1, 'delivered');

  expect(delivery?.attempts).toBe(3);
  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(received[1]?.headers['webhook-timestamp']).toBe(String((startMs + 5000) / 1000));
  expect(heard).toEqual(['status', 'status', 'success', 'delivered 1']);
});

test('after the last attempt of the schedule it is a dead letter', async () => {
  const { url, received } = await receiver((response) => response.writeHead(503).end());
  const harness = startHarness({ settings: { scheduleSeconds: [0, 1] } });
  await harness.endpoint({ url });
  await harness.emit();
  await until(async () => expect((await harness.queue.depth()).delayed).toBe(1));
  await harness.clock.advance(1000);
  expect(await settled(harness, 1, 'failed')).toMatchObject([{ attempts: 2, reason: 'status', next_attempt_at: null }]);
  expect(received).toHaveLength(2);
});

test('a schedule whose first delay is not zero holds the first attempt back', async () => {
  const { url, received } = await receiver();
  const harness = startHarness({ settings: { scheduleSeconds: [60] } });
  await harness.endpoint({ url });
  await harness.emit();
  await until(async () => expect((await harness.queue.depth()).delayed).toBe(1));
  expect(received).toHaveLength(0);
  await harness.clock.advance(60_000);
  await settled(harness, 1, 'delivered');
});

describe('what a receiver may answer', () => {
  async function answered(answer: Parameters<typeof receiver>[0], settings = {}) {
    const harness = startHarness({ settings: { scheduleSeconds: [0, 100], ...settings } });
    const { url, received } = await receiver(answer);
    const { id } = await harness.endpoint({ url });
    await harness.emit();
    return { harness, received, id, attempt: await firstAttempt(harness) };
  }

  test('a redirect is a failure and is not followed', async () => {
    const elsewhere = await receiver();
    const { attempt } = await answered((response) => response.writeHead(302, { location: elsewhere.url }).end());
    expect(attempt).toMatchObject({ outcome: 'redirect', response_status: 302, response_headers: { location: elsewhere.url } });
    expect(elsewhere.received).toEqual([]);
  });

  test('410 ends the delivery and disables the endpoint; later events are skipped and counted', async () => {
    const { harness, received, id } = await answered((response) => response.writeHead(410).end());
    expect(await settled(harness, 1, 'failed')).toMatchObject([{ reason: 'gone', attempts: 1 }]);
    expect(await harness.store.get('endpoints', { id })).toMatchObject({ active: false, disabled_reason: 'gone' });
    await harness.emit();
    expect(await settled(harness, 1, 'skipped')).toMatchObject([{ reason: 'endpoint_disabled', attempts: 0 }]);
    expect(received).toHaveLength(1);
  });

  test('Retry-After puts the next attempt off', async () => {
    const { attempt } = await answered((response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    expect(attempt.next_attempt_at).toBe(startMs + 3_600_000);
    expect(attempt.next_attempt_why).toContain('Retry-After: 3600');
  });

  test('an answer that never comes is cut at the deadline', async () => {
    const { attempt } = await answered(() => {}, { deadlineMs: 100 });
    expect(attempt).toMatchObject({ outcome: 'timeout', response_status: null, address: '127.0.0.1' });
  });

  test('a body that never ends is cut at the same deadline, and the record has its status', async () => {
    const { attempt } = await answered((response) => void response.writeHead(200).write('a'), { deadlineMs: 100 });
    expect(attempt).toMatchObject({ outcome: 'timeout', response_status: 200, response_truncated: true });
  });

  test('of a long body only the start is kept, and the rest is not read', async () => {
    let stopped = false;
    const { attempt } = await answered((response) => {
      response.writeHead(200).on('close', () => {
        stopped = true;
      });
      const pour = () => {
        while (!stopped && response.write('x'.repeat(16_384)));
        if (!stopped) response.once('drain', pour);
      };
      pour();
    });
    expect(attempt).toMatchObject({ outcome: 'success', response_truncated: true });
    expect(attempt.response_body).toBe('x'.repeat(16_384));
    await until(() => expect(stopped).toBe(true));
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(20_000_000, 'z'))],
    ['br', brotliCompressSync(Buffer.alloc(20_000_000, 'z'))],
  ])('a decompression bomb (%s) is cut at the same size', async (encoding, bomb) => {
    const { attempt } = await answered((response) => response.writeHead(200, { 'content-encoding': encoding }).end(bomb));
    expect(attempt).toMatchObject({ outcome: 'success', response_truncated: true });
    expect(attempt.response_body).toBe('z'.repeat(16_384));
  });

  test('a compressed body is kept decoded; one that does not decode changes nothing about the outcome', async () => {
    const good = await answered((response) => response.writeHead(500, { 'content-encoding': 'gzip' }).end(gzipSync('why it failed')));
    expect(good.attempt).toMatchObject({ outcome: 'status', response_body: 'why it failed', response_truncated: false });
    for (const encoding of ['gzip', 'br', 'deflate']) {
      const bad = await answered((response) => response.writeHead(200, { 'content-encoding': encoding }).end('this is not compressed'));
      expect(bad.attempt, encoding).toMatchObject({ outcome: 'success', response_truncated: true });
    }
  });

  test('bytes that are no text are kept in a form that every store takes', async () => {
    const { attempt } = await answered((response) => response.writeHead(200, { 'x-odd': '\u00e9' }).end(Buffer.from([0x61, 0, 0xff, 0xed, 0xa0, 0x80])));
    expect(attempt.response_body?.isWellFormed()).toBe(true);
    expect(attempt.response_body).not.toContain('\u0000');
  });

  test('a connection closed in the middle is a reset', async () => {
    const { attempt } = await answered((response) => response.socket?.destroy());
    expect(attempt).toMatchObject({ outcome: 'reset', response_status: null });
  });

  test('too many headers are refused', async () => {
    const { attempt } = await answered((response) => response.writeHead(200, { 'x-long': 'h'.repeat(40_000) }).end());
    expect(attempt.outcome).toBe('response_too_large');
  });
});

test('what does not speak HTTP, and what does not listen', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.9\r\n')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const sender = new Sender({ deadlineMs: 5000, keptBodyBytes: 1024, allow: { loopback: true } });
  onTestFinished(() => sender.close());
  expect(await sender.post(`http://127.0.0.1:${port}/`, {}, '{}')).toMatchObject({ outcome: 'protocol' });
  expect(await sender.post(`https://127.0.0.1:${port}/`, {}, '{}')).toMatchObject({ outcome: expect.stringMatching(/tls|reset/) });
  await new Promise((resolve) => server.close(resolve));
  expect(await sender.post(`http://127.0.0.1:${port}/`, {}, '{}')).toMatchObject({ outcome: 'connect', address: '127.0.0.1' });
});

test('during a rotation both secrets verify, and the attempt names both', async () => {
  const { url, received } = await receiver();
  const harness = startHarness();
  const { id, secret: old } = await harness.endpoint({ url });
  const { secret, endpoint } = await harness.change((one) => rotateSecret(one, { id, overlapHours: 24 }, harness.keys));
  await harness.emit();
  await settled(harness, 1, 'delivered');
  const { headers, body } = received[0] as (typeof received)[number];
  // The manual clock stands in another time than this library's, so only the signatures are compared.
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const expected = [secret, old].map((one) => new Webhook(one).sign(String(headers['webhook-id']), at, body));
  expect(headers['webhook-signature']).toBe(expected.join(' '));
  expect(headers['x-service-signature']).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  expect((await firstAttempt(harness)).secret_ids).toEqual(endpoint.secrets.map((one) => one.id));

  await harness.clock.advance(24 * 3_600_000);
  await harness.emit();
  await settled(harness, 2, 'delivered');
  expect(received[1]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
});

test('a secret that the master key cannot open is an outcome with advice, tried again', async () => {
  const { url, received } = await receiver();
  const harness = startHarness();
  const { id } = await harness.endpoint({ url });
  await harness.store.update('endpoints', { id }, { secrets: [{ id: 'key_1', sealed: 'v1.AAAA.AAAA.AAAA', expires_at: null }] });
  await harness.emit();
  expect(await firstAttempt(harness)).toMatchObject({ outcome: 'secret_unreadable', next_attempt_at: startMs + 5000 });
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

test('two workers on one attempt: it may be sent twice, but is recorded once and leads to one next attempt', async () => {
  const gate = Promise.withResolvers<void>();
  const { url, received } = await receiver((response) => void gate.promise.then(() => response.writeHead(500).end()));
  const harness = startHarness({ settings: { scheduleSeconds: [3600, 3600] } });
  await harness.endpoint({ url });
  await harness.emit();
  const [delivery] = await settled(harness, 1, 'pending');
  const sender = new Sender({ deadlineMs: 5000, keptBodyBytes: 1024, allow: { loopback: true } });
  onTestFinished(() => sender.close());
  const listener: DeliveryListener = { attempted() {}, ended() {} };
  const parts = { ...harness, sender, listener, signatureHeader: 'X-SERVICE-Signature', scheduleSeconds: [0, 3600], random: () => 0.5 };
  const job = { deliveryId: delivery?.id ?? '', attempt: 1 };
  const both = Promise.all([deliver(parts, job), deliver(parts, job)]);
  await until(() => expect(received).toHaveLength(2));
  gate.resolve();
  await both;
  expect(await harness.attempts()).toHaveLength(1);
  expect(await harness.deliveries()).toMatchObject([{ attempts: 1, status: 'pending' }]);
  // A job that comes again, or for an attempt that is not next, does nothing.
  await deliver(parts, job);
  await deliver(parts, { ...job, attempt: 3 });
  await deliver(parts, { deliveryId: 'dlv_unknown', attempt: 1 });
  expect(received).toHaveLength(2);
});
