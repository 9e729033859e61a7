import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBreaking } from '../../contracts/breaking/documents.ts';
import { type Change, type Direction, rules } from '../../contracts/breaking/rules.ts';
import { compareSchemas } from '../../contracts/breaking/schemas.ts';
import { checkDocuments, documentNames, run } from '../../contracts/check-breaking.ts';
import { jsonSchema, type OpenApi, type Operation, type Schema } from '../../contracts/openapi-document.ts';
import { openApi } from '../../contracts/operations.ts';

const folder = new URL('../../contracts/openapi/', import.meta.url);

test('nothing on this branch breaks a consumer of the last release', () => {
  const checked = checkDocuments({ current: folder, released: new URL('released/', folder) });
  expect(checked.map(({ name, changes }) => [name, changes])).toEqual(documentNames.map((name) => [name, []]));
});

const at = (document: OpenApi, method: string, path: string) => document.paths[path]?.[method] as Operation;
const sent = (document: OpenApi) => jsonSchema(at(document, 'post', '/api/v1/sales').requestBody) as Schema;
const sold = (document: OpenApi) =>
  jsonSchema(at(document, 'post', '/api/v1/sales').responses['201'])?.properties?.data as Schema;
const low = (document: OpenApi) => document.webhooks?.['inventory.low']?.post as Operation;
const payload = (document: OpenApi) => jsonSchema(low(document).requestBody)?.properties?.data as Schema;
const field = (schema: Schema, name: string) => schema.properties?.[name] as Schema;
const parameter = (operation: Operation, name: string) =>
  operation.parameters?.find((one) => one.name === name) as { required?: boolean; schema: Schema };
const report = (document: OpenApi) => at(document, 'get', '/api/v1/reports/sales');

function optional(schema: Schema, name: string): void {
  schema.required = (schema.required ?? []).filter((one) => one !== name);
}

function remove(schema: Schema, name: string): void {
  optional(schema, name);
  delete schema.properties?.[name];
}

function changed(edit: (document: OpenApi) => void, of = openApi.pos): [string, string, string?, string?][] {
  const after = structuredClone(of);
  edit(after);
  return findBreaking(of, after).map(({ rule, place, before, after: now }: Change) => [rule, place, before, now]);
}

const sale = 'POST /api/v1/sales';
const breaking: [string, (document: OpenApi) => void, [string, string, string?, string?]][] = [
  ['an operation is gone', (d) => delete d.paths['/api/v1/sales'], ['operation-removed', sale, '"createSale"']],
  [
    'an operation has another method',
    (d) =>
      Object.assign(d.paths['/api/v1/sales'] as object, { put: at(d, 'post', '/api/v1/sales'), post: undefined }) &&
      delete d.paths['/api/v1/sales']?.post,
    ['operation-removed', sale, '"createSale"'],
  ],
  [
    'a base address is gone',
    (d) => Object.assign(d, { servers: [{ url: '/sales' }] }),
    ['server-removed', 'servers', '"/pos"', '["/sales"]'],
  ],
  [
    'a token is needed',
    (d) => Object.assign(at(d, 'post', '/api/auth'), { security: [{ bearer: [] }] }),
    ['security-tightened', 'POST /api/auth', '[]', '[{"bearer":[]}]'],
  ],
  [
    'a scope is needed',
    (d) => Object.assign(report(d), { security: [{ bearer: ['reports'] }] }),
    ['security-tightened', 'GET /api/v1/reports/sales', '[{"bearer":[]}]', '[{"bearer":["reports"]}]'],
  ],
  [
    'the token is sent in another way',
    (d) => Object.assign(d.components?.securitySchemes as object, { bearer: { type: 'apiKey', in: 'header', name: 'X-Key' } }),
    [
      'security-scheme-changed',
      'authorization bearer',
      '{"type":"http","scheme":"bearer"}',
      '{"type":"apiKey","in":"header","name":"X-Key"}',
    ],
  ],
  [
    'a parameter is gone',
    (d) => report(d).parameters?.splice(1, 1),
    ['parameter-removed', 'GET /api/v1/reports/sales, query start_date', expect.stringContaining('"format":"date"')],
  ],
  [
    'a parameter is required',
    (d) => Object.assign(parameter(report(d), 'end_date'), { required: true }),
    ['parameter-required', 'GET /api/v1/reports/sales, query end_date', '"optional"', '"required"'],
  ],
  [
    'a new parameter is required',
    (d) => report(d).parameters?.push({ name: 'zone', in: 'query', required: true, schema: {} }),
    ['parameter-required', 'GET /api/v1/reports/sales, query zone', undefined, '"required"'],
  ],
  [
    'a parameter has another type',
    (d) => Object.assign(parameter(report(d), 'store_id').schema, { type: 'integer' }),
    ['narrowed', 'GET /api/v1/reports/sales, query store_id', '{"type":"string"}', '{"type":"integer"}'],
  ],
  [
    'a header has a pattern',
    (d) => Object.assign(parameter(at(d, 'post', '/api/v1/sales'), 'idempotency-key').schema, { pattern: '^a$' }),
    ['narrowed', `${sale}, header idempotency-key`, expect.any(String), '{"pattern":"^a$"}'],
  ],
  ['the body is gone', (d) => delete at(d, 'post', '/api/v1/sales').requestBody, ['body-removed', `${sale}, body`]],
  [
    'a body is required',
    (d) => Object.assign(report(d), { requestBody: { required: true, content: {} } }),
    ['body-required', 'GET /api/v1/reports/sales, body', undefined, '"required"'],
  ],
  [
    'the body has another content type',
    (d) => Object.assign(at(d, 'post', '/api/v1/sales').requestBody as object, { content: { 'text/xml': {} } }),
    ['content-type-removed', `${sale}, body`, '"application/json"'],
  ],
  [
    'a field that is sent is gone',
    (d) => remove(sent(d), 'customer_phone'),
    ['field-removed', `${sale}, body, $.customer_phone`, expect.any(String)],
  ],
  [
    'a field that is sent is required',
    (d) => sent(d).required?.push('customer_phone'),
    ['field-required', `${sale}, body, $.customer_phone`, '"optional"', '"required"'],
  ],
  [
    'a new field must be sent',
    (d) => {
      Object.assign(sent(d).properties as object, { seller: {} });
      sent(d).required?.push('seller');
    },
    ['field-required', `${sale}, body, $.seller`, undefined, '"required"'],
  ],
  [
    'a value may no longer be sent',
    (d) => field(sent(d), 'payment_method').enum?.pop(),
    ['narrowed', `${sale}, body, $.payment_method`, '{"enum":["cash","card","mobile_money"]}', '{"enum":["cash","card"]}'],
  ],
  [
    'less may be sent',
    (d) => Object.assign(field(field(sent(d), 'items').items as Schema, 'price'), { maximum: 9 }),
    ['narrowed', `${sale}, body, $.items[].price`, '{"maximum":1000000000000}', '{"maximum":9}'],
  ],
  [
    'fewer lines may be sent',
    (d) => Object.assign(field(sent(d), 'items'), { minItems: 2 }),
    ['narrowed', `${sale}, body, $.items`, '{"minItems":1}', '{"minItems":2}'],
  ],
  [
    'a status is gone',
    (d) => {
      const { responses } = at(d, 'post', '/api/v1/sales');
      responses['200'] = responses['201'] as never;
      delete responses['201'];
    },
    ['status-removed', `${sale}, reply 201`, '"201"', expect.stringContaining('"200"')],
  ],
  [
    'a field of a reply is gone',
    (d) => remove(sold(d), 'id'),
    ['field-removed', `${sale}, reply 201, $.data.id`, expect.any(String)],
  ],
  [
    'a field of a reply is optional',
    (d) => optional(sold(d), 'id'),
    ['field-optional', `${sale}, reply 201, $.data.id`, '"required"', '"optional"'],
  ],
  [
    'a field of a reply may be null',
    (d) => Object.assign(field(sold(d), 'id'), { type: ['string', 'null'] }),
    ['widened', `${sale}, reply 201, $.data.id`, expect.any(String), expect.stringContaining('"null"')],
  ],
  [
    'a field of a reply may have another value',
    (d) => field(sold(d), 'status').enum?.push('cancelled'),
    [
      'widened',
      `${sale}, reply 201, $.data.status`,
      '{"enum":["pending","completed"]}',
      '{"enum":["pending","completed","cancelled"]}',
    ],
  ],
  [
    'a field of a reply has another format',
    (d) => delete field(sold(d), 'created_at').format,
    ['widened', `${sale}, reply 201, $.data.created_at`, '{"format":"date-time"}', '{}'],
  ],
  [
    'an alternative of a reply is new',
    (d) => field(sold(d), 'completed_at').anyOf?.push({ type: 'number' }),
    ['widened', `${sale}, reply 201, $.data.completed_at`, expect.any(String), '{"type":"number"}'],
  ],
  [
    'deep in a list of a reply',
    (d) => remove(field(sold(d), 'items').items as Schema, 'price'),
    ['field-removed', `${sale}, reply 201, $.data.items[].price`, expect.any(String)],
  ],
  ['an event is gone', (d) => delete d.webhooks?.['inventory.low'], ['event-removed', 'event inventory.low', '"inventory.low"']],
  [
    'a field of an event is gone',
    (d) => remove(payload(d), 'name'),
    ['field-removed', 'event inventory.low, $.data.name', expect.any(String)],
  ],
  [
    'a field of an event is optional',
    (d) => optional(payload(d), 'name'),
    ['field-optional', 'event inventory.low, $.data.name', '"required"', '"optional"'],
  ],
  [
    'a field of an event may be null',
    (d) => Object.assign(field(payload(d), 'quantity'), { type: ['number', 'null'] }),
    ['widened', 'event inventory.low, $.data.quantity', expect.any(String), expect.stringContaining('null')],
  ],
  [
    'an event has another name in its body',
    (d) => Object.assign(jsonSchema(low(d).requestBody)?.properties?.event as object, { const: 'stock.low' }),
    ['widened', 'event inventory.low, $.event', '{"enum":["inventory.low"]}', '{"enum":["stock.low"]}'],
  ],
  [
    'a header of an event is gone',
    (d) => low(d).parameters?.splice(0, 1),
    ['header-removed', 'event inventory.low, header X-SERVICE-Signature', expect.any(String)],
  ],
  [
    'a header of an event is optional',
    (d) => Object.assign(parameter(low(d), 'webhook-id'), { required: false }),
    ['header-optional', 'event inventory.low, header webhook-id', '"required"', '"optional"'],
  ],
  [
    'an answer to an event is no longer taken',
    (d) => Object.assign(low(d), { responses: { 204: {} } }),
    ['status-removed', 'event inventory.low, answer 2XX', '"2XX"', '["204"]'],
  ],
];

test.each(breaking)('it breaks when %s', (_, edit, expected) => {
  const [rule, place, before, after] = expected;
  expect(changed(edit)).toContainEqual([rule, place, before, after]);
});

test('each of these is the only thing reported', () => {
  for (const [name, edit] of breaking) expect(changed(edit), name).toHaveLength(1);
});

test('an ability more breaks, a default that is another one too', () => {
  const stats = (document: OpenApi) => at(document, 'get', '/api/v1/stats') as Operation & { description: string };
  const more = changed(
    (document) => Object.assign(stats(document), { description: 'Needs `read:stats` and `read:all`.' }),
    openApi.cohesion,
  );
  expect(more).toEqual([['ability-required', 'GET /api/v1/stats', '["read:stats"]', '"read:all"']]);
  const perPage = (document: OpenApi) => parameter(at(document, 'get', '/api/v1/indicateurs'), 'per_page').schema;
  const less = changed((document) => Object.assign(perPage(document), { default: 10 }), openApi.cohesion);
  expect(less.map(([rule]) => rule)).toEqual('default' in perPage(openApi.cohesion) ? ['default-changed'] : []);
});

const harmless: [string, (document: OpenApi) => void][] = [
  ['a new operation', (d) => Object.assign(d.paths, { '/api/v1/stock': d.paths['/api/v1/inventory'] })],
  ['a new event', (d) => Object.assign(d.webhooks as object, { 'sale.cancelled': d.webhooks?.['sale.completed'] })],
  ['a new optional parameter', (d) => report(d).parameters?.push({ name: 'zone', in: 'query', schema: {} })],
  ['a parameter is optional', (d) => Object.assign(parameter(report(d), 'store_id'), { required: false })],
  ['a new optional field to send', (d) => Object.assign(sent(d).properties as object, { note: { type: 'string' } })],
  ['a field need not be sent', (d) => optional(sent(d), 'total')],
  ['a further value may be sent', (d) => field(sent(d), 'payment_method').enum?.push('cheque')],
  ['null may be sent', (d) => Object.assign(field(sent(d), 'customer_phone'), { type: ['string', 'null'] })],
  ['more may be sent', (d) => Object.assign(field(sent(d), 'items'), { maxItems: 500 })],
  ['a bound on what is sent is gone', (d) => delete field(sent(d), 'total').maximum],
  ['a new status', (d) => Object.assign(at(d, 'post', '/api/v1/sales').responses, { 409: {} })],
  [
    'a new field of a reply',
    (d) => {
      Object.assign(sold(d).properties as object, { seller: {} });
      sold(d).required?.push('seller');
    },
  ],
  ['a reply is never null any more', (d) => field(sold(d), 'completed_at').anyOf?.pop()],
  ['a reply has fewer values', (d) => field(sold(d), 'payment_method').enum?.pop()],
  [
    'the same alternatives, written as a list of types',
    (d) => Object.assign(sold(d).properties as object, { customer_phone: { anyOf: [{ type: 'null' }, { type: 'string' }] } }),
  ],
  [
    'a new field of an event',
    (d) => {
      Object.assign(payload(d).properties as object, { unit: {} });
      payload(d).required?.push('unit');
    },
  ],
  ['a new header of an event', (d) => low(d).parameters?.push({ name: 'webhook-attempt', in: 'header', required: true })],
  ['no token is needed', (d) => Object.assign(report(d), { security: [] })],
  ['another way to authorize', (d) => Object.assign(report(d), { security: [{ other: [] }, { bearer: [] }] })],
  ['other words', (d) => Object.assign(report(d), { summary: 'x', description: 'y', operationId: 'z', 'x-gap': [] })],
  [
    'a constant written as a list of one',
    (d) =>
      Object.assign(jsonSchema(low(d).requestBody)?.properties as object, { event: { type: 'string', enum: ['inventory.low'] } }),
  ],
];

test.each(harmless)('it is harmless: %s', (_, edit) => {
  expect(changed(edit)).toEqual([]);
});

test('the name of a path parameter is nobody’s business, its type is', () => {
  const path = '/api/v1/indicateurs/{id}';
  const rename = (schema: Schema) => (document: OpenApi) => {
    const item = document.paths[path] as Record<string, Operation>;
    (item.get as Operation).parameters = [{ name: 'indicator', in: 'path', required: true, schema }];
    delete document.paths[path];
    document.paths['/api/v1/indicateurs/{indicator}'] = item;
  };
  const schema = openApi.cohesion.paths[path]?.get?.parameters?.[0]?.schema as Schema;
  expect(changed(rename(schema), openApi.cohesion)).toEqual([]);
  expect(changed(rename({ type: 'boolean' }), openApi.cohesion).map(([rule, place]) => [rule, place])).toContainEqual([
    'narrowed',
    `GET ${path}, path id`,
  ]);
});

/** Every schema of a document, with the direction in which its values go. */
function* schemasIn(document: OpenApi): Generator<{ schema: Schema; direction: Direction; place: string }> {
  function* within(
    schema: Schema,
    direction: Direction,
    place: string,
  ): Generator<{ schema: Schema; direction: Direction; place: string }> {
    yield { schema, direction, place };
    for (const child of Object.values(schema.properties ?? {})) yield* within(child, direction, place);
    for (const child of [schema.items, ...(schema.anyOf ?? [])]) if (child) yield* within(child, direction, place);
    if (typeof schema.additionalProperties === 'object') yield* within(schema.additionalProperties, direction, place);
  }
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { parameters = [], requestBody, responses }] of Object.entries(item)) {
      const place = `${method.toUpperCase()} ${path}`;
      for (const { schema } of parameters) if (schema) yield* within(schema, 'sent', place);
      if (requestBody) yield* within(jsonSchema(requestBody) as Schema, 'sent', place);
      for (const reply of Object.values(responses))
        if (jsonSchema(reply)) yield* within(jsonSchema(reply) as Schema, 'received', place);
    }
  }
  for (const [type, item] of Object.entries(document.webhooks ?? {})) {
    yield* within(jsonSchema(item.post?.requestBody) as Schema, 'received', `event ${type}`);
  }
}

describe.each(['pos', 'cohesion'] as const)('wherever it is done in %s', (provider) => {
  const before = openApi[provider];
  const after = structuredClone(before);
  const schemas = [...schemasIn(after)];

  /** Does it, asks, and takes it back. */
  function places(schema: Schema, edit: (schema: Schema) => void): string[] {
    // Not a deep copy: the schemas within must stay those that are visited later.
    const { properties, enum: values, ...rest } = schema;
    const kept = { ...rest, ...(properties && { properties: { ...properties } }), ...(values && { enum: [...values] }) };
    edit(schema);
    const found = findBreaking(before, after).map(({ place }) => place);
    for (const key of Object.keys(schema)) delete schema[key];
    Object.assign(schema, kept);
    return found;
  }

  test('another type breaks, and so does a field that is gone', () => {
    expect(schemas.length).toBeGreaterThan(300);
    for (const { schema, place } of schemas) {
      if (schema.type !== undefined) {
        const found = places(schema, (one) => Object.assign(one, { type: 'other' }));
        expect(found.length, `${place} ${JSON.stringify(schema)}`).toBeGreaterThan(0);
        expect(found.filter((one) => !one.startsWith(place))).toEqual([]);
      }
      const [name] = Object.keys(schema.properties ?? {});
      if (name !== undefined)
        expect(
          places(schema, (one) => remove(one, name)).some((one) => one.endsWith(`.${name}`)),
          place,
        ).toBe(true);
    }
  });

  test('a value less breaks who sends it, a value more breaks who reads it, and the other way round neither', () => {
    for (const { schema, direction, place } of schemas.filter((one) => (one.schema.enum?.length ?? 0) > 1)) {
      const less = places(schema, (one) => one.enum?.pop());
      const more = places(schema, (one) => one.enum?.push('more'));
      expect([less.length > 0, more.length > 0], `${place} ${direction}`).toEqual(
        direction === 'sent' ? [true, false] : [false, true],
      );
    }
  });
});

test('schemas by themselves: integers are numbers, alternatives have no order, dictionaries have values', () => {
  const rulesOf = (from: Schema, to: Schema, direction: Direction) =>
    compareSchemas(from, to, direction, '$').map(({ rule }) => rule);
  const [integer, number, text]: [Schema, Schema, Schema] = [{ type: 'integer' }, { type: 'number' }, { type: 'string' }];
  expect([rulesOf(integer, number, 'sent'), rulesOf(number, integer, 'sent')]).toEqual([[], ['narrowed']]);
  expect([rulesOf(integer, number, 'received'), rulesOf(number, integer, 'received')]).toEqual([['widened'], []]);
  const either = (...values: string[]): Schema => ({ anyOf: values.map((value) => ({ type: 'string', const: value })) });
  expect(rulesOf(either('a', 'b'), either('b', 'a'), 'sent')).toEqual([]);
  expect(rulesOf(either('a', 'b'), either('b'), 'sent')).toEqual(['narrowed']);
  expect(rulesOf(either('a'), either('a', 'b'), 'received')).toEqual(['widened']);
  const dictionary = (additionalProperties: Schema | boolean): Schema => ({ type: 'object', additionalProperties });
  expect(rulesOf(dictionary(integer), dictionary(text), 'received')).toEqual(['widened']);
  expect(rulesOf(dictionary(integer), dictionary(true), 'received')).toEqual(['widened']);
  expect(rulesOf(dictionary(integer), dictionary(false), 'received')).toEqual(['field-removed']);
  expect(rulesOf(dictionary(true), dictionary(false), 'received')).toEqual([]);
  expect(rulesOf(dictionary(true), dictionary(false), 'sent')).toEqual(['field-removed']);
  expect(rulesOf(dictionary(false), dictionary(integer), 'sent')).toEqual([]);
});

test('what it has no rule for it does not judge', () => {
  expect(() => compareSchemas({}, { not: {} }, 'sent', 'here')).toThrow('here: there is no rule for the keyword not.');
  expect(() => changed((document) => Object.assign(sent(document), { allOf: [] }))).toThrow(/keyword allOf/);
  expect(() => changed((document) => Object.assign(report(document), { parameters: [{ $ref: '#/x' }] }))).toThrow(
    'References are not followed.',
  );
  expect(() => changed((document) => Object.assign(document.paths['/api/v1/sales'] as object, { parameters: [] }))).toThrow(
    /no rule for parameters/,
  );
});

describe('the program', () => {
  let place: string;
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'passerelle-breaking-'));
    cpSync(folder, place, { recursive: true });
  });
  afterAll(() => rmSync(place, { recursive: true }));
  const folders = () => ({ current: pathToFileURL(`${place}/`), released: pathToFileURL(`${place}/released/`) });
  const file = () => join(place, 'pos.json');
  const edit = (change: (document: OpenApi) => void) => {
    const document = JSON.parse(readFileSync(file(), 'utf8'));
    change(document);
    writeFileSync(file(), JSON.stringify(document));
  };

  test('exits 0, then 1 with a report, then 0 once released, and 2 where it cannot tell', () => {
    expect(run([], folders())).toEqual({
      code: 0,
      text: 'Nothing in pos, cohesion, manage breaks a consumer of the last release.\n',
    });
    edit((document) => delete document.webhooks?.['inventory.low']);
    const { code, text } = run([], folders());
    expect(code).toBe(1);
    expect(text).toContain(
      'pos: 1 breaking change\n  event inventory.low\n    The event is gone. Who awaits it waits forever. (event-removed)\n    before: "inventory.low"\n',
    );
    expect(run(['--release'], folders()).code).toBe(0);
    expect(run([], folders()).code).toBe(0);
    writeFileSync(file(), '{');
    expect(run([], folders())).toEqual({ code: 2, text: expect.stringMatching(/^Could not compare: /) });
    expect(run(['--no-such-flag'], folders()).code).toBe(2);
  });

  test('runs as it is', () => {
    const program = new URL('../../contracts/check-breaking.ts', import.meta.url).pathname;
    expect(execFileSync('node', [program], { encoding: 'utf8' })).toMatch(/^Nothing in pos, cohesion, manage breaks/);
  });
});

test('every rule says what and why', () => {
  for (const { what, why } of Object.values(rules)) expect(`${what} ${why}`).toMatch(/^[A-Z].*\. .*\.$/);
});
