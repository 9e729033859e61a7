import { createServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { standardRedaction } from '../../gateway/base/redact.ts';
import { Answer } from '../../gateway/webhooks/sending/answer.ts';
import type { Exchange } from '../../gateway/webhooks/sending/exchange.ts';
import { Sender } from '../../gateway/webhooks/sending/send.ts';
import { forAllAsync } from '../for-all.ts';
import { deadlineByHand } from './deadlines.ts';
import { attemptMade, settled, startHarness, startMs, until } from './harness.ts';
import { receiver } from './receiver.ts';

describe('statuses of a receiver', () => {
  async function answered(answer: Parameters<typeof receiver>[0], settings = {}) {
    const harness = startHarness({ settings: { scheduleSeconds: [0, 100], ...settings } });
    const { url, received } = await receiver(answer);
    const { id } = await harness.endpoint({ url });
    await harness.emit();
    return { harness, received, id, attempt: await attemptMade(harness) };
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
    expect(attempt.next_attempt_case).toEqual({ case: 'retry_after', values: { retry_after: '3600' } });
  });

  test('without a response the attempt ends at the deadline', async () => {
    const { deadlineMs, pass } = deadlineByHand();
    const { attempt } = await answered(pass, { deadlineMs });
    expect(attempt).toMatchObject({ outcome: 'timeout', response_status: null, address: '127.0.0.1' });
  });

  test('a body that never ends is cut at the same deadline, and the record has its status', async () => {
    const { deadlineMs, pass } = deadlineByHand();
    const isKept = vi.spyOn(Answer.prototype, 'onResponseData');
    onTestFinished(() => isKept.mockRestore());
    const answering = answered((response) => void response.writeHead(200).write('a'), { deadlineMs });
    await until(() => expect(isKept).toHaveBeenCalled());
    pass();
    const { attempt } = await answering;
    expect(attempt).toMatchObject({ outcome: 'timeout', response_status: 200, response_body: 'a', response_truncated: true });
  });

  test('only the start of a long body is kept, and the rest is not read', async () => {
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
    const good = await answered((response) =>
      response.writeHead(500, { 'content-encoding': 'gzip' }).end(gzipSync('why it failed')),
    );
    expect(good.attempt).toMatchObject({ outcome: 'status', response_body: 'why it failed', response_truncated: false });
    for (const encoding of ['gzip', 'br', 'deflate']) {
      const bad = await answered((response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end('this is not compressed'),
      );
      expect(bad.attempt, encoding).toMatchObject({ outcome: 'success', response_truncated: true });
    }
  });

  test('a body that is not text is kept in a form that every store accepts', async () => {
    const { attempt } = await answered((response) =>
      response.writeHead(200, { 'x-odd': '\u00e9' }).end(Buffer.from([0x61, 0, 0xff, 0xed, 0xa0, 0x80])),
    );
    expect(attempt.response_body?.isWellFormed()).toBe(true);
    expect(attempt.response_body).not.toContain('\u0000');
  });

  test('a connection closed during the response is a reset', async () => {
    const { attempt } = await answered((response) => response.socket?.destroy());
    expect(attempt).toMatchObject({ outcome: 'reset', response_status: null });
  });

  test('a response with too many headers is a failure', async () => {
    const { attempt } = await answered((response) => response.writeHead(200, { 'x-long': 'h'.repeat(40_000) }).end());
    expect(attempt.outcome).toBe('response_too_large');
  });
});

test('whatever Content-Encoding says, a 200 is a success and any other status is none', async () => {
  const packed = [gzipSync('received'), brotliCompressSync('received'), deflateSync('received'), Buffer.from('received')];
  const ownNames = Object.getOwnPropertyNames(Object.prototype);
  const encoding = fc.oneof(fc.constantFrom('gzip', 'x-gzip', 'br', 'deflate', 'zstd', '', ...ownNames), fc.string());
  const body = fc.oneof(fc.constantFrom(...packed, packed[0]?.subarray(0, 12)), fc.uint8Array());
  const status = fc.constantFrom(200, 204, 500);
  await forAllAsync(100, [encoding, body, status], async (encoding, bytes, status) => {
    const controller = { abort: () => {}, pause: () => {}, resume: () => {} } as never;
    const { promise, resolve } = Promise.withResolvers<Exchange>();
    const answer = new Answer({ deadlineMs: 60_000, keptBodyBytes: 1024, redaction: standardRedaction }, resolve);
    answer.onRequestStart(controller);
    answer.onResponseStart(controller, status, { 'content-encoding': encoding });
    if (bytes && bytes.length > 0) answer.onResponseData(controller, Buffer.from(bytes));
    answer.onResponseEnd();
    expect(await promise).toMatchObject({ status, outcome: status === 500 ? 'status' : 'success' });
  });
});

test('a server that does not speak HTTP, and a closed port', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.9\r\n')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const sender = new Sender({ deadlineMs: 60_000, keptBodyBytes: 1024, allow: { loopback: true } });
  onTestFinished(() => sender.close());
  expect(await sender.post(`http://127.0.0.1:${port}/`, {}, '{}')).toMatchObject({ outcome: 'protocol' });
  expect(await sender.post(`https://127.0.0.1:${port}/`, {}, '{}')).toMatchObject({
    outcome: expect.stringMatching(/tls|reset/),
  });
  await new Promise((resolve) => server.close(resolve));
  expect(await sender.post(`http://127.0.0.1:${port}/`, {}, '{}')).toMatchObject({ outcome: 'connect', address: '127.0.0.1' });
});
