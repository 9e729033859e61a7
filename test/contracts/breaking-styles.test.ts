import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Schema } from '../../contracts/openapi/document.ts';
import { alone, findChanges } from '../../contracts/tools/breaking/documents.ts';
import { compareSchemas } from '../../contracts/tools/breaking/schemas.ts';
import { forAll } from '../for-all.ts';

/** Other people's documents: OpenAPI 3.0 with references everywhere, and 3.1 with everything inline. */
const shop = parse(`
openapi: 3.0.3
info: { title: Shop, version: 1.4.0 }
servers:
  - url: https://{region}.example.org/v1/
    variables: { region: { default: eu, enum: [eu, us] } }
security: [{ apiKey: [] }]
paths:
  /carts/{cartId}/items/{itemId}:
    parameters:
      - $ref: '#/components/parameters/Item'
      - $ref: '#/components/parameters/Cart'
      - { name: X-Trace, in: header, schema: { type: string } }
    get:
      parameters:
        - { name: fields, in: query, explode: false, schema: { type: array, items: { type: string } } }
        - { name: sort, in: query, schema: { type: string, enum: [price, name], default: name } }
      responses:
        '200': { $ref: '#/components/responses/Item' }
        4XX: { description: refused }
        default: { description: anything else, content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
    put:
      requestBody:
        required: true
        content:
          application/json; charset=utf-8: { schema: { $ref: '#/components/schemas/Item' } }
      responses: { '204': { description: done } }
      callbacks:
        changed:
          '{$request.header.x-callback}':
            post:
              requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
              responses: { '200': { description: ok } }
components:
  securitySchemes:
    apiKey: { type: apiKey, in: header, name: X-Key, description: Ask us. }
  parameters:
    Cart: { name: cartId, in: path, required: true, schema: { type: string, format: uuid } }
    Item: { name: itemId, in: path, required: true, schema: { type: integer, minimum: 0, exclusiveMinimum: true } }
  responses:
    Item:
      description: An item
      headers:
        ETag: { required: true, schema: { type: string } }
        Content-Type: { schema: { type: string } }
      content:
        application/json: { schema: { $ref: '#/components/schemas/Item' } }
  schemas:
    Error: { type: object, properties: { code: { type: string } } }
    Named: { type: object, required: [name], properties: { name: { type: string, maxLength: 80 } } }
    Item:
      allOf:
        - $ref: '#/components/schemas/Named'
        - type: object
          required: [id, price]
          properties:
            id: { type: integer, format: int32, readOnly: true }
            secret: { type: string, writeOnly: true }
            price: { type: number, nullable: true }
            state: { type: string, enum: [new, sold], nullable: true }
            parts: { type: array, items: { $ref: '#/components/schemas/Item' } }
            payment: { $ref: '#/components/schemas/Payment' }
    Payment:
      oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Cash' }]
      discriminator: { propertyName: kind }
      required: [kind]
      properties: { kind: { type: string } }
    Card:
      allOf:
        - $ref: '#/components/schemas/Payment'
        - { type: object, required: [digits], properties: { kind: { enum: [card] }, digits: { type: string } } }
    Cash:
      allOf:
        - $ref: '#/components/schemas/Payment'
        - { type: object, required: [till], properties: { kind: { enum: [cash] }, till: { type: string } } }
`);

/** The same API, as another tool would write it: OpenAPI 3.1, inline, other names of parameters, schemes and components. */
const rewritten = parse(`
openapi: 3.1.0
info: { title: The shop, version: 1.4.1 }
servers: [{ url: https://us.example.org/v1 }, { url: https://eu.example.org/v1 }]
paths:
  /carts/{cart}/items/{item}:
    get:
      security: [{ key: [] }]
      operationId: getItem
      parameters:
        - { name: cart, in: path, required: true, schema: { format: uuid, type: string } }
        - { name: x-trace, in: header, schema: { type: [string] } }
        - { name: sort, in: query, schema: { default: name, anyOf: [{ const: name }, { const: price }] } }
        - { name: item, in: path, required: true, schema: { type: integer, exclusiveMinimum: 0 } }
        - { name: fields, in: query, style: form, explode: false, schema: { type: array, items: { type: string } } }
      responses:
        default: { description: else, content: { application/json: { schema: { type: object, properties: { code: { type: string } } } } } }
        4xx: { description: refused }
        200:
          description: ok
          headers: { etag: { required: true, schema: { type: string } } }
          content: { Application/JSON: { schema: { $ref: '#/$defs/item' } } }
    put:
      security: [{ key: [] }]
      parameters:
        - { name: cart, in: path, required: true, schema: { format: uuid, type: string } }
        - { name: item, in: path, required: true, schema: { type: integer, exclusiveMinimum: 0 } }
        - { name: X-TRACE, in: header, schema: { type: string } }
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/$defs/item' } } } }
      responses: { 204: { description: done } }
      callbacks:
        changed:
          '{$request.header.x-callback}':
            post:
              requestBody: { content: { application/json: { schema: { $ref: '#/$defs/item' } } } }
              responses: { 200: { description: ok } }
components:
  securitySchemes: { key: { name: X-Key, in: header, type: apiKey } }
$defs:
  item:
    type: object
    required: [price, name, id]
    properties:
      payment:
        anyOf:
          - { type: object, required: [kind, till], properties: { kind: { const: cash }, till: { type: string } } }
          - { type: object, required: [kind, digits], properties: { kind: { const: card, type: string }, digits: { type: string } } }
      parts: { type: array, items: { $ref: '#/$defs/item', description: A part. } }
      state: { enum: [sold, null, new] }
      price: { anyOf: [{ type: 'null' }, { type: number }] }
      secret: { type: string, writeOnly: true, pattern: '' }
      id: { type: integer, format: int32, readOnly: true }
      name: { type: string, maxLength: 80 }
`);

type Document = typeof shop;
const rulesOf = (before: unknown, after: unknown) =>
  findChanges(alone(before), alone(after)).map(({ rule, place }) => [rule, place]);
const changed = (edit: (document: Document) => void) => {
  const after = structuredClone(shop);
  edit(after);
  return rulesOf(shop, after);
};

test('the same API in another style is the same API', () => {
  expect(rulesOf(shop, shop)).toEqual([]);
  expect(rulesOf(rewritten, rewritten)).toEqual([]);
  expect(rulesOf(shop, rewritten)).toEqual([]);
  expect(rulesOf(rewritten, shop)).toEqual([]);
});

const get = 'GET /carts/{cartId}/items/{itemId}';
const put = 'PUT /carts/{cartId}/items/{itemId}';
const schemas = (document: Document) => document.components.schemas;
const own = (document: Document) => schemas(document).Item.allOf[1];
const item = (document: Document) => document.paths['/carts/{cartId}/items/{itemId}'];

const places: [string, (document: Document) => void, [string, string]][] = [
  ['a field of a base schema', (d) => delete schemas(d).Named.properties.name, ['field-removed', `${get}, reply 200, $.name`]],
  [
    'a field of a callback',
    (d) => delete own(d).properties.state,
    ['field-removed', `callback changed of PUT /carts/{}/items/{}, $.state`],
  ],
  [
    'a field of one member of a union',
    (d) => delete schemas(d).Card.allOf[1].properties.digits,
    ['field-removed', `${get}, reply 200, $.payment.digits`],
  ],
  ['a component that contains itself', (d) => delete own(d).properties.parts, ['field-removed', `${put}, body, $.parts`]],
  ['a field that may be null', (d) => (own(d).properties.id.nullable = true), ['widened', `${get}, reply 200, $.id`]],
  ['a field that is sent may not be null', (d) => delete own(d).properties.price.nullable, ['narrowed', `${put}, body, $.price`]],
  ['a new value of a list', (d) => own(d).properties.state.enum.push('lost'), ['value-added', `${get}, reply 200, $.state`]],
  ['a larger number', (d) => (own(d).properties.id.format = 'int64'), ['widened', `${get}, reply 200, $.id`]],
  ['a longer text', (d) => delete schemas(d).Named.properties.name.maxLength, ['bound-loosened', `${get}, reply 200, $.name`]],
  [
    'a reply header',
    (d) => delete d.components.responses.Item.headers.ETag,
    ['header-removed', `${get}, reply 200, header ETag`],
  ],
  ['a shared parameter', (d) => item(d).parameters.splice(2, 1), ['parameter-removed', `${put}, header x-trace`]],
  ['a path parameter', (d) => (d.components.parameters.Cart.schema.format = 'date'), ['narrowed', `${get}, path cartId`]],
  ['how a list is written', (d) => delete item(d).get.parameters[0].explode, ['serialization-changed', `${get}, query fields`]],
  ['a default', (d) => (item(d).get.parameters[1].schema.default = 'price'), ['default-changed', `${get}, query sort`]],
  [
    'a range of statuses',
    (d) => delete item(d).get.responses['4XX'] && delete item(d).get.responses.default,
    ['refusal-removed', `${get}, reply 4XX`],
  ],
  ['another status of success', (d) => (item(d).put.responses['202'] = {}), ['success-added', `${put}, reply 202`]],
  ['one of the base addresses', (d) => d.servers[0].variables.region.enum.pop(), ['server-removed', 'servers']],
  [
    'the security scheme',
    (d) => (d.components.securitySchemes.apiKey.name = 'X-Token'),
    ['security-scheme-changed', 'authorization apiKey'],
  ],
  ['an exclusive bound', (d) => (d.components.parameters.Item.schema.minimum = 9), ['narrowed', `${get}, path itemId`]],
];

test.each(places)('noticed: %s', (_, edit, expected) => {
  expect(changed(edit)).toContainEqual(expected);
});

test('what is only read need not be sent, and what is only sent need not be read', () => {
  expect(changed((d) => delete own(d).properties.secret)).toEqual([
    ['field-removed', 'PUT /carts/{cartId}/items/{itemId}, body, $.secret'],
  ]);
  expect(
    changed((d) => delete own(d).properties.id && own(d).required.shift()).map(([, place]) => place?.split(',')[0]),
  ).not.toContain(put);
});

test('what is new is harmless, and what is gone is not', () => {
  const added = findChanges(alone(shop), alone({ ...shop, paths: { ...shop.paths, '/new': { get: { responses: {} } } } }));
  expect(added).toEqual([{ rule: 'operation-added', place: 'GET /new', severity: 'harmless', what: 'The operation is new.' }]);
  expect(findChanges(alone({ ...shop, paths: {} }), alone(shop)).every(({ severity }) => severity === 'harmless')).toBe(true);
  expect(rulesOf(shop, { ...shop, paths: {} }).map(([rule]) => rule)).toEqual([
    'operation-removed',
    'operation-removed',
    'event-removed',
  ]);
});

describe('extensions of the documents of this repository', () => {
  const document = (operation: object) => ({
    openapi: '3.1.0',
    info: {},
    paths: { '/a': { get: { responses: {}, ...operation } } },
  });
  const compared = (before: object, after: object) =>
    findChanges(alone(document(before)), alone(document(after))).map(({ rule, place, severity, before: was, after: now }) =>
      [rule, place, severity, was, now].filter(Boolean),
    );
  const throttle = (calls: number, seconds = 60, per = 'token') => ({ 'x-throttle': [{ limit: 'writes', calls, seconds, per }] });

  test('a throttle of 10 instead of 60 breaks, and one of 600 is harmless', () => {
    expect(compared(throttle(60), throttle(10))).toEqual([
      [
        'throttle-stricter',
        'GET /a, throttle',
        'breaking',
        '{"limit":"writes","calls":60,"seconds":60,"per":"token"}',
        '{"limit":"writes","calls":10,"seconds":60,"per":"token"}',
      ],
    ]);
    const rules = (after: object, before: object = throttle(60)) => compared(before, after).map(([rule]) => rule);
    expect(rules(throttle(600))).toEqual(['throttle-looser']);
    expect(rules(throttle(60, 600))).toEqual(['throttle-stricter']);
    expect(rules(throttle(1, 1))).toEqual(['throttle-stricter']);
    expect(rules(throttle(60, 60, 'account'))).toEqual(['throttle-stricter']);
    expect(
      rules({ 'x-throttle': [...throttle(60)['x-throttle'], { limit: 'plan', calls: 9, seconds: 1, per: 'account' }] }),
    ).toEqual(['throttle-stricter']);
    expect(rules({})).toEqual([]);
    // Documents that said nothing about throttles promised nothing.
    expect(rules(throttle(60), {})).toEqual([]);
    expect(() => compared(throttle(60), { 'x-throttle': [{ calls: 'many' }] })).toThrow('GET /a, x-throttle');
  });

  test('a new ability breaks, also beside a document that only describes it', () => {
    expect(compared({ 'x-ability': 'read:a' }, { 'x-ability': 'write:a' })[0]).toEqual([
      'ability-required',
      'GET /a',
      'breaking',
      '["read:a"]',
      '"write:a"',
    ]);
    expect(compared({ description: 'Needs the ability `read:a`.' }, { 'x-ability': 'read:a' })).toEqual([]);
    expect(compared({ 'x-ability': 'read:a' }, {})).toEqual([['ability-dropped', 'GET /a', 'harmless', '"read:a"', '[]']]);
  });

  test('a default of 20 instead of 25 breaks; one that is now stated is harmless', () => {
    const perPage = (schema: object) => ({ parameters: [{ name: 'per_page', in: 'query', schema }] });
    expect(compared(perPage({ default: 25 }), perPage({ default: 20 }))).toEqual([
      ['default-changed', 'GET /a, query per_page', 'breaking', '25', '20'],
    ]);
    expect(compared(perPage({}), perPage({ default: 25 }))[0]?.[0]).toBe('default-declared');
  });
});

/** One operation with replies of these statuses. */
const answering = (...statuses: string[]) => ({
  openapi: '3.1.0',
  info: {},
  paths: { '/a': { get: { responses: Object.fromEntries(statuses.map((status) => [status, {}])) } } },
});

test.each([
  [['204'], ['2XX'], 'GET /a, reply 204', '"2XX"'],
  [['200'], ['default'], 'GET /a, reply 200', '"default"'],
  [['200', '404'], ['404', 'default'], 'GET /a, reply 200', '"default"'],
  [['2XX'], ['default'], 'GET /a, reply 2XX', '"default"'],
])('a success %j that becomes %j is risky, and the other way round it is harmless', (from, to, place, general) => {
  const [before, after] = [alone(answering(...from)), alone(answering(...to))];
  expect(findChanges(before, after)).toContainEqual(
    expect.objectContaining({ rule: 'success-generalized', place, severity: 'risky', after: general }),
  );
  expect(findChanges(after, before).map(({ severity }) => severity)).not.toContain('breaking');
  expect(findChanges(after, before)).toContainEqual(
    expect.objectContaining({ rule: 'success-named', place, severity: 'harmless' }),
  );
});

test('an error status that becomes general is no change', () => {
  expect(rulesOf(answering('200', '404'), answering('200', '4XX'))).toEqual([]);
});

describe('a value that is sent as text', () => {
  const asking = (place: string, schema: object) => ({
    openapi: '3.1.0',
    info: {},
    paths: { '/a': { get: { parameters: [{ name: 'n', in: place, schema }], responses: {} } } },
  });
  const severityOf = (from: object, to: object) => [
    ...new Set(findChanges(alone(asking('query', from)), alone(asking('query', to))).map(({ severity }) => severity)),
  ];
  const integer = { type: 'integer' };
  const text = { type: 'string' };

  test.each([
    [integer, text],
    [{ ...integer, format: 'int32', minimum: 1 }, text],
    [{ enum: [1, 2] }, { enum: ['1', '2', 'all'] }],
    [{ enum: [1, 'x'] }, { enum: ['1', 'x', 'y'] }],
    [{ type: 'boolean' }, { enum: ['true', 'false', 'all'] }],
    [
      { type: 'array', items: integer },
      { type: 'array', items: text },
    ],
  ])('%j that becomes %j accepts more', (from, to) => {
    expect(severityOf(from, to)).toEqual(['harmless']);
    expect(severityOf(to, from)).toEqual(['breaking']);
  });

  test('a list that lacks an old value accepts less, and a default is the same text', () => {
    expect(severityOf({ enum: [1, 2] }, { enum: ['1', 'all'] })).toEqual(['breaking']);
    expect(severityOf(integer, { ...text, format: 'uuid' })).toEqual(['breaking']);
    expect(severityOf({ ...integer, default: 1 }, { ...text, default: '1' })).toEqual(['harmless']);
    expect(severityOf({ ...integer, default: 1 }, { ...text, default: '2' })).toContain('breaking');
  });
});

test.each([
  [10, 5],
  [0.01, 0.001],
  [0.3, 0.1],
  [1e-7, 1e-9],
  [10, undefined],
])('a request with multipleOf %d that becomes %d accepts more', (from, to) => {
  const number = (multipleOf?: number): Schema => ({ type: 'number', ...(multipleOf && { multipleOf }) });
  const rules = (before: Schema, after: Schema, direction: 'sent' | 'received') =>
    compareSchemas(before, after, direction, '$').map(({ rule }) => rule);
  expect(rules(number(from), number(to), 'sent')).toEqual([]);
  expect(rules(number(to), number(from), 'sent')).toEqual(['narrowed']);
  expect(rules(number(from), number(to), 'received')).toEqual(['bound-loosened']);
  expect(rules(number(to), number(from), 'received')).toEqual([]);
  expect(rules(number(10), number(4), 'sent')).toEqual(['narrowed']);
});

test('the bounds of a number are compared as one range, and the report shows the old one', () => {
  const compared = (from: Schema, to: Schema) =>
    compareSchemas(from, to, 'sent', '$').map(({ rule, before, after }) => [rule, before, after]);
  const [integer, number] = [
    (bounds: object): Schema => ({ type: 'integer', ...bounds }),
    (bounds: object): Schema => ({ type: 'number', ...bounds }),
  ];
  for (const [from, to] of [
    [{ minimum: 0 }, { exclusiveMinimum: -1 }],
    [{ maximum: 9 }, { exclusiveMaximum: 10 }],
  ] as const) {
    expect([compared(integer(from), integer(to)), compared(integer(to), integer(from))]).toEqual([[], []]);
    expect([compared(number(from), number(to)), compared(number(to), number(from)).length]).toEqual([[], 1]);
  }
  expect(compared(number({ minimum: 0 }), number({ exclusiveMinimum: 0 }))).toEqual([
    ['narrowed', '{"minimum":0}', '{"exclusiveMinimum":0}'],
  ]);
  expect(compared(integer({ minimum: 0 }), integer({ exclusiveMinimum: 5 }))).toEqual([
    ['narrowed', '{"minimum":0}', '{"exclusiveMinimum":5}'],
  ]);
});

describe('variants of a union', () => {
  const kind = (name: string, ...fields: string[]) => ({
    type: 'object',
    required: ['kind', ...fields],
    properties: { kind: { const: name }, ...Object.fromEntries(fields.map((field) => [field, { type: 'string' }])) },
  });
  const having = (field: string, type = 'boolean') => ({ type: 'object', required: [field], properties: { [field]: { type } } });
  const unionOf = (...variants: object[]) => replying({ type: 'object', properties: { u: { oneOf: variants } } });
  const compared = (before: object[], after: object[]) =>
    findChanges(alone(unionOf(...before)), alone(unionOf(...after))).map(({ rule, place, before: was, after: now }) => ({
      rule,
      place,
      value: was ?? now,
    }));
  const place = 'GET /a, reply 200, $.u';

  test.each([
    ['told apart by a constant', [kind('cat', 'meow'), kind('dog', 'bark')], kind('cow', 'moo'), '"cow"'],
    ['told apart by their fields', [having('meow'), having('bark')], having('moo'), '"moo"'],
  ])('one that is added or removed is named: %s', (_, two, third, name) => {
    expect(compared(two, [...two, third])).toEqual([{ rule: 'variant-added', place, value: expect.stringContaining(name) }]);
    expect(compared([third, ...two], two)).toEqual([
      { rule: 'variant-no-longer-sent', place, value: expect.stringContaining(name) },
    ]);
  });

  test('one that changes is compared with itself', () => {
    const [cat, dog] = [kind('cat', 'a', 'b'), kind('dog', 'c')];
    expect(compared([cat, dog], [dog, kind('cow', 'a', 'b'), kind('cat', 'a')]).map((one) => [one.rule, one.place])).toEqual([
      ['field-removed', `${place}.b`],
      ['variant-added', place],
    ]);
    expect(compared([having('meow'), having('bark')], [having('bark'), having('meow', 'string')])[0]).toMatchObject({
      rule: 'widened',
      place: `${place}.meow`,
    });
  });

  test('a change that several variants or types share is one change', () => {
    const number = (format: string) => replying({ type: ['integer', 'null'], format });
    expect(rulesOf(number('int32'), number('int64'))).toEqual([['widened', 'GET /a, reply 200, $']]);
  });
});

test('recursion of every kind ends', () => {
  const within = (schemas: object) => ({
    openapi: '3.1.0',
    info: {},
    components: { schemas },
    paths: {
      '/a': { get: { responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } } } } },
    },
  });
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const both = (a: object) =>
    within({
      A: { allOf: [ref('X'), ref('Y')], ...a },
      X: { properties: { c: ref('X'), d: ref('Y') } },
      Y: { properties: { c: ref('Y'), d: ref('A') } },
    });
  expect(rulesOf(both({}), both({}))).toEqual([]);
  expect(rulesOf(both({}), both({ properties: { e: {} } })).map(([, place]) => place)).toContain('GET /a, reply 200, $.e');
  expect(rulesOf(within({ A: { allOf: [ref('A')] } }), within({ A: { anyOf: [ref('A'), { type: 'string' }] } }))).toBeDefined();
  expect(() => rulesOf(within({ A: ref('A') }), within({ A: ref('A') }))).toThrow('leads back to itself');
  expect(() => rulesOf(within({}), within({}))).toThrow('The document has no component #/components/schemas/A.');
});

/** Schemas of replies: objects with fields, lists, unions told apart by a constant, and what they may contain. */
const scalar = fc.constantFrom(
  { type: 'string' },
  { type: 'integer', minimum: 1 },
  { type: ['string', 'null'], format: 'date' },
  { enum: ['a', 1, null] },
  true,
);
const fields = fc.dictionary(fc.constantFrom('a', 'b', 'properties', '$ref', 'default', '__proto__', 'ü'), fc.constant(0), {
  minKeys: 1,
  maxKeys: 4,
});

interface Typed {
  properties: Record<string, unknown>;
  required?: string[];
}

function without(schema: unknown, names: readonly string[]): Typed {
  const { properties, required = [], ...rest } = schema as Typed;
  const left = Object.entries(properties).filter(([name]) => !names.includes(name));
  return { ...rest, properties: Object.fromEntries(left), required: required.filter((name) => !names.includes(name)) };
}

const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    tie('object'),
    tie('list'),
    tie('union'),
    tie('composed'),
  ),
  object: fields.chain((names) =>
    fc
      .tuple(...Object.keys(names).map((name) => tie('schema').map((of) => [name, of] as const)))
      .chain((all) =>
        fc.subarray(Object.keys(names)).map((required) => ({ type: 'object', properties: Object.fromEntries(all), required })),
      ),
  ),
  list: tie('schema').map((items) => ({ type: 'array', items })),
  union: fc.tuple(tie('object'), tie('object')).map(([one, other]) => ({
    oneOf: [one, other].map((of, at) => ({ allOf: [of, { required: ['kind'], properties: { kind: { const: at } } }] })),
  })),
  // The same field with two types would allow no value at all.
  composed: fc
    .tuple(tie('object'), tie('object'))
    .map(([one, other]) => ({ allOf: [one, without(other, Object.keys((one as Typed).properties))] })),
}));

const replying = (of: unknown) => ({
  openapi: '3.1.0',
  info: {},
  components: { schemas: { Reply: of } },
  paths: {
    '/a': {
      get: { responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Reply' } } } } } },
    },
  },
});

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, one]) => [name, shuffled(one)]),
  );
}

test('a document beside itself is silent, in any order of its names', () => {
  forAll(100, [schema], (of) => {
    expect(rulesOf(replying(of), replying(shuffled(of)))).toEqual([]);
  });
});

/** Every object in a schema that has fields. */
function* objectsIn(value: unknown): Generator<Typed> {
  if (typeof value !== 'object' || value === null) return;
  const { properties } = value as { properties?: unknown };
  if (typeof properties === 'object' && (value as { type?: unknown }).type === 'object') yield value as never;
  for (const one of Object.values(value)) yield* objectsIn(one);
}

test('each removed field of a reply is named', () => {
  forAll(100, [schema, fc.nat()], (of, at) => {
    const after = structuredClone(of);
    const all = [...objectsIn(after)].flatMap((owner) => Object.keys(owner.properties).map((name) => ({ owner, name })));
    const chosen = all[at % Math.max(all.length, 1)];
    if (chosen === undefined) return;
    delete chosen.owner.properties[chosen.name];
    chosen.owner.required = chosen.owner.required?.filter((one) => one !== chosen.name) ?? [];
    const found = rulesOf(replying(of), replying(after));
    expect(found.some(([rule, place]) => rule === 'field-removed' && place?.endsWith(`.${chosen.name}`))).toBe(true);
  });
});
