import { documentedAt, gapNamed, lineAt, ownLine } from '../../contracts/tools/verification/explain.ts';
import { schemasAlong } from '../../contracts/tools/verification/json-path.ts';
import type { Documented } from '../../contracts/tools/verification/result.ts';
import type { Detail } from '../../gateway/base/errors.ts';
import type { DocumentedLine } from '../../spec/documents/documented.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import { gaps } from '../../spec/gaps/gaps.ts';
import { jsonSchema } from '../../spec/openapi/document.ts';
import type { ProviderOperation } from '../../spec/openapi/operations.ts';

/** A wrong field of a request. */
export interface FieldHelp {
  /** A dotted path: `items.0.price`. */
  field: string;
  /** A stable identifier: `invalid_type`, `one_of`, `unknown_field`. */
  rule: string;
  problem: string;
  /** The API document's line about the field. If there is none, the line about the operation. */
  documented?: Documented;
  /** The gap entry that the rule depends on, if the document leaves the point open. */
  gap?: { id: string; question: string; choice: string };
}

const financing = { '': 'External financing' };

/** The tables of request bodies in the documents, by operation and by the parent field of their rows. */
const requestTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'POST /api/auth': { '': 'Credentials (request body of the token operation)' },
  'POST /api/v1/sales': { '': 'Sale (request body of POST /sales)', items: 'Sale item' },
  'POST /api/v1/payment/mobile': { '': 'Mobile payment (request body of POST /payment/mobile)' },
  'POST /api/v1/financements': financing,
  'PUT /api/v1/financements/{id}': financing,
};

/** The gaps that a rule depends on, by the end of their ids. */
const gapsOfRules: Readonly<Record<string, RegExp>> = {
  unknown_field: /\.strict-(bodies|queries)$/,
  required: /-required$/,
};

/** The gaps of quantities that a rule refuses. Bounds of texts, lists and ids are not in the gap register. */
const gapsOfQuantities: Readonly<Record<string, RegExp>> = { too_small: /-bounds$/, too_big: /-bounds$/, decimals: /-bounds$/ };

/** The gaps of refusals whose code or rule is not the name of a gap. */
const gapsOfCodes: Readonly<Record<ServiceName, Readonly<Record<string, string>>>> = {
  pos: {},
  cohesion: { exists: 'cohesion.unknown-structure', outside_perimeter: 'cohesion.perimeter' },
};

export function fieldHelp(api: ServiceName, found: ProviderOperation, { field, rule, message }: Detail): FieldHelp {
  const line = lineOf(api, found, field);
  const gap = gapOf(api, found, { field, rule, message });
  return {
    field,
    rule,
    problem: message,
    ...(line && { documented: documentedAt(api, line) }),
    ...(gap && { gap: gapNamed(gap) as NonNullable<FieldHelp['gap']> }),
  };
}

function lineOf(api: ServiceName, { method, path }: ProviderOperation, field: string): DocumentedLine | undefined {
  const name = `${method} ${path}`;
  const steps = field.split('.').filter((step) => !/^\d+$/.test(step));
  for (let length = steps.length; length > 0; length--) {
    const part = requestTables[name]?.[steps.slice(0, length - 1).join('.')];
    const row = part === undefined ? undefined : lineAt(api, { part, row: steps[length - 1] ?? '' });
    if (row !== undefined) return row;
  }
  return ownLine({ provider: api, name });
}

function gapOf(api: ServiceName, { operation }: ProviderOperation, { field, rule, message }: Detail): string | undefined {
  const ofOperation = operation['x-gap'] ?? [];
  const body = jsonSchema(operation.requestBody);
  const steps = field.split('.').map((step) => (/^\d+$/.test(step) ? null : step));
  const along = body === undefined ? [] : schemasAlong(body, steps);
  const schema = along.length > steps.length ? along[0] : undefined;
  const own = schema?.['x-gap'];
  const parameter = operation.parameters?.find(({ name }) => name === field);
  const isQuantity = ['number', 'integer'].includes(String(schema?.type)) && !field.endsWith('_id');
  const pattern =
    gapsOfRules[/^is required/.test(message) ? 'required' : rule] ?? (isQuantity ? gapsOfQuantities[rule] : undefined);
  const ofRule = pattern && [...ofOperation, ...(body?.['x-gap'] ?? []), ...(own ?? [])].find((id) => pattern.test(id));
  return ofRule ?? own?.[0] ?? parameter?.['x-gap']?.[0] ?? ofCode(api, rule);
}

/** The gap of a refusal's code, which often has its name: `pos.insufficient-stock` for `insufficient_stock`. */
export function ofCode(api: ServiceName, code: string): string | undefined {
  const id = gapsOfCodes[api][code] ?? `${api}.${code.replaceAll('_', '-')}`;
  return gaps.some((gap) => gap.id === id) ? id : undefined;
}
