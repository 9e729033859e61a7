import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import type { TableName } from '../../gateway/store/tables/index.ts';
import { tables } from '../../gateway/store/tables/index.ts';
import { forAllAsync } from '../for-all.ts';
import { buildTestApp, operatorToken, type Reply, stillClock, type TestGateway } from '../helper.ts';
import { openEmptyPglite } from '../pglite.ts';
import { type Operation, operationsOf } from './generated/operations.ts';

/** Text that often breaks programs, in addition to fast-check's own. */
const nastyText = fc.oneof(
  fc.constantFrom(
    "'; drop table sales; --",
    '%',
    '_',
    '\\',
    '\u0000',
    '\ud800',
    '1e309',
    'NaN',
    '-0',
    '2026-02-30',
    '99999999999999999999',
    ' ',
    '',
    '../..',
    '<script>',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const nastyNumber = fc.constantFrom(-1, 0, 0.1, 1e300, 2 ** 31, 2 ** 53, Number.MIN_VALUE, 1.0000001);
const nastyValue = fc.oneof(nastyText, nastyNumber, fc.jsonValue(), fc.constant(null));

/** A request to this operation: known names with absurd values, unknown ones, or a body that is not even an object. */
function requestTo({ path, parameters, body: schema }: Operation) {
  const fields = Object.keys(schema?.properties ?? {});
  const queries = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const names = (known: string[]) => (known.length > 0 ? fc.oneof(fc.constantFrom(...known), fc.string()) : fc.string());
  return fc.record({
    path: fc
      .tuple(...path.split('/').map((part) => (part.startsWith('{') ? nastyText.map(encode) : fc.constant(part))))
      .map((parts) => parts.join('/')),
    query: fc.array(fc.tuple(names(queries), nastyText), { maxLength: 4 }),
    body: fc.oneof(
      fc.dictionary(names(fields), nastyValue, { maxKeys: 6 }).map((body) => JSON.stringify(body)),
      fc.json(),
      nastyText,
      fc.constant('{"a":1e309}'),
    ),
  });
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed()) || '%00';

/** Refused calls are recorded and tallied too, this test creates tokens, and the gateway's own rounds take leases. */
const uncounted: TableName[] = ['calls', 'tallies', 'tokens', 'leases'];
const counted = (Object.keys(tables) as TableName[]).filter((name) => !uncounted.includes(name));

/** Counts all tables in one statement, because the test runs it hundreds of times. */
const countStatement = `select ${counted.map((name) => `(select count(*) from passerelle.${name}) as ${name}`).join(', ')}`;

const documentOf = async (gateway: TestGateway, name: string) => (await gateway.call('GET', `/docs/${name}.json`)).body;

test('any input to any operation gets a documented status and a reason, never a 500; a refused request stores nothing', async () => {
  const pool = await openEmptyPglite();
  const store = await openSqlStore(pool);
  onTestFinished(() => store.close());
  const rowCounts = async () => (await pool.query<Record<string, unknown>>(countStatement)).rows[0] ?? {};
  // The audit trail names sign-ins that failed.
  const leftBy = async ({ path }: Operation) => (path.endsWith('/session') ? { audit: (await rowCounts()).audit } : {});
  const gateway = await buildTestApp({ store, settings: { BODY_LIMIT_BYTES: '16384' } });
  const tokens: Record<string, string> = { '/pos': await gateway.posToken(), '/manage/v1': operatorToken };
  const operations = [
    ...operationsOf('/pos', await documentOf(gateway, 'pos')),
    ...operationsOf('/cohesion', await documentOf(gateway, 'cohesion')),
    ...operationsOf('/manage/v1', await documentOf(gateway, 'manage')),
  ];
  expect(operations.length).toBeGreaterThan(50);
  // Each cohesion call has its own token, so that the write throttle refuses none.
  let serial = 0;
  const { id: userId } = (await gateway.store.get('users', { active: true })) as { id: number };
  const cohesionToken = async () => {
    const body = {
      name: `fuzz ${serial++}`,
      abilities: ['read:indicators', 'read:interventions', 'read:structures', 'read:stats', 'write:financements'],
      structure_ids: null,
    };
    return (await gateway.manage('POST', `/cohesion/users/${userId}/tokens`, body)).body.data.token as string;
  };
  for (const operation of operations) {
    const prefix = ['/pos', '/cohesion', '/manage/v1'].find((one) => operation.path.startsWith(`${one}/`)) as string;
    const token = tokens[prefix] ?? (await cohesionToken());
    await forAllAsync(4, [requestTo(operation)], async ({ path, query, body }) => {
      const before = await rowCounts();
      const search = query.length > 0 ? `?${query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}` : '';
      const hasBody = operation.method !== 'GET' && operation.method !== 'DELETE';
      const reply = await gateway.call(operation.method as 'GET', path + search, { token, ...(hasBody ? { body } : {}) });
      expectExplained(reply, operation);
      if (reply.status >= 400) expect(await rowCounts()).toEqual({ ...before, ...(await leftBy(operation)) });
    });
  }
});

test('a refusal names each wrong field and says what is valid', async () => {
  const gateway = await buildTestApp();
  const body =
    '{"store_id": 7, "items": [{"product_id": "PRD-0001", "quantity": -0, "price": "1"}], "payment_method": "wave", "total": 1e309, "remise": 1}';
  const reply = await gateway.call('POST', '/pos/api/v1/sales', { token: await gateway.posToken(), body });
  expect(reply.status).toBe(400);
  const messages = Object.fromEntries(
    reply.body.error.details.map(({ field, message }: { field: string; message: string }) => [field, message]),
  );
  expect(messages).toEqual({
    store_id: 'must be text, not a number',
    'items.0.quantity': 'must not be negative zero',
    'items.0.price': 'must be a number, not text',
    payment_method: 'must be one of cash, card, mobile_money, not "wave"',
    total: 'must be a number; this one is too large for a number',
    remise: expect.stringMatching(/^is not a field of this request\. Its fields: store_id, items, /),
  });
  const missing = await gateway.call('POST', '/pos/api/auth', { body: {} });
  expect(missing.body.error.message).toBe('api_key: is required (and 1 more)');
});

test('a refusal lists 20 mistakes and says how many there are', async () => {
  const gateway = await buildTestApp();
  const unknown = Object.fromEntries(Array.from({ length: 5000 }, (_none, number) => [`field_${number}`, 1]));
  const lines = Array.from({ length: 200 }, () => ({ product_id: 'PRD-none', quantity: 1, price: 1 }));
  const sale = { store_id: gateway.demo.pos.stores[0], items: lines, payment_method: 'cash', total: 200 };
  const pos = await gateway.posToken();
  const post = async (path: string, body: unknown, token?: string) => {
    const reply = await gateway.call('POST', path, { body, ...(token && { token }) });
    expect(reply.text.length).toBeLessThan(6000);
    const { message, details, errors } = reply.body.error ?? reply.body;
    return [reply.status, message, (details ?? Object.keys(errors)).length];
  };
  const all = (status: number, mistakes: number) => [
    status,
    expect.stringContaining(`(20 of ${mistakes} mistakes are listed)`),
    20,
  ];
  expect(await post('/pos/api/v1/sales', unknown, pos)).toEqual(all(400, 5004));
  expect(await post('/pos/api/v1/sales', { ...sale, items: lines.map(() => ({})) }, pos)).toEqual(all(400, 600));
  expect(await post('/pos/api/v1/sales', sale, pos)).toEqual(all(404, 200));
  expect(await post('/cohesion/api/v1/financements', unknown, gateway.cohesionToken())).toEqual(all(422, 5007));
  expect(await post('/manage/v1/operators', unknown, operatorToken)).toEqual(all(400, 5002));
  const query = Array.from({ length: 1800 }, (_none, number) => `q${number}=1`).join('&');
  const listed = await gateway.call('GET', `/manage/v1/deliveries?${query}`, { token: operatorToken });
  expect([listed.status, listed.body.error.details.length]).toEqual([400, 20]);
  expect(listed.text.length).toBeLessThan(20_000);
  const long = { ['x'.repeat(3000)]: 1, api_key: 'pk_1', api_secret: 's' };
  expect(await post('/pos/api/auth', long)).toEqual([400, expect.stringMatching(/^x{100}…: is not a field/), 1]);
});

test('the depth and the number of values of a body are bounded before it is parsed', async () => {
  const gateway = await buildTestApp();
  const token = await gateway.posToken();
  const post = async (body: string) => {
    const { status, body: reply } = await gateway.call('POST', '/pos/api/v1/sales', { token, body });
    return [status, reply.error.code, reply.error.message];
  };
  const refused = (message: string) => [400, 'too_complex', message];
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect((await post(deep(64)))[1]).toBe('invalid_request');
  expect(await post(deep(65))).toEqual(refused('Lists and objects of the body must lie at most 64 deep in each other, not 65.'));
  expect(await post('['.repeat(100_000))).toEqual(refused(expect.stringContaining('not 100000.')));
  expect((await post(`[${'1,'.repeat(9998)}1]`))[1]).toBe('invalid_request');
  expect(await post(`[${'1,'.repeat(10_000)}1]`)).toEqual(refused('The body must have at most 10000 values, not 10001.'));
  // What stands in text is neither.
  expect((await post(JSON.stringify({ a: '[{,"\\'.repeat(20_000) })))[1]).toBe('invalid_request');
});

test('whoever is not signed in can send 4 KiB; refused credentials lock out, refused bodies do not', async () => {
  const gateway = await buildTestApp({ clock: stillClock(), settings: { TRUST_PROXY: '127.0.0.1' } });
  const post = async (path: string, body: unknown, from: string) => {
    const { status } = await gateway.call('POST', path, { body, headers: { 'x-forwarded-for': from } });
    return status;
  };
  const large = { api_key: 'x'.repeat(4096) };
  for (const path of ['/pos/api/auth', '/pos/api/v1/auth', '/manage/v1/session', '/profile/v1/session'])
    expect(await post(path, large, '203.0.113.1')).toBe(413);
  const garbage = [large, { unknown: 1 }, '{', [], '\u0000'];
  const wrong = { api_key: 'pk_none', api_secret: 'sk_none' };
  const account = gateway.demo.pos.accounts[0];
  const keys = { api_key: account?.apiKey, api_secret: account?.apiSecret };
  for (const [path, guessed, right, most] of [
    ['/manage/v1/session', { credential: 'wrong' }, { credential: operatorToken }, 10],
    ['/pos/api/auth', wrong, keys, 60],
  ] as const) {
    const from = `203.0.113.${most}`;
    for (let attempt = 0; attempt < 120; attempt++)
      expect([400, 413]).toContain(await post(path, garbage[attempt % garbage.length], from));
    expect(await post(path, right, from)).toBeLessThan(300);
    for (let attempt = 0; attempt < most; attempt++) expect(await post(path, guessed, from)).toBe(401);
    expect(await post(path, guessed, from)).toBe(429);
  }
});

function expectExplained(reply: Reply, { statuses }: Operation): void {
  // 429: the write throttle of cohesion. 404: a generated path may not match any route.
  expect([...statuses, 404, 429], JSON.stringify(reply.body)).toContain(reply.status);
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(500);
  if (reply.status < 400) return;
  const message = reply.body.message ?? reply.body.error.message;
  expect(message).toEqual(expect.stringMatching(/\w+/));
  expect(JSON.stringify(reply.body)).not.toMatch(/node_modules|\bat \S+ \(|Too (big|small)|Invalid (input|option|key|string)/);
}
