import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { explain, type Subject } from '../../contracts/tools/verification/explain.ts';
import { explained } from '../../contracts/tools/verification/explained.ts';
import type { Seen } from '../../contracts/tools/verification/harness.ts';
import { places } from '../../contracts/tools/verification/places.ts';
import type { Problem } from '../../contracts/tools/verification/result.ts';
import { problemsIn } from '../../contracts/tools/verification/run.ts';
import { documented, linesOf } from '../../spec/documents/documented.ts';
import { type ServiceName, serviceNames, services } from '../../spec/documents/services.ts';
import { gaps } from '../../spec/gaps/gaps.ts';
import { eventsOf, operationsOf } from '../../spec/openapi/operations.ts';

describe.each(serviceNames)('the lines of %s', (provider) => {
  const file = new URL(`../../docs/${services[provider].document}`, import.meta.url);
  test('are those of the current document (otherwise run node spec/documents/documented.ts)', () => {
    expect(documented[provider]).toEqual(linesOf(readFileSync(file, 'utf8')));
  });

  test('are found for every place of the table, and its gaps are in the register', () => {
    const { tables, statuses, headers, statusGaps, notes, credentials } = places[provider];
    const named = [...Object.values(statusGaps), ...headers.map(({ gap }) => gap), credentials?.gap];
    const known = new Set([...gaps.map(({ id }) => id), undefined]);
    expect(named.filter((gap) => !known.has(gap))).toEqual([]);
    for (const { part } of tables) expect(documented[provider].map((line) => line.part)).toContain(part);
    const keys = [...Object.values(statuses), ...[...notes, ...headers, { line: credentials?.line }].map(({ line }) => line)];
    for (const key of keys.filter((one) => one !== undefined)) {
      const begins = 'begins' in key ? key.begins : key.row;
      const found = documented[provider].filter(
        (line) => line.section.startsWith(`${key.section}.`) && line.says.startsWith(begins),
      );
      expect(found, begins).toHaveLength(1);
    }
  });

  test('explain every operation and event', () => {
    const says = (subject: Subject, problem: Problem) => explain(subject, problem).documented;
    for (const { method, path } of operationsOf(provider)) {
      const other: Problem = { kind: 'status', expected: '200', actual: '201', message: '' };
      expect(says({ provider, kind: 'http', method, path }, other)?.section, path).toBe('4. Endpoints');
    }
    for (const event of Object.keys(eventsOf(provider))) {
      const line = says({ provider, kind: 'message', event }, { kind: 'body', path: '$', message: '' });
      expect(line?.says, event).toMatch(new RegExp(`^${event} \\| `));
    }
  });
});

/** `pos POST /sales 201` is a call with its expected status, `pos sale.completed` an event. */
function subjectOf(text: string): Subject {
  const [provider, name = '', path, status] = text.split(' ') as [ServiceName, string?, string?, string?];
  if (path === undefined) return { provider, kind: 'message', event: name };
  return { provider, kind: 'http', method: name, path, ...(status !== undefined && { status: Number(status) }) };
}

/** `status 201 400`, or the place of another problem, such as `body $.data`. */
function problemOf(text: string): Problem {
  const [kind, first = '', actual = ''] = text.split(' ') as [Problem['kind'], string?, string?];
  return kind === 'status' ? { kind, expected: first, actual, message: '' } : { kind, path: first, message: '' };
}

test.each<[string, string, string, string]>([
  // Fields: a documented row, nested, in a list, in the pagination block, beside `data`.
  ['cohesion GET /api/v1/indicateurs', 'body $.data[2].intitule', 'Indicator | intitule | string | title', ''],
  ['cohesion GET /indicateurs/7', 'body $.data.taux_atteinte', 'Indicator | taux_atteinte |', 'cohesion.attainment-rate'],
  ['cohesion GET /me', "body $['data'].user['email']", 'Current user and token (data of /me) | user.email |', ''],
  ['cohesion GET /me', 'body $.data.token.abilities[0]', 'Current user and token (data of /me) | token.abilities |', ''],
  ['cohesion GET /structures?page=2', 'body $.meta.last_page', 'Pagination block (meta of every paginated list) | last_page', ''],
  ['pos POST /auth', 'body $.expires_in', 'Token response | expires_in | integer', 'pos.expires-in-unit'],
  ['pos POST /api/v1/sales', 'body $.success', 'POST | /sales | none | Sale | Body', ''],
  // The gap of exactly this place. A missing field is a matter of its record.
  [
    'cohesion GET /interventions',
    'body $.data[0].couleur',
    'Interventions are listed without drafts.',
    'cohesion.intervention-fields',
  ],
  ['cohesion GET /interventions', 'body $.data[0].statut', 'Interventions are listed', 'cohesion.intervention-statuses'],
  ['cohesion GET /interventions', 'body $.data[0].couleur.rouge', 'Interventions are listed', ''],
  ['cohesion POST /financements 422', 'body $', 'Body shape of errors', 'cohesion.error-body'],
  ['cohesion POST /financements 422', 'body $.errors.montant[0]', 'Body shape of errors', ''],
  // Statuses: another success, an error that is missing, one that came, one that the document does not list.
  ['pos POST /sales 200', 'status 200 201', 'POST | /sales | none | Sale | Body and success status', 'pos.sale-status'],
  ['cohesion GET /stats 200', 'status 200 401', 'Missing or invalid token gives 401.', ''],
  ['pos POST /sales 201', 'status 201 404', '404 | resource not found', 'pos.error-conditions'],
  ['cohesion GET /indicateurs/0 404', 'status 404 200', '404 | resource not found', ''],
  ['cohesion PUT /financements/1 200', 'status 200 429', 'Write throttle (POST and PUT', 'cohesion.throttle-exceeded'],
  ['pos POST /sales 201', 'status 201 415', 'Error body shape and the condition', 'pos.transport-statuses'],
  ['cohesion GET /stats 401', 'status 401 422', 'Missing or invalid token gives 401.', ''],
  ['pos GET /inventory 200', 'status 200 401', 'The token is used for secured requests', 'pos.token-endpoints'],
  // Headers, metadata and events.
  ['cohesion plan.closed', 'metadata X-Service-Signature', 'Each delivery carries the header', 'cohesion.webhook-secret'],
  ['pos GET /inventory', 'header Content-Type', 'All calls use JSON.', ''],
  ['pos GET /inventory', 'header X-Unheard-Of', '', ''],
  ['pos inventory.low', 'body $.data.name', 'inventory.low | low stock detected', ''],
  // Nothing is known of these.
  ['pos GET /unknown', 'status 200 404', '', ''],
  ['pos plan.closed', 'body $', '', ''],
])('%s, %s: "%s" and the gap "%s"', (subject, problem, says, gap) => {
  const found = explain(subjectOf(subject), problemOf(problem));
  expect([found.documented?.says.slice(0, says.length) ?? '', found.gap?.id ?? '']).toEqual([says, gap]);
  if (says === '') expect(found.documented).toBeUndefined();
});

/** A call with a token, and what its states returned. */
const seen = (values: object): Seen =>
  ({
    written: { kind: 'http', reply: { status: 200 } },
    values,
    exchange: {
      request: { method: 'GET', path: '/api/v1/inventory', query: '', headers: { authorization: 'Bearer x' }, body: '' },
      reply: { status: 200, headers: {}, body: '' },
    },
  }) as unknown as Seen;
const field: Problem = { kind: 'body', path: '$.data.items', message: '' };

test.each([
  ['status 200 401', {}, true, 'name "an access token" too'],
  ['status 401 200', { token: 't' }, true, 'a b. The token that a state returned was sent in place of the pact'],
])('%s: a remark says why, and no gap is named', (problem, values, isReference, says) => {
  const status = { ...problemOf(problem), message: 'a b' };
  const [first] = explained('pos', seen(values), [status], { isReference });
  expect(first?.message).toContain(says);
  expect(first).toHaveProperty('documented');
  expect(first).not.toHaveProperty('gap');
});

test("a partner's provider may know the pact's own token, and other statuses follow from no token", () => {
  const all: [string, object, boolean][] = [
    ['status 200 401', {}, false],
    ['status 200 401', { token: 't' }, true],
    ['status 200 404', {}, true],
  ];
  for (const [problem, values, isReference] of all)
    expect(explained('pos', seen(values), [problemOf(problem)], { isReference })[0]).toMatchObject({
      message: '',
      gap: expect.anything(),
    });
});

test('if the status is wrong, only the status is explained; another success status explains nothing else', () => {
  const found = (actual: string) => explained('pos', seen({}), [problemOf(`status 200 ${actual}`), field], { isReference: true });
  expect(found('404').map((one) => one.documented !== undefined)).toEqual([true, false]);
  expect(found('201').map((one) => one.documented !== undefined)).toEqual([true, true]);
  expect(explained('webhook-receiver', seen({}), [field], { isReference: false })).toEqual([field]);
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
