import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { Headers as UndiciHeaders } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newSigningSecret, signatureHeaders } from '../../gateway/webhooks/sending/sign.ts';
import { type Reason, type ReceivedHeaders, type VerifyOptions, verifySignature } from '../../receivers/verify-signature.ts';
import { forAll } from '../for-all.ts';

const nowMs = 1_770_000_000_500;
const secret = newSigningSecret();
const body = '{"event":"sale.completed","ville":"Bouaké"}';

function sign(text = body, { secrets = [secret], atMs = nowMs, eventId = 'evt_1' } = {}): Record<string, string> {
  return signatureHeaders({ eventId, body: text, atMs, secrets, headerName: 'X-SERVICE-Signature' });
}

/** Only the documented header, without those of Standard Webhooks. */
function signService(text = body, secrets = [secret]): Record<string, string> {
  return { 'X-SERVICE-Signature': sign(text, { secrets })['X-SERVICE-Signature'] as string };
}

function reason(
  rawBody: Parameters<typeof verifySignature>[0],
  headers: ReceivedHeaders,
  secrets: string | readonly string[] = secret,
  options: VerifyOptions = {},
): Reason | null {
  const checked = verifySignature(rawBody, headers, secrets, { now: () => nowMs, ...options });
  return checked.valid ? null : checked.reason;
}

test('a request of the gateway is valid; the result names the headers and whether the time was checked', () => {
  const now = () => nowMs;
  expect(verifySignature(body, sign(), secret, { now })).toEqual({
    valid: true,
    scheme: 'standard-webhooks',
    replayChecked: true,
    webhookId: 'evt_1',
  });
  expect(verifySignature(body, signService(), secret, { now })).toEqual({
    valid: true,
    scheme: 'service-signature',
    replayChecked: false,
    webhookId: null,
  });
});

test('a body is text or bytes; headers are a record in any case, of lists too, or Headers', () => {
  const headers = Object.entries(sign());
  expect(reason(new TextEncoder().encode(body), sign())).toBeNull();
  expect(reason(body, new Headers(sign()))).toBeNull();
  expect(reason(body, Object.fromEntries(headers.map(([name, value]) => [name.toUpperCase(), value])))).toBeNull();
  expect(reason(body, Object.fromEntries(headers.map(([name, value]) => [name, [value]])))).toBeNull();
  expect(reason(body, { ...signService(), 'webhook-id': undefined, 'webhook-timestamp': [] })).toBeNull();
});

test.each<[string, (headers: Record<string, string>) => unknown]>([
  ['Headers of the package undici', (headers) => new UndiciHeaders(headers)],
  ['a Map', (headers) => new Map(Object.entries(headers))],
  ['pairs', (headers) => Object.entries(headers)],
  ['raw headers of Node', (headers) => Object.entries(headers).flat()],
  ['an object with `get` only', (headers) => ({ get: (name: string) => new Headers(headers).get(name) })],
  ['an object of another realm', (headers) => runInNewContext('new Map(pairs)', { pairs: Object.entries(headers) })],
])('headers are read from %s', (_, form) => {
  for (const headers of [sign(), signService()]) {
    expect(reason(body, form(headers) as ReceivedHeaders)).toBeNull();
    expect(reason(`${body} `, form(headers) as ReceivedHeaders)).toBe('wrong_signature');
  }
});

test('an ArrayBuffer and bytes of another realm are bytes', () => {
  const bytes = new TextEncoder().encode(body);
  expect(reason(bytes.buffer, sign())).toBeNull();
  expect(reason(runInNewContext('Uint8Array.from(bytes)', { bytes: [...bytes] }), sign())).toBeNull();
});

/** Whatever a caller without types may pass. */
const anyValue = [
  undefined,
  null,
  true,
  5,
  5n,
  '',
  Symbol('x'),
  [],
  [[]],
  [null],
  {},
  { get: null },
  () => {},
  new Map(),
  Number.NaN,
  Object.create(null),
  [Object.create(null)],
  new Proxy({}, { get: fail, getOwnPropertyDescriptor: fail, has: fail, ownKeys: fail }),
];

function fail(): never {
  throw new Error('not to be read');
}

test('a wrong or missing argument has a reason, and nothing is thrown', () => {
  const given = { body, headers: sign(), secrets: secret, options: { now: () => nowMs } };
  const checked = (wrong: Record<string, unknown>) => {
    const call = { ...given, ...wrong };
    return verifySignature(call.body, call.headers, call.secrets, call.options as VerifyOptions);
  };
  for (const value of anyValue) {
    for (const name of ['body', 'headers', 'secrets'])
      expect(checked({ [name]: value }).valid, `${name}: ${inspect(value)}`).toBe(false);
    for (const name of ['toleranceSeconds', 'now', 'signatureHeader'])
      expect(checked({ options: { now: () => nowMs, [name]: value } }), `${name}: ${inspect(value)}`).toHaveProperty('valid');
    expect(checked({ options: value }), `options: ${inspect(value)}`).toHaveProperty('valid');
    for (const name of ['webhook-id', 'Webhook-Timestamp', 'webhook-signature', 'other'])
      for (const given of [{ ...sign(), [name]: value }, [...Object.entries(sign()), [value, name], [name, value]]])
        expect(checked({ headers: given }), `${name}: ${inspect(value)}`).toHaveProperty('valid');
  }
  expect(checked({ headers: undefined })).toMatchObject({ reason: 'missing_header' });
  expect(checked({ secrets: undefined })).toMatchObject({ reason: 'unusable_secret' });
  for (const wrong of [JSON.parse(body), undefined]) expect(checked({ body: wrong })).toMatchObject({ reason: 'body_not_raw' });
});

test.each<[string, Record<string, unknown>]>([
  ['a time that is a bigint', { now: () => 10n }],
  ['a time that is a symbol', { now: () => Symbol('now') }],
  ['no time', { now: () => undefined }],
  ['a time that throws', { now: fail }],
  ['a time that is no function', { now: nowMs }],
  ['a tolerance in quotes', { toleranceSeconds: '300' }],
  ['no tolerance', { toleranceSeconds: null }],
  ['a tolerance below 0', { toleranceSeconds: -1 }],
  ['a tolerance that is no number', { toleranceSeconds: Number.NaN }],
  ['a header without a text', { signatureHeader: Object.create(null) }],
  ['a header without a name', { signatureHeader: '' }],
])('%s is an unusable option, which the message names', (_, options) => {
  const checked = verifySignature(body, sign(), secret, { now: () => nowMs, ...options } as VerifyOptions);
  expect(checked).toMatchObject({ valid: false, reason: 'unusable_option' });
  expect(checked).toMatchObject({ message: expect.stringMatching(`^${Object.keys(options)[0]} must be`) });
});

test('bytes that were transferred are no body, and headers that throw or have no text are none', () => {
  const { buffer } = new TextEncoder().encode(body);
  const view = new Uint8Array(buffer);
  structuredClone(buffer, { transfer: [buffer] });
  expect(reason(buffer, sign())).toBe('body_not_raw');
  expect(reason(view, sign())).toBe('body_not_raw');
  expect(reason(body, { get: fail })).toBe('missing_header');
  expect(reason(body, { 'webhook-id': new Proxy<string[]>([], { get: fail }) })).toBe('missing_header');
  expect(reason(body, new Map([['webhook-id', Object.create(null)]]))).toBe('missing_header');
  expect(reason(body, { ...sign(), 'webhook-id': Object.create(null) })).toBe('malformed_header');
});

test('bytes that are not UTF-8 are verified unchanged', () => {
  const bytes = Uint8Array.of(0x7b, 0xff, 0xfe, 0x00, 0x7d);
  const given = `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`;
  expect(reason(bytes, { 'x-service-signature': given })).toBeNull();
  expect(reason(Buffer.from(bytes).toString(), { 'x-service-signature': given })).toBe('wrong_signature');
});

const anySecret = fc.uint8Array({ minLength: 1, maxLength: 64 }).map((key) => `whsec_${Buffer.from(key).toString('base64')}`);
const anyBody = fc.string({ unit: 'binary', maxLength: 200 });

test('any body and secret verify with either scheme; any changed byte of the body is refused', () => {
  forAll(100, [anyBody, anySecret, fc.nat(), fc.integer({ min: 1, max: 255 })], (text, key, place, flip) => {
    const standard = sign(text, { secrets: [key] });
    const service = signService(text, [key]);
    const bytes = Buffer.from(text);
    expect(reason(bytes, standard, key)).toBeNull();
    expect(reason(bytes, service, key)).toBeNull();
    const changed = Buffer.concat([bytes, Buffer.alloc(bytes.length === 0 ? 1 : 0)]);
    const at = place % changed.length;
    changed[at] = (changed[at] as number) ^ flip;
    expect(reason(changed, standard, key)).toBe('wrong_signature');
    expect(reason(changed, service, key)).toBe('wrong_signature');
    expect(reason(Buffer.concat([bytes, Buffer.from('\n')]), standard, key)).toBe('wrong_signature');
  });
});

test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature', 'X-SERVICE-Signature'])(
  'any changed character of %s is refused',
  (name) => {
    const headers = name === 'X-SERVICE-Signature' ? signService() : sign();
    const value = headers[name] as string;
    forAll(100, [fc.nat(value.length - 1), fc.string({ minLength: 1, maxLength: 1 })], (at, character) => {
      fc.pre(value[at] !== character);
      const changed = value.slice(0, at) + character + value.slice(at + 1);
      expect(reason(body, { ...headers, [name]: changed })).not.toBeNull();
    });
  },
);

test.each<[secondsAgo: number, Reason | null]>([
  [300, null],
  [301, 'timestamp_too_old'],
  [-300, null],
  [-301, 'timestamp_too_new'],
])('signed %d seconds ago: %s', (secondsAgo, expected) => {
  expect(reason(body, sign(body, { atMs: nowMs - secondsAgo * 1000 }))).toBe(expected);
});

test('the tolerance is an option', () => {
  const headers = sign(body, { atMs: nowMs - 10_000 });
  expect(reason(body, headers, secret, { toleranceSeconds: 10 })).toBeNull();
  expect(reason(body, headers, secret, { toleranceSeconds: 9 })).toBe('timestamp_too_old');
});

test.each(['soon', '-1', '1e9', '1770000000.5', ' 1770000000', '9'.repeat(400)])('the timestamp %j is malformed', (timestamp) => {
  expect(reason(body, { ...sign(), 'webhook-timestamp': timestamp })).toBe('malformed_header');
});

test('an old timestamp cannot be replaced by a new one', () => {
  const old = sign(body, { atMs: nowMs - 600_000 });
  expect(reason(body, { ...old, 'webhook-timestamp': String(Math.floor(nowMs / 1000)) })).toBe('wrong_signature');
});

test.each<[place: Record<string, string | string[]>, expected: unknown]>([
  [{}, undefined],
  [{ 'webhook-sequence': '1' }, { sequence: 1, previousId: null }],
  [
    { 'webhook-sequence': '17', 'webhook-previous-id': 'evt_0' },
    { sequence: 17, previousId: 'evt_0' },
  ],
  [{ 'webhook-sequence': ['17', '18'] }, undefined],
  [{ 'webhook-sequence': '17', 'webhook-previous-id': ['evt_0', 'evt_1'] }, undefined],
  ...['', '0', 'abc', '-1', '1.5', '9'.repeat(16)].map((sequence): [Record<string, string>, undefined] => [
    { 'webhook-sequence': sequence },
    undefined,
  ]),
])('the place of an ordered endpoint: %j', (place, expected) => {
  const checked = verifySignature(body, { ...sign(), ...place }, secret, { now: () => nowMs });
  expect(checked.valid && checked.place).toEqual(expected);
});

test('the default clock is the machine’s', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  onTestFinished(() => void vi.useRealTimers());
  expect(verifySignature(body, sign(), secret).valid).toBe(true);
  vi.advanceTimersByTime(3_600_000);
  expect(verifySignature(body, sign(), secret).valid).toBe(false);
});

test('in a rotation either secret verifies; after it, the one rotated out no longer does', () => {
  const [newest, old] = [newSigningSecret(), newSigningSecret()];
  const during = sign(body, { secrets: [newest, old] });
  expect(reason(body, during, newest)).toBeNull();
  expect(reason(body, during, old)).toBeNull();
  expect(reason(body, during, [old, newest])).toBeNull();

  const after = sign(body, { secrets: [newest] });
  expect(reason(body, after, old)).toBe('wrong_signature');
  expect(reason(body, signService(body, [newest]), old)).toBe('wrong_signature');
  expect(reason(body, sign(body, { secrets: [old] }), newest)).toBe('wrong_signature');
  // A receiver that knows both secrets accepts deliveries during the whole rotation.
  expect(reason(body, sign(body, { secrets: [old] }), [newest, old])).toBeNull();
  expect(reason(body, signService(body, [old]), [newest, old])).toBeNull();
});

test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
  'without %s, or with it twice, the request is refused despite a valid X-SERVICE-Signature',
  (name) => {
    const headers = sign();
    const value = headers[name] as string;
    expect(reason(body, { ...headers, [name]: undefined })).toBe('missing_header');
    expect(reason(body, { ...headers, [name]: '' })).toBe('malformed_header');
    expect(reason(body, { ...headers, [name]: [value, value] })).toBe('malformed_header');
    expect(reason(body, { ...headers, [name.toUpperCase()]: value })).toBe('malformed_header');
  },
);

test('a signature in another version, or for another scheme, does not count', () => {
  const headers = sign();
  const v1 = headers['webhook-signature'] as string;
  expect(reason(body, { ...headers, 'webhook-signature': v1.replace('v1,', 'v2,') })).toBe('malformed_header');
  expect(reason(body, { ...headers, 'webhook-signature': `v1a,${v1.slice(3)} ${v1}` })).toBeNull();
});

test('text of the body cannot pass as the id', () => {
  const text = '{"a":".1770000000.","b":1}';
  const headers = sign(text);
  const [before, after] = text.split('.1770000000.') as [string, string];
  const moved = {
    ...headers,
    'webhook-id': `evt_1.${headers['webhook-timestamp']}.${before}`,
    'webhook-timestamp': '1770000000',
  };
  expect(reason(after, moved)).toBe('malformed_header');
});

test('a missing or malformed signature is rejected with a reason', () => {
  expect(reason(body, {})).toBe('missing_header');
  expect(reason(body, { 'x-service-signature': 'sha256=' })).toBe('malformed_header');
  const hex = signService()['X-SERVICE-Signature']?.slice('sha256='.length);
  expect(reason(body, { 'x-service-signature': hex })).toBe('malformed_header');
  expect(reason(body, { 'x-service-signature': [`sha256=${hex}`, `sha256=${hex}`] })).toBe('malformed_header');
});

test('the documents’ header may have another name', () => {
  const headers = { 'X-Other': signService()['X-SERVICE-Signature'] };
  expect(reason(body, headers)).toBe('missing_header');
  expect(reason(body, headers, secret, { signatureHeader: 'X-OTHER' })).toBeNull();
});

test.each(['', 'whsec_', `${secret}\n`, ` ${secret}`])(
  'the secret %j is rejected, even if the signature was made with it',
  (wrong) => {
    const signed = `evt_1.${Math.floor(nowMs / 1000)}.${body}`;
    const forged = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(nowMs / 1000)),
      'webhook-signature': `v1,${createHmac('sha256', '').update(signed).digest('base64')}`,
    };
    const service = `sha256=${createHmac('sha256', wrong).update(body).digest('hex')}`;
    expect(reason(body, forged, wrong)).toBe('unusable_secret');
    expect(reason(body, { 'x-service-signature': service }, wrong)).toBe('unusable_secret');
  },
);

test('without a secret everything is rejected; text that is not base64 cannot be a Standard Webhooks key', () => {
  expect(reason(body, sign(), [])).toBe('unusable_secret');
  expect(reason(body, signService(), [])).toBe('unusable_secret');
  expect(reason(body, sign(), 'not base64!')).toBe('unusable_secret');
  expect(reason(body, signService(body, ['not base64!']), 'not base64!')).toBeNull();
});

test('without its whsec_ a secret still verifies webhook-signature, but is another key for X-SERVICE-Signature', () => {
  const bare = secret.slice('whsec_'.length);
  expect(reason(body, sign(), bare)).toBeNull();
  expect(reason(body, signService(), bare)).toBe('wrong_signature');
});

test('no invalid request throws or passes', () => {
  const names = fc.constantFrom('webhook-id', 'Webhook-Timestamp', 'webhook-signature', 'X-SERVICE-Signature', '__proto__');
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.string()),
    fc.constant(undefined),
    fc.constant('v1,é sha256='),
  );
  forAll(100, [fc.dictionary(names, value), anyBody], (headers, text) => {
    expect(reason(text, headers)).not.toBeNull();
  });
});
