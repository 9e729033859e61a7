import type { OpenApi, Operation, Schema } from '../../contracts/openapi/document.ts';
import type { ExampleOf } from './prefer.ts';

interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
}

/** Finds examples of an OpenAPI document by operation, status and name. Without one, it builds a value from the schema. */
export function examplesOf(document: Pick<OpenApi, 'paths'>): ExampleOf {
  const operations = new Map<string | undefined, Operation>(
    Object.values(document.paths).flatMap((item) => Object.values(item).map((operation) => [operation.operationId, operation])),
  );
  return ({ operation, status, name }) => {
    const responses = operations.get(operation)?.responses ?? {};
    const found = Object.keys(responses).find((code) => (status === undefined ? code.startsWith('2') : code === String(status)));
    const media: Media | undefined = responses[found ?? '']?.content?.['application/json'];
    if (found === undefined || media === undefined) return undefined;
    if (name !== undefined && !Object.hasOwn(media.examples ?? {}, name)) return undefined;
    return { status: Number(found), body: bodyOf(media, name) };
  };
}

function bodyOf({ schema = {}, example, examples = {} }: Media, name: string | undefined): unknown {
  const named = name === undefined ? Object.values(examples)[0] : examples[name];
  return named?.value ?? example ?? exampleOf(schema);
}

const ofFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T09:30:00.000Z',
  date: '2026-01-15',
  email: 'someone@example.org',
  uri: 'https://example.org/',
  uuid: '019aa5b0-c1d2-7e3f-8a4b-5c6d7e8f9012',
};

const ofType: Readonly<Record<string, (schema: Schema) => unknown>> = {
  object: ({ properties = {} }) => Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, exampleOf(one)])),
  array: ({ items, minItems }) => Array.from({ length: Math.max(1, Number(minItems ?? 1)) }, () => exampleOf(items ?? {})),
  string: ({ format, minLength }) => ofFormat[String(format)] ?? 'text'.padEnd(Number(minLength ?? 0), '.'),
  integer: lowest,
  number: lowest,
  boolean: () => true,
  null: () => null,
};

/** Builds a value that is valid for the schema, from its examples, constants, formats and bounds. */
function exampleOf(schema: Schema): unknown {
  if ('example' in schema) return schema.example;
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [branch] = schema.anyOf ?? (schema.oneOf as Schema[] | undefined) ?? [];
  if (branch) return exampleOf(branch);
  const [type = 'null'] = [schema.type ?? (schema.properties ? 'object' : 'null')].flat();
  return ofType[type]?.(schema);
}

function lowest({ minimum, exclusiveMinimum }: Schema): number {
  return Math.max(1, Number(minimum ?? 1), Number(exclusiveMinimum ?? 0) + 1);
}
