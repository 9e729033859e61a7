import { expect, test } from 'vitest';
import { withoutSecrets } from '../../gateway/webhooks/endpoints/credentials.ts';
import { unsent } from '../../gateway/webhooks/sending/exchange.ts';
import { until } from '../webhooks/harness.ts';
import { receiver } from '../webhooks/receiver.ts';
import { openWorld } from './webhook-world.ts';

const credentials = { headers: { 'X-Shop-Key': 'shop-key-of-aya' }, basic: { username: 'aya', password: 'passe:partout 1' } };
const shown = { headers: { 'X-Shop-Key': null }, basic: { username: 'aya', password: null } };
const basicValue = Buffer.from('aya:passe:partout 1').toString('base64');

/** A gateway, an account with an endpoint that has credentials, and a receiver that repeats the headers that it got. */
async function openShop() {
  const world = await openWorld();
  const echo = await receiver((response, { headers }) =>
    response.writeHead(200, { 'x-seen': headers.authorization }).end(`You sent ${JSON.stringify(headers)}`),
  );
  const aya = await world.account('Aya');
  const made = await aya.data('POST', '/endpoints', { url: echo.url, credentials });
  return { ...world, aya, echo, made };
}

test('a receiver gets the headers and the basic authentication that it asks for, and no record has them', async () => {
  const { gateway, aya, echo, made } = await openShop();
  expect(made.credentials).toEqual(shown);
  const outcome = await aya.call('POST', `/endpoints/${made.id}/verify`);
  expect(outcome.body.data).toMatchObject({ verified: true });
  expect(echo.received[0]?.headers).toMatchObject({
    'x-shop-key': 'shop-key-of-aya',
    authorization: `Basic ${basicValue}`,
    'webhook-id': expect.stringMatching(/^evt_/),
  });
  const [delivery] = (await aya.data('GET', '/deliveries')) as { id: string }[];
  const { attempts_made } = await until(async () => {
    const read = await aya.data('GET', `/deliveries/${delivery?.id}`);
    expect(read.attempts_made).toHaveLength(1);
    return read;
  });
  expect(attempts_made[0]).toMatchObject({
    request_headers: { 'X-Shop-Key': '[redacted]', authorization: '[redacted]' },
    response_headers: { 'x-seen': 'Basic [redacted]' },
    response_body: expect.stringContaining('"x-shop-key":"[redacted]"'),
  });
  const rows = await Promise.all(
    (['endpoints', 'attempts', 'audit', 'calls'] as const).map((table) => gateway.store.list(table as 'endpoints')),
  );
  const texts = [JSON.stringify(rows), outcome.text, (await gateway.manage('GET', '/audit')).text];
  for (const secret of ['shop-key-of-aya', 'passe:partout', basicValue])
    for (const text of texts) expect(text.includes(secret), secret).toBe(false);
});

test('a change keeps the values that are null, and sends none of them to another host', async () => {
  const { aya, at, echo, made } = await openShop();
  const path = `/endpoints/${made.id}`;
  const refusalOf = async (body: object) => {
    const reply = await aya.call('PATCH', path, body);
    return [reply.status, reply.body.error?.details?.[0]?.field, reply.body.error?.details?.[0]?.rule];
  };
  const more = { ...shown, headers: { 'x-shop-key': null, 'X-Branch': '7' } };
  expect((await aya.data('PATCH', path, { credentials: more })).credentials.headers).toEqual({
    'x-shop-key': null,
    'X-Branch': null,
  });
  await aya.data('PATCH', path, { url: `${echo.url}/other`, description: 'same host' });
  await aya.data('POST', `${path}/verify`);
  expect(echo.received.at(-1)?.headers).toMatchObject({
    'x-shop-key': 'shop-key-of-aya',
    'x-branch': '7',
    authorization: `Basic ${basicValue}`,
  });

  const elsewhere = at('/aya');
  expect(await refusalOf({ url: elsewhere })).toEqual([400, 'credentials', 'credentials_needed']);
  expect(await refusalOf({ url: elsewhere, credentials: shown })).toEqual([
    400,
    'credentials.headers.X-Shop-Key',
    'value_missing',
  ]);
  expect(await refusalOf({ credentials: { headers: { 'X-New': null } } })).toEqual([
    400,
    'credentials.headers.X-New',
    'value_missing',
  ]);
  expect(await aya.data('PATCH', path, { url: elsewhere, credentials: null })).toMatchObject({ credentials: null });
});

test('an answer that seems to repeat a credential is recorded, whatever its characters are', () => {
  // The JSON of a line feed is a backslash and an n, which belongs to no credential.
  const answer = {
    ...unsent('status', 'key "a\\b" is wrong'),
    headers: { 'x-seen': ['nabcdef', 'else'] },
    body: '\nabcdef, nabcdef',
  };
  expect(withoutSecrets(answer, { headers: {}, secrets: ['nabcdef', 'key "a\\b"'] })).toMatchObject({
    error: '[redacted] is wrong',
    headers: { 'x-seen': ['[redacted]', 'else'] },
    body: '\nabcdef, [redacted]',
  });
});

test.each([
  [{ headers: { 'Webhook-Id': 'x' } }, 'reserved_header'],
  [{ headers: { 'x-service-signature': 'x' } }, 'reserved_header'],
  [{ headers: { 'Transfer-Encoding': 'chunked' } }, 'reserved_header'],
  [{ headers: { Authorization: 'Bearer x' }, basic: { username: 'a', password: 'b' } }, 'reserved_header'],
  [{ headers: { 'X Key': 'x' } }, 'header_name'],
  [{ headers: { 'X-Key': 'x', 'x-key': 'y' } }, 'repeated'],
  [{ headers: Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`X-${at}`, 'x'])) }, 'too_many'],
  [{ headers: { 'X-Key': 'a\r\nX-Other: b' } }, 'invalid_format'],
  [{ headers: { 'X-Key': '' } }, 'too_small'],
  [{ basic: { username: 'a:b', password: 'x' } }, 'invalid_format'],
  [{ bearer: 'x' }, 'unknown_field'],
])('credentials %j are refused: %s', async (given, rule) => {
  const { account, at } = await openWorld();
  const aya = await account('Aya');
  const { status, body } = await aya.call('POST', '/endpoints', { url: at('/aya'), credentials: given });
  expect([status, body.error.details[0].rule]).toEqual([400, rule]);
});
