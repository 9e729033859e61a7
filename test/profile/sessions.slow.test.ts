import { expect, test } from 'vitest';
import type { ManualClock } from '../../gateway/base/clock.ts';
import type { TestGateway } from '../helper.ts';
import {
  type Credentials,
  clockAt9,
  cookieOf,
  makeAccount,
  makeLink,
  makeToken,
  makeUser,
  openGateway,
  profileHeaders,
  refusalOf,
  signedIn,
  signIn,
} from './harness.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

test('a partner signs in with an API key, a token or a link, until signing out', async () => {
  const gateway = await openGateway({ clock: clockAt9() });
  const [account, user] = [await makeAccount(gateway), await makeUser(gateway)];
  const ofAccount = { owner: `account:${account.id}`, kind: 'account', name: account.name };
  const ofUser = { owner: `user:${user.id}`, kind: 'user', name: user.name };
  const ways: [Credentials, object][] = [
    [account.keys, { ...ofAccount, credential: 'key', read_only: false }],
    [{ token: user.token }, { ...ofUser, credential: 'token', read_only: false }],
    [{ link_secret: await makeLink(gateway, `user:${user.id}`) }, { ...ofUser, credential: 'link', read_only: false }],
    [
      { link_secret: await makeLink(gateway, `account:${account.id}`, { readOnly: true }) },
      { ...ofAccount, credential: 'link', read_only: true },
    ],
  ];
  for (const [credentials, session] of ways) {
    const reply = await signIn(gateway, credentials);
    expect([reply.status, reply.body.data]).toEqual([201, { ...session, expires_at: '2026-11-23T21:00:00.000Z' }]);
    expect(reply.headers['set-cookie']).toMatch(
      /^passerelle_profile=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/profile\/v1; Max-Age=\d+$/,
    );
    const cookie = cookieOf(reply);
    expect(JSON.stringify(await gateway.store.list('profile_sessions'))).not.toContain(cookie.split('=')[1]);
    const read = () => gateway.call('GET', '/profile/v1/session', { headers: { cookie } });
    expect((await read()).body).toEqual(reply.body);
    // A read-only session may end itself.
    const ended = await gateway.call('DELETE', '/profile/v1/session', { headers: { cookie, ...profileHeaders } });
    expect([ended.status, ended.text]).toEqual([204, '']);
    expect(ended.headers['set-cookie']).toMatch(/^passerelle_profile=; .*Path=\/profile\/v1; Max-Age=0$/);
    expect(refusalOf(await read())).toEqual([401, 'session_expired']);
  }
  expect(await gateway.store.count('profile_sessions')).toBe(0);
});

test('programs send the token of their API as a bearer credential, and have no session', async () => {
  const gateway = await openGateway();
  const [account, user] = [await makeAccount(gateway), await makeUser(gateway)];
  const { token } = (await gateway.call('POST', '/pos/api/auth', { body: account.keys })).body;
  for (const bearer of [token, user.token]) {
    const read = await gateway.call('GET', '/profile/v1/session', { token: bearer });
    expect(refusalOf(read)).toEqual([404, 'not_found']);
  }
  const changed = `${token.slice(0, -4)}AAAA`;
  const wrong = { [changed]: 'token_signature', '12|abcdefghijklmnopqrstuvwx': 'token_unknown', x: 'token_malformed' };
  for (const [bearer, code] of Object.entries(wrong))
    expect(refusalOf(await gateway.call('GET', '/profile/v1/session', { token: bearer }))).toEqual([401, code]);
  const neither = await gateway.call('GET', '/profile/v1/me', { token: user.token.replace('|', '') });
  for (const api of ['social cohesion', 'point of sale']) expect(neither.body.error.message).toContain(api);
  expect(refusalOf(await gateway.call('GET', '/profile/v1/session'))).toEqual([401, 'token_missing']);
});

test('an unknown key and a wrong secret, an unknown token and a wrong one are refused in the same words', async () => {
  const gateway = await openGateway();
  const [account, user] = [await makeAccount(gateway), await makeUser(gateway)];
  const secret = 'sk_0123456789012345678901234567890123456789';
  const refusal = async (credentials: Credentials) => {
    const { status, body } = await signIn(gateway, credentials);
    return [status, body.error];
  };
  expect(await refusal({ ...account.keys, api_secret: secret })).toEqual(
    await refusal({ api_key: 'pk_none', api_secret: secret }),
  );
  expect(await refusal({ token: `${user.tokenId}|${secret}` })).toEqual(await refusal({ token: `999|${secret}` }));
  expect((await refusal({ link_secret: secret }))[0]).toBe(401);
});

test('the body of a sign-in has the fields of one way to sign in', async () => {
  const gateway = await openGateway();
  const user = await makeUser(gateway);
  const bodies: [unknown, RegExp][] = [
    [{}, /^body: must have the fields of one way/],
    [{ token: user.token, link_secret: 'x' }, /^body: must have the fields of one way/],
    [{ credential: 'x' }, /^body: must have the fields of one way/],
    [[], /^body: must have the fields of one way/],
    [{ api_key: 'pk_1' }, /^body: api_secret is required\./],
    [{ api_secret: 'sk_1' }, /^body: api_key is required\./],
    [{ token: 7 }, /^body: token must be text, not a number\./],
  ];
  for (const [body, words] of bodies) {
    const reply = await gateway.call('POST', '/profile/v1/session', { body });
    expect(refusalOf(reply)).toEqual([400, 'invalid_request']);
    expect(reply.body.error.message).toMatch(words);
    expect(reply.body.error.message).toMatch(/Sign in with `api_key` and `api_secret`, with `token`, or with `link_secret`$/);
    expect(reply.text).not.toContain(user.token);
  }
});

test('a link opens one session, and only before it expires', async () => {
  const clock = clockAt9();
  const gateway = await openGateway({ clock });
  const { id } = await makeUser(gateway);
  const secret = await makeLink(gateway, `user:${id}`, { minutes: 30 });
  // Of many at the same time, one succeeds.
  const replies = await Promise.all([1, 2, 3].map(() => signIn(gateway, { link_secret: secret })));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
  expect(refusalOf(await signIn(gateway, { link_secret: secret }))).toEqual([401, 'link_used']);
  const late = await makeLink(gateway, `user:${id}`, { minutes: 30 });
  await clock.advance(30 * minuteMs);
  expect(refusalOf(await signIn(gateway, { link_secret: late }))).toEqual([401, 'link_expired']);
  // The session outlives the link that opened it.
  const cookie = cookieOf(replies.find(({ status }) => status === 201) as (typeof replies)[0]);
  expect((await gateway.call('GET', '/profile/v1/session', { headers: { cookie } })).status).toBe(200);
});

/** Ways in which the credential of a session, or its owner, ends. */
const ends: [
  what: string,
  end: (gateway: TestGateway, clock: ManualClock) => Promise<{ session: Credentials; end(): Promise<unknown> }>,
][] = [
  [
    'a revoked key',
    async (gateway) => {
      const { id, keys } = await makeAccount(gateway);
      return { session: keys, end: () => gateway.manage('DELETE', `/pos/accounts/${id}/keys/${keys.api_key}`) };
    },
  ],
  [
    'a replaced key',
    async (gateway, clock) => {
      const { keys } = await makeAccount(gateway);
      await gateway.store.update('api_keys', { id: keys.api_key }, { expires_at: clock.now() + hourMs });
      return { session: keys, end: () => clock.advance(hourMs) };
    },
  ],
  [
    'an inactive account',
    async (gateway) => {
      const { id, keys } = await makeAccount(gateway);
      return { session: keys, end: () => gateway.manage('PATCH', `/pos/accounts/${id}`, { active: false }) };
    },
  ],
  [
    'a revoked token',
    async (gateway) => {
      const { token, tokenId } = await makeUser(gateway);
      return { session: { token }, end: () => gateway.manage('DELETE', `/cohesion/tokens/${tokenId}`) };
    },
  ],
  [
    'an expired token',
    async (gateway, clock) => {
      const { id } = await makeUser(gateway);
      const { token } = await makeToken(gateway, id, { expires_at: new Date(clock.now() + hourMs).toISOString() });
      return { session: { token }, end: () => clock.advance(hourMs) };
    },
  ],
  [
    'an inactive user',
    async (gateway) => {
      const { id, token } = await makeUser(gateway);
      return { session: { token }, end: () => gateway.manage('PATCH', `/cohesion/users/${id}`, { active: false }) };
    },
  ],
  [
    'an inactive user with a link',
    async (gateway) => {
      const { id } = await makeUser(gateway);
      const session = { link_secret: await makeLink(gateway, `user:${id}`) };
      return { session, end: () => gateway.manage('PATCH', `/cohesion/users/${id}`, { active: false }) };
    },
  ],
  [
    'the session hours',
    async (gateway, clock) => ({ session: (await makeAccount(gateway)).keys, end: () => clock.advance(12 * hourMs) }),
  ],
];

test.each(ends)('a session ends with %s', async (_what, make) => {
  const clock = clockAt9();
  const gateway = await openGateway({ clock });
  const { session, end } = await make(gateway, clock);
  const call = await signedIn(gateway, session);
  expect((await call('GET', '/session')).status).toBe(200);
  await end();
  expect(refusalOf(await call('GET', '/session'))).toEqual([401, 'session_expired']);
  // It stays ended, and its credential opens no other one.
  expect(await gateway.store.count('profile_sessions', { expires_at: { gt: clock.now() } })).toBe(0);
});

test('a session does not outlive a moment in which its account was inactive', async () => {
  const gateway = await openGateway();
  const { id, keys } = await makeAccount(gateway);
  const call = await signedIn(gateway, keys);
  for (const active of [false, true]) await gateway.manage('PATCH', `/pos/accounts/${id}`, { active });
  expect(refusalOf(await call('GET', '/session'))).toEqual([401, 'session_expired']);
});

test('a revoked, replaced or inactive credential does not sign in', async () => {
  for (const [what, make] of ends.slice(0, 6)) {
    const clock = clockAt9();
    const gateway = await openGateway({ clock });
    const { session, end } = await make(gateway, clock);
    await end();
    expect([what, (await signIn(gateway, session)).status >= 400]).toEqual([what, true]);
    expect(await gateway.store.count('profile_sessions')).toBe(0);
  }
});

const forgeries: [what: string, headers: Record<string, string>][] = [
  ['no header of the profile', {}],
  ["the console's header", { 'x-passerelle-console': '1' }],
  ['the origin of another site', { ...profileHeaders, origin: 'https://evil.example' }],
  ['a page of another site', { ...profileHeaders, 'sec-fetch-site': 'cross-site' }],
];

test("a change from another site's page with the session's cookie is refused as forged; so is its sign-in", async () => {
  const gateway = await openGateway();
  const { keys } = await makeAccount(gateway);
  const call = await signedIn(gateway, keys);
  for (const [what, headers] of forgeries) {
    const made = await call('DELETE', '/session', undefined, headers);
    expect([what, ...refusalOf(made)]).toEqual([what, 403, 'forged_request']);
  }
  for (const [, headers] of forgeries.slice(2))
    expect(refusalOf(await signIn(gateway, keys, headers))).toEqual([403, 'forged_request']);
  expect((await call('GET', '/session')).status).toBe(200);
});

test('a call that names another partner than the one signed in is refused: its tab shows who was signed in before', async () => {
  const gateway = await openGateway();
  const [one, other] = [await makeAccount(gateway), await makeAccount(gateway)];
  const call = await signedIn(gateway, one.keys);
  const named = (owner: string) => ({ 'x-passerelle-profile': owner });
  expect((await call('POST', '/keys', undefined, named(`account:${one.id}`))).status).toBe(201);
  expect((await call('GET', '/keys', undefined, named(`account:${one.id}`))).status).toBe(200);
  const stored = await gateway.store.count('api_keys');
  for (const [method, path] of [
    ['POST', '/keys'],
    ['GET', '/keys'],
    ['DELETE', '/session'],
  ] as const) {
    const refused = await call(method, path, undefined, named(`account:${other.id}`));
    expect(refusalOf(refused)).toEqual([403, 'other_partner']);
    for (const { id } of [one, other]) expect(refused.body.error.message).toContain(`account:${id}`);
  }
  expect(await gateway.store.count('api_keys')).toBe(stored);
  expect((await call('GET', '/session')).status).toBe(200);
});

test("the console's session does not open the profile, nor the other way round", async () => {
  const gateway = await openGateway();
  const { cookie } = await signedIn(gateway, (await makeAccount(gateway)).keys);
  const value = cookie.split('=')[1];
  const manage = await gateway.call('GET', '/manage/v1/session', { headers: { cookie: `passerelle_session=${value}` } });
  expect(refusalOf(manage)).toEqual([401, 'session_expired']);
  const operator = await gateway.call('POST', '/manage/v1/session', { body: { credential: 'operator-token-of-the-tests' } });
  const other = `passerelle_profile=${cookieOf(operator).split('=')[1]}`;
  expect(refusalOf(await gateway.call('GET', '/profile/v1/session', { headers: { cookie: other } }))).toEqual([
    401,
    'session_expired',
  ]);
});

test('after ten failed attempts for a key others for it from that address are refused; other partners and sessions are not', async () => {
  const gateway = await openGateway({ clock: clockAt9() });
  const [{ keys }, { keys: neighbour }] = [await makeAccount(gateway), await makeAccount(gateway)];
  const call = await signedIn(gateway, keys);
  for (let malformed = 0; malformed < 100; malformed++)
    expect((await signIn(gateway, { ...keys, api_secret: '' }, { 'x-forwarded-for': '10.0.0.1' })).status).toBe(400);
  const wrong = (n: number) => ({ ...keys, api_secret: `sk_wrong_${n}` });
  const statuses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => signIn(gateway, wrong(n), { 'x-forwarded-for': '10.0.0.1' })),
  );
  expect(statuses.filter(({ status }) => status === 401).length).toBe(10);
  expect(statuses.filter(({ status }) => status === 429).length).toBe(10);
  expect((await signIn(gateway, keys, { 'x-forwarded-for': '10.0.0.1' })).status).toBe(429);
  expect((await signIn(gateway, neighbour, { 'x-forwarded-for': '10.0.0.1' })).status).toBe(201);
  expect((await signIn(gateway, keys, { 'x-forwarded-for': '10.0.0.2' })).status).toBe(201);
  expect((await call('GET', '/session')).status).toBe(200);
  // Operators sign in from that address: the two count apart.
  const operator = { body: { credential: 'operator-token-of-the-tests' }, headers: { 'x-forwarded-for': '10.0.0.1' } };
  expect((await gateway.call('POST', '/manage/v1/session', operator)).status).toBe(201);
});

test('signing in and failing to are in the audit trail', async () => {
  const gateway = await openGateway();
  const { id, keys } = await makeAccount(gateway);
  await signIn(gateway, { ...keys, api_secret: 'sk_wrong' });
  await signIn(gateway, keys);
  const entries = await gateway.store.list('audit', { where: { action: 'openProfileSession' }, order: [['id', 'asc']] });
  expect(entries.map(({ operator, ok }) => [operator, ok])).toEqual([
    [null, false],
    [`account:${id}`, true],
  ]);
});
