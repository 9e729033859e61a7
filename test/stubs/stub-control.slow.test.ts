import { request } from 'node:http';
import { expect, test } from 'vitest';
import { kindNames } from '../../stubs/faults/kinds.ts';
import type { Stub } from '../../stubs/stub.ts';
import { call, openReceiver, openStub } from './partner.ts';

/** Makes a call with headers that fetch does not let a program set. */
function statusWith(stub: Stub, headers: Record<string, string>, method = 'GET', path = '/_stub'): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${stub.url}${path}`, { method, headers }, (reply) => {
      reply.resume().once('end', () => resolve(reply.statusCode ?? 0));
    })
      .once('error', reject)
      .end();
  });
}

test('the manage API shows the calls too, but those that a fault ended without a reply, until a reset', async () => {
  const stub = await openStub('pos', { faults: ['readInventory:reset,times=1', 'readInventory:truncated,times=1'] });
  const recorded = async () => {
    const { body } = await call(stub, 'GET', '/manage/v1/calls?api=pos', { token: stub.operatorToken });
    return body.data.map(({ operation, status }: { operation: string; status: number }) => [operation, status]);
  };
  const inventory = () => call(stub, 'GET', '/api/v1/inventory').catch(() => undefined);
  await inventory();
  await inventory();
  await call(stub, 'POST', '/api/auth', { body: {} });
  expect(stub.calls().map(({ status, fault }) => [status, fault])).toEqual([
    [0, 'readInventory:reset,times=1'],
    [401, 'readInventory:truncated,times=1'],
    [400, undefined],
  ]);
  expect(await recorded()).toEqual([
    ['issueToken', 400],
    ['readInventory', 401],
  ]);
  await inventory();
  await stub.reset();
  expect(await recorded()).toEqual([]);
});

test('a body that cannot be read is refused as the API does, and a wrong one with 20 mistakes at most', async () => {
  const stub = await openStub('pos', { seed: 'empty' });
  const post = async (path: string, body: string | Buffer<ArrayBuffer>, type = 'application/json') => {
    const reply = await fetch(`${stub.url}${path}`, { method: 'POST', body, headers: { 'content-type': type } });
    const { error } = (await reply.json()) as { error: { code: string; message: string; details?: object[] } };
    return [reply.status, error.code, error.message.length < 3000 && error.message, error.details?.length ?? 0];
  };
  const latin1 = Buffer.from('{"event":"Caf\xe9"}', 'latin1');
  const unreadable = [415, 'unsupported_media_type', expect.stringContaining('JSON in UTF-8'), 1];
  for (const path of ['/api/auth', '/_stub/trigger', '/manage/v1/session'])
    expect([path, ...(await post(path, latin1))]).toEqual([path, ...unreadable]);
  expect(await post('/_stub/trigger', '{}', 'text/plain')).toEqual(unreadable);
  expect((await post('/_stub/trigger', '{}'.repeat(150_000))).slice(0, 2)).toEqual([413, 'body_too_large']);
  const events = Array.from({ length: 100 }, () => ({}));
  expect(await post('/_stub/trigger', JSON.stringify({ events }))).toEqual([
    400,
    'invalid',
    expect.stringContaining('(20 of 100 mistakes are listed)'),
    20,
  ]);
});

test('browser pages and rebound host names are refused without the operator’s token', async () => {
  const stub = await openStub('pos', { seed: 'empty' });
  const token = { authorization: `Bearer ${stub.operatorToken}` };
  expect(await statusWith(stub, {})).toBe(200);
  expect(await statusWith(stub, { origin: 'https://evil.example' }, 'POST', '/_stub/reset')).toBe(403);
  expect(await statusWith(stub, { origin: 'null' }, 'POST', '/_stub/reset')).toBe(403);
  expect(await statusWith(stub, { 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await statusWith(stub, { host: 'evil.example:4010' })).toBe(403);
  expect(await statusWith(stub, { host: 'localhost:4010' })).toBe(200);
  expect(await statusWith(stub, { host: 'evil.example:4010', ...token })).toBe(200);
  expect(await statusWith(stub, { host: 'evil.example:4010', authorization: 'Bearer wrong' })).toBe(403);
});

test('the stub’s own page may change the stub without a token; no other page may', async () => {
  const stub = await openStub('pos', { seed: 'empty' });
  const { host } = new URL(stub.url);
  const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
  const reset = (headers: Record<string, string>) => statusWith(stub, headers, 'POST', '/_stub/reset');
  expect(await reset(own)).toBe(200);
  // An older browser sends Origin only.
  expect(await reset({ host, origin: own.origin })).toBe(200);
  expect(await statusWith(stub, { host, 'sec-fetch-site': 'same-origin' })).toBe(200);
  // Another port of this machine is another origin, and of the same site.
  expect(await reset({ ...own, origin: 'http://127.0.0.1:5173', 'sec-fetch-site': 'same-site' })).toBe(403);
  expect(await reset({ ...own, origin: 'http://127.0.0.1:5173' })).toBe(403);
  expect(await reset({ ...own, 'sec-fetch-site': 'same-site' })).toBe(403);
  expect(await reset({ ...own, origin: 'null' })).toBe(403);
  // DNS rebinding: the page and the stub have one origin, with a name that is not this machine's.
  expect(await reset({ ...own, host: 'evil.example:4010', origin: 'http://evil.example:4010' })).toBe(403);
});

test('after DNS rebinding, /docs does not contain the operator’s token', async () => {
  const stub = await openStub('pos', { seed: 'empty' });
  const page = (host: string) =>
    new Promise<string>((resolve, reject) => {
      request(`${stub.url}/docs`, { headers: { host } }, (reply) => {
        reply.toArray().then((chunks) => resolve(Buffer.concat(chunks).toString()), reject);
      })
        .once('error', reject)
        .end();
    });
  expect(await page(new URL(stub.url).host)).toContain(stub.operatorToken);
  const rebound = await page('evil.example:4010');
  expect(rebound).toContain('API reference');
  expect(rebound).not.toContain(stub.operatorToken);
});

test('the console: at the stub’s address for people, not for programs', async () => {
  const stub = await openStub('pos', { seed: 'empty', faults: ['*:reset'] });
  const toRoot = (accept: string) => fetch(stub.url, { headers: { accept }, redirect: 'manual' });
  const shown = await toRoot('text/html,application/xhtml+xml,*/*;q=0.8');
  expect([shown.status, shown.headers.get('location')]).toEqual([302, '/console/stub']);
  const page = await call(stub, 'GET', '/console/stub');
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
  stub.faults.clear();
  expect((await toRoot('*/*')).status).toBe(404);
  expect(stub.calls()).toHaveLength(1);
  // Its files hold no data, so other machines may read them too.
  expect(await statusWith(stub, { host: 'example.test' }, 'GET', '/console/stub')).toBe(200);
  expect(await statusWith(stub, { host: 'example.test' }, 'GET', '/_stub/calls')).toBe(403);
});

test('/_stub/calls: the newest, briefly, or one by its id; a reader is no test', async () => {
  const stub = await openStub('pos');
  for (const path of ['/api/v1/inventory', '/api/v1/reports/sales', '/api/v1/nowhere']) await call(stub, 'GET', path);
  const listed = async (query: string) => (await call(stub, 'GET', `/_stub/calls${query}`)).body.data;
  const [, second, third] = await listed('');
  expect(await listed('?limit=2')).toEqual([second, third]);
  expect(await listed(`?id=${second.id}`)).toEqual([second]);
  const [brief] = await listed('?limit=1&brief=true');
  expect(brief).toMatchObject({ id: third.id, path: '/api/v1/nowhere', status: 404 });
  expect(brief).not.toHaveProperty('requestHeaders');
  expect(brief).not.toHaveProperty('responseBody');
  expect((await call(stub, 'GET', `/_stub/calls/har?id=${second.id}`)).body.log.entries).toHaveLength(1);
  expect(await listed('?limit=99')).toHaveLength(3);
  expect(await listed('?status=4xx&operation=readInventory')).toHaveLength(1);
  expect(stub.uncheckedCalls()).toHaveLength(3);
  await call(stub, 'DELETE', '/_stub/calls');
  expect(stub.calls()).toEqual([]);
});

test('the newest deliveries', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('pos', { webhooks: [{ url: receiver.url }] });
  for (const total of [1, 2, 3]) await stub.trigger('sale.completed', { total });
  const all = await stub.deliveries();
  expect(all).toHaveLength(3);
  expect(await stub.deliveries({ limit: 2 })).toEqual(all.slice(1));
});

test('/_stub/openapi.json describes each kind of fault', async () => {
  const { body: document } = await call(await openStub('pos'), 'GET', '/_stub/openapi.json');
  const { rule } = document.paths['/faults'].post.requestBody.content['application/json'].schema.properties;
  const { properties, required } = rule.anyOf[1];
  expect(required).toEqual(['fault']);
  const kinds = properties.fault.oneOf.flatMap((one: { properties: { kind: { enum: string[] } } }) => one.properties.kind.enum);
  expect(kinds).toEqual(kindNames);
});

test('/_stub/openapi.json describes each request so that a request made from it is accepted', async () => {
  const stub = await openStub('pos');
  const { body: document } = await call(stub, 'GET', '/_stub/openapi.json');
  expect(document.openapi).toBe('3.1.0');
  const operations = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    Object.values,
  );
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  const withoutId = Object.entries(
    document.paths as Record<
      string,
      Record<string, { parameters?: { in: string; name: string; schema: { enum?: string[] } }[] }>
    >,
  ).filter(([path, { get }]) => get !== undefined && !path.includes('{') && path !== '/calls/stream');
  const [payment] = await stub.payments.list();
  const values: Record<string, string> = {
    reference: payment?.reference ?? '',
    operation: 'createSale',
    method: 'POST',
    path: '/api/v1/sales',
    status: '4xx',
    after: `call_${'0'.repeat(32)}`,
    limit: '1',
  };
  for (const [path, { get }] of withoutId) {
    const given = get?.parameters?.map(({ name, schema }) => `${name}=${schema.enum?.[0] ?? values[name] ?? 'x'}`);
    expect({ path, status: (await fetch(`${document.servers[0].url}${path}?${given?.join('&') ?? ''}`)).status }).toEqual({
      path,
      status: 200,
    });
  }
  expect((await call(stub, 'GET', '/docs/stub.json')).body).toEqual(document);
});
