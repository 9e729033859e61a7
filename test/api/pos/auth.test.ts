import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../../gateway/store/memory/store.ts';
import { watched } from '../../webhooks/watched-store.ts';
import { openShop, openTill, unchangedShop } from './harness.ts';

const inventory = '/pos/api/v1/inventory?store_id=S1';

const refusing = unchangedShop();

describe('the token operation', () => {
  test('returns exactly the documented fields, at both addresses', async () => {
    const { call, store, api_key, api_secret } = await openTill();
    for (const path of ['/pos/api/auth', '/pos/api/v1/auth']) {
      const { status, body } = await call('POST', path, undefined, { api_key, api_secret });
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['success', 'token', 'expires_in', 'token_type']);
      expect(body).toMatchObject({ success: true, expires_in: 3600, token_type: 'Bearer' });
      expect((await call('GET', inventory, body.token)).status).toBe(200);
    }
    expect((await store.get('api_keys', { id: api_key }))?.last_used_at).not.toBeNull();
  });

  test('refuses an unknown key and a wrong secret with the same message', async () => {
    const { call, api_key, api_secret } = await openTill();
    const unknown = await call('POST', '/pos/api/auth', undefined, { api_key: 'pk_nobody', api_secret });
    const wrong = await call('POST', '/pos/api/auth', undefined, { api_key, api_secret: 'sk_wrong' });
    expect([unknown.status, wrong.status]).toEqual([401, 401]);
    expect(unknown.body).toEqual(wrong.body);
    expect(unknown.body).toMatchObject({ success: false, error: { code: 'wrong_credentials' } });
  });

  test.each([
    [{}, 'api_key'],
    [{ api_key: 'pk' }, 'api_secret'],
    [{ api_key: 1, api_secret: 'x' }, 'api_key'],
    [{ api_key: 'pk\u0000', api_secret: 'x' }, 'api_key'],
    [{ api_key: 'pk\ud800', api_secret: 'x' }, 'api_key'],
    [{ api_key: 'pk', api_secret: 'x', extra: 1 }, 'extra'],
    [[], 'body'],
    ['{', 'body'],
  ])('answers 400 to %j and names %s', async (body, field) => {
    const { call } = refusing();
    const reply = await call('POST', '/pos/api/auth', undefined, body);
    expect(reply.status).toBe(400);
    expect(reply.body.error.details.map((detail: { field: string }) => detail.field)).toContain(field);
  });
});

describe('a call', () => {
  test('without a valid token is refused with 401 and the reason', async () => {
    const { openAccount, app } = await openShop();
    const { token } = await openAccount();
    const [head = '', body = '', signature = ''] = token.split('.');
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${body}.`;
    const other = await (await openShop()).openAccount();
    const cases: [Record<string, string>, string][] = [
      [{}, 'token_missing'],
      [{ authorization: 'Basic abc' }, 'wrong_scheme'],
      [{ authorization: 'Bearer' }, 'token_malformed'],
      [{ authorization: 'Bearer not-a-jwt' }, 'token_malformed'],
      [{ authorization: `Bearer ${head}.${body}.${signature.slice(0, -3)}AAA` }, 'token_signature'],
      [{ authorization: `Bearer ${unsigned}` }, 'token_signature'],
      [{ authorization: `Bearer ${other.token}` }, 'token_signature'],
    ];
    for (const [headers, code] of cases) {
      const reply = await app.inject({ url: inventory, headers });
      expect([headers, reply.statusCode, reply.json().error.code]).toEqual([headers, 401, code]);
      expect(reply.headers['www-authenticate']).toBe('Bearer');
    }
  });

  test('with a token that this gateway signed for something else is refused', async () => {
    const { app, openAccount, services } = await openShop();
    const [, body = ''] = (await openAccount()).token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const ask = async (changes: object, hash = 'sha256', alg = 'HS256') => {
      const parts = [
        { alg, typ: 'JWT' },
        { ...claims, ...changes },
      ];
      const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      const signature = createHmac(hash, services.keys.derive('pos tokens')).update(text).digest('base64url');
      const reply = await app.inject({ url: inventory, headers: { authorization: `Bearer ${text}.${signature}` } });
      return [reply.statusCode, reply.json().error?.code];
    };
    expect(await ask({})).toEqual([200, undefined]);
    expect(await ask({ aud: 'cohesion' })).toEqual([401, 'token_foreign']);
    expect(await ask({ iss: 'another' })).toEqual([401, 'token_foreign']);
    for (const claim of Object.keys(claims))
      expect([claim, ...(await ask({ [claim]: undefined }))]).toEqual([claim, 401, 'token_foreign']);
    expect(await ask({}, 'sha512', 'HS512')).toEqual([401, 'token_signature']);
  });

  test('without a token is refused before its body is checked', async () => {
    const { call } = await openShop();
    expect((await call('POST', '/pos/api/v1/sales', undefined, '{')).status).toBe(401);
  });

  test('with an expired token is refused, and the message says so', async () => {
    const { call, clock, token } = await openTill();
    await clock.advance(3599_000);
    expect((await call('GET', inventory, token)).status).toBe(200);
    await clock.advance(1000);
    const reply = await call('GET', inventory, token);
    expect(reply.status).toBe(401);
    expect(reply.body.error).toMatchObject({
      code: 'token_expired',
      message: expect.stringContaining('2026-11-21T09:53:00.000Z'),
    });
  });

  test('is refused at once when the operator revokes the key or deactivates the account', async () => {
    const { call, openAccount, manage } = await openShop();
    const one = await openAccount();
    expect((await call('GET', inventory, one.token)).status).toBe(200);
    await manage('DELETE', `/accounts/${one.id}/keys/${one.api_key}`);
    expect((await call('GET', inventory, one.token)).body.error.code).toBe('key_revoked');
    const again = await call('POST', '/pos/api/auth', undefined, one);
    expect(again.status).toBe(400);
    const { api_key, api_secret } = one;
    expect((await call('POST', '/pos/api/auth', undefined, { api_key, api_secret })).body.error.code).toBe('key_revoked');

    const two = await openAccount();
    expect((await call('GET', inventory, two.token)).status).toBe(200);
    await manage('PATCH', `/accounts/${two.id}`, { active: false });
    const refused = await call('GET', inventory, two.token);
    expect([refused.status, refused.body.error.code]).toEqual([401, 'account_inactive']);
    expect((await call('POST', '/pos/api/auth', undefined, { api_key: two.api_key, api_secret: two.api_secret })).status).toBe(
      401,
    );
  });

  test('reads the account once, even if another token is issued for it', async () => {
    const reads: string[] = [];
    const counted = watched(new MemoryStore(), ({ name, table }) => {
      if (name === 'list' && table === 'api_keys') reads.push(table);
    });
    const { call, openAccount } = await openShop(counted);
    const { token, api_key, api_secret } = await openAccount();
    await call('GET', inventory, token);
    await call('POST', '/pos/api/auth', undefined, { api_key, api_secret });
    await call('GET', inventory, token);
    expect(reads).toEqual(['api_keys']);
  });

  test('sees a change by another gateway within 5 seconds', async () => {
    const { call, store, clock, id, token } = await openTill();
    expect((await call('GET', inventory, token)).status).toBe(200);
    await store.update('accounts', { id }, { active: false });
    expect((await call('GET', inventory, token)).status).toBe(200);
    await clock.advance(5000);
    expect((await call('GET', inventory, token)).status).toBe(401);
  });
});
