import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pactText } from '../../contracts/tools/recording/judge.ts';
import type { Call } from '../../contracts/tools/recording/recorded.ts';
import { states } from '../../contracts/tools/states/register.ts';
import { readPact } from '../../contracts/tools/verification/pact-file.ts';
import { serviceNames } from '../../spec/documents/services.ts';
import { eventsOf, operationsOf } from '../../spec/openapi/operations.ts';
import { forAll } from '../for-all.ts';
import { dashboardRun, type Run, recordingOf, tillRun, written } from './recordings.ts';

const secret = 'sk_live_8f2b61c07d';

const texts = fc.oneof(fc.string(), fc.constantFrom('', secret, '2026-11-21', '12', 'cash', '+2250700000000', '__proto__'));
const saleFields = ['store_id', 'items', 'total', 'api_key', 'api_secret', 'reference', 'amount', 'statut', 'type'];
const fieldNames = fc.constantFrom(...saleFields, '__proto__', 'toString', 'note');
const plain = fc.oneof(texts, fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null));
const values = fc.oneof(plain, fc.dictionary(fieldNames, plain));
const records = fc.dictionary(fieldNames, fc.oneof(values, fc.array(fc.dictionary(fieldNames, values))));
const bodies = fc.oneof(
  records.map((body) => JSON.stringify(body)),
  fc.json(),
  fc.string(),
  fc.constant(''),
);
const paths = serviceNames.flatMap((name) => operationsOf(name).map(({ path }) => path));
const queries = fc.dictionary(fc.constantFrom('q', 'page', 'per_page', 'type', 'store_id', 'start_date', 'x'), texts);
const urls = fc
  .tuple(fc.oneof(fc.constantFrom(...paths), fc.webPath()), queries, texts)
  .map(([path, query, id]) => `${path.replace(/\{.+\}/, encodeURIComponent(id.toWellFormed()))}?${new URLSearchParams(query)}`);
const headers = fc.constantFrom('authorization', 'accept', 'idempotency-key');
const statuses = [0, 200, 201, 204, 302, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503];
const anyCall: fc.Arbitrary<Call> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  url: urls,
  requestHeaders: fc.dictionary(headers, fc.oneof(texts, fc.constant(`Bearer ${secret}`))),
  requestBody: bodies,
  status: fc.constantFrom(...statuses),
  responseHeaders: fc.constantFrom<Record<string, string>>({}, { 'content-type': 'application/json' }),
  responseBody: bodies,
});
const anyCalls = fc.array(anyCall, { maxLength: 12 });
const anyService = fc.constantFrom(...serviceNames);

describe('any recording', () => {
  test('becomes a valid pact with known states, each interaction under its own name, and without a secret', () => {
    forAll(150, [anyService, anyCalls], (service, calls) => {
      const { pact, leftOut } = written(recordingOf(service, ...calls));
      const { interactions } = readPact(pactText(pact), 'pact.json');
      const names = interactions.map(({ description }) => description);
      expect(new Set(names).size).toBe(names.length);
      expect(interactions.length + leftOut.length).toBeLessThanOrEqual(calls.length);
      expect(pactText(pact)).not.toContain(secret);
      for (const { name, params } of interactions.flatMap((one) => one.states)) {
        const known = states[service].find((state) => state.name === name);
        expect(known?.params.safeParse(params).error?.message).toBeUndefined();
      }
    });
  });

  test('becomes the same pact in any order of its calls', () => {
    const shuffled = anyCalls.chain((calls) =>
      fc.tuple(fc.constant(calls), fc.shuffledSubarray(calls, { minLength: calls.length })),
    );
    forAll(60, [anyService, shuffled], (service, [calls, others]) => {
      const text = (some: Call[]) => pactText(written(recordingOf(service, ...some)).pact);
      expect(text(others)).toBe(text(calls));
    });
  });
});

test('two runs of a suite become one pact, whatever ids, dates, tokens and names they have', () => {
  const run: fc.Arbitrary<Run> = fc.record({
    word: fc.stringMatching(/^[a-z][a-z0-9]{3,12}$/),
    phone: fc.stringMatching(/^\+225[0-9]{10}$/),
    number: fc.integer({ min: 1, max: 100_000 }),
    year: fc.integer({ min: 2000, max: 2090 }),
  });
  forAll(30, [run, run], (one, other) => {
    expect(written(tillRun(one))).toEqual(written(tillRun(other)));
    expect(written(dashboardRun(one))).toEqual(written(dashboardRun(other)));
  });
});

const run: Run = { word: 'geheim', phone: '+2250700000000', number: 7, year: 2026 };
const interactionsOf = (...given: Parameters<typeof written>) =>
  written(...given).pact.interactions as unknown as {
    description: string;
    providerStates: { name: string; params: object }[];
    request: { body?: { content: unknown }; query: object };
    response: { body?: { content: { data: object[] } }; matchingRules?: Record<string, Record<string, unknown>> };
  }[];

const requestBody = '{"store_id":"S","items":[{"product_id":"P","quantity":1,"price":1}],"payment_method":"cash","total":1}';
const sale = { method: 'POST', url: '/api/v1/sales', requestBody };
const inventory = { url: '/api/v1/inventory?store_id=S' };
const report = { url: '/api/v1/reports/sales?store_id=S&start_date=2026-02-31', status: 400 };
const key = { ...sale, requestHeaders: { authorization: 'Bearer tok', 'idempotency-key': 'k-1' } };

test.each([
  [[{ ...sale, status: 404 }, inventory], 'create a sale with payment_method cash, of an unknown product, refused with 404'],
  [[{ ...sale, requestBody: '[1]', status: 400 }], 'create a sale with body of another type, refused with 400'],
  [[{ ...sale, requestBody: '', status: 400 }], 'create a sale with no body, refused with 400'],
  [[report], 'detailed sales report of a store with start_date malformed, refused with 400'],
  [
    [
      { ...key, status: 201 },
      { ...key, status: 201 },
    ],
    'create a sale with idempotency-key and payment_method cash',
  ],
  [
    [{ ...sale, url: '/api/auth', requestBody: JSON.stringify({ 'a\nb': 1, ['x'.repeat(300)]: 1 }), status: 400 }],
    `obtain an access token with the unknown a b, the unknown ${'x'.repeat(48)}…, no api_key and no api_secret, refused with 400`,
  ],
])('%j: %s', (calls, description) => {
  expect(interactionsOf(recordingOf('pos', ...calls)).map((one) => one.description)).toContain(description);
});

test.each([
  ['interventions?statut=zzz', { statut: ['suspendu'] }, [{}]],
  ['structures?q=zzzzz', { q: ['introuvable'] }, [{}]],
  ['structures?page=9999', { page: ['999'] }, [{}]],
  ['indicateurs?type=impact&kpi=1', { kpi: ['1'], type: ['impact'] }, []],
])('a list that finds nothing has rows that a filter must not find: %s', (path, query, params) => {
  const recording = recordingOf('cohesion', { url: `/api/v1/${path}`, responseBody: '{"data":[]}' });
  const [found] = interactionsOf(recording);
  expect([found?.request.query, found?.providerStates.slice(1).map((state) => state.params)]).toEqual([query, params]);
  expect(found?.description).toContain('that finds nothing');
});

test('a reply is promised as far as the document shows it: type, form, or the value that it fixes', () => {
  const named = (name: string) => interactionsOf(dashboardRun(run)).find(({ description }) => description === name)?.response;
  expect(named('active indicators with per_page and type impact')?.matchingRules?.body).toMatchObject({
    '$.data': { matchers: [{ match: 'type', min: 1, max: 2 }] },
    '$.data[*].type': { matchers: [{ match: 'equality' }] },
    '$.data[*].id': { matchers: [{ match: 'integer' }] },
    '$.meta.total': { matchers: [{ match: 'integer' }] },
  });
  expect(named('one active indicator'), 'Body: not shown, and no status is documented').toEqual({
    status: 200,
    matchingRules: { status: { $: { combine: 'AND', matchers: [{ match: 'statusCode', status: 'success' }] } } },
  });
});

test('a field that one of the replies does not have is not promised', () => {
  const reply = (row: object) => ({ url: '/api/v1/indicateurs', responseBody: JSON.stringify({ data: [row] }) });
  const [both] = interactionsOf(recordingOf('cohesion', reply({ id: 1, code: 'I' }), reply({ id: 2 })));
  expect(both?.response.body?.content.data).toEqual([{ id: 7 }]);
});

test('an event that a receiver accepted becomes a message, as far as the document shows it', () => {
  const deliveries = serviceNames.flatMap((service) =>
    Object.keys(eventsOf(service)).map((event) => ({ event, accepted: true })),
  );
  const messagesOf = (service: (typeof serviceNames)[number]) =>
    written({
      service,
      exchanges: [],
      leftOut: [],
      deliveries: deliveries.filter(({ event }) => Object.hasOwn(eventsOf(service), event)),
    });
  const [sold] = messagesOf('pos').pact.interactions.filter(({ description }) => description === 'the webhook sale.completed');
  expect(sold).toMatchObject({
    contents: { content: { event: 'sale.completed' } },
    metadata: { contentType: 'application/json' },
  });
  const all = messagesOf('cohesion').pact.interactions;
  const [validated] = all.filter(({ description }) => description === 'the webhook intervention.validated');
  expect(JSON.stringify(validated?.matchingRules)).toContain('$.data.validated_by.name');
  expect(validated?.metadata).toHaveProperty('X-SERVICE-Signature');
  const refused = {
    service: 'pos' as const,
    exchanges: [],
    deliveries: [{ event: 'sync.completed', accepted: false }],
    leftOut: [],
  };
  expect(written(refused)).toMatchObject({
    pact: { interactions: [] },
    leftOut: ['the webhook sync.completed: the receiver never accepted it'],
  });
});

test.for([
  [{ url: '/api/v1/nothing', status: 404 }, 'pos has no such operation'],
  [{ ...sale, status: 400, requestBody: '{oops' }, 'its body is not JSON, and pacts of these APIs are'],
  [
    { ...sale, status: 400, requestBody: `${'['.repeat(9e4)}${']'.repeat(9e4)}` },
    'its body is not JSON, and pacts of these APIs are',
  ],
  [{ ...inventory, status: 503 }, 'no state makes the provider fail'],
  [{ ...inventory, status: 0 }, 'it got no reply'],
  [{ url: '/api/v1/inventory?page=2&store_id=S' }, 'the document does not allow the request, but it succeeded'],
  [{ ...sale, url: '/api/auth', status: 429 }, 'no state uses up the limit of this operation'],
  [{ ...sale, status: 404 }, 'nothing shows whether its store or its product is unknown'],
] as const)('what cannot be recreated has a reason: case %#', ([call, reason]) => {
  const { pact, leftOut } = written(recordingOf('pos', call));
  expect({ interactions: pact.interactions, reasons: leftOut.map((one) => one.replace(/^[A-Z]+ \S+ \(\d+\): /, '')) }).toEqual({
    interactions: [],
    reasons: [reason],
  });
});
