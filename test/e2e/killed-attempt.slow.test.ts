import { expect, test } from 'vitest';
import { receiver } from '../webhooks/receiver.ts';
import { newDataDir, startProcess, until } from './process.ts';

test('a slow attempt whose process is killed is made again, without the reconciler', async () => {
  const { url, received } = await receiver((response) => {
    if (received.length > 1) response.end('ok');
  });
  // The attempt must still be open when its process is killed. It counts as lost after 5 s more.
  const environment = { DATA_DIR: newDataDir(), LOG_LEVEL: 'silent', WEBHOOK_DEADLINE_MS: '30000', RECONCILE_SECONDS: '3600' };
  const before = await startProcess(environment);
  const token = before.greeting.operator.token;
  const endpoint = await before.call('POST', '/manage/v1/endpoints', { token, body: { service: 'pos', url } });
  const path = `/manage/v1/endpoints/${endpoint.body.data.id}/test`;
  const { id } = (await before.call('POST', path, { token, body: { event_type: 'sale.completed' } })).body.data;
  await until(async () => {
    const { data } = (await before.call('GET', `/manage/v1/deliveries/${id}`, { token })).body;
    return received.length === 1 && data.next_attempt_at > data.created_at;
  });
  before.child.kill('SIGKILL');
  await before.exited;
  const after = await startProcess(environment);
  await until(async () => (await after.call('GET', `/manage/v1/deliveries/${id}`, { token })).body.data.status === 'delivered');
  expect(received).toHaveLength(2);
});
