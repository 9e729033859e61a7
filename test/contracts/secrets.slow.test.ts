import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparePacts } from '../../contracts/tools/comparison/compare.ts';
import { comparisonReport } from '../../contracts/tools/comparison/report.ts';
import { coverPacts } from '../../contracts/tools/coverage/pacts.ts';
import { textReport as textOf } from '../../contracts/tools/reports/text.ts';
import { Hider, secretsIn } from '../../contracts/tools/secrets.ts';
import type { InteractionResult, Problem, Verification } from '../../contracts/tools/verification/result.ts';
import { forAll } from '../for-all.ts';
import { v4, verifyPact } from './pact-files.ts';
import { http, sale, version4 } from './pacts.ts';
import { interaction, jsonReport, junitReport, markdownReport, textReport, verification } from './verifications.ts';

const reports: Readonly<Record<string, (one: Verification) => string>> = {
  text: (one) => textReport(one, { width: 4000, colors: false }),
  json: (one) => jsonReport([one]),
  junit: (one) => junitReport([one]),
  markdown: markdownReport,
};

const aName = fc.constantFrom(
  ...['token', 'access_token', 'apiSecret', 'X-Api-Key', 'password', 'client_secret', 'Authorization', 'jeton', 'Set-Cookie'],
);
/** Letters and digits only, which no report escapes; `s` and `z` keep it from being a number or a word of the reports. */
const alphanumeric = fc
  .string({ unit: fc.constantFrom(...'abcXYZ0123456789'), minLength: 10, maxLength: 40 })
  .map((text) => `s${text}z`);

/** Places that hold a secret under its name. Each finds it everywhere else in the interaction. */
const places: Readonly<Record<string, (name: string, secret: string) => Partial<InteractionResult>>> = {
  'a header of the request': (name, secret) => exchange({ headers: { [name]: secret } }),
  'a bearer token': (_, secret) => exchange({ headers: { authorization: `Bearer ${secret}` } }),
  'the query': (name, secret) => exchange({ query: new URLSearchParams({ q: 'x', [name]: secret }).toString() }),
  'a body': (name, secret) => exchange({ body: JSON.stringify({ data: [{ [name]: secret }] }) }),
  'a form': (name, secret) => exchange({ body: `a=b&${name}=${secret}` }),
  'the reply': (name, secret) => ({
    exchange: { reply: { status: 200, headers: {}, body: JSON.stringify({ [name]: secret }) } },
  }),
  'a message': (name, secret) => ({
    exchange: { message: { metadata: { [name]: secret }, body: JSON.stringify({ [name]: secret }) } },
  }),
  'a parameter of a state': (name, secret) => ({
    states: [{ name: 'a user', params: { [name]: secret, list: [{ [name]: secret }] } }],
  }),
};
const exchange = (changes: object): Partial<InteractionResult> => ({
  exchange: { request: { method: 'POST', path: '/x', query: '', headers: {}, body: '', ...changes } },
});

/** Texts in which the verifier and providers repeat a value without its name. */
const repeated = (name: string, secret: string): Partial<InteractionResult> => ({
  description: `a call with ${secret}`,
  source: `pacts/${secret}.json`,
  problems: [
    { kind: 'body', path: `$.data['${name}']`, expected: `"${secret}"`, actual: '1', message: `Expected '${secret}' to equal 1` },
    { kind: 'body', path: '$', expected: JSON.stringify({ [name]: secret }), actual: `x ${secret} y`, message: secret },
    { kind: 'header', path: name, expected: secret, actual: `Bearer ${secret}`, message: `Mismatch with '${name}': ${secret}` },
    { kind: 'state', message: `The state "a user" could not be set up: ${secret} is no user` },
  ],
});

test('no report shows a secret, wherever it stands in an interaction', () => {
  forAll(100, [aName, alphanumeric, fc.constantFrom(...Object.keys(places))], (name, secret, place) => {
    const found = places[place]?.(name, secret) ?? {};
    const raw = interaction({ outcome: 'failed', ...repeated(name, secret), ...found });
    const shown = verification([new Hider(secretsIn({ exchange: raw.exchange, states: raw.states })).interaction(raw)]);
    for (const [report, write] of Object.entries(reports)) expect(write(shown), report).not.toContain(secret);
    expect(new Hider().text(`x Authorization: Bearer ${secret}, y`)).not.toContain(secret);
  });
});

test('a secret of any characters is removed, also if its text is cut off or escaped', () => {
  const any = fc.string({ minLength: 12, maxLength: 60, unit: 'grapheme' }).filter((text) => !/^[\s\p{P}\p{S}]/u.test(text));
  forAll(100, [aName, any], (name, secret) => {
    const raw = interaction({
      outcome: 'failed',
      ...repeated(name, secret),
      states: [{ name: 'a', params: { [name]: secret } }],
    });
    const shown = new Hider([secret]).interaction(raw);
    expect(Object.values(shown.states[0]?.params ?? {})).toEqual([expect.stringContaining('[redacted]')]);
    expect(shown.description).not.toContain(secret);
    expect(shown.problems[0]).toMatchObject({ expected: '[redacted]', message: expect.not.stringContaining(secret) });
  });
});

test('what is not secret stays: the type of a token, a public key, names of events', () => {
  const [states, message] = [[{ name: 'a', params: { api_key: 'pk_live_0123456789' } }], "Expected 'Bearer' but was 'bearer'"];
  const problems: Problem[] = [{ kind: 'body', path: '$.token_type', expected: '"Bearer"', actual: '"bearer"', message }];
  const given = { description: 'a token of type Bearer', problems, states };
  const shown = new Hider(secretsIn({ api_key: 'pk_live_0123456789' })).interaction(interaction(given));
  expect(shown).toMatchObject(given);
});

const token = 'eyJhbGciOi.J9-secret';
test.each([
  [
    `It sends Authorization: Bearer ${token} with every call, and reads the stock.`,
    'It sends Authorization: Bearer [redacted] with every call, and reads the stock.',
  ],
  [
    JSON.stringify({ message: `Send it as "Authorization: Bearer <token>". It lives an hour.`, token }),
    String.raw`{"message":"Send it as \"Authorization: Bearer <token>\". It lives an hour.","token":"[redacted]"}`,
  ],
  [`x Authorization: Bearer ${token}, secret: ${token}`, 'x Authorization: Bearer [redacted], secret: [redacted]'],
  ['Nothing answers at http://127.0.0.1:4010.', 'Nothing answers at http://127.0.0.1:4010.'],
  ['two (http://localhost:8080) and http://host:80!', 'two (http://localhost:8080) and http://host:80!'],
  ['{"api_key":"<API_KEY>","api_secret":"<API_SECRET>"}', '{"api_key":"[redacted]","api_secret":"[redacted]"}'],
  [`http://user:${token}@host:80.`, 'http://user:[redacted]@host:80.'],
  ['postgres://user:12345@host/x.', 'postgres://user:[redacted]@host/x.'],
  [`~ Authorization: Bearer ${token}~ and more: ~`, '~ Authorization: Bearer [redacted] and more: ~'],
])('the end of a sentence, a port and an example stay: %j', (text, shown) => {
  const found = new Hider(secretsIn({ body: text })).interaction(interaction({ description: text, exchange: {} }));
  expect(found.description).toBe(shown);
  expect(found.description).not.toContain(token);
});

test('a live token of the provider is in no report, and neither is what the pact expected', async () => {
  const generated = (name: string) => ({ type: 'ProviderState', expression: name });
  const token = {
    description: 'a token',
    providerStates: [{ name: 'an account with an API key' }],
    request: {
      method: 'POST',
      path: '/api/auth',
      headers: { 'Content-Type': ['application/json'] },
      body: { content: { api_key: 'k', api_secret: 's' }, contentType: 'application/json', encoded: false },
      generators: { body: { '$.api_key': generated('api_key'), '$.api_secret': generated('api_secret') } },
    },
    response: { status: 200, body: { content: { success: true, token: 'eyJhbGciOi.expected.pact', token_type: 'Bearer' } } },
  };
  const { verification: one, recorded } = await verifyPact(v4([token]));
  const [first] = recorded;
  const live = first && 'reply' in first.answer ? (JSON.parse(first.answer.reply.text).token as string) : '';
  expect(live.length).toBeGreaterThan(20);
  expect(one.interactions[0]?.problems.map(({ path }) => path)).toContain('$.token');
  for (const [report, write] of Object.entries(reports))
    for (const secret of [live, 'eyJhbGciOi.expected.pact']) expect(write(one), report).not.toContain(secret);
});

test('compare and coverage show no secret of a pact', async () => {
  const secret = 'live-0123456789abcdef';
  const pacts = [
    version4(
      http({
        description: `reads with ${secret}`,
        path: `/inventory`,
        headers: { 'X-API-Token': [secret], Authorization: [`Basic ${secret}`] },
      }),
      http({ method: 'POST', path: '/sales', body: { ...sale, payment_method: 1, access_token: secret }, status: 201 }),
      http({ path: `/stock?token=${secret}` }),
    ),
  ];
  const comparison = await comparePacts({ provider: 'pos', pacts });
  expect(comparison.findings.length).toBeGreaterThan(2);
  expect(JSON.stringify(comparison)).not.toContain(secret);
  expect(textOf(comparisonReport(comparison), { width: 4000, colors: false })).not.toContain(secret);
  expect(JSON.stringify(coverPacts({ provider: 'pos', pacts }))).not.toContain(secret);
});
