import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, createServer, get, type ServerResponse } from 'node:http';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newDataDir, root, type Started, startProcess, until } from './process.ts';

/** A receiver that answers when it is told to. */
async function holdingReceiver() {
  const held: ServerResponse[] = [];
  const server = createServer((_request, response) => void held.push(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { held, url: `http://127.0.0.1:${(server.address() as { port: number }).port}/` };
}

/** Causes one event, and waits until its attempt is at the receiver. */
async function attemptInFlight(
  { call, greeting }: Started,
  receiver: Awaited<ReturnType<typeof holdingReceiver>>,
): Promise<void> {
  const token = greeting.operator.token;
  expect((await call('POST', '/manage/v1/endpoints', { token, body: { service: 'cohesion', url: receiver.url } })).status).toBe(
    201,
  );
  expect((await call('POST', '/manage/v1/cohesion/reports', { token, body: { annee: 2026 } })).status).toBe(201);
  await until(async () => receiver.held.length > 0);
}

test('a stop lets an attempt in flight end, and records it', async () => {
  const DATA_DIR = newDataDir();
  const receiver = await holdingReceiver();
  const first = await startProcess({ DATA_DIR });
  await attemptInFlight(first, receiver);
  first.child.kill('SIGTERM');
  await until(async () => first.output().stderr.includes('gateway.stopping'));
  receiver.held[0]?.writeHead(204).end();
  expect(await first.exited).toBe(0);

  const second = await startProcess({ DATA_DIR });
  const { data } = (await second.call('GET', '/manage/v1/deliveries', { token: second.greeting.operator.token })).body;
  expect(data.map(({ status, attempts }: { status: string; attempts: number }) => [status, attempts])).toEqual([
    ['delivered', 1],
  ]);
  expect(receiver.held.length).toBe(1);
});

test('a second signal leaves at once; what was in flight is tried again after the restart', async () => {
  const DATA_DIR = newDataDir();
  const receiver = await holdingReceiver();
  const first = await startProcess({ DATA_DIR });
  await attemptInFlight(first, receiver);
  first.child.kill('SIGINT');
  await until(async () => first.output().stderr.includes('gateway.stopping'));
  // Again and again, as an impatient person does: whichever comes late enough counts as a second one.
  const again = setInterval(() => first.child.kill('SIGINT'), 50);
  expect(await first.exited).toBe(1);
  clearInterval(again);

  const second = await startProcess({ DATA_DIR });
  await until(async () => receiver.held.length > 1);
  receiver.held[1]?.writeHead(204).end();
  const token = second.greeting.operator.token;
  await until(async () => (await second.call('GET', '/manage/v1/deliveries?status=delivered', { token })).body.data.length === 1);
});

test('Ctrl-C under npm, which reaches the gateway twice, is one stop with grace', async () => {
  const npm = spawn('npm', ['start', '--silent', '--', '--json', '--no-demo'], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: newDataDir() },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void npm.kill('SIGKILL'));
  let printed = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const exited = once(npm, 'close');
  await until(async () => printed.includes('"url"'));
  // What a terminal does: the signal goes to the whole group.
  process.kill(-(npm.pid as number), 'SIGINT');
  expect((await exited)[0], printed).toBe(0);
  expect(printed).toContain('gateway.stopping');
});

test('idle connections of HTTP/1.1 and HTTP/2 do not hold up a stop', async () => {
  const agent = new Agent({ keepAlive: true });
  const plain = await startProcess({ DATA_DIR: newDataDir() });
  await new Promise<void>((resolve, reject) =>
    get(`${plain.greeting.url}/healthz`, { agent }, (reply) => reply.resume().on('end', resolve)).on('error', reject),
  );
  plain.child.kill('SIGTERM');
  expect(await plain.exited).toBe(0);
  agent.destroy();

  const fixtures = join(import.meta.dirname, '../fixtures');
  const TLS_CERT = join(fixtures, 'localhost.crt');
  const secure = await startProcess({ DATA_DIR: newDataDir(), TLS_CERT, TLS_KEY: join(fixtures, 'localhost.key') });
  const session = connect(secure.greeting.url, { ca: readFileSync(TLS_CERT) }).on('error', () => {});
  const stream = session.request({ ':path': '/healthz' });
  await once(stream.resume(), 'end');
  secure.child.kill('SIGTERM');
  expect(await secure.exited).toBe(0);
});
