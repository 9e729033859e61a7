import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSigningSecret, signatureHeaders } from '../../gateway/webhooks/sending/sign.ts';
import { checkReceiver } from '../../stubs/receiver-check/run.ts';
import { type ReceiverProgram, type RunningProgram, startProgram } from './programs.ts';

const [newest, old, rotatedOut] = [newSigningSecret(), newSigningSecret(), newSigningSecret()];
const body = '{"event":"sale.completed", "ville":"Bouaké","total":1500.00}';

/** The programs compare with the machine's clock, and allow 5 minutes. */
const anHourMs = 3_600_000;

function sign(secrets: string[], { atMs = Date.now(), eventId = 'evt_1' } = {}): Record<string, string> {
  return signatureHeaders({ eventId, body, atMs, secrets, headerName: 'X-SERVICE-Signature' });
}

function without(headers: Record<string, string>, prefix: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(prefix)));
}

const renamed = (headers: Record<string, string>) => ({
  ...headers,
  'webhook-signature': String(headers['webhook-signature']).replaceAll('v1,', 'v2,'),
});

const unknownVersions = (headers: Record<string, string>) => ({
  ...headers,
  'webhook-signature': `v2,AAAA v1b,${headers['webhook-signature']} v3 ${headers['webhook-signature']} ,`,
});

/** Defines the tests that every sample passes, in whatever language it is written. */
export function describeSample(sample: ReceiverProgram): void {
  if (!sample.present) {
    test.skip('the interpreter is not installed');
    return;
  }
  let running: RunningProgram;

  beforeAll(async () => {
    running = await startProgram(sample, [newest, old]);
  });

  afterAll(() => running.stop());

  async function post(headers: Record<string, string>, text = body, to = running): Promise<number> {
    const reply = await fetch(to.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    });
    await reply.arrayBuffer();
    return reply.status;
  }

  // PHP's own server takes the port and starts the program with each request.
  test.skipIf(sample.command === 'php')('does not start without a secret or a free port, and says what to set', async () => {
    const start = (env: { SECRET?: string; PORT?: string }) => startProgram(sample, [newest], env).then((one) => one.stop());
    await expect(start({ SECRET: '' })).rejects.toThrow('Set SECRET to');
    await expect(start({ PORT: 'x' })).rejects.toThrow('Set PORT to');
  });

  test('answers 2xx to a genuine webhook, and parses it', async () => {
    expect(await post(sign([newest], { eventId: 'evt_genuine' }))).toBe(204);
    await expect.poll(running.printed).toContain('genuine evt_genuine sale.completed');
  });

  test('of an ordered endpoint it says which event never came', async () => {
    const place = (previous?: string): Record<string, string> =>
      previous ? { 'webhook-sequence': '2', 'webhook-previous-id': previous } : {};
    const ordered = (eventId: string, previous?: string) => post({ ...sign([newest], { eventId }), ...place(previous) });
    for (const answer of [ordered('evt_a'), ordered('evt_a')]) expect(await answer).toBe(204);
    expect(await ordered('evt_b', 'evt_a')).toBe(204);
    expect(await ordered('evt_d', 'evt_c')).toBe(204);
    // PHP starts anew with each request, and remembers nothing.
    await expect.poll(running.printed).toContain(sample.command === 'php' ? 'after evt_c' : 'missing evt_c');
    expect(running.printed()).not.toContain('missing evt_a');
  });

  test('answers 2xx with either secret of a rotation, and with the documents’ header alone', async () => {
    expect(await post(sign([newest, old]))).toBe(204);
    expect(await post(sign([old]))).toBe(204);
    expect(await post(sign([rotatedOut, old]))).toBe(204);
    expect(await post(without(sign([newest]), 'webhook-'))).toBe(204);
    expect(await post(without(sign([old]), 'webhook-'))).toBe(204);
    expect(await post(unknownVersions(sign([newest])))).toBe(204);
  });

  test.each<[what: string, headers: () => Record<string, string>, text?: string]>([
    ['no signature', () => ({})],
    ['a wrong byte', () => sign([newest]), body.replace('1500', '1501')],
    ['a wrong byte, the documents’ header alone', () => without(sign([newest]), 'webhook-'), body.replace('1500', '1501')],
    ['an extra newline', () => sign([newest]), `${body}\n`],
    ['a body parsed and written again', () => sign([newest]), JSON.stringify(JSON.parse(body))],
    ['an old timestamp', () => sign([newest], { atMs: Date.now() - anHourMs })],
    ['a future timestamp', () => sign([newest], { atMs: Date.now() + anHourMs })],
    ['a secret rotated out', () => sign([rotatedOut])],
    ['a secret rotated out, the documents’ header alone', () => without(sign([rotatedOut]), 'webhook-')],
    ['no webhook-id', () => without(sign([newest]), 'webhook-id')],
    ['no webhook-timestamp', () => without(sign([newest]), 'webhook-timestamp')],
    ['no webhook-signature', () => without(sign([newest]), 'webhook-signature')],
    ['a signature of another version only', () => renamed(sign([newest]))],
    ['another webhook-id', () => ({ ...sign([newest]), 'webhook-id': 'evt_2' })],
    ['a webhook-id with a dot', () => sign([newest], { eventId: 'evt.1' })],
    ['a timestamp that is not a number', () => ({ ...sign([newest]), 'webhook-timestamp': 'soon' })],
    ['a signature that is not ASCII', () => ({ ...sign([newest]), 'webhook-signature': 'v1,\u00e9' })],
    ['an empty sha256=', () => ({ 'x-service-signature': 'sha256=' })],
  ])('answers 401 to %s', async (_what, headers, text = body) => {
    expect(await post(headers(), text)).toBe(401);
  });

  test('rejects an endless body, and keeps running', async () => {
    const outcome = await post(sign([newest]), 'x'.repeat(3_000_000)).catch(() => 'cut');
    expect([413, 401, 'cut']).toContain(outcome);
    expect(await post(sign([newest]))).toBe(204);
  });

  test('keeps running after a sender disconnects', async () => {
    const socket = connect(running.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.end('POST /hook HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"half"');
    socket.resume();
    await once(socket, 'close');
    expect(await post(sign([newest]))).toBe(204);
  });

  test('passes every check', async () => {
    const { results } = await checkReceiver({ url: running.url, secret: old, rotatedSecret: newest, slowAfterMs: 15_000 });
    expect(results.filter(({ outcome }) => outcome === 'failed' || outcome === 'skipped')).toEqual([]);
  });
}
