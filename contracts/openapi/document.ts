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
export function jsonSchema(of: Content | undefined): Schema | undefined {
  return of?.content?.['application/json']?.schema;
}

/** Returns the document with each `$ref` replaced by the component it names, which is one object for all of them. Throws if the component is missing. */
export function resolved(document: OpenApi): OpenApi {
  const known = new Map<string, unknown>();
  const at = (reference: string) =>
    reference
      .split('/')
      .slice(1)
      .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document);
  const component = (reference: string): unknown => {
    const found = known.get(reference) ?? resolve(at(reference));
    if (found === undefined) throw new Error(`The document has no component ${reference}.`);
    known.set(reference, found);
    return found;
  };
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(resolve);
    const given = value as Record<string, unknown>;
    if (given.$ref !== undefined) return component(String(given.$ref));
    const copy: Record<string, unknown> = {};
    for (const name in given) copy[name] = resolve(given[name]);
    return copy;
  };
  return resolve(document) as OpenApi;
}
