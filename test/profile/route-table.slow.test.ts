import { expect, test } from 'vitest';
import type { Method, TestGateway } from '../helper.ts';
import { makeAccount, makeLink, makeUser, openGateway, profileHeaders, refusalOf, signedIn } from './harness.ts';

interface Route {
  method: Method;
  path: string;
  id: string;
}

/** Every route of the profile, from the document that the route table makes: a new route is covered at once. */
async function routesOf(gateway: TestGateway): Promise<Route[]> {
  const { paths } = (await gateway.call('GET', '/docs/profile.json')).body;
  return Object.entries<Record<string, { operationId: string }>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      method: method.toUpperCase() as Method,
      path: path.replace(/\{\w+\}/g, '1'),
      id: operationId,
    })),
  );
}

/** The only route that needs no session. */
const signIn = 'openProfileSession';
/** Changes that a read-only session may make, and questions that are a POST because of their body. */
const forViewers = ['closeProfileSession', 'diagnoseProfileDelivery', 'previewProfileFilter'];

test('every route is refused without a session, and with one that has ended', async () => {
  const gateway = await openGateway();
  const routes = (await routesOf(gateway)).filter(({ id }) => id !== signIn);
  expect(routes.length).toBeGreaterThan(10);
  for (const { method, path, id } of routes) {
    const url = `/profile/v1${path}`;
    expect([id, ...refusalOf(await gateway.call(method, url))]).toEqual([id, 401, 'token_missing']);
    const headers = { ...profileHeaders, cookie: 'passerelle_profile=ended' };
    expect([id, ...refusalOf(await gateway.call(method, url, { headers }))]).toEqual([id, 401, 'session_expired']);
  }
});

test('a session from a read-only link is refused every change but signing out', async () => {
  const gateway = await openGateway();
  const [account, user] = [await makeAccount(gateway), await makeUser(gateway)];
  for (const owner of [`account:${account.id}`, `user:${user.id}`] as const) {
    const call = await signedIn(gateway, { link_secret: await makeLink(gateway, owner, { readOnly: true }) });
    const changes = (await routesOf(gateway)).filter(
      ({ method, id }) => method !== 'GET' && id !== signIn && !forViewers.includes(id),
    );
    expect(changes.length).toBeGreaterThan(4);
    for (const { method, path, id } of changes)
      expect([id, ...refusalOf(await call(method, path))]).toEqual([id, 403, 'read_only_session']);
    expect((await call('GET', '/me')).status).toBe(200);
  }
});

test('every change with the cookie needs the header of the profile', async () => {
  const gateway = await openGateway();
  const call = await signedIn(gateway, (await makeAccount(gateway)).keys);
  for (const { method, path, id } of await routesOf(gateway)) {
    if (method === 'GET' || id === signIn) continue;
    expect([id, ...refusalOf(await call(method, path, undefined, {}))]).toEqual([id, 403, 'forged_request']);
  }
});
