import { expect, test } from 'vitest';
import { cookieOf, makeAccount, makeUser, openGateway, refusalOf, signedIn, signIn } from './harness.ts';

const secretOf = (url: string) => url.split('#link_secret=')[1] ?? '';

test('an operator makes a link, lists it without its secret, and revokes it with its session', async () => {
  const gateway = await openGateway();
  const user = await makeUser(gateway);
  const make = (fields: object = {}) => gateway.manage('POST', '/profile-links', { owner: `user:${user.id}`, ...fields });
  const made = await make({ expires_in_minutes: 30, read_only: true });
  expect([made.status, made.body.data]).toMatchObject([
    201,
    { owner: `user:${user.id}`, read_only: true, created_by: 'operator', used_at: null },
  ]);
  expect(made.body.data.url).toMatch(/^http:\/\/localhost(:\d+)?\/profile#link_secret=[\w-]{43}$/);
  const secret = secretOf(made.body.data.url);
  const listed = (await gateway.manage('GET', '/profile-links')).body;
  expect(listed.data.map(({ id }: { id: string }) => id)).toEqual([made.body.data.id]);
  expect(JSON.stringify([listed, await gateway.store.list('profile_links'), await gateway.store.list('audit')])).not.toContain(
    secret,
  );

  const call = await signedIn(gateway, { link_secret: secret });
  expect((await call('GET', '/me')).body.data.read_only).toBe(true);
  expect((await gateway.manage('DELETE', `/profile-links/${made.body.data.id}`)).status).toBe(200);
  expect(refusalOf(await call('GET', '/me'))).toEqual([401, 'session_expired']);
  const unused = await make();
  await gateway.manage('DELETE', `/profile-links/${unused.body.data.id}`);
  expect(refusalOf(await signIn(gateway, { link_secret: secretOf(unused.body.data.url) }))).toEqual([401, 'link_expired']);
  expect((await gateway.manage('DELETE', '/profile-links/lnk_none')).status).toBe(404);
});

test('a link is for a partner that exists and is active', async () => {
  const gateway = await openGateway();
  const account = await makeAccount(gateway, { active: false });
  const refused = async (owner: string) => refusalOf(await gateway.manage('POST', '/profile-links', { owner }));
  expect(await refused('user:999')).toEqual([400, 'unknown_owner']);
  const { id } = await makeUser(gateway);
  for (const other of [`0${id}`, `00${id}`]) expect(await refused(`user:${other}`)).toEqual([400, 'unknown_owner']);
  const minutes = await gateway.manage('POST', '/profile-links', { owner: `user:${id}`, expires_in_minutes: 0 });
  expect(minutes.body.error.details).toMatchObject([{ field: 'expires_in_minutes', message: 'must be 1 or more' }]);
  expect(await gateway.store.count('profile_links')).toBe(0);
  expect(await refused('account:acc_none')).toEqual([400, 'unknown_owner']);
  expect(await refused(`account:${account.id}`)).toEqual([409, 'owner_inactive']);
  for (const owner of ['operator', 'token:1', 'user:x', 'user:', '']) expect((await refused(owner))[0]).toBe(400);
});

test('PUBLIC_URL is the address in links', async () => {
  const gateway = await openGateway({ settings: { PUBLIC_URL: 'https://gateway.example/' } });
  const { id } = await makeAccount(gateway);
  const { url } = (await gateway.manage('POST', '/profile-links', { owner: `account:${id}` })).body.data;
  expect(url).toMatch(/^https:\/\/gateway\.example\/profile#link_secret=/);
});

test('no record of a call has the secret of a sign-in, of a session, of a link or of what the profile shows once', async () => {
  const gateway = await openGateway();
  const [user, account] = [await makeUser(gateway), await makeAccount(gateway)];
  const { url } = (await gateway.manage('POST', '/profile-links', { owner: `user:${user.id}` })).body.data;
  const replies = [
    await signIn(gateway, { link_secret: secretOf(url) }),
    await signIn(gateway, { token: user.token }),
    await signIn(gateway, account.keys),
  ];
  const [ofUser, ofAccount] = [await signedIn(gateway, { token: user.token }), await signedIn(gateway, account.keys)];
  const token = (await ofUser('POST', '/tokens', { name: 'x', abilities: ['read:stats'], structure_ids: null })).body.data.token;
  const key = (await ofAccount('POST', '/keys')).body.data.api_secret;
  const rotated = (await ofAccount('POST', `/keys/${account.keys.api_key}/rotate`, {})).body.data.api_secret;
  const secrets = [
    secretOf(url),
    user.token.split('|')[1],
    account.keys.api_secret,
    token.split('|')[1],
    key,
    rotated,
    ofUser.cookie.split('=')[1],
  ];
  secrets.push(...replies.map((reply) => cookieOf(reply).split('=')[1]));
  expect(secrets.every((secret) => (secret?.length ?? 0) >= 20)).toBe(true);
  const calls = (await gateway.manage('GET', '/calls?limit=100')).body.data;
  expect(calls.filter(({ api }: { api: string }) => api === 'profile').length).toBe(8);
  const rows = JSON.stringify(await gateway.store.list('calls'));
  for (const secret of secrets) expect(rows).not.toContain(secret);
});
