import fc from 'fast-check';
import pino from 'pino';
import { expect, test } from 'vitest';
import { forAllAsync } from '../for-all.ts';
import { buildTestApp, operatorToken } from '../helper.ts';
import { listening } from '../listening.ts';

const secret = 'Q7x9ZkQ7x9ZkQ7x9Zk';
const names = [
  'api_secret',
  'clientSecret',
  'X-Auth-Token',
  'access_token',
  'passwd',
  'api-key',
  'private.key',
  'SESSIONID',
  'iban',
];
const paths = [
  '/pos/api/auth',
  '/pos/api/v1/sales',
  '/cohesion/api/v1/me',
  '/manage/v1/operators',
  '/manage/v1/session',
  '/nothing',
];

const name = fc.constantFrom(...names);
const call = fc.record({
  method: fc.constantFrom('GET', 'POST', 'DELETE', 'PATCH'),
  path: fc.constantFrom(...paths),
  query: fc.constantFrom('', '?a=1', `?NAME=${secret}`, `?x=%7B%22NAME%22%3A%22${secret}%22%7D`),
  headers: fc.constantFrom<Record<string, string>>(
    {},
    { authorization: `Bearer ${secret}` },
    { authorization: secret },
    { authorization: `${secret} ${secret}` },
    { cookie: `passerelle_session=${secret}` },
    { HEADER: secret },
    { referer: `https://a.example/?NAME=${secret}` },
  ),
  body: fc.constantFrom(
    '',
    `{"NAME":"${secret}"}`,
    `{"NAME":{"deep":["${secret}"]}}`,
    `{"a":"{\\"NAME\\":\\"${secret}\\"}"}`,
    `{"NAME":"${secret}`,
    `{"NAME":${secret}}`,
    `{'NAME':'${secret}'}`,
    `NAME=${secret}`,
    `{"credential":"${secret}"}`,
  ),
  name,
});

/** A gateway whose log lines can be read. */
async function loggedGateway() {
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const settings = { RECORD_SECRET_NAMES: 'iban', TRUST_PROXY: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '0' };
  const gateway = await buildTestApp({ logger, settings });
  return { gateway, lines };
}

test('no record, log line, export or refusal contains a secret, wherever a call has it', async () => {
  const { gateway, lines } = await loggedGateway();
  let address = 0;
  await forAllAsync(400, [call], async ({ method, path, query, headers, body, name }) => {
    const named = (text: string) => text.replaceAll('NAME', name);
    const sent = Object.entries(headers).map(([header, value]) => [header === 'HEADER' ? name : header, named(value)]);
    // Each call has its own address, so that failed sign-ins do not end the test.
    address += 1;
    const reply = await gateway.call(method as 'GET', path + named(query), {
      headers: { ...Object.fromEntries(sent), 'x-forwarded-for': `10.1.${address >> 8}.${address & 255}` },
      ...(body === '' ? {} : { body: named(body) }),
    });
    expect(reply.status).toBeGreaterThanOrEqual(200);
    expect(reply.text + JSON.stringify(reply.headers)).not.toContain(secret);
  });
  const archive = await gateway.call('GET', '/manage/v1/calls/export?format=har', { token: operatorToken });
  expect(archive.body.log.entries.length).toBeGreaterThan(300);
  const records = JSON.stringify(await gateway.store.list('calls'));
  for (const kept of [records, archive.text, lines.join('')]) expect(kept.includes(secret)).toBe(false);
});

test("a receiver's answer is stored and shown without its secrets", async () => {
  const { gateway, lines } = await loggedGateway();
  const receiver = await listening((_request, response) => {
    response.writeHead(500, {
      'x-auth-token': secret,
      'set-cookie': [`a=${secret}`, `b=${secret}`],
      location: `/x?iban=${secret}`,
    });
    response.end(`{"error":"no","debug":"{\\"db_password\\":\\"${secret}\\"}","token":"${secret}`);
  });
  const made = await gateway.manage('POST', '/endpoints', { service: 'pos', url: `${receiver}/` });
  expect(made.status, made.text).toBe(201);
  const tested = await gateway.manage('POST', `/endpoints/${made.body.data.id}/test`, { event_type: 'sale.completed' });
  expect(tested.status, tested.text).toBe(201);
  await expect.poll(() => gateway.store.count('attempts')).toBe(1);
  const attempts = await gateway.store.list('attempts');
  expect(attempts).toMatchObject([
    {
      response_status: 500,
      response_headers: {
        'x-auth-token': '[redacted]',
        'set-cookie': ['[redacted]', '[redacted]'],
        location: '/x?iban=[redacted]',
      },
      response_body: '{"error":"no","debug":"{\\"db_password\\":\\"[redacted]\\"}","token":"[redacted]',
    },
  ]);
  expect(JSON.stringify(attempts) + lines.join('')).not.toContain(secret);
});
