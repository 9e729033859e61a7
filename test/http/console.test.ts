import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { buildTestApp, type CallOptions, type Method } from '../helper.ts';

const html = '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><p>The console</p>';
const script = "export const greeting = 'hello';".repeat(20);

/** A gateway with pages as Vite leaves them, and a secret beside their folders. */
async function gatewayWith(files: Partial<Record<'console' | 'profile', Record<string, string>>>) {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-pages-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, written] of Object.entries(files)) {
    mkdirSync(join(folder, 'built', name, 'assets'), { recursive: true });
    for (const [path, content] of Object.entries(written)) writeFileSync(join(folder, 'built', name, path), content);
  }
  writeFileSync(join(folder, 'built', 'secret.txt'), 'a secret');
  const gateway = await buildTestApp({ demo: false, pagesFolder: join(folder, 'built') });
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

describe.each(['console', 'profile'] as const)('/%s', (name) => {
  const pageOf = (files: Record<string, string> = built) => gatewayWith({ [name]: files });

  test('each reply with the page has a policy with a new nonce; all its addresses serve the page', async () => {
    const ask = await pageOf();
    const nonces = new Set<string>();
    for (const path of [
      `/${name}`,
      `/${name}/`,
      `/${name}/deliveries/dlv_1?tab=x`,
      `/${name}/index.html`,
      `/${name}/..%2fsecret.txt`,
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
    const ask = await pageOf();
    const { etag } = (await ask(`/${name}`)).headers;
    const again = await ask(`/${name}`, { 'if-none-match': `"other", ${etag}` });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers).not.toHaveProperty('content-security-policy');
    expect((await ask(`/${name}`, { 'if-none-match': '"other"' })).status).toBe(200);
    const other = await pageOf({ ...built, 'index.html': `${html}<p>New` });
    expect((await other(`/${name}`, { 'if-none-match': String(etag) })).status).toBe(200);
  });

  test('assets may be cached for ever, in the smallest encoding that exists and is accepted', async () => {
    const ask = await pageOf();
    const path = `/${name}/assets/index-abc123.js`;
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
    const style = await ask(`/${name}/assets/style-abc123.css`, { 'accept-encoding': 'br' });
    expect([style.headers['content-encoding'], style.headers['content-type']]).toEqual([undefined, 'text/css; charset=utf-8']);
    const head = await ask(path, {}, 'HEAD');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(script.length)]);
  });

  test('missing assets and files outside the folder are not found', async () => {
    const ask = await pageOf();
    const outside = ['../../secret.txt', '..%2f..%2fsecret.txt', '%2e%2e/%2e%2e/secret.txt', '..%5c..%5csecret.txt', ''];
    for (const path of ['gone-abc123.js', ...outside]) {
      const reply = await ask(`/${name}/assets/${path}`);
      expect([path, reply.status]).toEqual([path, 404]);
      expect(reply.text).not.toContain('a secret');
    }
  });

  test('the page accepts only GET, and its calls are not recorded', async () => {
    const ask = await pageOf();
    for (const path of [`/${name}`, `/${name}/assets/index-abc123.js`, `/${name}/assets/gone.js`]) await ask(path);
    expect((await ask(`/${name}`, {}, 'POST')).status).toBe(404);
    const { data } = (await ask.gateway.manage('GET', '/calls')).body;
    expect(data.map(({ method, path }: { method: string; path: string }) => [method, path])).toEqual([['POST', `/${name}`]]);
  });
});

test('/ redirects to the console; without one it redirects to /docs, and /console says how to build it', async () => {
  expect((await (await gatewayWith({ console: built }))('/')).headers.location).toBe('/console');
  const ask = await gatewayWith({ console: {}, profile: built });
  expect((await ask('/')).headers.location).toBe('/docs');
  const reply = await ask('/console/deliveries');
  expect([reply.status, reply.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
  expect(reply.text).toContain('npm run make');
  expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
});

test('the profile says how to build it, and sends nobody to it', async () => {
  const ask = await gatewayWith({ profile: {} });
  const reply = await ask('/profile/webhooks');
  expect([reply.status, reply.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
  expect(reply.text).toContain('npm run make');
});

test('a path below the API of the profile that has no operation gets the reply of the API, not the page', async () => {
  const ask = await gatewayWith({ profile: built });
  for (const path of ['/profile/v1', '/profile/v1/', '/profile/v1/endpoint', '/profile/v1/keys/x/rotate']) {
    for (const method of ['GET', 'HEAD'] as const) {
      const reply = await ask(path, {}, method);
      expect([method, path, reply.status]).toEqual([method, path, 404]);
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
      if (method === 'HEAD') continue;
      expect(reply.body.error.code).toBe('unknown_operation');
      const [page, section] = reply.body.error.docs.split('#');
      expect((await ask(page)).text).toContain(`<h2 id="${section}">`);
    }
  }
});

test('nobody may frame the console or the profile', async () => {
  const ask = await gatewayWith({ console: built, profile: built });
  const framedBy = async (path: string) =>
    /frame-ancestors ([^;]*);/.exec(String((await ask(path)).headers['content-security-policy']))?.[1];
  for (const path of ['/console', '/profile', '/profile/calls', '/profile/assets/index-abc123.js', '/profile/assets/gone.js'])
    expect(await framedBy(path), path).toBe("'none'");
});
