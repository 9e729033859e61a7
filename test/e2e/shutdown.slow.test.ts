import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { patientReceiver } from '../webhooks/receiver.ts';
import { caller, newDataDir, root, type Served, type Started, sharedInstallation, startProcess, until } from './process.ts';

/** Causes one event and waits until its attempt reaches the receiver. Returns a function that reads its deliveries. */
async function attemptInFlight({ call, greeting }: Served, receiver: Awaited<ReturnType<typeof patientReceiver>>) {
  const token = greeting.operator.token;
  const created = await call('POST', '/manage/v1/endpoints', { token, body: { service: 'cohesion', url: receiver.url } });
  expect(created.status).toBe(201);
  expect((await call('POST', '/manage/v1/cohesion/reports', { token, body: { annee: 2026 } })).status).toBe(201);
  await until(async () => receiver.waiting.length > 0);
  const path = `/manage/v1/deliveries?endpoint_id=${created.body.data.id}`;
  return async (after: Started) =>
    (await after.call('GET', path, { token })).body.data.map((one: { status: string; attempts: number }) => [
      one.status,
      one.attempts,
    ]);
}

/** Makes a call that is refused. Returns a function that checks its record. */
async function lastCall({ call }: Started) {
  const reply = await call('GET', '/pos/api/v1/inventory');
  expect(reply.status).toBe(401);
  const id = reply.headers.get('x-request-id');
  return async (after: Pick<Started, 'call' | 'greeting'>) => {
    const record = await after.call('GET', `/manage/v1/calls/${id}`, { token: after.greeting.operator.token });
    expect(record.body.data).toMatchObject({ id, status: 401, operation: 'readInventory', error_code: 'token_missing' });
  };
}

const gateway = sharedInstallation();

test('SIGTERM stops gracefully: the attempt in flight and the last call are recorded; exit code 0', async () => {
  const receiver = await patientReceiver();
  const first = await gateway();
  const deliveries = await attemptInFlight(first, receiver);
  const expectRecord = await lastCall(first);
  first.child.kill('SIGTERM');
  await until(async () => first.output().stderr.includes('gateway.stopping'));
  receiver.waiting[0]?.writeHead(204).end();
  expect(await first.exited).toBe(0);

  const second = await gateway();
  expect(await deliveries(second)).toEqual([['delivered', 1]]);
  expect(receiver.waiting.length).toBe(1);
  await expectRecord(second);
  // The same credentials are printed again.
  expect(second.greeting.pos.accounts).toEqual(first.greeting.pos.accounts);
});

test('a second signal ends the process at once; the attempt in flight is made again after the restart', async () => {
  const receiver = await patientReceiver();
  const first = await gateway();
  const deliveries = await attemptInFlight(first, receiver);
  first.child.kill('SIGINT');
  await until(async () => first.output().stderr.includes('gateway.stopping'));
  // Repeated, because signals close together count as one.
  const again = setInterval(() => first.child.kill('SIGINT'), 50);
  expect(await first.exited).toBe(1);
  clearInterval(again);

  const second = await gateway();
  await until(async () => receiver.waiting.length > 1);
  receiver.waiting[1]?.writeHead(204).end();
  await until(async () => (await deliveries(second))[0]?.[0] === 'delivered');
});

test('SIGINT stops gracefully: an idle connection does not delay it, the last call is recorded, exit code 0', async () => {
  const first = await gateway();
  const expectRecord = await lastCall(first);
  const agent = new Agent({ keepAlive: true });
  await new Promise<void>((resolve, reject) =>
    get(`${first.greeting.url}/healthz`, { agent }, (reply) => reply.resume().on('end', resolve)).on('error', reject),
  );
  first.child.kill('SIGINT');
  expect(await first.exited).toBe(0);
  agent.destroy();
  await expectRecord(await gateway());
});

test('npm passes on a SIGINT that the terminal has sent to the gateway too: it counts once, however late it comes', async () => {
  const receiver = await patientReceiver();
  const npm = spawn('npm', ['start', '--silent', '--', '--json', '--no-demo'], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: newDataDir(), WEBHOOK_LOOPBACK: 'on' },
    // Like a terminal, the test sends its signal to the whole group.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void npm.kill('SIGKILL'));
  let printed = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const exited = once(npm, 'close');
  const greeting = JSON.parse(await until(async () => /^\{"url".*\n/m.exec(printed)?.[0]));
  await attemptInFlight({ greeting, call: caller(greeting.url) }, receiver);

  npm.kill('SIGSTOP');
  process.kill(-(npm.pid as number), 'SIGINT');
  await until(async () => printed.includes('gateway.stopping'));
  const stoppingSinceMs = performance.now();
  await until(async () => performance.now() > stoppingSinceMs + 250);
  npm.kill('SIGCONT');
  receiver.waiting[0]?.writeHead(204).end();
  expect((await exited)[0], printed).toBe(0);
});

test('an idle HTTP/2 connection does not delay the stop', async () => {
  const fixtures = join(import.meta.dirname, '../fixtures');
  const TLS_CERT = join(fixtures, 'localhost.crt');
  const secure = await startProcess({ DATA_DIR: newDataDir(), DEMO: 'off', TLS_CERT, TLS_KEY: join(fixtures, 'localhost.key') });
  const session = connect(secure.greeting.url, { ca: readFileSync(TLS_CERT) }).on('error', () => {});
  const stream = session.request({ ':path': '/healthz' });
  await once(stream.resume(), 'end');
  secure.child.kill('SIGTERM');
  expect(await secure.exited).toBe(0);
});
