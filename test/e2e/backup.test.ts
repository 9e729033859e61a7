import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocksUnder } from '../docs/guide.ts';
import { newDataDir, type Started, startProcess, until } from './process.ts';

const stop = async ({ child, exited }: Started) => {
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
};

test('the backup that docs/deploying.md shows restores credentials, signing secrets and records', async () => {
  const dataDir = newDataDir();
  const before = await startProcess({ DATA_DIR: dataDir });
  const token = before.greeting.operator.token;
  const url = 'http://127.0.0.1:9/hook';
  const endpoint = await before.call('POST', '/manage/v1/endpoints', { token, body: { service: 'pos', url } });
  expect(endpoint.status).toBe(201);
  const [account] = before.greeting.pos.accounts ?? [];
  const body = { api_key: account?.apiKey, api_secret: account?.apiSecret };
  const recorded = await before.call('POST', '/pos/api/auth', { body });
  expect(recorded.status).toBe(200);
  await stop(before);

  const folder = newDataDir({ empty: true });
  const [lines] = blocksUnder('docs/deploying.md', 'Back up and restore').filter(({ language }) => language === 'sh');
  execFileSync('bash', ['-ec', lines?.code ?? 'false'], { cwd: folder, env: { ...process.env, DATA_DIR: dataDir } });

  const after = await startProcess({ DATA_DIR: join(folder, 'restored') });
  expect(after.greeting.operator.token).toBe(token);
  expect((await after.call('POST', '/pos/api/auth', { body })).status).toBe(200);
  expect((await after.call('GET', `/manage/v1/calls/${recorded.headers.get('x-request-id')}`, { token })).status).toBe(200);
  // Signing needs the secret, which only the master key of the backup can read. Nobody listens there: the attempt ends with `connect`.
  const test = { token, body: { event_type: 'sale.completed' } };
  const sent = await after.call('POST', `/manage/v1/endpoints/${endpoint.body.data.id}/test`, test);
  const attempts = async () =>
    (await after.call('GET', `/manage/v1/deliveries/${sent.body.data.id}`, { token })).body.data.attempts_made;
  expect((await until(async () => (await attempts())[0])).outcome).toBe('connect');
}, 120_000);
