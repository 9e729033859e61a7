import { expect, test } from 'vitest';
import { sharedPglite } from '../shared-pglite.ts';
import { clockAt9, makeAccount, makeLink, makeUser, openGateway, signedIn, signIn } from './harness.ts';

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
