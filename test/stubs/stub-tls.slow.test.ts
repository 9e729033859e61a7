import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Agent, fetch } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { stubCommand } from '../../cli/stub.ts';
import { makeCertificate } from '../../stubs/certificate.ts';
import { fileWith, newFolder, passerelle, runCommand, start } from '../program.ts';
import { openStub } from './partner.ts';

const run = promisify(execFile);
const fixtures = join(import.meta.dirname, '../fixtures');
const cert = join(fixtures, 'localhost.crt');
const key = join(fixtures, 'localhost.key');

/** A stub over https, and a client that trusts it. */
async function openSecured(options: Parameters<typeof openStub>[1] = { tls: true }) {
  const stub = await openStub('pos', options);
  const dispatcher = new Agent({ connect: { ca: stub.ca ?? (await readFile(cert, 'utf8')) } });
  onTestFinished(() => dispatcher.destroy());
  const ask = (path: string, headers: Record<string, string> = {}) => fetch(`${stub.url}${path}`, { dispatcher, headers });
  return { stub, ask };
}

test('with a certificate made on the spot it serves HTTP/1.1, and names itself with https', async () => {
  const { stub, ask } = await openSecured();
  expect(stub.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const refused = await ask('/api/v1/inventory');
  expect([refused.status, refused.headers.get('strict-transport-security')]).toEqual([401, null]);
  const { help } = (await refused.json()) as { help: { example: { curl: string } } };
  expect(help.example.curl).toContain(`'${stub.url}/api/auth'`);
  const http2 = run('curl', ['-s', '--http2', '--insecure', '-o', '-', '-w', '%{http_version}', `${stub.url}/healthz`]);
  expect((await http2).stdout).toMatch(/1\.1$/);

  const { data } = (await (await ask('/_stub')).json()) as { data: { url: string } };
  const { servers } = (await (await ask('/_stub/openapi.json')).json()) as { servers: { url: string }[] };
  const document = (await (await ask('/openapi.json')).json()) as { servers: { url: string }[] };
  expect([data.url, servers[0]?.url, document.servers[0]?.url]).toEqual([stub.url, `${stub.url}/_stub`, stub.url]);
  expect(stub.har().log.entries.map((entry) => entry.request.url)).toEqual([`${stub.url}/api/v1/inventory`]);
  expect(await (await ask('/_stub/calls/curl')).text()).toContain(`${stub.url}/api/v1/inventory`);
});

test("the stub's own page may control it over https, and a page of the same host over http may not", async () => {
  const { stub, ask } = await openSecured();
  const statusOf = async (origin: string) => (await ask('/_stub', { origin })).status;
  expect(await statusOf(stub.url)).toBe(200);
  expect(await statusOf(stub.url.replace('https', 'http'))).toBe(403);
});

test('a made certificate fits the names of this machine, for clients that are strict', async () => {
  const { stub } = await openSecured({ tls: true, host: '0.0.0.0' });
  const { port } = new URL(stub.url);
  const ca = await fileWith(stub.ca ?? '', 'ca.pem');
  for (const [host, flag] of [
    ['localhost', '-verify_hostname'],
    ['127.0.0.1', '-verify_ip'],
    ['::1', '-verify_ip'],
  ] as const) {
    const strict = `-x509_strict -verify_return_error -purpose sslserver -CAfile ${ca} ${flag} ${host}`;
    const { stderr } = await run('sh', ['-c', `openssl s_client -brief -connect 127.0.0.1:${port} ${strict} < /dev/null`]);
    expect(stderr).toContain('Verification: OK');
  }
  const { stdout } = await run('curl', ['-sS', '--cacert', ca, `https://localhost:${port}/healthz`]);
  expect(JSON.parse(stdout)).toMatchObject({ passerelle: 'stub' });
  const stranger = run('curl', ['-sS', '--cacert', cert, `https://localhost:${port}/healthz`]);
  await expect(stranger).rejects.toThrow(/certificate/);
});

test('it serves with a given certificate', async () => {
  const { stub, ask } = await openSecured({ tls: { cert, key } });
  expect(stub.ca).toBeUndefined();
  expect((await ask('/healthz')).status).toBe(200);
  const reply = await new Promise<string>((resolve, reject) =>
    request(`${stub.url}/healthz`, { rejectUnauthorized: false }, (answer) => resolve(text(answer)))
      .on('error', reject)
      .end(),
  );
  expect(JSON.parse(reply)).toMatchObject({ passerelle: 'stub' });
});

test.each([
  ['an unknown option', { tls: { cert, keyFile: key } }, 'startStub: options.tls must be true, false, or the files'],
  ['text', { tls: 'on' }, 'startStub: options.tls must be true, false, or the files'],
  ['a missing file', { tls: { cert: '/nowhere.crt', key } }, '/nowhere.crt cannot be read: ENOENT'],
  ['a file that is no certificate', { tls: { cert: key, key } }, `${key} is not a certificate in PEM`],
  ['a file that is no key', { tls: { cert, key: cert } }, `${cert} is not a private key in PEM`],
  [
    'the key of another certificate',
    { tls: { cert, key: join(fixtures, 'stranger.key') } },
    `stranger.key is not the key of ${cert}`,
  ],
])('it does not start with %s', async (_, options, message) => {
  await expect(openStub('pos', options as object)).rejects.toThrow(message);
});

test('an encrypted key is refused with the command that decrypts it', async () => {
  const folder = await newFolder();
  const encrypted = join(folder, 'encrypted.key');
  await run('openssl', ['pkey', '-in', key, '-aes256', '-passout', 'pass:x', '-out', encrypted]);
  await expect(openStub('pos', { tls: { cert, key: encrypted } })).rejects.toThrow(
    `${encrypted} is encrypted. Decrypt it: openssl pkey -in ${encrypted} -out decrypted.key`,
  );
});

test.each([
  [['--tls', '--tls-cert', cert, '--tls-key', key], '--tls makes a certificate, so it excludes --tls-cert and --tls-key.'],
  [['--tls-cert', cert], '--tls-cert and --tls-key belong together: add --tls-key.'],
  [['--tls-key', key], '--tls-cert and --tls-key belong together: add --tls-cert.'],
  [['--tls-ca', 'ca.pem'], '--tls-ca names the file in which --tls writes'],
  [['--tls', '--tls-ca', '/nowhere/ca.pem'], 'Name a file in a folder that exists.'],
])('the command refuses %j', async (options, message) => {
  const { code, stdout, stderr } = await runCommand(stubCommand(), ['pos', '--port', '0', ...options]);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
});

test('--tls writes what clients must trust, and the greeting lets other terminals use the stub', async () => {
  const home = await newFolder();
  const running = start(['stub', 'pos', '--port', '0', '--tls'], {
    env: { XDG_CACHE_HOME: home, HOME: home, LOCALAPPDATA: home },
  });
  await expect.poll(() => running.stdout).toContain('Next: ');
  const [, url = ''] = /stub of pos at (https:\S+)/.exec(running.stdout) ?? [];
  const [, file = ''] = /Clients trust +(\S+)/.exec(running.stdout) ?? [];
  const [, line = ''] = /Try:\n +(curl .*)/.exec(running.stdout) ?? [];
  expect(await readFile(file, 'utf8')).not.toContain('PRIVATE KEY');
  const { stdout } = await run('sh', ['-c', line]);
  expect(JSON.parse(stdout)).toMatchObject({ token: expect.any(String) });

  const [, exported = ''] = /export (PASSERELLE_.*)/.exec(running.stdout) ?? [];
  const env = Object.fromEntries([...exported.matchAll(/(\w+)='([^']*)'/g)].map(([, name, value]) => [name, value]));
  const listed = await passerelle(['stub', 'calls'], { env });
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('POST') });
  const { NODE_EXTRA_CA_CERTS: _, ...without } = env;
  const refused = await passerelle(['stub', 'calls'], { env: without });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`The certificate of ${url} is not trusted`) });
  const plain = await passerelle(['stub', 'calls', '--at', url.replace('https', 'http')]);
  expect(plain.stderr).toContain(`If it serves https, use --at ${url}`);

  running.child.kill('SIGTERM');
  expect(await running.ended).toBe(0);
  expect(existsSync(file)).toBe(false);
});

test('without a folder for the file, the command says to name one', async () => {
  const running = start(['stub', 'pos', '--port', '0', '--tls'], { env: { XDG_CACHE_HOME: cert } });
  expect(await running.ended).toBe(2);
  expect(running.stderr).toMatch(
    /^passerelle: The authority of the certificate could not be written: .* Name another file with --tls-ca\.$/m,
  );
});

test('--tls-ca names the file, which stays; --json says where it is', async () => {
  const ca = join(await newFolder(), 'ca.pem');
  const running = start(['stub', 'cohesion', '--port', '0', '--json', '--tls', '--tls-ca', ca]);
  await expect.poll(() => running.stdout).toContain('\n');
  expect(JSON.parse(running.stdout)).toMatchObject({ url: expect.stringMatching(/^https:/), caFile: ca });
  running.child.kill('SIGTERM');
  expect(await running.ended).toBe(0);
  expect(await readFile(ca, 'utf8')).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
});

test('an expired certificate is used with a warning', async () => {
  const folder = await newFolder();
  const expired = join(folder, 'expired.crt');
  const expiredKey = join(folder, 'expired.key');
  const made = makeCertificate(['localhost'], Date.UTC(2025, 0, 1));
  await Promise.all([writeFile(expired, made.cert), writeFile(expiredKey, made.key)]);
  const running = start(['stub', 'pos', '--port', '0', '--quiet', '--tls-cert', expired, '--tls-key', expiredKey]);
  await expect.poll(() => running.stderr).toMatch(/\S+expired\.crt expired on 2026-01-01: clients refuse it/);
  await expect.poll(() => running.stdout).toMatch(/^https:/);
});
