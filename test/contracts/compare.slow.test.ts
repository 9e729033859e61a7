import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparePacts } from '../../contracts/tools/comparison/compare.ts';
import { comparisonReport } from '../../contracts/tools/comparison/report.ts';
import { textReport } from '../../contracts/tools/reports/text.ts';
import { parsePact } from '../../contracts/tools/verification/pact-file.ts';
import { forAllAsync } from '../for-all.ts';
import { authorized, http, message, sale, version2, version3, version4 } from './pacts.ts';

async function findings(provider: 'pos' | 'cohesion', ...interactions: object[]) {
  const { findings: found } = await comparePacts({ provider, pacts: [version4(...interactions)] });
  return found.map(({ severity, code, pact, document }) => ({ severity, code, pact: pact.place, document: document?.place }));
}

const json = { ...authorized, 'Content-Type': ['application/json'] };

const inventory = (changes: object) => http({ path: '/inventory', query: { store_id: ['S'] }, ...changes });
const sells = (changes: object) => http({ method: 'POST', path: '/sales', headers: json, body: sale, status: 201, ...changes });

const completed = {
  event: 'sale.completed',
  delivered_at: '2026-11-21T08:53:00+00:00',
  data: { id: 's', reference: 'r', status: 'completed', customer_phone: null, completed_at: null, total: 1 },
};

test('pacts that agree with the document have no findings', async () => {
  const calls = [
    sells({ reply: { success: true, data: { id: 'x', customer_phone: null } } }),
    inventory({ reply: { success: true } }),
    message(completed),
  ];
  expect(await findings('pos', ...calls)).toEqual([]);
  const cohesion = [
    http({
      path: '/api/v1/indicateurs',
      query: { per_page: ['10'], kpi: ['1'] },
      reply: { data: [{ id: 1, taux_atteinte: 12.5 }], meta: { page: 1 } },
    }),
    http({ path: '/stats', reply: { data: { interventions: { par_statut: { en_cours: 3 } } } } }),
  ];
  expect(await findings('cohesion', ...cohesion)).toEqual([]);
});

// The place in the pact is in its first interaction, the one in the document in spec/openapi/pos.json.
test.each<[interaction: object, severity: string, code: string, place: string, document: string]>([
  [http({ path: '/api/v1/stock' }), 'error', 'request.path-or-method.unknown', 'request.path', 'paths'],
  [inventory({ path: '/inventory/' }), 'error', 'request.path-or-method.unknown', 'request.path', 'paths'],
  [inventory({ query: { store_id: ['S', 'T'] } }), 'error', 'request.query.repeated', 'request.query.store_id', 'inventory.get'],
  [
    inventory({ query: { store_id: ['S'], page: ['1'] } }),
    'warning',
    'request.query.unknown',
    'request.query.page',
    'inventory.get',
  ],
  [inventory({ headers: {} }), 'error', 'request.authorization.missing', 'request.headers', 'inventory.get'],
  [inventory({ status: 204 }), 'error', 'response.status.unknown', 'response.status', 'inventory.get.responses'],
  [
    inventory({ reply: { success: true, data: { items: [{ price: '4500' }] } } }),
    'error',
    'response.body.incompatible',
    'response.body.data.items[0].price',
    'paths./api/v1/inventory.get.responses.200',
  ],
  [sells({ headers: authorized }), 'error', 'request.content-type.missing', 'request.headers.content-type', 'sales.post'],
  [
    // A refusal that the pact expects.
    sells({ headers: { ...authorized, 'Content-Type': ['text/plain'] }, status: 415 }),
    'warning',
    'request.content-type.incompatible',
    'request.headers.content-type',
    'paths./api/v1/sales.post.requestBody.content',
  ],
  [
    sells({ body: { ...sale, payment_method: 'barter' } }),
    'error',
    'request.body.incompatible',
    'request.body.payment_method',
    'paths./api/v1/sales.post.requestBody.content.application/json.schema',
  ],
  [
    message({ event: 'inventory.low', data: { left: 3 } }),
    'error',
    'message.payload.incompatible',
    'contents.data',
    'webhooks.inventory.low.post.requestBody',
  ],
])('finding %#', async (interaction, severity, code, place, document) => {
  expect(await findings('pos', interaction)).toEqual([
    { severity, code, pact: `interactions[0].${place}`, document: expect.stringContaining(document) },
  ]);
});

test('any text in a query is one value of its parameter', async () => {
  const examples = ['a&b=c', '50 %', 'a+b', 'a#b', 'a?b', 'é,x', 'a.b[c]=d', '2026-01-01T00:00:00+00:00'].map((q): [string] => [
    q,
  ]);
  await forAllAsync({ numRuns: 15, examples }, [fc.string({ unit: 'binary', minLength: 1, maxLength: 50 })], async (q) => {
    const search = http({ path: '/indicateurs', query: { q: [q.toWellFormed()] }, reply: { data: [] } });
    expect(await findings('cohesion', search)).toEqual([]);
  });
});

const matched = (status: unknown, example: number) => {
  const { response, ...rest } = sells({ status: example });
  const matchers = [{ match: 'statusCode', status }];
  return { ...rest, response: { ...response, matchingRules: { status: { combine: 'AND', matchers } } } };
};

test.each([
  ['success', 200, 0],
  ['nonError', 200, 0],
  [[200, 201], 200, 0],
  ['clientError', 418, 0],
  ['success', 201, 0],
  ['redirect', 302, 1],
  [[200, 202], 200, 1],
  ['unheard-of', 200, 1],
])('the status matcher %s with the example %d: %d findings', async (status, example, count) => {
  expect(await findings('pos', matched(status, example))).toHaveLength(count);
});

test('an event that the provider does not send', async () => {
  expect(await findings('cohesion', message({ event: 'sale.completed' }))).toEqual([
    { severity: 'error', code: 'message.event.unknown', pact: 'interactions[0].contents', document: undefined },
  ]);
});

test('pacts of versions 2 and 3 are compared too', async () => {
  const pacts = [parsePact(version2, 'a.json'), parsePact(version3, 'b.json')];
  const { interactions, findings: found } = await comparePacts({ provider: 'pos', pacts });
  expect(interactions).toBe(2);
  expect(found.map(({ source, code }) => [source, code])).toEqual([
    ['a.json', 'request.query.repeated'],
    ['a.json', 'request.authorization.missing'],
  ]);
});

test('the text report groups by interaction and shows both places and the most similar name', async () => {
  const pacts = [version4(http({ description: 'reads \u001b[31mstock', path: '/api/v1/inventori' }))];
  const text = textReport(comparisonReport(await comparePacts({ provider: 'pos', pacts })), { width: 120, colors: false });
  expect(text.split('\n')).toEqual([
    'Comparison with pos',
    '',
    'till  reads \\u{1b}[31mstock  given a store (store_id "STORE-1")  (pacts/till-pos.json)',
    '  ✗ Path or method not defined in spec file: GET /api/v1/inventori (request.path-or-method.unknown)',
    '      pact        interactions[0].request.path = "/api/v1/inventori"',
    '      document    spec/openapi/pos.json, paths',
    '      nearest     GET /api/v1/inventory',
    '',
    '1 interaction compared with pos: 1 error, 0 warnings',
    '',
  ]);
});
