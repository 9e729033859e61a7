import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Redaction, redacted, standardRedaction } from '../../gateway/base/redact.ts';
import { forAll } from '../for-all.ts';

const body = (text: string) => standardRedaction.text(text);

test.each([
  ['JSON', '{"api_key":"pk_1","api_secret":"sk_2"}', `{"api_key":"pk_1","api_secret":"${redacted}"}`],
  ['an object under a secret name', '{"a":1,"apiSecret":{"b":"sk_2"},"c":3}', `{"a":1,"apiSecret":"${redacted}","c":3}`],
  ['an object that describes a secret and holds it', '{"token":{"name":"a","plain":"t"}}', `{"token":"${redacted}"}`],
  ['a number', '{"pin": 1234, "amount": 5}', `{"pin": "${redacted}", "amount": 5}`],
  ['JSON in JSON', '{"log":"{\\"token\\":\\"abc\\",\\"a\\":1}"}', `{"log":"{\\"token\\":\\"${redacted}\\",\\"a\\":1}"}`],
  ['single quotes', "{'passwd': 'abc', 'a': 1}", `{'passwd': '${redacted}', 'a': 1}`],
  ['a form', 'a=1&clientSecret=abc&b=2', `a=1&clientSecret=${redacted}&b=2`],
  ['an escaped name', '/x?api%5Fsecret=abc&q=1', `/x?api%5Fsecret=${redacted}&q=1`],
  ['JSON in a form', 'p=%7B%22token%22%3A%22abc%22%7D&q=1', `p=%7B%22token%22%3A%22${redacted}%22%7D&q=1`],
  ['a header line', 'Host: a\r\nAuthorization: Bearer abc\r\nA: b', `Host: a\r\nAuthorization: Bearer ${redacted}\r\nA: b`],
  ['XML', '<a><password>abc</password><b>1</b></a>', `<a><password>${redacted}</password><b>1</b></a>`],
  ['a URL with a password', '{"url":"https://user:abc@host/x"}', `{"url":"https://user:${redacted}@host/x"}`],
  ['a password before an IPv6 address', 'http://user:abc@[::1]:26310', `http://user:${redacted}@[::1]:26310`],
  ['a password that was cut', 'at http://user:abc:12', `at http://user:${redacted}`],
  ['a name within a name', '{"stripe_secret_key":"abc"}', `{"stripe_secret_key":"${redacted}"}`],
  ['a value cut within', '{"a":1,"token":"ab', `{"a":1,"token":"${redacted}`],
])('the secret is removed, the rest stays: %s', (_what, text, shown) => {
  expect(body(text)).toBe(shown);
});

test.each([
  '{"token_type":"Bearer","secret_ids":["sec_1"],"token":null,"expires_in":3600}',
  '{"message":"The value of \\"total\\" must be a number; 5 < 7 & 8 > 6: \\u00e9t\\u00e9 100 %"}',
  '/cohesion/api/v1/indicateurs?annee=2026&from=2026-11-21T10%3A00%3A00Z',
  'https://host:8080/x',
  'http://host:8080',
  'Nothing answers at http://host:8080.',
  'http://[::1]:26310',
  'http://[fd00::A]',
  '{"url":"http://[::1]:26310"}',
  'http%3A%2F%2F%5B%3A%3A1%5D%3A26310',
  'Nothing answers at http://[::ffff:127.0.0.1]:26310.',
  '{"token":{"name":"till","abilities":["read:stats"],"last_used_at":null},"user":{"id":1}}',
  '',
])('text without secrets stays as it is: %s', (text) => {
  expect(body(text)).toBe(text);
});

test('headers keep the scheme but not the token; headers with any secret name are redacted', () => {
  const given = {
    authorization: 'Bearer abc',
    'api-key': 'abc',
    'x-auth-token': ['abc', 'def'],
    accept: '*/*',
    referer: '/x?sid=abc',
  };
  const shown = { authorization: `Bearer ${redacted}`, 'api-key': redacted, 'x-auth-token': [redacted, redacted] };
  expect(standardRedaction.headers(given)).toEqual({ ...shown, accept: '*/*', referer: `/x?sid=${redacted}` });
  const plain = { accept: '*/*', host: '127.0.0.1:8080' };
  expect(standardRedaction.headers(plain)).toBe(plain);
});

test('settings add secret names, and names whose values are masked but for the last two characters', () => {
  const redaction = new Redaction({ secret: ['IBAN'], masked: ['phone'] });
  expect(redaction.text('{"customer_phone":"+225 07 00 12 34","iban":"CI93"}')).toBe(
    `{"customer_phone":"+*** ** ** ** 34","iban":"${redacted}"}`,
  );
  expect(redaction.headers({ 'x-phone': '0700001234' })).toEqual({ 'x-phone': '********34' });
});

test('a text with too many layers of escapes is not kept', () => {
  let text = '{"token":"abc"}';
  for (let layer = 0; layer < 30; layer++) text = encodeURIComponent(text);
  expect(body(text)).toBe(redacted);
});

test('adversarial texts take time in proportion to their length: a quadratic scan of these would take minutes', () => {
  const redaction = new Redaction({ masked: ['phone'] });
  for (const piece of ['token:', 'token="', '"token":{', '\\"', '%25', 'phone: ', '"":', ' :', '<token>', '://a:'])
    expect(redaction.text(piece.repeat(300_000 / piece.length))).toBeTypeOf('string');
});

/** Stands in every secret. No encoding changes it. */
const marker = 'Q7x9Zk';
const secret = fc
  .array(
    fc.constantFrom(
      '"',
      "'",
      '\\',
      '&',
      '=',
      ':',
      ' ',
      ',',
      ';',
      '}',
      ']',
      '{',
      '[',
      '%',
      '+',
      '/',
      '\n',
      'é',
      '<',
      '>',
      'a',
      '\\"',
    ),
    {
      maxLength: 6,
    },
  )
  .map((between) => `${marker}${between.join(marker)}${marker}`);

const words = [
  ['secret'],
  ['api', 'secret'],
  ['client', 'secret'],
  ['token'],
  ['access', 'token'],
  ['x', 'auth', 'token'],
  ['password'],
  ['passwd'],
  ['pwd'],
  ['api', 'key'],
  ['x', 'api', 'key'],
  ['private', 'key'],
  ['authorization'],
  ['credential'],
  ['cookie'],
  ['session', 'id'],
  ['auth'],
  ['otp'],
  ['mot', 'de', 'passe'],
  ['db', 'password', '2'],
  ['new', 'secret', 'value'],
  ['iban'],
]; // prettier-ignore
const upperFirst = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const spellings: ((parts: string[]) => string)[] = [
  (parts) => parts.join('_'),
  (parts) => parts.join('-'),
  (parts) => parts.map(upperFirst).join('-'),
  (parts) => parts.join('_').toUpperCase(),
  (parts) => parts.map(upperFirst).join(''),
  (parts) => [parts[0], ...parts.slice(1).map(upperFirst)].join(''),
  (parts) => parts.join('.'),
];
const name = fc.tuple(fc.constantFrom(...words), fc.constantFrom(...spellings)).map(([parts, spell]) => spell(parts));

const percented = (text: string) => [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');
const unicoded = (text: string) => [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** Texts that hold a secret under a name. */
const placed = fc
  .record({ name, secret, around: fc.jsonValue({ maxDepth: 2 }), other: fc.string({ maxLength: 10 }), where: fc.nat(11) })
  .map(({ name, secret, around, other, where }) => {
    const form = `a=${encodeURIComponent(other.toWellFormed())}&${name}=${encodeURIComponent(secret)}&z=1`;
    const json = JSON.stringify({ around, list: [{ [name]: secret, other }] });
    const oneLine = secret.replaceAll('\n', ' ');
    return [
      json,
      JSON.stringify([around, { [name]: [secret, { deep: secret }] }], null, 2),
      JSON.stringify({ [name]: { around, value: secret } }),
      form,
      form.replace(`${name}=`, `${percented(name)}=`),
      json.replace(`"${name}":`, `"${unicoded(name)}" : `),
      `{'a': 1, '${name}': '${secret.replace(/['\\]/g, '\\$&')}', 'other': 'x'}`,
      `${name}: ${oneLine.replaceAll('"', '')}\nother: x`,
      `/path?${form}`,
      `<r><${name}>${secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}></r>`,
      `user[${name}]=${encodeURIComponent(secret)}`,
      `${name}="${oneLine.replace(/["\\]/g, '\\$&')}" user=1`,
    ][where] as string;
  });

/** Ways to put a text into another one. */
const wrappings: ((text: string) => string)[] = [
  (text) => JSON.stringify({ payload: text, next: 1 }),
  (text) => JSON.stringify({ payload: text, next: 1 }).replaceAll('\\"', '\\u0022'),
  (text) => `payload=${encodeURIComponent(text)}&next=1`,
  (text) => `<pre>${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}</pre>`,
  (text) => `It's: ${text}`,
];
const redaction = new Redaction({ secret: ['iban'], masked: ['phone'] });

test('a secret under a name of the list never stays: any spelling, place, nesting and cut', () => {
  const nested = fc.tuple(
    placed,
    fc.array(fc.constantFrom(...wrappings), { maxLength: 3 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  forAll(Number(process.env.RUNS ?? 1000), [nested], ([text, wraps, part]) => {
    const whole = wraps.reduce((inner, wrap) => wrap(inner), text);
    for (const given of [whole, whole.slice(0, Math.ceil(whole.length * part))])
      expect(redaction.text(given), given).not.toContain(marker);
  });
});

test('a secret in a header never stays: any spelling, one value or several', () => {
  forAll(100, [name, secret, fc.boolean()], (name, secret, several) => {
    const shown = redaction.headers({
      [name.toLowerCase()]: several ? ['a', secret] : secret,
      referer: `/x?${name}=${encodeURIComponent(secret)}`,
    });
    expect(JSON.stringify(shown)).not.toContain(marker);
  });
});

test('any text can be redacted, and redacting it again changes nothing that matters', () => {
  forAll(100, [fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.webUrl({ withQueryParameters: true }))], (text) => {
    expect(typeof redaction.text(redaction.text(text))).toBe('string');
  });
});
