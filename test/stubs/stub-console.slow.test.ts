import { expect, test } from 'vitest';
import { aSale, call, openReceiver, openStub, signIn } from './partner.ts';

type Opened = Awaited<ReturnType<typeof openStub<'pos'>>>;

/** A browser that is signed in to the console. */
async function signedIn(stub: Opened) {
  const { status, headers } = await call(stub, 'POST', '/manage/v1/session', { body: { credential: stub.operatorToken } });
  expect(status).toBe(201);
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  return async (path: string) => {
    const reply = await call(stub, 'GET', `/manage/v1${path}`, { headers: { cookie } });
    return { status: reply.status, data: reply.body.data };
  };
}

const serverOf = (page: string) => /name="passerelle-server" content="([^"]*)"/.exec(page)?.[1];

test('by default a stub keeps no figures, and its console knows that', async () => {
  const stub = await openStub('pos');
  expect(stub.console).toBeUndefined();
  expect(serverOf((await call(stub, 'GET', '/console')).body)).toBe('stub');
  expect((await call(stub, 'GET', '/profile')).status).toBe(404);
  await call(stub, 'GET', '/api/v1/inventory');
  const { body } = await call(stub, 'GET', '/manage/v1/overview', { token: stub.operatorToken });
  expect(body.data.calls.total).toBe(0);
});

test('the console is served on the stub’s port, and its overview follows the advanced clock', async () => {
  const [good, away] = [await openReceiver(204), 'http://127.0.0.1:9/away'];
  const stub = await openStub('pos', { console: true, webhooks: [{ url: good.url }, { url: away }] });
  expect(stub.console).toBe(`${stub.url}/console`);
  const page = await call(stub, 'GET', '/console');
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(serverOf(page.body)).toBe('stub with figures');
  const manage = await signedIn(stub);
  const token = await signIn(stub);
  expect((await call(stub, 'POST', '/api/v1/sales', { token, body: aSale() })).status).toBe(201);
  await stub.settled();
  const counted = async () => {
    const { calls, attempts } = (await manage('/overview')).data;
    const pos = calls.by_api.find(({ api }: { api: string }) => api === 'pos');
    return { calls: pos?.succeeded, attempts: attempts.total };
  };
  expect(await counted()).toEqual({ calls: 2, attempts: 2 });

  await stub.clock.advance('72h');
  expect((await manage('/session')).status).toBe(200);
  await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token: await signIn(stub) });
  // The clock determines the shown hour: the sale was 72 hours ago, and the last attempt 12 minutes ago.
  expect(await counted()).toEqual({ calls: 2, attempts: 1 });
  expect((await manage('/overview?period=week')).data).toMatchObject({
    attempts: { total: 11 },
    deliveries: { failed: 1, delivered: 1, pending: 0 },
  });
  expect((await manage('/calls')).data.length).toBeGreaterThan(2);
  expect((await manage('/limits')).status).toBe(200);
});

test('a reset drops the figures, and keeps the console signed in', async () => {
  const stub = await openStub('pos', { console: true, clock: '2026-03-01T08:00:00Z' });
  const manage = await signedIn(stub);
  await call(stub, 'GET', '/api/v1/inventory');
  expect((await manage('/overview')).data.calls.by_api).toMatchObject([{ api: 'pos', refused: 1 }]);
  await call(stub, 'GET', '/api/v1/inventory');
  // Reading calls stores them, but their figures still wait.
  await manage('/calls');
  expect((await call(stub, 'POST', '/_stub/reset')).body.data).toMatchObject({ calls: 0 });
  expect((await manage('/session')).status).toBe(200);
  await call(stub, 'GET', '/api/v1/inventory');
  expect((await manage('/overview')).data.calls).toMatchObject({ total: 1, refused: 1 });
});

test('passerelle stub --console prints its address', async () => {
  const { greetingOf, jsonGreeting } = await import('../../stubs/greeting.ts');
  const stub = await openStub('pos', { console: true, seed: 'empty' });
  expect(greetingOf(stub, { colors: false })).toMatch(
    new RegExp(`Console +${stub.url}/console/stub\n(.*\n)+ +Profile +${stub.url}/profile `),
  );
  expect(JSON.parse(jsonGreeting(stub))).toMatchObject({ console: `${stub.url}/console`, operatorToken: stub.operatorToken });
});
