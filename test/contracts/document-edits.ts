import { jsonSchema, type OpenApi, type Operation, type Schema } from '../../contracts/openapi/document.ts';
import { openApi } from '../../contracts/openapi/operations.ts';
import { alone, findChanges } from '../../contracts/tools/breaking/documents.ts';

/** Returns the changes that a consumer of the first document may notice. */
export const findBreaking = (before: unknown, after: unknown) =>
  findChanges(alone(before), alone(after)).filter(({ severity }) => severity !== 'harmless');

export type Edit = (document: OpenApi) => void;

export const at = (document: OpenApi, method: string, path: string) => document.paths[path]?.[method] as Operation;
export const sent = (document: OpenApi) => jsonSchema(at(document, 'post', '/api/v1/sales').requestBody) as Schema;
export const sold = (document: OpenApi) =>
  jsonSchema(at(document, 'post', '/api/v1/sales').responses['201'])?.properties?.data as Schema;
export const low = (document: OpenApi) => document.webhooks?.['inventory.low']?.post as Operation;
export const payload = (document: OpenApi) => jsonSchema(low(document).requestBody)?.properties?.data as Schema;
export const field = (schema: Schema, name: string) => schema.properties?.[name] as Schema;
export const parameter = (operation: Operation, name: string) =>
  operation.parameters?.find((one) => one.name === name) as { required?: boolean; schema: Schema };
export const report = (document: OpenApi) => at(document, 'get', '/api/v1/reports/sales');

export function optional(schema: Schema, name: string): void {
  schema.required = (schema.required ?? []).filter((one) => one !== name);
}

export function remove(schema: Schema, name: string): void {
  optional(schema, name);
  delete schema.properties?.[name];
}

export function changed(edit: (document: OpenApi) => void, of = openApi.pos): [string, string, string?, string?][] {
  const after = structuredClone(of);
  edit(after);
  return findBreaking(of, after).map(({ rule, place, before, after: now }) => [rule, place, before, now]);
}

/** Changes that break no consumer. */
export const harmless: [string, Edit][] = [
  ['a new operation', (d) => Object.assign(d.paths, { '/api/v1/stock': d.paths['/api/v1/inventory'] })],
  ['a new event', (d) => Object.assign(d.webhooks as object, { 'sale.cancelled': d.webhooks?.['sale.completed'] })],
  ['a new optional parameter', (d) => report(d).parameters?.push({ name: 'zone', in: 'query', schema: {} })],
  ['a parameter is optional', (d) => Object.assign(parameter(report(d), 'store_id'), { required: false })],
  ['a new optional field to send', (d) => Object.assign(sent(d).properties as object, { note: { type: 'string' } })],
  ['a sent field becomes optional', (d) => optional(sent(d), 'total')],
  ['a further value is accepted', (d) => field(sent(d), 'payment_method').enum?.push('cheque')],
  ['null is accepted', (d) => Object.assign(field(sent(d), 'customer_phone'), { type: ['string', 'null'] })],
  ['more lines are accepted', (d) => Object.assign(field(sent(d), 'items'), { maxItems: 500 })],
  ['a bound on a sent value is removed', (d) => delete field(sent(d), 'total').maximum],
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
  ['a different description', (d) => Object.assign(report(d), { summary: 'x', description: 'y', operationId: 'z', 'x-gap': [] })],
  [
    'a constant written as a list of one',
    (d) =>
      Object.assign(jsonSchema(low(d).requestBody)?.properties as object, { event: { type: 'string', enum: ['inventory.low'] } }),
  ],
];
