import { z } from 'zod';

/** The part of JSON Schema that our OpenAPI documents use: no `allOf`, and no `$ref` after `resolved`. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  'x-gap'?: string[];
  [keyword: string]: unknown;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
  'x-gap'?: string[];
}

export interface Content {
  content?: Record<string, { schema?: Schema }>;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { headers?: Record<string, { required?: boolean; schema?: Schema }> }>;
  'x-gap'?: string[];
  /** The ability that a token needs. */
  'x-ability'?: string;
}

export type PathItem = Record<string, Operation>;

export interface OpenApi {
  openapi: string;
  info: Record<string, unknown>;
  security?: Record<string, string[]>[];
  components?: Record<string, unknown>;
  paths: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  [keyword: string]: unknown;
}

/** Returns the schema of a JSON body, or undefined if there is none. */
export const jsonSchema = (of: Content | undefined): Schema | undefined => of?.content?.['application/json']?.schema;

/** Returns the schema of an operation's query, with a member for each parameter. */
export function querySchema({ parameters = [] }: Operation): Schema {
  const ofQuery = parameters.filter((one) => one.in === 'query');
  return {
    type: 'object',
    properties: Object.fromEntries(ofQuery.map(({ name, schema = {} }) => [name, schema])),
    required: ofQuery.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Returns what checks a value by a schema. zod takes all keywords of our documents, but its type has fewer texts for `type`. */
export const checkerOf = (schema: Schema): z.ZodType => z.fromJSONSchema(schema as never);

/** Returns the document with each `$ref` replaced by a copy of the component it names. Throws if the component is missing. */
export function resolved(document: OpenApi): OpenApi {
  const at = (reference: string) =>
    reference
      .split('/')
      .slice(1)
      .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document);
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(resolve);
    const given = value as Record<string, unknown>;
    if (given.$ref !== undefined) {
      const found = at(String(given.$ref));
      if (found === undefined) throw new Error(`The document has no component ${given.$ref}.`);
      return resolve(found);
    }
    const copy: Record<string, unknown> = {};
    for (const name in given) copy[name] = resolve(given[name]);
    return copy;
  };
  return resolve(document) as OpenApi;
}
