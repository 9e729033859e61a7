import { expect, test } from 'vitest';
import { sharedPglite } from '../shared-pglite.ts';
import { clockAt9, makeAccount, makeLink, makeUser, openGateway, refusalOf, signedIn, signIn } from './harness.ts';

const emptyPglite = sharedPglite();

test('on PostgreSQL a link opens one of many sessions, and one of two calls at the same time revokes the last key', async () => {
  const gateway = await openGateway({ store: await emptyPglite(), clock: clockAt9() });
  const [account, user] = [await makeAccount(gateway), await makeUser(gateway)];
  const secret = await makeLink(gateway, `user:${user.id}`);
  const opened = await Promise.all([1, 2, 3, 4].map(() => signIn(gateway, { link_secret: secret })));
  expect(opened.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401]);

  const link = await signedIn(gateway, { link_secret: await makeLink(gateway, `account:${account.id}`) });
  const other = (await link('POST', '/keys')).body.data;
  const revoked = await Promise.all([account.keys, other].map(({ api_key }) => link('POST', `/keys/${api_key}/revoke`, {})));
  expect(revoked.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('on PostgreSQL the lists, figures and rotations are those of the memory store', async () => {
  const gateway = await openGateway({ store: await emptyPglite(), clock: clockAt9() });
  const [account, user] = [await makeAccount(gateway), await makeUser(gateway)];
  const { token } = (await gateway.call('POST', '/pos/api/auth', { body: account.keys })).body;
  await gateway.call('GET', '/pos/api/v1/inventory?store_id=none', { token });
  const shop = await signedIn(gateway, account.keys);
  expect((await shop('GET', '/calls?status=4xx&q=none')).body.data.length).toBe(1);
  expect((await shop('GET', '/calls/count?status=4xx')).body.data).toMatchObject({
    count: 1,
    more: false,
    searched_to: null,
    statuses: [{ status: 404, count: 1 }],
    operations: [{ operation: 'readInventory', count: 1 }],
  });
  expect((await shop('GET', '/calls/export?format=jsonl&operation=readInventory')).text.split('\n').length).toBe(2);
  expect((await shop('GET', '/use')).body.data.callers).toMatchObject([{ calls: 1, limits: [{ name: 'plan', used_now: 1 }] }]);
  expect((await shop('POST', `/keys/${account.keys.api_key}/rotate`, { overlap_hours: 0 })).status).toBe(201);
  expect(refusalOf(await shop('GET', '/keys'))).toEqual([401, 'session_expired']);
  const person = await signedIn(gateway, { token: user.token });
  const made = await person('POST', '/tokens', { name: 'x', abilities: ['read:stats'], structure_ids: null });
  expect((await person('POST', `/tokens/${made.body.data.id}/revoke`)).status).toBe(200);
  expect((await person('GET', '/tokens')).body.data.length).toBe(2);
  expect((await person('GET', '/use')).body.data.callers.length).toBe(2);
});
