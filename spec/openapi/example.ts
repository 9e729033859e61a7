import { jsonSchema, type Parameter, type Schema } from './document.ts';
import type { ProviderOperation } from './operations.ts';

/** A correct request for an operation. */
export interface Example {
  method: string;
  /** With its query. */
  path: string;
  /** Absent if the operation has no body. */
  body?: unknown;
}

/** Values that exist in the server's data, by field name; the id in a path by the whole path. */
export type KnownValues = Readonly<Record<string, unknown>>;

/** Builds a correct request from the OpenAPI document's examples, with the required parameters and those in `asked`. */
export function exampleOf(
  { method, path, operation }: ProviderOperation,
  known: KnownValues,
  asked: ReadonlySet<string>,
): Example {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => String(known[path] ?? known[name] ?? 1));
  const query = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query' && (parameter.required || asked.has(parameter.name)))
    .map((parameter): [string, string] => [parameter.name, String(parameterValue(parameter, known))]);
  const text = new URLSearchParams(query).toString();
  const schema = jsonSchema(operation.requestBody);
  return {
    method,
    path: text === '' ? filled : `${filled}?${text}`,
    ...(schema && { body: bodyOf(schema, known) }),
  };
}

const parameterValue = ({ name, schema = {} }: Parameter, known: KnownValues): unknown => known[name] ?? plainExample(schema);

function bodyOf(schema: Schema, known: KnownValues): unknown {
  if (schema.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [
        name,
        field.properties || field.items ? bodyOf(field, known) : (known[name] ?? plainExample(field)),
      ]),
    );
  }
  if (schema.items !== undefined) return [bodyOf(schema.items, known)];
  return plainExample(schema);
}

const byFormat: Readonly<Record<string, string>> = { date: '2026-11-21', 'date-time': '2026-11-21T08:53:00Z' };

/** Returns the schema's example, or a value that is valid for its type. */
function plainExample(schema: Schema): unknown {
  const { example, enum: values, default: usual, format, type, minimum, anyOf } = schema as Schema & Record<string, unknown>;
  const first = example ?? usual ?? values?.[0] ?? schema.const ?? byFormat[String(format)];
  if (first !== undefined) return first;
  if (anyOf?.[0]) return plainExample(anyOf[0]);
  if (type === 'boolean') return true;
  return type === 'integer' || type === 'number' ? (minimum ?? 1) : 'text';
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Writes the example as a curl command. `authorization` is not escaped, so that it may be a shell variable. */
export function curlLine(url: string, { method, path, body }: Example, authorization?: string): string {
  const words = ['curl', ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : ['-X', method])];
  if (authorization !== undefined) words.push('-H', `"Authorization: Bearer ${authorization}"`);
  if (body !== undefined) words.push('-H', "'Content-Type: application/json'", '-d', quoted(JSON.stringify(body)));
  return [...words, quoted(`${url}${path}`)].join(' ');
}

/** The values without those that were not found. */
export const defined = (values: Record<string, unknown>): KnownValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
