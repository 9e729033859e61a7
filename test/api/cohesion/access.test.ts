import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../gateway/store/memory/store.ts';
import { sharedByTests } from '../../helper.ts';
import { watched } from '../../webhooks/watched-store.ts';
import { cohesionGateway, startMs } from './harness.ts';

/** For tests that change nothing but tokens. */
const gateway = sharedByTests((atEnd) => cohesionGateway({ atEnd }));

describe('authentication', () => {
  it.each([
    ['GET', '/indicateurs'],
    ['GET', '/indicateurs/1'],
    ['GET', '/interventions'],
    ['GET', '/structures'],
    ['GET', '/stats'],
    ['GET', '/me'],
    ['POST', '/financements'],
    ['PUT', '/financements/1'],
  ] as const)('%s %s without a valid token is 401 and says why', async (method, path) => {
    const { call } = gateway();
    const url = `/cohesion/api/v1${path}`;
    const body = method === 'GET' ? undefined : {};
    for (const authorization of [
      '',
      'Basic abc',
      'Bearer',
      'Bearer abc',
      'Bearer 1|short',
      `Bearer 1|${'x'.repeat(43)}`,
      `Bearer 9999999999|${'x'.repeat(43)}`,
    ]) {
      const reply = await call(method, url, { body, headers: { authorization } });
      expect(reply.status).toBe(401);
      expect(reply.headers['www-authenticate']).toBe('Bearer');
      expect(Object.keys(reply.body)).toEqual(['message']);
    }
  });

  it('distinguishes a wrong secret, an expired and a revoked token', async () => {
    const { call, manage, makeToken, clock } = await cohesionGateway();
    const short = await makeToken({ expiresAt: startMs + 60_000 });
    const other = await makeToken();
    const me = (token: string) => call('GET', '/cohesion/api/v1/me', { token });

    const foreign = await me(`${short.id}|${other.token.split('|')[1]}`);
    expect(foreign.status).toBe(401);
    expect(foreign.body.message).toMatch(/not known/);

    expect((await me(short.token)).status).toBe(200);
    await clock.advance(60_000);
    expect((await me(short.token)).body.message).toMatch(/expired at 2026-11-21T09:01:00/);

    expect((await me(other.token)).status).toBe(200);
    await manage('DELETE', `/tokens/${other.id}`);
    const revoked = await me(other.token);
    expect(revoked.status).toBe(401);
    expect(revoked.body.message).toMatch(/revoked/);
  });
});

it.each([
  ['tokens', { revoked_at: 1 }, 401],
  ['users', { active: false }, 403],
] as const)('a change of %s by another gateway counts within 5 seconds', async (table, change, status) => {
  const { api, makeToken, store, clock } = await cohesionGateway();
  const { id, token } = await makeToken();
  expect((await api('GET', '/me', { token })).status).toBe(200);
  await store.update(table, { id: table === 'users' ? 1 : id }, change as never);
  expect((await api('GET', '/me', { token })).status).toBe(200);
  await clock.advance(5000);
  expect((await api('GET', '/me', { token })).status).toBe(status);
});

describe('abilities', () => {
  it('/me needs no ability and returns exactly the documented fields', async () => {
    const { call, makeToken, clock } = await cohesionGateway();
    // The second token of the first user, so that their ids differ.
    await makeToken();
    const { token } = await makeToken({ name: 'Tableau de bord', abilities: ['read:stats'] });
    const reply = await call('GET', '/cohesion/api/v1/me', { token });
    expect(reply.body).toEqual({
      data: {
        user: { id: 1, name: 'Aya Kouassi', email: 'aya.kouassi@demo.example', role: 'admin' },
        token: { name: 'Tableau de bord', abilities: ['read:stats'], last_used_at: '2026-11-21T09:00:00.000Z' },
      },
    });
    await clock.advance(2000);
    expect((await call('GET', '/cohesion/api/v1/me', { token })).body.data.token.last_used_at).toBe('2026-11-21T09:00:02.000Z');
  });

  it('an inactive user is refused with 403 at once, and accepted again once active', async () => {
    const { call, makeToken, manage } = await cohesionGateway();
    const { token } = await makeToken({ userId: 2 });
    const me = () => call('GET', '/cohesion/api/v1/me', { token });
    expect((await me()).status).toBe(200);
    await manage('PATCH', '/users/2', { active: false });
    const refused = await me();
    expect(refused.status).toBe(403);
    expect(refused.body.message).toMatch(/inactive/);
    await manage('PATCH', '/users/2', { active: true });
    expect((await me()).status).toBe(200);
  });
});

describe('last use', () => {
  it('is recorded with the caller’s address for each call with a valid token, even a refused one', async () => {
    const { call, makeToken, manage, clock } = await cohesionGateway();
    const { id, token } = await makeToken({ abilities: ['write:financements'] });
    const lastUse = async () => {
      const { body } = await manage('GET', '/tokens');
      const found = body.data.find((row: { id: number }) => row.id === id);
      return [found.last_used_at, found.last_used_ip];
    };
    expect(await lastUse()).toEqual([null, null]);

    const from = (ip: string) => ({ token, headers: { 'x-forwarded-for': ip } });
    expect((await call('GET', '/cohesion/api/v1/stats', from('192.0.2.1'))).status).toBe(403);
    expect(await lastUse()).toEqual(['2026-11-21T09:00:00.000Z', '192.0.2.1']);

    await clock.advance(10_000);
    expect((await call('POST', '/cohesion/api/v1/financements', { ...from('192.0.2.2'), body: {} })).status).toBe(422);
    expect(await lastUse()).toEqual(['2026-11-21T09:00:10.000Z', '192.0.2.2']);

    for (let calls = 0; calls < 30; calls++)
      await call('POST', '/cohesion/api/v1/financements', { ...from('192.0.2.2'), body: {} });
    await clock.advance(1000);
    expect((await call('POST', '/cohesion/api/v1/financements', { ...from('192.0.2.3'), body: {} })).status).toBe(429);
    expect(await lastUse()).toEqual(['2026-11-21T09:00:11.000Z', '192.0.2.3']);
  });

  it('is not recorded for a call that knows only the id of the token', async () => {
    const { call, makeToken, manage } = await cohesionGateway();
    const { id } = await makeToken();
    await call('GET', '/cohesion/api/v1/me', { token: `${id}|${'x'.repeat(43)}` });
    expect((await manage('GET', '/tokens')).body.data[0]).toMatchObject({ id, last_used_at: null });
  });

  it('is stored within a second; pending uses are stored at close', async () => {
    const { app, call, makeToken, clock, store } = await cohesionGateway();
    const first = await makeToken();
    const second = await makeToken();
    await call('GET', '/cohesion/api/v1/me', { token: first.token });
    await call('GET', '/cohesion/api/v1/me', { token: second.token });
    expect(await store.get('tokens', { id: first.id })).toMatchObject({ last_used_at: null });
    await clock.advance(1000);
    for (const { id } of [first, second])
      expect(await store.get('tokens', { id })).toMatchObject({ last_used_at: startMs, last_used_ip: '127.0.0.1' });

    await call('GET', '/cohesion/api/v1/me', { token: first.token });
    await app.close();
    expect(await store.get('tokens', { id: first.id })).toMatchObject({ last_used_at: startMs + 1000 });
  });

  it('does not make the next call read the token from the store again', async () => {
    const reads: string[] = [];
    const store = watched(new MemoryStore(), ({ name, table }) => {
      if (name === 'get' && (table === 'tokens' || table === 'users')) reads.push(table);
    });
    const { call, makeToken, clock } = await cohesionGateway({ store });
    const { token } = await makeToken();
    reads.length = 0;
    await call('GET', '/cohesion/api/v1/me', { token });
    await clock.advance(1000);
    await call('GET', '/cohesion/api/v1/me', { token });
    expect(reads).toEqual(['tokens', 'users']);
  });

  it('waits for the store to come back', async () => {
    const { call, makeToken, clock, store, services } = await cohesionGateway();
    const { id, token } = await makeToken();
    await call('GET', '/cohesion/api/v1/me', { token });
    const { transaction } = store;
    services.store.transaction = async () => Promise.reject(new Error('gone'));
    await clock.advance(1000);
    services.store.transaction = transaction.bind(store);
    await clock.advance(1000);
    expect(await store.get('tokens', { id })).toMatchObject({ last_used_at: startMs });
  });
});

it('replies and refusals forbid caching', async () => {
  const { api, call } = await cohesionGateway();
  const replies = [
    await api('GET', '/me'),
    await api('GET', '/stats?annee=x'),
    await api('GET', '/indicateurs/0'),
    await call('GET', '/cohesion/api/v1/me'),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 422, 404, 401]);
  for (const { headers } of replies) expect(headers['cache-control']).toBe('no-store');
});
