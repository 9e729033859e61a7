import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildTestApp, stillClock, type TestGateway } from '../helper.ts';

/** Sends bytes over a socket and reads until the gateway closes it. */
async function raw(gateway: TestGateway, sent: string | Buffer): Promise<string> {
  const { port } = gateway.app.addresses()[0] as { port: number };
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.end(sent);
  return text(socket);
}

async function listening(settings: Record<string, string> = {}): Promise<TestGateway> {
  const gateway = await buildTestApp({ clock: stillClock(), settings });
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  return gateway;
}

const json = { 'content-type': 'application/json' };

test('a body that is compressed or in another character set is refused with 415, which says what is accepted', async () => {
  const gateway = await buildTestApp();
  const post = (payload: Buffer | string, headers: Record<string, string>) =>
    gateway.app.inject({ method: 'POST', url: '/pos/api/auth', payload, headers: { ...json, ...headers } });
  const body = '{"api_key":"pk_1","api_secret":"s"}';
  const refused: [Buffer | string, Record<string, string>][] = [
    [gzipSync(body), { 'content-encoding': 'gzip' }],
    [body, { 'content-encoding': 'br' }],
    [Buffer.from(body, 'utf16le'), { 'content-type': 'application/json; charset=utf-16' }],
    [body, { 'content-type': 'application/json;charset="iso-8859-1"' }],
  ];
  for (const [payload, headers] of refused) {
    const reply = await post(payload, headers);
    expect([reply.statusCode, reply.json().error.code]).toEqual([415, 'unsupported_media_type']);
    expect(reply.json().error.message).toMatch(
      /(gzip|br|utf-16|iso-8859-1)" is not accepted\. Send the body as JSON in UTF-8, not compressed/,
    );
  }
  const taken: Record<string, string>[] = [
    { 'content-encoding': 'identity' },
    { 'content-type': 'application/json; charset=UTF-8' },
  ];
  for (const headers of taken) expect((await post(body, headers)).statusCode).toBe(401);
});

test('a body that is not UTF-8 is refused with 415 at the position of its first wrong byte, by every API', async () => {
  const gateway = await buildTestApp();
  const sent = (text: string) => Buffer.from(text, 'latin1');
  const reply = async (url: string, payload: Buffer, token = '', method: 'POST' | 'PUT' = 'POST') => {
    const authorization = token === '' ? {} : { authorization: `Bearer ${token}` };
    const { statusCode, body } = await gateway.app.inject({ method, url, payload, headers: { ...json, ...authorization } });
    return [statusCode, /at position (\d+), counted from 0/.exec(body)?.[1]];
  };
  const cohesion = gateway.cohesionToken();
  const latin1 = sent('{"bailleur":"Caf\xe9"}');
  expect(await reply('/cohesion/api/v1/financements', latin1, cohesion)).toEqual([415, '16']);
  expect(await reply('/cohesion/api/v1/financements/1', latin1, cohesion, 'PUT')).toEqual([415, '16']);
  expect(await reply('/pos/api/auth', latin1)).toEqual([415, '16']);
  expect(await reply('/pos/api/v1/sales', latin1, await gateway.posToken())).toEqual([415, '16']);
  expect(await reply('/manage/v1/operators', latin1, 'operator-token-of-the-tests')).toEqual([415, '16']);
  expect(await reply('/profile/v1/session', latin1)).toEqual([415, '16']);
  // U+FFFD that was sent is valid, and characters before the byte have several bytes.
  expect(await reply('/pos/api/auth', Buffer.concat([Buffer.from('{"\ufffdé"'), sent('\xe9')]))).toEqual([415, '8']);
  // A character that is cut off at the end, a surrogate in UTF-8, and a character in more bytes than it needs.
  expect(await reply('/pos/api/auth', sent('"a\xf0\x9f\x98'))).toEqual([415, '2']);
  expect(await reply('/pos/api/auth', sent('"\xed\xa0\x80"'))).toEqual([415, '1']);
  expect(await reply('/pos/api/auth', sent('"\xc0\xaf"'))).toEqual([415, '1']);
  expect(await reply('/pos/api/auth', Buffer.from('{"api_key":"\ufffd","api_secret":"Café 😀"}'))).toEqual([401, undefined]);
});

test('a body that is not JSON is refused with the reason, without a piece of the body', async () => {
  const gateway = await buildTestApp();
  const refusal = async (body: string) => {
    const reply = await gateway.call('POST', '/pos/api/auth', { body });
    return [reply.status, reply.body.error.code, reply.body.error.message];
  };
  expect(await refusal('{"api_secret": Q7x9Zk}')).toEqual([
    400,
    'malformed_request',
    "The body is not valid JSON: Unexpected token 'Q'.",
  ]);
  expect(await refusal('{"a":1')).toEqual([400, 'malformed_request', expect.stringMatching(/JSON at position 6/)]);
  const proto = [400, 'forbidden_field', expect.stringContaining('"__proto__"')];
  expect(await refusal('{"__proto__":{"a":1}}')).toEqual(proto);
  expect(await refusal('{"a":{"constructor":{"prototype":1}}}')).toEqual(proto);
});

test('a call that takes no body may have a content type', async () => {
  const gateway = await buildTestApp({ demo: false });
  const made = await gateway.manage('POST', '/operators', { name: 'Awa', role: 'viewer' });
  const rotate = `/manage/v1/operators/${made.body.data.id}/rotate-credential`;
  const headers = { authorization: 'Bearer operator-token-of-the-tests', ...json };
  expect((await gateway.app.inject({ method: 'POST', url: rotate, headers })).statusCode).toBe(200);
  expect((await gateway.app.inject({ method: 'DELETE', url: '/manage/v1/session', headers })).statusCode).toBe(404);
  const empty = await gateway.app.inject({ method: 'POST', url: '/manage/v1/operators', headers });
  expect([empty.statusCode, empty.json().error.code]).toEqual([400, 'empty_body']);
});

test("a long path segment gets the API's own refusal", async () => {
  const gateway = await buildTestApp();
  const long = 'x'.repeat(3000);
  const call = await gateway.manage('GET', `/calls/${long}`);
  expect([call.status, call.body.error.code]).toEqual([400, 'invalid_request']);
  const indicator = await gateway.call('GET', `/cohesion/api/v1/indicateurs/${long}`, { token: gateway.cohesionToken() });
  expect([indicator.status, typeof indicator.body.message]).toEqual([422, 'string']);
});

test.each([
  ['createFinancing', '/cohesion/api/v1/financements', async (gateway: TestGateway) => gateway.cohesionToken()],
  ['createSale', '/pos/api/v1/sales', async (gateway: TestGateway) => gateway.posToken()],
])(
  'a call of %s that a limit refused is recorded with its body, or says that the body was not read',
  async (name, path, tokenOf) => {
    const gateway = await listening({ OPERATION_LIMITS: `${name}=1/min` });
    const token = await tokenOf(gateway);
    const head = (length: number) =>
      `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n` +
      `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
    const body = '{"montant":5,"token":"Q7x9Zk"}';
    await raw(gateway, head(body.length) + body);
    expect(await raw(gateway, head(body.length) + body)).toContain('HTTP/1.1 429');
    expect(await raw(gateway, `${head(5000)}{"montant"`)).toContain('HTTP/1.1 429');
    const { data } = (await gateway.manage('GET', '/calls?limited=true')).body;
    const bodies = data.map(
      async ({ id }: { id: string }) => (await gateway.manage('GET', `/calls/${id}`)).body.data.request_body,
    );
    expect(await Promise.all(bodies)).toEqual(['… [not read: 5000 bytes]', '{"montant":5,"token":"[redacted]"}']);
  },
);

test('every reply forbids browsers to guess its type, also those of the HTTP parser', async () => {
  const gateway = await listening();
  for (const path of [
    '/',
    '/pos/api/v1/inventory',
    '/cohesion/nothing',
    '/manage/v1/reasons',
    '/docs',
    '/docs/pos.json',
    '/console',
    '/metrics',
    '/healthz',
  ])
    expect([path, (await gateway.call('GET', path)).headers['x-content-type-options']]).toEqual([path, 'nosniff']);
  for (const [sent, status, code] of [
    ['nonsense\r\n\r\n', 400, 'malformed_request'],
    [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['POST / HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n', 400, 'malformed_request'],
    ['GET / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n', 400, 'malformed_request'],
  ] as const) {
    const reply = await raw(gateway, sent);
    expect(reply).toContain(`HTTP/1.1 ${status} `);
    expect(reply).toContain('x-content-type-options: nosniff');
    expect(JSON.parse(reply.split('\r\n\r\n')[1] ?? '').error.code).toBe(code);
  }
});

test('an absolute URL is routed by its path', async () => {
  const gateway = await listening();
  const reply = await raw(
    gateway,
    'GET http://gateway.example/pos/api/v1/inventory?store_id=1 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
  );
  expect(reply).toContain('HTTP/1.1 401');
  expect(reply).toContain('token_missing');
});

test('a token without its scheme does not appear in the refusal', async () => {
  const gateway = await buildTestApp();
  for (const authorization of ['Q7x9Zk', 'Q7x9Zk Q7x9Zk', 'Basic Q7x9Zk', 'Bearer Q7x9Zk Q7x9Zk']) {
    for (const path of ['/pos/api/v1/inventory', '/cohesion/api/v1/me', '/manage/v1/reasons']) {
      const reply = await gateway.call('GET', path, { headers: { authorization } });
      expect(reply.status).toBe(401);
      expect(reply.text).not.toContain('Q7x9Zk');
    }
  }
});

test('/metrics needs its token, except for callers on this machine that no proxy forwarded', async () => {
  const token = 'metrics-token-of-the-tests';
  const status = async (gateway: TestGateway, remoteAddress: string, headers: Record<string, string> = {}) =>
    (await gateway.app.inject({ url: '/metrics', remoteAddress, headers })).statusCode;
  const authorization = `Bearer ${token}`;
  const byDefault = await buildTestApp({ demo: false, settings: { METRICS_TOKEN: token } });
  expect(await status(byDefault, '127.0.0.1')).toBe(200);
  expect(await status(byDefault, '::1')).toBe(200);
  expect(await status(byDefault, '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).toBe(401);
  expect(await status(byDefault, '203.0.113.9')).toBe(401);
  expect(await status(byDefault, '203.0.113.9', { authorization: 'Bearer wrong' })).toBe(401);
  expect(await status(byDefault, '203.0.113.9', { authorization: `Bearer operator-token-of-the-tests` })).toBe(401);
  expect(await status(byDefault, '203.0.113.9', { authorization })).toBe(200);
  const untold = await buildTestApp({ demo: false });
  expect(await status(untold, '203.0.113.9', { authorization: 'Bearer ' })).toBe(401);
});

test('a request without Host, or with an expectation that nobody knows, gets a reply of its API', async () => {
  const gateway = await listening();
  const hostless = await raw(gateway, 'GET /pos/api/v1/inventory HTTP/1.1\r\nconnection: close\r\n\r\n');
  expect(hostless).toMatch(/^HTTP\/1\.1 400 .*host_missing/s);
  const expecting = await raw(
    gateway,
    'GET /pos/api/v1/inventory HTTP/1.1\r\nhost: a\r\nexpect: magic\r\nconnection: close\r\n\r\n',
  );
  expect(expecting).toMatch(/^HTTP\/1\.1 401 .*token_missing/s);
});

test('a malformed body at a path that no API has is refused for its path', async () => {
  const gateway = await buildTestApp({ demo: false });
  for (const [path, body] of [
    ['/nothing', '{'],
    ['/pos/nothing', '{'],
    ['/cohesion/nothing', '{"__proto__":1}'],
  ] as const)
    expect([path, (await gateway.call('POST', path, { body })).status]).toEqual([path, 404]);
});
