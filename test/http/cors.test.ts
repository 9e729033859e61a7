import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOrigin } from '../../gateway/http/cors.ts';
import { readSettings } from '../../gateway/start/config.ts';
import { forAllAsync } from '../for-all.ts';
import { buildTestApp } from '../helper.ts';
import { call, openStub } from '../stubs/partner.ts';

const page = 'https://app.example.org';
const preflight = (origin = page, headers = 'authorization, content-type, idempotency-key') => ({
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': headers,
});

describe('a gateway', () => {
  test('lets no page call by default', async () => {
    const { app } = await buildTestApp({ demo: false });
    const asked = await app.inject({ method: 'OPTIONS', url: '/pos/api/v1/sales', headers: preflight() });
    expect([asked.statusCode, asked.headers]).toEqual([
      404,
      expect.not.objectContaining({ 'access-control-allow-origin': page }),
    ]);
    const called = await app.inject({ url: '/pos/api/v1/inventory', headers: { origin: page } });
    expect(called.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('answers the preflights of an allowed origin without a record, and shows its replies to that page', async () => {
    const { app, manage } = await buildTestApp({ demo: false, settings: { CORS_ORIGINS: `${page},https://other.example.org` } });
    for (const url of ['/pos/api/v1/sales', '/cohesion/api/v1/financements']) {
      const asked = await app.inject({ method: 'OPTIONS', url, headers: preflight() });
      expect([asked.statusCode, asked.body]).toEqual([204, '']);
      expect(asked.headers).toMatchObject({
        'access-control-allow-origin': page,
        'access-control-allow-methods': expect.stringContaining('PUT'),
        'access-control-allow-headers': 'authorization, content-type, idempotency-key',
        vary: 'Origin',
      });
      expect(asked.headers).not.toHaveProperty('access-control-allow-credentials');
      const called = await app.inject({ method: 'POST', url, headers: { origin: page } });
      expect(called.statusCode).toBe(401);
      expect(called.headers).toMatchObject({
        'access-control-allow-origin': page,
        'access-control-expose-headers': expect.stringMatching(/retry-after.*ratelimit-remaining/),
      });
    }
    const recorded = async () => (await manage('GET', '/calls')).body.data.map((one: { method: string }) => one.method);
    await expect.poll(recorded).toEqual(['POST', 'POST']);
  });

  test('gives no headers to another origin, nor to a page that calls /manage or /console', async () => {
    const { app } = await buildTestApp({ demo: false, settings: { CORS_ORIGINS: page } });
    const headers = (url: string, origin: string) =>
      app.inject({ method: 'OPTIONS', url, headers: preflight(origin) }).then((reply) => reply.headers);
    for (const [url, origin] of [
      ['/pos/api/v1/sales', 'https://evil.example.org'],
      ['/pos/api/v1/sales', `${page}.evil.org`],
      ['/pos/api/v1/sales', 'null'],
      ['/manage/v1/calls', page],
      ['/console', page],
      ['/healthz', page],
    ] as const)
      expect(await headers(url, origin)).not.toHaveProperty('access-control-allow-origin');
    const plain = await app.inject({ url: '/pos/api/v1/inventory' });
    expect(plain.headers.vary).toBe('Origin');
  });

  test('does not repeat what is no list of header names', async () => {
    const { app } = await buildTestApp({ demo: false, settings: { CORS_ORIGINS: '*' } });
    await forAllAsync(50, [fc.string({ unit: 'binary-ascii', maxLength: 40 })], async (text) => {
      const given = text.replace(/[^\x20-\x7e]/g, '').trim();
      const reply = await app.inject({ method: 'OPTIONS', url: '/pos/api/v1/sales', headers: preflight(page, given) });
      const allowed = reply.headers['access-control-allow-headers'];
      expect(reply.statusCode).toBe(204);
      if (allowed !== undefined) expect(String(allowed)).toMatch(/^[!#$%&'*+.^`|~\w-]+([ \t]*,[ \t]*[!#$%&'*+.^`|~\w-]+)*$/);
    });
  });

  test.each(['app.example.org', 'https://app.example.org/', 'https://app.example.org/path', 'ftp://app.example.org', 'null'])(
    'CORS_ORIGINS=%s is refused',
    (value) => {
      expect(() => readSettings({ CORS_ORIGINS: value })).toThrow(
        /CORS_ORIGINS.*must be origins such as https:\/\/app\.example\.org/,
      );
    },
  );

  test.each(['*', 'http://localhost:5173', 'https://app.example.org'])('%s is an origin', (value) => {
    expect(isOrigin(value)).toBe(true);
  });
});

describe('a stub', () => {
  test('lets every page call its API, also for a simulated refusal, but not /_stub or /manage', async () => {
    const stub = await openStub('pos', { faults: ['readInventory:status=503'] });
    const asked = await call(stub, 'OPTIONS', '/api/v1/inventory', { headers: preflight('http://localhost:5173', 'prefer') });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    const simulated = await call(stub, 'GET', '/api/v1/inventory', { headers: { origin: 'http://localhost:5173' } });
    expect([simulated.status, simulated.headers.get('access-control-allow-origin')]).toEqual([503, '*']);
    expect(simulated.headers.get('access-control-expose-headers')).toContain('x-passerelle-fault');
    expect(stub.calls().map(({ method }) => method)).toEqual(['GET']);
    for (const path of ['/_stub', '/manage/v1/calls', '/docs']) {
      const own = await call(stub, 'OPTIONS', path, { headers: preflight('http://localhost:5173') });
      expect([path, own.headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });

  test('lets only the pages of `cors` call, and refuses what is no origin', async () => {
    const stub = await openStub('cohesion', { cors: ['http://localhost:5173'] });
    const allowed = async (origin: string) =>
      (await call(stub, 'GET', '/api/v1/me', { headers: { origin } })).headers.get('access-control-allow-origin');
    expect(await allowed('http://localhost:5173')).toBe('http://localhost:5173');
    expect(await allowed('http://localhost:5174')).toBeNull();
    await expect(openStub('pos', { cors: ['localhost:5173'] })).rejects.toThrow('"localhost:5173" is not an origin');
  });

  test('a fault for all calls leaves preflights alone', async () => {
    const stub = await openStub('pos', { faults: ['*:status=503'] });
    const asked = () => call(stub, 'OPTIONS', '/api/v1/sales', { headers: preflight() });
    expect((await asked()).status).toBe(204);
  });
});
