import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { SecureVersion } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { newDataDir, root, startProcess, until } from './process.ts';

const fixtures = join(root, 'test/fixtures');
/** Self-signed certificates. The gateway trusts one of them. */
const trusted = join(fixtures, 'localhost.crt');
const stranger = join(fixtures, 'stranger.crt');

async function httpsReceiver(cert: string, versions: { maxVersion?: SecureVersion; minVersion?: SecureVersion } = {}) {
  const ciphers = 'DEFAULT@SECLEVEL=0';
  const server = createServer(
    { cert: readFileSync(cert), key: readFileSync(cert.replace('.crt', '.key')), ciphers, ...versions },
    (_, response) => response.end('ok'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `https://localhost:${(server.address() as { port: number }).port}/`;
}

test('a receiver with a trusted certificate gets deliveries; an untrusted certificate and TLS 1.1 fail with the class tls', async () => {
  const gateway = await startProcess({
    DATA_DIR: newDataDir(),
    DEMO: 'off',
    WEBHOOK_LOOPBACK: 'on',
    LOG_LEVEL: 'silent',
    NODE_EXTRA_CA_CERTS: trusted,
  });
  const token = gateway.greeting.operator.token;
  const urls = {
    good: await httpsReceiver(trusted),
    stranger: await httpsReceiver(stranger),
    old: await httpsReceiver(trusted, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }),
  };
  const firstAttempt = async (url: string) => {
    const created = await gateway.call('POST', '/manage/v1/endpoints', { token, body: { service: 'pos', url } });
    const sent = await gateway.call('POST', `/manage/v1/endpoints/${created.body.data.id}/test`, {
      token,
      body: { event_type: 'sale.completed' },
    });
    return until(async () => {
      const { data } = (await gateway.call('GET', `/manage/v1/deliveries/${sent.body.data.id}`, { token })).body;
      return data.attempts_made[0];
    });
  };
  const good = await firstAttempt(urls.good);
  expect(good).toMatchObject({ outcome: 'success', response_status: 200, response_body: 'ok' });
  expect(good.timings.tls).toBeGreaterThan(0);
  expect(await firstAttempt(urls.stranger)).toMatchObject({ outcome: 'tls', error: expect.stringMatching(/self.signed/) });
  expect(await firstAttempt(urls.old)).toMatchObject({ outcome: 'tls', error: expect.stringMatching(/version|protocol/) });
});
