import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { explain, type Subject } from '../../contracts/tools/verification/explain.ts';
import { explained } from '../../contracts/tools/verification/explained.ts';
import { stepsOf } from '../../contracts/tools/verification/json-path.ts';
import { places } from '../../contracts/tools/verification/places.ts';
import type { Problem } from '../../contracts/tools/verification/result.ts';
import { problemsIn } from '../../contracts/tools/verification/run.ts';
import { documented, linesOf } from '../../spec/documents/documented.ts';
import { serviceNames, services } from '../../spec/documents/services.ts';
import { gaps } from '../../spec/gaps/gaps.ts';
import { eventsOf, findOperation, nearestOperation, operationsOf } from '../../spec/openapi/operations.ts';

function of(subject: Subject, problem: Pick<Problem, 'kind'> & Partial<Problem>) {
  const { documented: line, gap } = explain(subject, { message: '', ...problem });
  return [line?.section ?? '', line?.says ?? '', gap?.id ?? ''];
}
const pos = (method: string, path: string, status?: number): Subject => ({
  provider: 'pos',
  kind: 'http',
  method,
  path,
  ...(status && { status }),
});
const cohesion = (method: string, path: string, status?: number): Subject =>
  ({ ...pos(method, path, status), provider: 'cohesion' }) as Subject;
const body = (path: string) => ({ kind: 'body', path }) as const;

describe.each(serviceNames)('the lines of %s', (provider) => {
  const file = new URL(`../../docs/${services[provider].document}`, import.meta.url);
  test('are those of the current document (otherwise run node spec/documents/documented.ts)', () => {
    expect(documented[provider]).toEqual(linesOf(readFileSync(file, 'utf8')));
  });

  test('are found for every place of the table, and its gaps are in the register', () => {
    const { tables, statuses, headers, statusGaps, notes, causes, parts, disputes, noToken } = places[provider];
    const known = new Set(gaps.map(({ id }) => id));
    const rules = [...headers, ...parts, ...disputes, noToken].map(({ gap }) => gap);
    const named = [...Object.values(statusGaps), ...Object.values(causes), ...rules].filter((gap) => gap !== undefined);
    expect(named.filter((gap) => !known.has(gap))).toEqual([]);
    for (const { part } of tables) expect(documented[provider].map((line) => line.part)).toContain(part);
    const keys = [noToken.line, ...Object.values(statuses), ...notes.map(({ line }) => line), ...headers.map(({ line }) => line)];
    for (const key of keys.filter((one) => one !== undefined)) {
      const begins = 'begins' in key ? key.begins : key.row;
      const found = documented[provider].filter(
        (line) => line.section.startsWith(`${key.section}.`) && line.says.startsWith(begins),
      );
      expect(found, begins).toHaveLength(1);
    }
  });

  test('explain every operation and event', () => {
    for (const { method, path } of operationsOf(provider)) {
      const { documented: line } = explain(
        { provider, kind: 'http', method, path },
        { kind: 'status', expected: '200', actual: '201', message: '' },
      );
      expect(line?.section, path).toBe('4. Endpoints');
    }
    for (const event of Object.keys(eventsOf(provider))) {
      const { documented: line } = explain({ provider, kind: 'message', event }, { kind: 'body', path: '$', message: '' });
      expect(line?.says, event).toMatch(new RegExp(`^${event} \\| `));
    }
  });
});

test.each([
  [
    'a documented field',
    cohesion('GET', '/api/v1/indicateurs'),
    body('$.data[2].intitule'),
    ['2. Resources and their fields', 'Indicator | intitule | string | title', ''],
  ],
  [
    'a documented field whose value is open',
    cohesion('GET', '/indicateurs/7'),
    body('$.data.taux_atteinte'),
    ['2. Resources and their fields', 'Indicator | taux_atteinte | number | attainment rate', 'cohesion.attainment-rate'],
  ],
  [
    'a nested field',
    cohesion('GET', '/me'),
    body("$['data'].user['email']"),
    ['2. Resources and their fields', 'Current user and token (data of /me) | user.email | string | <EMAIL>', ''],
  ],
  [
    'an element of a documented list',
    cohesion('GET', '/me'),
    body('$.data.token.abilities[0]'),
    [
      '2. Resources and their fields',
      'Current user and token (data of /me) | token.abilities | array of string | abilities held by the token',
      '',
    ],
  ],
  [
    'pagination',
    cohesion('GET', '/structures?page=2'),
    body('$.meta.last_page'),
    ['2. Resources and their fields', 'Pagination block (meta of every paginated list) | last_page | integer', ''],
  ],
  [
    'a record that is not shown',
    cohesion('GET', '/interventions'),
    body('$.data[*].budget'),
    [
      '2. Resources and their fields',
      'Interventions are listed without drafts. Their statuses include en_cours, termine and approuve. Fields of an intervention record: not shown.',
      'cohesion.intervention-fields',
    ],
  ],
  [
    'a field of it with a gap of its own',
    cohesion('GET', '/interventions'),
    body('$.data[0].statut'),
    [
      '2. Resources and their fields',
      'Interventions are listed without drafts. Their statuses include en_cours, termine and approuve. Fields of an intervention record: not shown.',
      'cohesion.intervention-statuses',
    ],
  ],
  [
    'a reply that is not shown',
    pos('GET', '/inventory?store_id=1'),
    body('$.data.items[0].price'),
    [
      '4. Endpoints',
      'GET | /inventory | store_id (string, store identifier) | none | Current inventory of the store. Body: not shown.',
      'pos.inventory-response',
    ],
  ],
  [
    'a field beside data',
    pos('POST', '/api/v1/sales'),
    body('$.success'),
    ['4. Endpoints', 'POST | /sales | none | Sale | Body and success status: not shown.', 'pos.success-envelope'],
  ],
  [
    'the token',
    pos('POST', '/api/auth'),
    body('$.expires_in'),
    ['2. Resources and their fields', 'Token response | expires_in | integer | lifetime of the token', 'pos.expires-in-unit'],
  ],
  [
    'the token, at its other place',
    pos('POST', '/auth'),
    body('$.token_type'),
    ['2. Resources and their fields', 'Token response | token_type | string | the value is "Bearer"', ''],
  ],
  [
    'an error',
    cohesion('POST', '/financements', 422),
    body('$.errors.montant[0]'),
    ['7. Errors', 'Body shape of errors, including validation detail: not shown.', 'cohesion.error-body'],
  ],
])('of the body: %s', (_, subject, problem, expected) => {
  expect(of(subject, problem)).toEqual(expected);
});

test.each([
  [
    'success, another one',
    pos('POST', '/sales', 200),
    '200',
    '201',
    ['4. Endpoints', 'POST | /sales | none | Sale | Body and success status: not shown.', 'pos.sale-status'],
  ],
  [
    'not authorized',
    cohesion('GET', '/stats', 200),
    '200',
    '401',
    ['5. Authentication', 'Missing or invalid token gives 401. A missing ability, or an inactive user, gives 403.', ''],
  ],
  ['refused', pos('POST', '/sales', 201), '201', '400', ['7. Errors', '400 | invalid request', 'pos.error-conditions']],
  ['a missing error', cohesion('GET', '/indicateurs/0', 404), '404', '200', ['7. Errors', '404 | resource not found', '']],
  [
    'limited',
    cohesion('PUT', '/financements/1', 200),
    '200',
    '429',
    [
      '8. Limits',
      'Write throttle (POST and PUT on financements) | 30 requests per minute, dedicated',
      'cohesion.throttle-exceeded',
    ],
  ],
  [
    'a status that the document does not list',
    pos('POST', '/sales', 201),
    '201',
    '415',
    [
      '7. Errors',
      'Error body shape and the condition that yields each status on each endpoint: not shown.',
      'pos.transport-statuses',
    ],
  ],
  [
    'one error instead of another: explains the one that the pact expects',
    cohesion('GET', '/stats', 401),
    '401',
    '422',
    ['5. Authentication', 'Missing or invalid token gives 401. A missing ability, or an inactive user, gives 403.', ''],
  ],
])('of the status: %s', (_, subject, expected, actual, explanation) => {
  expect(of(subject, { kind: 'status', expected, actual })).toEqual(explanation);
});

test('of headers and metadata', () => {
  const event: Subject = { provider: 'cohesion', kind: 'message', event: 'plan.closed' };
  expect(of(event, { kind: 'metadata', path: 'X-Service-Signature' })).toEqual([
    '6. Events',
    expect.stringMatching(/^Each delivery carries the header X-SERVICE-Signature/),
    'cohesion.webhook-secret',
  ]);
  expect(of(pos('GET', '/inventory'), { kind: 'header', path: 'Content-Type' })[1]).toMatch(/^All calls use JSON\./);
  expect(of(pos('GET', '/inventory'), { kind: 'header', path: 'X-Unheard-Of' })).toEqual(['', '', '']);
});

test('of events', () => {
  const validated: Subject = { provider: 'cohesion', kind: 'message', event: 'intervention.validated' };
  expect(of(validated, body('$.data.validated_by.name'))).toEqual([
    '6. Events',
    'Payload of intervention.validated | data.validated_by.name | string',
    '',
  ]);
  const low: Subject = { provider: 'pos', kind: 'message', event: 'inventory.low' };
  expect(of(low, body('$.data.name'))).toEqual(['6. Events', 'inventory.low | low stock detected', 'pos.inventory-low-payload']);
  expect(of(low, body('$.event'))).toEqual(['6. Events', 'inventory.low | low stock detected', 'pos.webhook-envelope']);
});

test('nothing is explained for problems outside the provider', () => {
  expect(explain(pos('GET', '/unknown'), { kind: 'status', message: '' })).toEqual({});
  expect(explain({ provider: 'pos', kind: 'message', event: 'plan.closed' }, { kind: 'body', path: '$', message: '' })).toEqual(
    {},
  );
  expect(explain(pos('GET', '/inventory'), { kind: 'state', message: '' })).toEqual({});
});

test('a JSONPath is read in both notations', () => {
  expect(stepsOf('$.a[0][\'b.c\'].d[*]["e"]')).toEqual(['a', null, 'b.c', 'd', null, 'e']);
  expect(stepsOf('$')).toEqual([]);
});

test('operations are found with or without /api/v1, and by their templates', () => {
  expect(findOperation('pos', 'get', '/reports/sales?store_id=1')?.path).toBe('/api/v1/reports/sales');
  expect(findOperation('cohesion', 'PUT', '/financements/12')?.path).toBe('/api/v1/financements/{id}');
  for (const path of ['/api/v1/financements/12/', '//api/v1/financements/12', '/api/v1//financements/12'])
    expect([path, findOperation('cohesion', 'PUT', path)]).toEqual([path, undefined]);
  expect(findOperation('cohesion', 'PUT', '/financements/')).toBeUndefined();
  expect(findOperation('pos', 'POST', '/api/v1/auth')?.path).toBe('/api/auth');
  expect(nearestOperation('cohesion', 'GET', '/indicators')?.path).toBe('/api/v1/indicateurs');
  expect(nearestOperation('cohesion', 'PATCH', '/api/v1/financements/3')).toMatchObject({
    method: 'PUT',
    path: '/api/v1/financements/{id}',
  });
});

/** A call as the harness records it: the refusal is the body of the provider's reply. */
const called = (
  [method, url]: [string, string],
  { body: sent = '' as unknown, refusal = '', headers = { authorization: 'Bearer [redacted]' } as Record<string, string> } = {},
) => {
  const [path = '', query = ''] = url.split('?');
  const body = typeof sent === 'string' ? sent : JSON.stringify(sent);
  return { request: { method, path, query, headers, body }, reply: { status: 400, headers: {}, body: refusal } };
};
const posDetail = (field: string, code = 'invalid_request') =>
  JSON.stringify({ success: false, error: { code, details: [{ field, rule: 'r', message: 'm' }] } });
const sale = { store_id: 'S', items: [{ product_id: 'P', quantity: 1, price: 1 }], payment_method: 'cash', total: 1 };
const payment = { amount: 1, phone: '+2250701020304', provider: 'wave', reference: 'r' };

test.each<[string, string, string, Parameters<typeof called>[1]?]>([
  ['an unknown provider', 'pos POST /payment/mobile 201 400', 'pos.providers', { body: payment, refusal: posDetail('provider') }],
  ['the same, refused without a name', 'pos POST /payment/mobile 201 400', 'pos.providers', { body: payment, refusal: 'no' }],
  ['a missing store', 'pos GET /inventory 200 400', 'pos.store-id-required', { refusal: posDetail('store_id') }],
  ['a missing store that the pact expects to be refused', 'pos GET /inventory 400 200', 'pos.store-id-required'],
  [
    'a missing store of a sale',
    'pos POST /sales 201 400',
    'pos.sale-fields-required',
    { body: { ...sale, store_id: undefined }, refusal: posDetail('store_id') },
  ],
  [
    'a missing date',
    'pos GET /reports/sales?store_id=1&start_date=2026-01-01 200 400',
    'pos.report-dates-required',
    { refusal: posDetail('end_date') },
  ],
  ['an unknown parameter', 'pos GET /inventory?store_id=1&page=2 200 400', 'pos.strict-queries', { refusal: posDetail('page') }],
  ['the same, refused without a name', 'pos GET /inventory?store_id=1&page=2 200 400', 'pos.strict-queries'],
  [
    'an unknown field',
    'pos POST /sales 201 400',
    'pos.strict-bodies',
    { body: { ...sale, note: 'x' }, refusal: posDetail('note') },
  ],
  [
    'too little stock',
    'pos POST /sales 201 400',
    'pos.insufficient-stock',
    { body: sale, refusal: posDetail('items.0.quantity', 'insufficient_stock') },
  ],
  ['a quantity', 'pos POST /sales 201 400', 'pos.amount-bounds', { body: sale, refusal: posDetail('items.0.quantity') }],
  [
    'another header for the token',
    'pos GET /inventory?store_id=1 200 401',
    'pos.token-transport',
    { headers: { 'X-API-Token': '[redacted]' } },
  ],
  [
    '422 for a validation',
    'pos POST /payment/mobile 422 400',
    'pos.error-conditions',
    { body: payment, refusal: posDetail('provider') },
  ],
  ['403 for the store of another', 'pos GET /inventory?store_id=1 403 404', 'pos.store-access'],
  [
    'an unknown parameter',
    'cohesion GET /indicateurs?sort=code 200 422',
    'cohesion.strict-queries',
    { refusal: '{"message":"m","errors":{"sort":["no"]}}' },
  ],
  [
    'a page out of bounds',
    'cohesion GET /indicateurs?page=0 200 422',
    'cohesion.per-page-bounds',
    { refusal: '{"message":"m","errors":{"page":["no"]}}' },
  ],
  ['422 for an unknown status', 'cohesion GET /interventions?statut=perdu 422 200', 'cohesion.open-filters'],
  ['422 for drafts', 'cohesion GET /interventions?statut=brouillon 422 200', 'cohesion.hidden-records'],
  [
    '422 for an unknown structure',
    'cohesion POST /financements 422 403',
    'cohesion.unknown-structure',
    { body: '{"structure_id":99}' },
  ],
  ['403 for the perimeter', 'cohesion POST /financements 403 201', 'cohesion.perimeter', { body: '{"structure_id":99}' }],
  ['403 of a token without abilities', 'cohesion GET /me 403 200', 'cohesion.me-ability'],
  [
    'a kind of financing',
    'cohesion POST /financements 201 422',
    'cohesion.financing-types',
    { body: '{"type":"don"}', refusal: '{"errors":{"type":["no"]}}' },
  ],
  [
    'a missing field',
    'cohesion POST /financements 201 422',
    'cohesion.financing-create-required',
    { body: '{}', refusal: '{"errors":{"bailleur":["is required"]}}' },
  ],
  [
    'a body that is not JSON',
    'cohesion POST /financements 400 422',
    'cohesion.malformed-json',
    { body: '{x', refusal: '{"errors":{"body":["no"]}}' },
  ],
  ['a form', 'cohesion POST /financements 201 415', 'cohesion.accept-header', { body: 'a=b' }],
  ['a text in place of JSON', 'cohesion POST /financements 422 415', 'cohesion.accept-header', { body: 'x' }],
  ['a text without a token', 'cohesion POST /financements 422 401', '', { body: 'x' }],
  ['a form without a token', 'cohesion POST /financements 201 401', '', { body: 'a=b' }],
  [
    'an unknown product on a line',
    'pos POST /sales 201 404',
    'pos.error-conditions',
    { body: sale, refusal: posDetail('items.0.product_id', 'unknown') },
  ],
  ['a used up limit', 'pos GET /inventory?store_id=S 403 429', 'pos.limit-exceeded'],
  ['a store of others', 'pos GET /inventory?store_id=S 403 404', 'pos.store-access'],
  ['another header for the token', 'cohesion GET /me 200 401', '', { headers: { 'X-API-Token': '[redacted]' } }],
])('of the status, from the request: %s (%s)', (_, line, gap, given) => {
  const [provider = '', method = '', url = '', expected = '', actual = ''] = line.split(' ');
  const exchange = called([method, url], given);
  const { path } = exchange.request;
  const subject = { provider, kind: 'http', method, path, status: Number(expected), exchange } as Subject;
  const found = explain(subject, { kind: 'status', expected, actual, message: '' });
  expect(found.gap?.id ?? '').toBe(gap);
  expect(found.documented).toBeDefined();
});

const withToken = { states: [{ name: 'an access token', params: {} }], values: { token: 't' } };
test.each([
  ['a state replaced the wrong token', ['401', '200'], withToken, 'in place of the pact'],
  ['a state replaced the wrong token of a store of others', ['401', '404'], withToken, 'in place of the pact'],
  ['no state gives a token', ['200', '401'], { states: [] }, 'name "an access token" too'],
  ['no state gives a token for a body that is not JSON', ['400', '401'], { states: [] }, 'name "an access token" too'],
])('%s: the message says so, and no gap is named', (_, [expected = '', actual = ''], given, says) => {
  const exchange = called(['POST', '/sales'], { body: '{x' });
  const subject: Subject = { provider: 'pos', kind: 'http', method: 'POST', path: '/sales', exchange, ...given };
  const [problem] = explained(subject, [{ kind: 'status', expected, actual, message: 'wrong' }]);
  expect(problem).toMatchObject({ message: expect.stringContaining(says), documented: expect.anything() });
  expect(problem).not.toHaveProperty('gap');
});

test('a missing field is called missing, with the name that may be meant', () => {
  const mismatch = 'Actual map is missing the following keys: stor_id, product';
  const body = { type: 'BodyMismatch', path: '$.data', mismatch, expected: '', actual: '["items","store_id"]' };
  const verdict = { mismatch: { type: 'mismatches', mismatches: [body] } } as unknown as Parameters<typeof problemsIn>[0];
  expect(problemsIn(verdict).map(({ path, message }) => [path, message])).toEqual([
    ['$.data.product', 'The field is missing.'],
    ['$.data.stor_id', 'The field is missing. Did you mean store_id?'],
  ]);
});

test('if the status is wrong, only the status is explained; a wrong success status is not the reason for other problems', () => {
  const field = { kind: 'body', path: '$.data.items', message: '' } as const;
  const problems = (actual: string) => [{ kind: 'status', expected: '200', actual, message: '' } as const, field];
  const gapsOf = (actual: string) => explained(pos('GET', '/inventory', 200), problems(actual)).map(({ gap }) => gap?.id);
  expect(gapsOf('404')).toEqual(['pos.error-conditions', undefined]);
  expect(gapsOf('201')).toEqual([undefined, 'pos.inventory-response']);
});
