import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { blocksUnder } from '../docs/guide.ts';
import { openGateway } from './harness.ts';

test('the commands of the guide work as they are written', async () => {
  // The credentials that a first start prints.
  const gateway = await openGateway({ demo: true });
  const user = gateway.demo.cohesion.tokens.at(-1);
  const account = gateway.demo.pos.accounts.find(({ plan }) => plan === 'pro');
  if (!user || !account) throw new Error('The demo data has no token, or no account on the plan pro.');
  await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = gateway.app.server.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-profile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { apiKey: API_KEY, apiSecret: API_SECRET } = account;
  const env = { ...process.env, PASSERELLE_URL: `http://127.0.0.1:${port}`, TOKEN: user.token, API_KEY, API_SECRET };
  const run = async (mark: string) => {
    const block = blocksUnder('docs/partners/profile.md').find((one) => one.mark === mark);
    return (await promisify(execFile)('bash', ['-ec', block?.code ?? 'exit 1'], { cwd: folder, env })).stdout;
  };
  expect(await run('user')).toContain('"name":"Dashboard"');
  expect(await run('account')).toMatch(/"replaced":\{"api_key":"pk_/);
  expect((await gateway.store.get('api_keys', { id: API_KEY }))?.expires_at).not.toBe(null);
});
