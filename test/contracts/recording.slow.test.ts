import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordedCall, Recording } from '../../contracts/tools/recording/recorded.ts';
import { Hider } from '../../contracts/tools/secrets.ts';
import { states } from '../../contracts/tools/states/register.ts';
import { readPact } from '../../contracts/tools/verification/pact-file.ts';
import { serviceNames } from '../../spec/documents/services.ts';
import { operationsOf } from '../../spec/openapi/operations.ts';
import { forAll } from '../for-all.ts';
import { dashboardRun, type Run, recorded, tillRun, written, writtenPact } from './recordings.ts';

const secret = 'sk_live_8f2b61c07d';

const texts = fc.oneof(fc.string(), fc.constantFrom('', secret, '2026-11-21', '12', 'cash', '+2250700000000', '__proto__'));
const fieldNames = fc.constantFrom(
  'store_id',
  'items',
  'total',
  'api_key',
  'api_secret',
  'reference',
  'amount',
  'statut',
  'type',
  '__proto__',
  'toString',
  'note',
);
const plain = fc.oneof(texts, fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null));
const values = fc.oneof(plain, fc.dictionary(fieldNames, plain));
const bodies = fc.oneof(
  fc.dictionary(fieldNames, fc.oneof(values, fc.array(fc.dictionary(fieldNames, values)))).map((body) => JSON.stringify(body)),
  fc.json(),
  fc.string(),
  fc.constant(''),
);
const paths = serviceNames.flatMap((name) => operationsOf(name).map(({ path }) => path));
const urls = fc
  .tuple(
    fc.oneof(fc.constantFrom(...paths), fc.webPath()),
    fc.dictionary(fc.constantFrom('q', 'page', 'per_page', 'type', 'store_id', 'start_date', 'x'), texts),
    texts,
  )
  .map(([path, query, id]) => `${path.replace(/\{.+\}/, encodeURIComponent(id.toWellFormed()))}?${new URLSearchParams(query)}`);
const anyCall: fc.Arbitrary<RecordedCall> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  url: urls,
  requestHeaders: fc.dictionary(
    fc.constantFrom('authorization', 'accept', 'idempotency-key'),
    fc.oneof(texts, fc.constant(`Bearer ${secret}`)),
  ),
  requestBody: bodies,
  status: fc.constantFrom(0, 200, 201, 204, 302, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503),
  responseHeaders: fc.constantFrom<Record<string, string>>({}, { 'content-type': 'application/json' }),
  responseBody: bodies,
  at: fc.integer(),
});
const anyRecording: fc.Arbitrary<Recording> = fc.record({
  service: fc.constantFrom(...serviceNames),
  calls: fc.array(anyCall, { maxLength: 12 }),
  deliveries: fc.constant([]),
});

describe('any recording', () => {
  test('becomes a valid pact with known states, each interaction under its own name, and without a secret', () => {
    forAll(150, [anyRecording, fc.boolean()], (recording, promiseAll) => {
      const { leftOut } = writtenPact(recording, promiseAll);
      const text = written(recording, promiseAll);
      const { interactions } = readPact(text, 'pact.json');
      const names = interactions.map(({ description }) => description);
      expect(new Set(names).size).toBe(names.length);
      expect(interactions.length + leftOut.length).toBeLessThanOrEqual(recording.calls.length);
      expect(text).not.toContain(secret);
      for (const { name, params } of interactions.flatMap((one) => one.states)) {
        const known = states[recording.service].find((state) => state.name === name);
        expect(known?.params.safeParse(params).error?.message).toBeUndefined();
      }
    });
  });

  test('becomes the same pact in any order of its calls', () => {
    forAll(
      60,
      [
        anyRecording.chain((recording) =>
          fc.tuple(fc.constant(recording), fc.shuffledSubarray(recording.calls, { minLength: recording.calls.length })),
        ),
      ],
      ([recording, calls]) => {
        expect(written({ ...recording, calls })).toBe(written(recording));
      },
    );
  });
});

test('two runs of a suite become one pact, whatever ids, dates, tokens and names they have', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9]{3,12}$/);
  const run: fc.Arbitrary<Run> = fc.record({
    token: word.map((one) => `tok-${one}`),
    key: word,
    secret: word,
    reference: word,
    store: word,
    phone: fc.stringMatching(/^\+225[0-9]{10}$/),
    price: fc.integer({ min: 1, max: 100_000 }),
    id: fc.integer({ min: 1, max: 1_000_000 }),
    year: fc.integer({ min: 2000, max: 2090 }),
    search: word,
    name: word,
  });
  forAll(30, [run, run], (one, other) => {
    expect(written(tillRun(one))).toBe(written(tillRun(other)));
    expect(written(dashboardRun(one), true)).toBe(written(dashboardRun(other), true));
  });
});

const run: Run = {
  token: 'tok',
  key: 'key',
  secret: 'geheim-12345',
  reference: 'S-1',
  store: 'S',
  phone: '+2250700000000',
  price: 100,
  id: 7,
  year: 2026,
  search: 'paix',
  name: 'Comité',
};
const interactionsOf = (recording: Recording, promiseAll = false) =>
  writtenPact(recording, promiseAll).pact.interactions as unknown as {
    description: string;
    providerStates: { name: string }[];
    request: { body?: { content: Record<string, unknown> } };
    response: { status: number; body?: { content: unknown }; matchingRules?: Record<string, Record<string, unknown>> };
  }[];

test('interactions are named in plain words and have the states that recreate them', () => {
  const found = interactionsOf(tillRun(run)).map(({ description, providerStates }) => [
    description,
    providerStates.map(({ name }) => name),
  ]);
  expect(found).toEqual([
    ['create a sale with customer_phone and payment_method cash', ['an access token', 'a store']],
    ['create a sale with payment_method cash, in an unknown store, refused with 404', ['an access token', 'no store']],
    [
      'create a sale with payment_method cash, of which the total is not the sum of the lines, refused with 400',
      ['an access token', 'a store'],
    ],
    ['create a sale with payment_method cash, with an unknown token, refused with 401', []],
    ['current inventory of a store', ['an access token', 'a store']],
    ['obtain an access token', ['an account with an API key']],
    ['obtain an access token, of a known key and a wrong secret, refused with 401', ['an account with an API key']],
    ['process a mobile-money payment with provider orange_money', ['an access token', 'a sale awaiting payment']],
  ]);
});

test('the ids of the demo data, which the OpenAPI document shows, stand in no interaction', () => {
  expect(JSON.stringify(interactionsOf(tillRun(run)))).not.toMatch(/STORE-ABJ|PRD-0/);
});

test('a body that is not an object stays one of its kind, and is named', () => {
  const bodies = ['[1]', '"geheim"', 'null', '7', 'false'];
  const calls = bodies.map((requestBody) => recorded({ method: 'POST', url: '/api/v1/sales', status: 400, requestBody }));
  const found = interactionsOf({ service: 'pos', calls, deliveries: [] });
  expect(Object.fromEntries(found.map(({ description, request }) => [description, request.body?.content]))).toEqual({
    'create a sale with a list as its body, without a token, refused with 400': [],
    'create a sale with a text as its body, without a token, refused with 400': 'unknown',
    'create a sale with null as its body, without a token, refused with 400': null,
    'create a sale with a number as its body, without a token, refused with 400': 1,
    'create a sale with false as its body, without a token, refused with 400': false,
  });
});

test('a request without a body keeps its Content-Type', () => {
  const sale = { method: 'POST', url: '/api/v1/sales', status: 400 };
  const calls = [recorded({ ...sale, requestHeaders: { 'content-type': 'application/json; charset=utf-8' } }), recorded(sale)];
  const found = interactionsOf({ service: 'pos', calls, deliveries: [] });
  expect(found.map(({ description, request }) => [description, request])).toEqual([
    [
      'create a sale with no body but a Content-Type, without a token, refused with 400',
      { method: 'POST', path: '/api/v1/sales', headers: { 'Content-Type': ['application/json'] } },
    ],
    ['create a sale with no body, without a token, refused with 400', { method: 'POST', path: '/api/v1/sales' }],
  ]);
});

test.each([
  ['the refusal quotes the product', '"Store S has no product \\"P\\"."', [], 'of an unknown product'],
  ['the refusal quotes the store alone', '"There is no store S."', [], 'in an unknown store'],
  ['the store is known elsewhere', '""', ['/api/v1/inventory?store_id=S'], 'of an unknown product'],
])('a sale refused with 404 names what is unknown: %s', (_, message, others, words) => {
  const requestHeaders = { authorization: 'Bearer tok' };
  const requestBody = '{"store_id":"S","items":[{"product_id":"P","quantity":1,"price":1}],"payment_method":"cash","total":1}';
  const refusal = { method: 'POST', url: '/api/v1/sales', status: 404, requestBody, responseBody: `{"message":${message}}` };
  const calls = [recorded({ ...refusal, requestHeaders }), ...others.map((url) => recorded({ url, requestHeaders }))];
  const [found] = interactionsOf({ service: 'pos', calls, deliveries: [] });
  expect(found?.description).toBe(`create a sale with payment_method cash, ${words}, refused with 404`);
});

test('a sale is left out if nothing shows whether its store or its product is unknown', () => {
  const requestHeaders = { authorization: 'Bearer tok' };
  const requestBody = '{"store_id":"S","items":[{"product_id":"P","quantity":1,"price":1}],"payment_method":"cash","total":1}';
  const call = recorded({ method: 'POST', url: '/api/v1/sales', status: 404, requestBody, requestHeaders });
  const { leftOut } = writtenPact({ service: 'pos', calls: [call], deliveries: [] });
  expect(leftOut.map(({ reason }) => reason)).toEqual(['nothing shows whether its store or its product is unknown']);
});

test('a date that does not exist stays one, and is named', () => {
  const requestHeaders = { authorization: 'Bearer tok' };
  const url = '/api/v1/reports/sales?store_id=S&start_date=2026-02-31&end_date=2026-03-05';
  const [found] = interactionsOf({ service: 'pos', calls: [recorded({ url, status: 400, requestHeaders })], deliveries: [] });
  expect([found?.description, found?.request]).toEqual([
    'detailed sales report of a store with end_date and a start_date that does not exist, refused with 400',
    expect.objectContaining({ query: { end_date: ['2026-11-21'], start_date: ['2026-02-30'], store_id: ['STORE-1'] } }),
  ]);
});

test('names of fields are short in a description, and on one line', () => {
  const requestBody = JSON.stringify({ 'a\nb': 1, ['x'.repeat(300)]: 1 });
  const call = recorded({ method: 'POST', url: '/api/auth', status: 400, requestBody });
  const [found] = interactionsOf({ service: 'pos', calls: [call], deliveries: [] });
  expect(found?.description).toBe(
    `obtain an access token with the unknown a b, the unknown ${'x'.repeat(48)}…, no api_key and no api_secret, refused with 400`,
  );
});

test('a repeated call under the same Idempotency-Key is listed', () => {
  const requestBody = '{"store_id":"S","items":[{"product_id":"P","quantity":1,"price":1}],"payment_method":"cash","total":1}';
  const under = (key: string) =>
    recorded({
      method: 'POST',
      url: '/api/v1/sales',
      status: 201,
      requestBody,
      requestHeaders: { authorization: 'Bearer tok', 'idempotency-key': key },
    });
  const calls = [under('k-1'), under('k-2'), under('k-1')];
  const { pact, leftOut } = writtenPact({ service: 'pos', calls, deliveries: [] });
  expect(pact.interactions).toHaveLength(1);
  expect(leftOut.map(({ reason }) => reason)).toEqual(['it repeats another call with the same Idempotency-Key']);
});

test.each([
  ['interventions?statut=zzz', { statut: ['unknown'] }, [{ count: 3 }]],
  ['interventions?statut=suspendu', { statut: ['suspendu'] }, [{ count: 3 }]],
  [
    'interventions?statut=suspendu&region=Nowhere',
    { statut: ['en_cours'], region: ['unknown'] },
    [{ count: 3, statut: 'en_cours' }],
  ],
  ['structures?q=zzzzz', { q: ['unknown'] }, [{ count: 3 }]],
  ['structures?page=9999', { page: ['999'] }, [{ count: 3 }]],
  [
    'indicateurs?type=impact&kpi=1',
    { kpi: ['1'], type: ['impact'] },
    [
      { type: 'impact', is_kpi: false },
      { type: 'resultat', is_kpi: true },
    ],
  ],
])('a list that finds nothing has rows that must not be found: %s', (path, query, params) => {
  const requestHeaders = { authorization: 'Bearer tok' };
  const call = recorded({ url: `/api/v1/${path}`, requestHeaders, responseBody: '{"data":[]}' });
  const [found] = interactionsOf({ service: 'cohesion', calls: [call], deliveries: [] });
  const [, ...lists] = found?.providerStates ?? [];
  expect([found?.request, lists]).toMatchObject([{ query }, params.map((one) => ({ params: one }))]);
  expect(found?.description).toContain('that finds nothing');
});

test('no name of an interaction looks like a secret to reports', () => {
  const names = [...interactionsOf(tillRun(run)), ...interactionsOf(dashboardRun(run))].map(({ description }) => description);
  expect(names.map(new Hider().text)).toEqual(names);
});

test('a reply is promised as far as the document shows it: type, form, or the value that it fixes', () => {
  const all = interactionsOf(dashboardRun(run));
  const [filtered] = all.filter(({ description }) => description === 'active indicators with per_page and type impact');
  expect(filtered?.response.matchingRules?.body).toMatchObject({
    '$.data': { matchers: [{ match: 'type', min: 1, max: 2 }] },
    '$.data[*].type': { matchers: [{ match: 'equality' }] },
    '$.data[*].id': { matchers: [{ match: 'integer' }] },
    '$.meta.total': { matchers: [{ match: 'integer' }] },
  });
  const [detail] = all.filter(({ description }) => description === 'one active indicator');
  expect(detail?.response.body, 'Body: not shown').toBeUndefined();
  expect(detail?.response.matchingRules?.status, 'no status is documented').toMatchObject({
    $: { matchers: [{ status: 'success' }] },
  });
  const [whole] = interactionsOf(dashboardRun(run), true).filter(({ description }) => description === 'one active indicator');
  expect(whole?.response.body?.content, 'with --promise-all').toMatchObject({ data: { code: 'IND-007' } });
  expect(whole?.response.matchingRules?.status).toBeUndefined();
});

test('a field that one of the replies does not have is not promised', () => {
  const { calls, ...rest } = dashboardRun(run);
  const [list] = calls as [RecordedCall];
  const without = { ...list, responseBody: list.responseBody.replace('"unite":"%",', '') };
  const [both] = interactionsOf({ ...rest, calls: [list, without] });
  const { data } = (both?.response.body?.content ?? { data: [] }) as { data: object[] };
  expect(Object.keys(data[0] ?? {})).toEqual(['id', 'code', 'intitule', 'type', 'valeur_courante', 'cible_annuelle']);
});

test.each([
  [{ method: 'GET', url: '/api/v1/nothing', status: 404 }, 'pos has no such operation'],
  [
    { method: 'POST', url: '/api/v1/sales', status: 400, requestBody: '{oops' },
    'its body is not JSON, and pacts of these APIs are',
  ],
  [{ method: 'GET', url: '/api/v1/inventory?store_id=S', status: 503 }, 'no state makes the provider fail'],
  [{ method: 'GET', url: '/api/v1/inventory?store_id=S', status: 0 }, 'it got no reply'],
  [
    { method: 'GET', url: '/api/v1/inventory?page=2&store_id=S', requestHeaders: { authorization: 'Bearer t' } },
    'the document does not allow the request, but it succeeded',
  ],
  [{ method: 'POST', url: '/api/auth', status: 429, requestBody: '{}' }, 'no state uses up the limit of this operation'],
])('%j cannot be recreated: %s', (call, reason) => {
  const { pact, leftOut } = writtenPact({ service: 'pos', calls: [recorded(call)], deliveries: [] });
  expect({ interactions: pact.interactions, reasons: leftOut.map((one) => one.reason) }).toEqual({
    interactions: [],
    reasons: [reason],
  });
});
