import { isRecord } from '../../../spec/json.ts';
import type { Schema } from '../../../spec/openapi/document.ts';

/**
 * What can differ between a reply or webhook of a service and ours: the paths of fields, such as `items[].price`, what is around
 * the record, such as `(data)`, and values, such as `status: 201` and `text of alert_state: under`.
 */
export type Traits = ReadonlySet<string>;

/** A text of an example for which the document has no words. It says nothing about another text. */
const anyText = 'text';

/** The traits of a record. Digits are zeros, so that a time shows its form. */
export function traitsIn(held: unknown, path = ''): string[] {
  if (Array.isArray(held)) return [`${path}[]`, ...held.flatMap((one) => traitsIn(one, `${path}[]`))];
  if (typeof held === 'string' && held !== anyText) return [`text of ${path}: ${held.replaceAll(/\d/g, '0')}`];
  if (!isRecord(held)) return [];
  return Object.entries(held).flatMap(([name, one]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return one === undefined ? [] : [at, ...traitsIn(one, at)];
  });
}

/** A value with the fields that are always there. Lists have `size` items, and numbers are `size`. */
export function exampleOf(schema: Schema = {}, size: 0 | 1 = 1): unknown {
  const { anyOf: [first] = [], properties = {}, required = [], format, enum: words = [] } = schema;
  if (first) return exampleOf(first, size);
  const [type] = [schema.type].flat();
  if (type === 'object') return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name], size)]));
  if (type === 'array') return Array.from({ length: size }, () => exampleOf(schema.items, size));
  const text = format === 'date-time' ? '2026-11-21T08:53:00.000Z' : anyText;
  return schema.const ?? words.at(-1) ?? (type === 'string' ? text : size);
}
