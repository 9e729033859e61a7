import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildTestApp, type CallOptions, type Method } from '../helper.ts';

const html = '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><p>The console</p>';
const script = "export const greeting = 'hello';".repeat(20);

/** A gateway with a console as Vite leaves one, and a secret beside its folder. */
async function consoleOf(files: Record<string, string> = built) {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'built/assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'a secret');
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, 'built', path), content);
  const gateway = await buildTestApp({ demo: false, consoleFolder: join(folder, 'built') });
  const ask = (path: string, headers: CallOptions['headers'] = {}, method: Method = 'GET') =>
    gateway.call(method, path, { headers });
  return Object.assign(ask, { gateway });
}

const built = {
  'index.html': html,
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/index-abc123.js': script,
  'assets/index-abc123.js.br': 'in brotli',
  'assets/index-abc123.js.gz': 'in gzip',
  'assets/style-abc123.css': 'p { color: green }',
};

test('each reply with the page has a policy with a new nonce; all its addresses serve the page', async () => {
  const ask = await consoleOf();
  const nonces = new Set<string>();
  for (const path of [
    '/console',
    '/console/',
    '/console/deliveries/dlv_1?tab=x',
    '/console/index.html',
    '/console/..%2fsecret.txt',
  ]) {
    const reply = await ask(path);
    expect([path, reply.status, reply.headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
    const policy = String(reply.headers['content-security-policy']);
    const nonce = /style-src 'self' 'nonce-([\w+/=]{20,})'/.exec(policy)?.[1] as string;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/);
    expect(reply.text).toBe(html.replace('__CSP_NONCE__', nonce));
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    });
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(5);
});

test('a cached page gets 304 without a new policy', async () => {
  const ask = await consoleOf();
  const { etag } = (await ask('/console')).headers;
  const again = await ask('/console', { 'if-none-match': `"other", ${etag}` });
  expect([again.status, again.text]).toEqual([304, '']);
  expect(again.headers).not.toHaveProperty('content-security-policy');
  expect((await ask('/console', { 'if-none-match': '"other"' })).status).toBe(200);
  const other = await consoleOf({ ...built, 'index.html': `${html}<p>New` });
  expect((await other('/console', { 'if-none-match': String(etag) })).status).toBe(200);
});

test('assets may be cached for ever, in the smallest encoding that exists and is accepted', async () => {
  const ask = await consoleOf();
  const path = '/console/assets/index-abc123.js';
  const plain = await ask(path);
  expect(plain.text).toBe(script);
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    vary: 'accept-encoding',
  });
  const encoded = async (header: string) => {
    const { text, headers } = await ask(path, { 'accept-encoding': header });
    return [headers['content-encoding'], text];
  };
  expect(await encoded('gzip, deflate, br')).toEqual(['br', 'in brotli']);
  expect(await encoded('gzip;q=1.0, br;q=0')).toEqual(['gzip', 'in gzip']);
  expect(await encoded('zstd')).toEqual([undefined, script]);
  const style = await ask('/console/assets/style-abc123.css', { 'accept-encoding': 'br' });
  expect([style.headers['content-encoding'], style.headers['content-type']]).toEqual([undefined, 'text/css; charset=utf-8']);
  const head = await ask(path, {}, 'HEAD');
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(script.length)]);
});

test('missing assets and files outside the folder are not found', async () => {
  const ask = await consoleOf();
  const outside = ['../../secret.txt', '..%2f..%2fsecret.txt', '%2e%2e/%2e%2e/secret.txt', '..%5c..%5csecret.txt', ''];
  for (const path of ['gone-abc123.js', ...outside]) {
    const reply = await ask(`/console/assets/${path}`);
    expect([path, reply.status]).toEqual([path, 404]);
    expect(reply.text).not.toContain('a secret');
  }
});

test('the console accepts only GET, and its calls are not recorded', async () => {
  const ask = await consoleOf();
  for (const path of ['/console', '/console/assets/index-abc123.js', '/console/assets/gone.js']) await ask(path);
  expect((await ask('/console', {}, 'POST')).status).toBe(404);
  const { data } = (await ask.gateway.manage('GET', '/calls')).body;
  expect(data.map(({ method, path }: { method: string; path: string }) => [method, path])).toEqual([['POST', '/console']]);
});

test('/ redirects to the console; without one it redirects to /docs, and /console says how to build it', async () => {
  expect((await (await consoleOf())('/')).headers.location).toBe('/console');
  const ask = await consoleOf({});
  expect((await ask('/')).headers.location).toBe('/docs');
  const reply = await ask('/console/deliveries');
  expect([reply.status, reply.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
  expect(reply.text).toContain('npm run console');
  expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
});
