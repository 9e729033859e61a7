import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactBody, redacted, redactHeaders, redactPath } from '../../gateway/http/record/redact.ts';

test('the values of secret fields are removed from JSON, the rest stays', () => {
  expect(redactBody('{"api_key":"pk_1","api_secret":"sk_2"}')).toBe(`{"api_key":"pk_1","api_secret":"${redacted}"}`);
  expect(redactBody('{"token":{"name":"a till"}}')).toBe('{"token":{"name":"a till"}}');
});

test.each([
  ['cut inside the value', '{"api_secret":"sk_very'],
  ['a name behind an escape', '{"api_\\u0073ecret":"sk_very"}'],
  ['an escaped quote in the value', '{"api_secret":"sk_\\"sk_very"}'],
  ['not a string', '{"api_secret":["sk_very"],"token":12345678}'],
  ['a form', 'api_key=a&api_secret=sk_very'],
  ['other case and spelling', '{"ApiSecret" : "sk_very"}'],
  ['malformed', '{"api_secret": "sk_very",,}'],
])('a secret does not stay: %s', (_what, body) => {
  expect(redactBody(body)).not.toMatch(/sk_very|12345678/);
});

test('secrets in JSON that is nested too deeply to serialize are redacted too', () => {
  const deep = `${'['.repeat(50_000)}{"api_\\u0073ecret":"sk_very"}${']'.repeat(50_000)}`;
  expect(redactBody(deep)).not.toContain('sk_very');
});

test('headers keep the scheme but not the token; secrets in a query string are redacted', () => {
  expect(redactHeaders({ authorization: 'Bearer abc', cookie: 'a=b', accept: '*/*' })).toEqual({
    authorization: `Bearer ${redacted}`,
    cookie: redacted,
    accept: '*/*',
  });
  expect(redactPath('/x?token=abc&q=1')).toBe(`/x?token=${redacted}&q=1`);
});

test('a secret in a field is never recorded, whatever surrounds it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('api_secret', 'secret', 'token', 'password'), (around, name) => {
      const secret = 'S3CRET-9f8e7d';
      const recorded = redactBody(JSON.stringify({ around, deep: [{ [name]: secret }] }));
      expect(recorded).not.toContain(secret);
    }),
  );
});
