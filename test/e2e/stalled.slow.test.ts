import { expect, test } from 'vitest';
import { patientReceiver } from '../webhooks/receiver.ts';
import { newDataDir, startProcess, until } from './process.ts';

/** The requests must all have arrived before this has passed since the first, on a busy machine too. */
const deadlineMs = 30_000;

test('a process that is suspended beyond the deadline records the answers that arrived meanwhile, and sends nothing twice', async () => {
  const { call, child, greeting } = await startProcess(
    { DATA_DIR: newDataDir(), WEBHOOK_DEADLINE_MS: String(deadlineMs), WEBHOOK_RETRY_SECONDS: '0,3600', WEBHOOK_LOOPBACK: 'on' },
    ['--json', '--no-demo'],
  );
  const token = greeting.operator.token;
  const receivers = await Promise.all([patientReceiver(), patientReceiver(), patientReceiver()]);
  const [small, large] = receivers;
  const endpointIds: string[] = [];
  for (const { url } of receivers)
    endpointIds.push((await call('POST', '/manage/v1/endpoints', { token, body: { service: 'cohesion', url } })).body.data.id);
  const attempted = async (index: number) => {
    const [delivery] = (await call('GET', `/manage/v1/deliveries?endpoint_id=${endpointIds[index]}`, { token })).body.data;
    return delivery.attempts > 0 && [delivery.status, delivery.attempts, delivery.reason];
  };
  await call('POST', '/manage/v1/cohesion/reports', { token, body: { annee: 2026 } });

  await until(async () => receivers.every(({ waiting }) => waiting.length === 1));
  child.kill('SIGSTOP');
  small.waiting[0]?.end('ok');
  large.waiting[0]?.end('x'.repeat(1_000_000));
  const suspendedAtMs = performance.now();
  await until(async () => performance.now() - suspendedAtMs > 1.2 * deadlineMs);
  child.kill('SIGCONT');

  expect(await until(() => attempted(0))).toEqual(['delivered', 1, null]);
  expect(await until(() => attempted(1))).toEqual(['delivered', 1, null]);
  expect(await until(() => attempted(2))).toEqual(['pending', 1, 'timeout']);
  expect(receivers.map(({ received }) => received.length)).toEqual([1, 1, 1]);
});
