import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocksUnder } from '../docs/guide.ts';
import { newDataDir, type Started, spawnProcess, startProcess, until } from './process.ts';

const settings = { DEMO: 'off', WEBHOOK_LOOPBACK: 'on' };

const stop = async ({ child, exited }: Started) => {
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
};

test('the backup in docs/deploying/backup.md restores credentials, signing secrets and records', async () => {
  const dataDir = newDataDir();
  const before = await startProcess({ ...settings, DATA_DIR: dataDir });
  const { token } = before.greeting.operator;
  // Nothing listens there, so attempts fail with `connect`.
  const wanted = { service: 'pos', url: 'http://127.0.0.1:9/hook' };
  const endpoint = (await before.call('POST', '/manage/v1/endpoints', { token, body: wanted })).body.data;
  const awa = await before.call('POST', '/manage/v1/operators', { token, body: { name: 'Awa', role: 'operator' } });
  await stop(before);

  const folder = newDataDir({ empty: true });
  const [lines] = blocksUnder('docs/deploying/backup.md').filter(({ language }) => language === 'sh');
  execFileSync('bash', ['-ec', lines?.code ?? 'false'], { cwd: folder, env: { ...process.env, DATA_DIR: dataDir } });

  const after = await startProcess({ ...settings, DATA_DIR: join(folder, 'restored') });
  expect(after.greeting.operator.token).toBe(token);
  const hers = awa.body.data.credential;
  const record = await after.call('GET', `/manage/v1/calls/${awa.headers.get('x-request-id')}`, { token: hers });
  expect(record.body.data).toMatchObject({ operation: 'createOperator', status: 201 });
  // Signing needs the endpoint's secret, which only the master key of the backup can read.
  const event = { token: hers, body: { event_type: 'sale.completed' } };
  const sent = await after.call('POST', `/manage/v1/endpoints/${endpoint.id}/test`, event);
  const attempts = async () =>
    (await after.call('GET', `/manage/v1/deliveries/${sent.body.data.id}`, { token })).body.data.attempts_made;
  expect((await until(async () => (await attempts())[0])).outcome).toBe('connect');

  await stop(after);
  const key = join(folder, 'restored', 'master.key');
  rmSync(key);
  const without = { ...settings, DATA_DIR: join(folder, 'restored') };
  const refused = spawnProcess(without);
  expect([await refused.exited, refused.output().stderr]).toEqual([2, expect.stringContaining('master.key is missing')]);
  expect(existsSync(key)).toBe(false);
  const replaced = spawnProcess(without, ['--replace-key']);
  expect([await replaced.exited, replaced.output().stdout]).toEqual([
    0,
    expect.stringContaining('is the master key of this database now'),
  ]);
  expect(existsSync(key)).toBe(true);
});
