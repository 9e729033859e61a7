import { expect, test } from 'vitest';
import { jsonSchema, type OpenApi, type Operation, type Schema } from '../../contracts/openapi/document.ts';
import { openApi } from '../../contracts/openapi/operations.ts';
import {
  at,
  changed,
  type Edit,
  field,
  harmless,
  low,
  optional,
  parameter,
  payload,
  remove,
  report,
  sent,
  sold,
} from './document-edits.ts';

const sale = 'POST /api/v1/sales';
const breaking: [string, Edit, [string, string, string?, string?]][] = [
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
    ['content-type-removed', `${sale}, body, application/json`, '"application/json"', '["text/xml"]'],
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
    'a value is no longer accepted',
    (d) => field(sent(d), 'payment_method').enum?.pop(),
    ['narrowed', `${sale}, body, $.payment_method`, '{"enum":["cash","card","mobile_money"]}', '{"enum":["cash","card"]}'],
  ],
  [
    'a maximum is lower',
    (d) => Object.assign(field(field(sent(d), 'items').items as Schema, 'price'), { maximum: 9 }),
    ['narrowed', `${sale}, body, $.items[].price`, '{"maximum":1000000000000}', '{"maximum":9}'],
  ],
  [
    'a minimum number of lines is higher',
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
      'value-added',
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
    'a change deep in a list of a reply',
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
    'a response status to an event is no longer accepted',
    (d) => Object.assign(low(d), { responses: { 204: {} } }),
    ['status-removed', 'event inventory.low, answer 2XX', '"2XX"', '["204"]'],
  ],
];

test.each(breaking)('it breaks, and nothing else is reported, when %s', (_, edit, expected) => {
  const [rule, place, before, after] = expected;
  expect(changed(edit)).toEqual([[rule, place, before, after]]);
});

test('a new ability breaks, and so does a changed default', () => {
  const stats = (document: OpenApi) => at(document, 'get', '/api/v1/stats') as Operation;
  const more = changed((document) => Object.assign(stats(document), { 'x-ability': 'read:all' }), openApi.cohesion);
  expect(more).toEqual([['ability-required', 'GET /api/v1/stats', '["read:stats"]', '"read:all"']]);
  const perPage = (document: OpenApi) => parameter(at(document, 'get', '/api/v1/indicateurs'), 'per_page').schema;
  const less = changed((document) => Object.assign(perPage(document), { default: 10 }), openApi.cohesion);
  expect(less.map(([rule]) => rule)).toEqual('default' in perPage(openApi.cohesion) ? ['default-changed'] : []);
});

test.each(harmless)('it is harmless: %s', (_, edit) => {
  expect(changed(edit)).toEqual([]);
});

test('a path parameter may change its name, but not its type', () => {
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
