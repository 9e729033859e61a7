import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSigningSecret, signatureHeaders } from '../../gateway/webhooks/sending/sign.ts';
import { freePort } from '../free-port.ts';

const samples = join(import.meta.dirname, '../../receivers/samples');
const has = (command: string) => spawnSync(command, ['--version']).status === 0;

const receivers = [
  { name: 'http.ts', command: process.execPath, args: (_port: number) => [join(samples, 'http.ts')] },
  { name: 'fastify.ts', command: process.execPath, args: (_port: number) => [join(samples, 'fastify.ts')] },
  { name: 'receiver.py', command: 'python3', args: (port: number) => [join(samples, 'receiver.py'), String(port)] },
  {
    name: 'receiver.php',
    command: 'php',
    args: (port: number) => ['-S', `127.0.0.1:${port}`, join(samples, 'receiver.php')],
  },
].map((receiver) => {
  const present = has(receiver.command);
  return { ...receiver, present, title: `${receiver.name}${present ? '' : ` (skipped: no ${receiver.command} here)`}` };
});

const [newest, old, rotatedOut] = [newSigningSecret(), newSigningSecret(), newSigningSecret()];
const body = '{"event":"sale.completed", "ville":"Bouaké","total":1500.00}';

function sign(secrets: string[], { atMs = Date.now(), eventId = 'evt_1' } = {}): Record<string, string> {
  return signatureHeaders({ eventId, body, atMs, secrets, headerName: 'X-SERVICE-Signature' });
}

function without(headers: Record<string, string>, prefix: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(prefix)));
}

describe.for(receivers)('$title', { concurrent: false }, ({ command, args, present }) => {
  if (!present) {
    test.skip('the interpreter is not installed');
    return;
  }
  let child: ChildProcess;
  let port: number;
  let printed = '';

  beforeAll(async () => {
    port = await freePort();
    const env = { ...process.env, SECRET: `${newest} ${old}`, PORT: String(port) };
    child = spawn(command, args(port), { env, stdio: ['ignore', 'pipe', 'pipe'] });
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        printed += chunk;
        if (/listening|started/.test(printed)) resolve();
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${printed}`)));
    });
  });

  afterAll(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  async function post(headers: Record<string, string>, text = body): Promise<number> {
    const reply = await fetch(`http://127.0.0.1:${port}/hook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    });
    await reply.arrayBuffer();
    return reply.status;
  }

  test('answers 2xx to a genuine webhook, and parses it', async () => {
    expect(await post(sign([newest], { eventId: 'evt_genuine' }))).toBe(204);
    await expect.poll(() => printed).toContain('genuine evt_genuine sale.completed');
  });

  test('answers 2xx with either secret of a rotation, and with the documents’ header alone', async () => {
    expect(await post(sign([newest, old]))).toBe(204);
    expect(await post(sign([old]))).toBe(204);
    expect(await post(sign([rotatedOut, old]))).toBe(204);
    expect(await post(without(sign([newest]), 'webhook-'))).toBe(204);
    expect(await post(without(sign([old]), 'webhook-'))).toBe(204);
  });

  test.each<[what: string, headers: () => Record<string, string>, text?: string]>([
    ['no signature', () => ({})],
    ['a wrong byte', () => sign([newest]), body.replace('1500', '1501')],
    ['a wrong byte, the documents’ header alone', () => without(sign([newest]), 'webhook-'), body.replace('1500', '1501')],
    ['an extra newline', () => sign([newest]), `${body}\n`],
    ['a body parsed and written again', () => sign([newest]), JSON.stringify(JSON.parse(body))],
    ['an old timestamp', () => sign([newest], { atMs: Date.now() - 600_000 })],
    ['a future timestamp', () => sign([newest], { atMs: Date.now() + 600_000 })],
    ['a secret rotated out', () => sign([rotatedOut])],
    ['a secret rotated out, the documents’ header alone', () => without(sign([rotatedOut]), 'webhook-')],
    ['no webhook-id', () => without(sign([newest]), 'webhook-id')],
    ['no webhook-timestamp', () => without(sign([newest]), 'webhook-timestamp')],
    ['no webhook-signature', () => without(sign([newest]), 'webhook-signature')],
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
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.end('POST /hook HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"half"');
    socket.resume();
    await once(socket, 'close');
    expect(await post(sign([newest]))).toBe(204);
  });
});

test('docs/partners.md shows the samples unchanged', () => {
  const page = readFileSync(join(samples, '../../docs/partners.md'), 'utf8');
  const files = receivers.map(({ name }) => readFileSync(join(samples, name), 'utf8'));
  const blocks = [...page.matchAll(/^```(?:ts|php|python)\n(.*?)^```$/gms)].map(([, code]) => code as string);
  expect(blocks).toHaveLength(receivers.length);
  for (const block of blocks) expect(files.filter((file) => file.includes(block))).toHaveLength(1);
});
