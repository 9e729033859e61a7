import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { eventually } from '../eventually.ts';
import { operatorToken, type Reply, stillClock } from '../helper.ts';
import { consoleHeaders, cookieOf, makeOperator, openGateway, refusalOf, signedIn, signIn } from './harness.ts';

const hourMs = 3_600_000;

test('signing in gives a session that scripts and other sites cannot use, until signing out', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 21));
  const gateway = await openGateway({ clock });
  const reply = await signIn(gateway);
  expect(reply.status).toBe(201);
  expect(reply.body.data).toEqual({
    operator: { id: null, name: 'operator', role: 'operator' },
    expires_at: '2026-11-21T12:00:00.000Z',
  });
  expect(reply.headers['set-cookie']).toMatch(
    /^passerelle_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/manage\/v1; Max-Age=\d+$/,
  );
  const cookie = cookieOf(reply);
  const stored = JSON.stringify(await gateway.store.list('sessions'));
  expect(stored).not.toContain(cookie.split('=')[1]);
  expect(stored).not.toContain(operatorToken);

  const read = await gateway.call('GET', '/manage/v1/session', { headers: { cookie } });
  expect([read.status, read.body]).toEqual([200, reply.body]);
  const ended = await gateway.call('DELETE', '/manage/v1/session', { headers: { cookie, ...consoleHeaders } });
  expect([ended.status, ended.text]).toEqual([204, '']);
  expect(ended.headers['set-cookie']).toMatch(/^passerelle_session=; .*Path=\/manage\/v1; Max-Age=0$/);
  expect(await gateway.store.count('sessions')).toBe(0);
  expect(refusalOf(await gateway.call('GET', '/manage/v1/session', { headers: { cookie } }))).toEqual([401, 'session_expired']);
  expect(refusalOf(await gateway.call('GET', '/manage/v1/session'))).toEqual([401, 'token_missing']);
});

test('the cookie is Secure if the request came over https, also through a proxy', async () => {
  const gateway = await openGateway();
  const secure = await signIn(gateway, operatorToken, { 'x-forwarded-proto': 'https' });
  expect(secure.headers['set-cookie']).toMatch(/; Secure$/);
});

test('a session ends after 12 hours, and retention removes its row', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 21));
  const gateway = await openGateway({ clock });
  // Between two sweeps of retention, so that the expired row still exists.
  await clock.advance(30_000);
  const call = await signedIn(gateway);
  await clock.advance(12 * hourMs - 1);
  expect((await call('GET', '/session')).status).toBe(200);
  await clock.advance(1);
  await gateway.store.append('sessions', [
    { ...row, id_hash: 'younger', expires_at: clock.now() + hourMs },
    { ...row, id_hash: 'older', expires_at: clock.now() },
  ]);
  const expired = await call('GET', '/session');
  expect(refusalOf(expired)).toEqual([401, 'session_expired']);
  expect(expired.body.error.message).toBe('This session expired at 2026-11-21T12:00:30.000Z. Sign in again.');
  // A sweep that still runs takes the place of the next one.
  await eventually(async () => {
    await clock.advance(61_000);
    expect((await gateway.store.list('sessions')).map(({ id_hash }) => id_hash)).toEqual(['younger']);
  });
  expect(refusalOf(await call('GET', '/session'))).toEqual([401, 'session_expired']);
});

const row = { operator_id: null, token_fingerprint: null, created_at: 0, last_seen_at: 0, ip: '::1' };

test('the last use of a session is stored at most once a minute', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 21));
  const gateway = await openGateway({ clock });
  const awa = await makeOperator(gateway, 'Awa', 'operator');
  const call = await signedIn(gateway, awa.credential);
  const seen = async () => [
    (await gateway.store.get('sessions', {}))?.last_seen_at,
    (await gateway.store.get('operators', {}))?.last_used_at,
  ];
  const first = clock.now();
  await clock.advance(59_000);
  await call('GET', '/session');
  expect(await seen()).toEqual([first, first]);
  await clock.advance(1000);
  await call('GET', '/session');
  expect(await seen()).toEqual([first + 60_000, first + 60_000]);
});

test('a changed OPERATOR_TOKEN ends the sessions of the old one, and no others', async () => {
  const [store, keys] = [new MemoryStore(), new Keyring(randomBytes(32))];
  const before = await openGateway({ store, keys });
  const awa = await makeOperator(before, 'Awa', 'operator');
  const [own, named] = [await signedIn(before), await signedIn(before, awa.credential)];
  const after = await openGateway({ store, keys, operatorToken: 'another-token-of-the-operator' });
  const read = (cookie: string) => after.call('GET', '/manage/v1/session', { headers: { cookie } });
  expect(refusalOf(await read(own.cookie))).toEqual([401, 'session_expired']);
  expect((await read(named.cookie)).body.data.operator.name).toBe('Awa');
  const same = await openGateway({ store, keys });
  expect((await same.call('GET', '/manage/v1/session', { headers: { cookie: own.cookie } })).status).toBe(200);
});

test('signing in again ends the session that the browser had', async () => {
  const gateway = await openGateway();
  const { cookie } = await signedIn(gateway);
  await signIn(gateway, operatorToken, { cookie });
  expect(await gateway.store.count('sessions')).toBe(1);
  expect(refusalOf(await gateway.call('GET', '/manage/v1/session', { headers: { cookie } }))).toEqual([401, 'session_expired']);
});

const forgeries: [what: string, headers: Record<string, string>][] = [
  ['no header of the console', {}],
  ['another value of this header', { 'x-passerelle-console': 'yes' }],
  ['the origin of another site', { ...consoleHeaders, origin: 'https://evil.example' }],
  ['the same host on another port', { ...consoleHeaders, origin: 'http://localhost:81' }],
  ['the origin null', { ...consoleHeaders, origin: 'null' }],
  ['a page of another site', { ...consoleHeaders, 'sec-fetch-site': 'cross-site' }],
  ['a page of a sibling domain', { ...consoleHeaders, 'sec-fetch-site': 'same-site' }],
];

test("a change from another site's page with the session's cookie is refused as forged; a read is not", async () => {
  const gateway = await openGateway();
  const call = await signedIn(gateway);
  for (const [what, headers] of forgeries) {
    const made = await call('POST', '/operators', { name: 'Mallory', role: 'operator' }, headers);
    expect([what, ...refusalOf(made)]).toEqual([what, 403, 'forged_request']);
    expect((await call('GET', '/operators', undefined, headers)).body.data).toEqual([]);
  }
});

test('changes from the console pass, and so do bearer calls from any origin with any cookie', async () => {
  const gateway = await openGateway();
  const call = await signedIn(gateway);
  const own = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin', ...consoleHeaders };
  const make = { name: 'Awa', role: 'operator' };
  expect((await call('POST', '/operators', make, own)).status).toBe(201);
  const proxied = { ...own, origin: 'https://ops.example', host: 'ops.example:443', 'x-forwarded-proto': 'https' };
  expect((await call('POST', '/operators', { ...make, name: 'Issa' }, proxied)).status).toBe(201);
  const foreign = { origin: 'https://elsewhere.example', cookie: call.cookie };
  const bearer = await gateway.call('POST', '/manage/v1/operators', {
    token: operatorToken,
    body: { ...make, name: 'Koffi' },
    headers: foreign,
  });
  expect(bearer.status).toBe(201);
  const wrong = await gateway.call('GET', '/manage/v1/session', { token: 'wrong', headers: { cookie: call.cookie } });
  expect(refusalOf(wrong)).toEqual([401, 'invalid_token']);
});

test('another site cannot sign a browser in; a bearer credential has no session', async () => {
  const gateway = await openGateway();
  const foreign = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }] as Record<string, string>[];
  for (const headers of foreign)
    expect(refusalOf(await signIn(gateway, operatorToken, headers))).toEqual([403, 'forged_request']);
  expect((await signIn(gateway, operatorToken, { 'sec-fetch-site': 'none' })).status).toBe(201);
  expect(refusalOf(await gateway.manage('GET', '/session'))).toEqual([404, 'not_found']);
});

test('after 100 failures from one address all its credentials are refused; sessions and other addresses still work', async () => {
  const gateway = await openGateway({ clock: stillClock() });
  const call = await signedIn(gateway);
  for (let failure = 0; failure < 50; failure++) {
    expect(refusalOf(await signIn(gateway, `wrong ${failure}`, from('10.0.0.1')))).toEqual([401, 'wrong_credential']);
    const bearer = await gateway.call('GET', '/manage/v1/calls', { token: `wrong${failure}`, headers: from('10.0.0.1') });
    expect(refusalOf(bearer)).toEqual([401, 'invalid_token']);
  }
  const signedOut = await signIn(gateway, operatorToken, from('10.0.0.1'));
  expect(refusalOf(signedOut)).toEqual([429, 'rate_limited']);
  expect(Number(signedOut.headers['retry-after'])).toBeGreaterThan(800);
  const bearer = { token: operatorToken, headers: from('10.0.0.1') };
  expect(refusalOf(await gateway.call('GET', '/manage/v1/calls', bearer))).toEqual([429, 'rate_limited']);

  const headers = { cookie: call.cookie, ...from('10.0.0.1') };
  expect((await gateway.call('GET', '/manage/v1/calls', { headers })).status).toBe(200);
  expect((await signIn(gateway, operatorToken, from('10.0.0.2'))).status).toBe(201);
});

const from = (ip: string) => ({ 'x-forwarded-for': ip });
const statusesOf = async (replies: Promise<{ status: number }>[]) =>
  Object.entries(Object.groupBy(await Promise.all(replies), ({ status }) => status)).map(([status, all]) => [
    status,
    all?.length,
  ]);

test('of 150 attempts at once, 100 of an address and 10 with one credential are evaluated, by bearer and by sign-in', async () => {
  const gateway = await openGateway({ clock: stillClock() });
  const attempts = (make: (at: number) => Promise<Reply>) => statusesOf(Array.from({ length: 150 }, (_none, at) => make(at)));
  const bearer = (ip: string, token: string) => gateway.call('GET', '/manage/v1/calls', { token, headers: from(ip) });
  const evaluated = (most: number) => [
    ['401', most],
    ['429', 150 - most],
  ]; // prettier-ignore
  expect(await attempts((at) => bearer('10.0.0.1', `wrong${at}`))).toEqual(evaluated(100));
  expect(await attempts((at) => signIn(gateway, `wrong ${at}`, from('10.0.0.2')))).toEqual(evaluated(100));
  expect(await attempts(() => bearer('10.0.0.3', 'wrong'))).toEqual(evaluated(10));
  expect(await attempts(() => signIn(gateway, 'wrong', from('10.0.0.4')))).toEqual(evaluated(10));
});

test('malformed bodies and headers lock nobody out, and a wrong credential locks out no other', async () => {
  const gateway = await openGateway({ clock: stillClock() });
  const malformed = [{}, '{', { credential: 1 }, { credential: 'x'.repeat(5000) }];
  for (let sent = 0; sent < 120; sent++) {
    const body = malformed[sent % malformed.length];
    expect([400, 413]).toContain((await gateway.call('POST', '/manage/v1/session', { body })).status);
    const headers = { authorization: sent % 2 ? 'Basic b3A6b3A=' : 'Bearer two words' };
    expect((await gateway.call('GET', '/manage/v1/calls', { headers })).status).toBe(401);
  }
  for (let failure = 0; failure < 10; failure++) expect((await signIn(gateway, 'wrong')).status).toBe(401);
  expect(refusalOf(await signIn(gateway, 'wrong'))).toEqual([429, 'rate_limited']);
  expect((await signIn(gateway)).status).toBe(201);
});

test('many first calls at the same time with a right credential all pass', async () => {
  const gateway = await openGateway({ clock: stillClock() });
  const calls = Array.from({ length: 30 }, () => gateway.call('GET', '/manage/v1/reasons', { token: operatorToken }));
  expect(await statusesOf(calls)).toEqual([['200', 30]]);
});

test("a script's right credential keeps working while its neighbour is locked out, until it is revoked", async () => {
  const gateway = await openGateway({ clock: stillClock() });
  const script = await makeOperator(gateway, 'script', 'operator');
  const call = (token: string) => gateway.call('GET', '/manage/v1/reasons', { token, headers: from('10.0.0.1') });
  expect((await call(script.credential)).status).toBe(200);
  for (let failure = 0; failure < 100; failure++) await call(`wrong${failure}`);
  expect(refusalOf(await call('wrong'))).toEqual([429, 'rate_limited']);
  expect((await call(script.credential)).status).toBe(200);
  await gateway.manage('PATCH', `/operators/${script.id}`, { active: false });
  expect(refusalOf(await call(script.credential))).toEqual([401, 'invalid_token']);
  expect(refusalOf(await call(script.credential))).toEqual([429, 'rate_limited']);
});

test('other addresses of an IPv6 /48 do not evade the limits', async () => {
  const gateway = await openGateway({ clock: stillClock() });
  const attempt = async (ip: string, token: string) =>
    (await gateway.call('GET', '/manage/v1/reasons', { token, headers: from(ip) })).status;
  for (let at = 0; at < 10; at++) expect(await attempt(`2001:db8:1:${at}::1`, 'leaked')).toBe(401);
  expect(await attempt('2001:db8:1:ffff::1', 'leaked')).toBe(429);
  for (let at = 0; at < 90; at++) expect(await attempt(`2001:db8:1:${at}::1`, `wrong${at}`)).toBe(401);
  expect(await attempt('2001:db8:1:ffff::1', 'wrong')).toBe(429);
  expect(await attempt('2001:db8:2::1', 'wrong')).toBe(401);
});

test('calls without a credential or with an ended session do not count as failed sign-ins', async () => {
  const gateway = await openGateway({ clock: stillClock() });
  for (let asked = 0; asked < 12; asked++) {
    const headers: Record<string, string> = asked % 2 ? { cookie: 'passerelle_session=ended' } : {};
    expect((await gateway.call('GET', '/manage/v1/session', { headers })).status).toBe(401);
  }
  const reply = await signIn(gateway);
  expect(reply.status).toBe(201);
  expect((await gateway.manage('GET', '/calls')).headers).not.toHaveProperty('ratelimit-limit');
});

test('records show the changes of a session under its name, but not its reads and no secret', async () => {
  const gateway = await openGateway({ clock: stillClock() });
  const awa = await makeOperator(gateway, 'Awa', 'operator');
  const call = await signedIn(gateway, awa.credential);
  await call('GET', '/operators');
  await call('HEAD', '/operators');
  const made = await call('POST', '/operators', { name: 'Issa', role: 'viewer' });
  const rotated = await call('POST', `/operators/${made.body.data.id}/rotate-credential`);
  const refused = await signIn(gateway, 'wrong-credential');
  expect(refused.status).toBe(401);
  await call('DELETE', '/session');
  // An invalid cookie does not keep a call out of the records.
  await gateway.call('GET', '/manage/v1/endpoints', { headers: { cookie: 'passerelle_session=none' } });
  const { data } = (await gateway.manage('GET', '/calls')).body;
  expect(data.map((one: Record<string, unknown>) => [one.operation, one.caller, one.status]).reverse()).toEqual([
    ['createOperator', 'operator', 201],
    ['openSession', 'operator:Awa', 201],
    ['createOperator', 'operator:Awa', 201],
    ['rotateOperatorCredential', 'operator:Awa', 200],
    ['openSession', null, 401],
    ['closeSession', 'operator:Awa', 204],
    ['listEndpoints', null, 401],
  ]);
  const records = JSON.stringify(await gateway.store.list('calls'));
  const credentials = [awa.credential, made.body.data.credential, rotated.body.data.credential];
  for (const secret of [call.cookie.split('=')[1], 'wrong-credential', ...credentials]) expect(records).not.toContain(secret);
});
