import type { Choices } from './choices.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema of any form
export type Schema = any;

export interface Operation {
  name: string;
  method: string;
  /** With its prefix, such as `/pos/api/v1/sales`. */
  path: string;
  parameters: { name: string; in: string; schema: Schema }[];
  /** Undefined if it takes no body. */
  body: Schema | undefined;
  /** The statuses that its document lists. */
  statuses: ReadonlySet<number>;
  /** The headers of each status, in lower case, and whether every reply has them. */
  headers: ReadonlyMap<number, ReadonlyMap<string, boolean>>;
}

/** The operations of an OpenAPI document. */
export function operationsOf(prefix: string, document: Schema): Operation[] {
  return Object.entries<Record<string, Schema>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: operation.operationId,
      method: method.toUpperCase(),
      path: prefix + path,
      parameters: (operation.parameters ?? []).map((one: Schema) => resolved(document, one)),
      body: withReferences(document, operation.requestBody?.content['application/json'].schema),
      statuses: new Set(Object.keys(operation.responses).map(Number)),
      headers: new Map(
        Object.entries<Schema>(operation.responses).map(([status, reply]) => [
          Number(status),
          headersOf(withReferences(document, reply).headers),
        ]),
      ),
    })),
  );
}

const headersOf = (headers: Schema = {}): Map<string, boolean> =>
  new Map(Object.entries<Schema>(headers).map(([name, { required = false }]) => [name.toLowerCase(), required]));

const resolved = (document: Schema, value: Schema): Schema =>
  typeof value?.$ref === 'string'
    ? value.$ref
        .slice(2)
        .split('/')
        .reduce((part: Schema, name: string) => part[name], document)
    : value;

function withReferences(document: Schema, schema: Schema): Schema {
  const value = resolved(document, schema);
  if (Array.isArray(value)) return value.map((one) => withReferences(document, one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withReferences(document, part)]));
}

const nastyTexts = [
  ...["'; drop table sales; --", '%', '_', '\\', '\u0000', '\ud800', '1e309', 'NaN', '-0', '2026-02-30', '99999999999999999999'],
  ...[
    ' ',
    '',
    '../..',
    '<script>',
    '\u202e',
    '__proto__',
    'constructor',
    'x'.repeat(300),
    'null',
    '9'.repeat(30),
    '\u{1f600}',
    '0',
  ],
]; // prettier-ignore
const nastyValues = [null, true, -1, 0.1, 1e300, 2 ** 53, [], {}, [[[]]], { a: { b: 1 } }, [null], 1.0000001, '-1', '1'];

export const nastyText = (choices: Choices): string => choices.of(nastyTexts);
const nastyValue = (choices: Choices): unknown => (choices.chance(0.5) ? nastyText(choices) : choices.of(nastyValues));

/** A value that mostly fits the schema; `ids` are values that exist. */
export function valueFor(schema: Schema, choices: Choices, ids: readonly string[], wrong = 0.03): unknown {
  if (choices.chance(wrong)) return nastyValue(choices);
  const variants = schema?.anyOf ?? schema?.oneOf;
  if (variants) return valueFor(choices.of(variants), choices, ids, wrong);
  if (schema?.const !== undefined) return schema.const;
  if (schema?.enum) return choices.of(schema.enum);
  if (schema?.example !== undefined && choices.chance(0.5)) return schema.example;
  switch (Array.isArray(schema?.type) ? choices.of(schema.type) : schema?.type) {
    case 'object':
      return objectOf(schema, choices, ids, wrong);
    case 'array':
      return Array.from({ length: choices.below(3) }, () => valueFor(schema.items, choices, ids, wrong));
    case 'integer':
      return choices.of([1, 2, 2026, schema.minimum ?? 1, Math.min(schema.maximum ?? 1000, 1e9)]);
    case 'number':
      return choices.of([1, 1000, 12.5, schema.minimum ?? 0]);
    case 'boolean':
      return choices.chance(0.5);
    case 'string':
      return stringOf(schema, choices, ids);
    default:
      return nastyValue(choices);
  }
}

function objectOf(schema: Schema, choices: Choices, ids: readonly string[], wrong: number): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(schema.properties ?? {}))
    if ((schema.required ?? []).includes(name) ? !choices.chance(wrong) : choices.chance(0.35))
      value[name] = valueFor(part, choices, ids, wrong);
  if (choices.chance(wrong)) value[nastyText(choices)] = 1;
  return value;
}

function stringOf(schema: Schema, choices: Choices, ids: readonly string[]): string {
  if (schema.format === 'date') return choices.of(['2026-11-21', '2026-01-01']);
  if (schema.format === 'date-time') return choices.of(['2026-11-21T08:00:00Z', '2026-11-21T08:00:00.000+01:00']);
  return choices.of(['Awa', `name ${choices.below(1e9)}`, 'https://receiver.invalid/hook', '1', ...ids.slice(-8)]);
}
