import { fieldsOf, isRecord, type JsonReply } from '../../../spec/json.ts';
import type { Schema } from '../../../spec/openapi/document.ts';
import { recordIn } from './call.ts';

/** Names of fields, such as `items[].price`. Names of things around the record, such as the status, are in brackets. */
export type Names = ReadonlySet<string>;
export const isAround = (name: string) => name.startsWith('(');
/** A list is in the place of the record. */
export const list = '[]';
export const fieldsIn = (names: Iterable<string>) => [...names].filter((name) => !isAround(name) && name !== list);

/** `unknown`: the beginnings of names about which the reply says nothing, such as the names of items in an empty list. */
export interface Seen {
  names: Names;
  unknown: readonly string[];
}

const mostLevels = 6;

export function namesIn(value: unknown): Seen {
  const [names, unknown] = [new Set<string>(), new Set<string>()];
  const add = (name: string, held: unknown) => {
    if (held === undefined) return;
    names.add(name);
    if (held === null) unknown.add(`${name}.`).add(`${name}[`);
    else if (name.split('.').length < mostLevels) walk(held, name);
  };
  const walk = (held: unknown, path = '') => {
    if (Array.isArray(held)) add(`${path}[]`, held[0] ?? null);
    else if (isRecord(held)) for (const [name, one] of Object.entries(held)) add(path === '' ? name : `${path}.${name}`, one);
  };
  walk(value);
  return { names, unknown: [...unknown] };
}

export function namesInReply({ status, body }: Pick<JsonReply, 'status' | 'body'>): Seen {
  const { names, unknown } = namesIn(recordIn(body));
  const around = Object.keys(fieldsOf(body)).filter((name) => name === 'success' || 'data' in fieldsOf(body));
  return { names: names.union(new Set([`status ${status}`, ...around].map((name) => `(${name})`))), unknown };
}

/** An example with the fields that are always there. */
export function exampleOf(schema: Schema = {}): unknown {
  const { anyOf: [first] = [], properties = {}, required = [] } = schema;
  if (first) return exampleOf(first);
  const [type] = [schema.type].flat();
  if (type === 'object') return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name])]));
  if (type === 'array') return [exampleOf(schema.items)];
  return schema.const ?? schema.enum?.[0] ?? (type === 'string' ? 'text' : 1);
}
