import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, constants } from 'node:http2';
import { request } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newDataDir, spawnProcess, startProcess } from './process.ts';

const fixtures = join(import.meta.dirname, '../fixtures');
const certificate = join(fixtures, 'localhost.crt');
const environment = { TLS_CERT: certificate, TLS_KEY: join(fixtures, 'localhost.key') };
const ca = readFileSync(certificate);

test('with a certificate it serves HTTP/2 and HTTP/1.1, and sends HSTS', async () => {
  const { greeting } = await startProcess({ DATA_DIR: newDataDir(), ...environment }, ['--json', '--no-demo']);
  expect(greeting.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(greeting.pos.accounts).toBeUndefined();

  const session = connect(greeting.url, { ca });
  const stream = session.request({ [constants.HTTP2_HEADER_PATH]: '/pos/api/v1/inventory' });
  const http2 = await new Promise<Record<string, unknown>>((resolve, reject) =>
    stream.on('response', resolve).on('error', reject),
  );
  session.close();
  expect(http2[constants.HTTP2_HEADER_STATUS]).toBe(401);
  expect(http2['strict-transport-security']).toBe('max-age=31536000');

  const http1 = await new Promise<{ statusCode?: number; httpVersion: string }>((resolve, reject) =>
    request(`${greeting.url}/healthz`, { ca }, resolve).on('error', reject).end(),
  );
  expect(http1).toMatchObject({ statusCode: 200, httpVersion: '1.1' });
});

test.each([
  ['plain http beyond this machine', { HOST: '0.0.0.0' }, /^passerelle: HOST=0\.0\.0\.0 would serve plain http/],
  ['a missing certificate', { ...environment, TLS_CERT: '/nowhere.crt' }, /^passerelle: TLS_CERT=\/nowhere\.crt cannot be read/],
  [
    "a key that is not the certificate's",
    { ...environment, TLS_KEY: join(fixtures, 'stranger.key') },
    /^passerelle: TLS_KEY=\S+stranger\.key is not the key of TLS_CERT=\S+localhost\.crt/,
  ],
  ['an option that does not exist', {}, /^passerelle: Unknown option '--jsn'.* Did you mean --json\? See npm start -- --help/],
  [
    'a setting as an option',
    {},
    /^passerelle: Unknown option '--port'.* Set it as a variable: PORT=... npm start\. See npm start -- --help/,
  ],
])('it does not start with %s, and says why in one line', async (what, wrong, message) => {
  const gateway = spawnProcess(
    { DATA_DIR: newDataDir({ empty: true }), ...wrong },
    what.startsWith('an option') ? ['--jsn'] : what.startsWith('a setting') ? ['--port'] : [],
  );
  // One that starts all the same greets: the test must not wait for its end.
  const greets = once(gateway.child.stdout, 'data').then(() => 'started');
  expect(await Promise.race([gateway.exited, greets])).toBe(2);
  expect(gateway.output().stderr).toMatch(message);
  expect(gateway.output().stderr.trim().split('\n').length).toBe(1);
});
