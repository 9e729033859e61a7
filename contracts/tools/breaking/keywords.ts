import type { Schema } from '../../openapi/document.ts';

/** What has become of the values that a schema allows, as far as one keyword tells. */
export type Shift = { narrower: boolean; wider: boolean };

interface Keyword {
  /** Whether each value that `after` allows was allowed by `before`, and the other way round. */
  shift: (before: unknown, after: unknown) => Shift;
}

const shifted = (narrower: boolean, wider: boolean): Shift => ({ narrower, wider });

/** A lower bound: higher is narrower. */
const lower: Keyword = {
  shift: (before, after) => {
    const [old, now] = [before ?? Number.NEGATIVE_INFINITY, after ?? Number.NEGATIVE_INFINITY] as [number, number];
    return shifted(now > old, now < old);
  },
};

/** An upper bound: lower is narrower. */
const upper: Keyword = {
  shift: (before, after) => {
    const [old, now] = [before ?? Number.POSITIVE_INFINITY, after ?? Number.POSITIVE_INFINITY] as [number, number];
    return shifted(now < old, now > old);
  },
};

/** A condition of which one cannot tell what it covers: another one is both narrower and wider. */
const opaque: Keyword = {
  shift: (before, after) => (before === after ? shifted(false, false) : shifted(after !== undefined, before !== undefined)),
};

/** A list of what is allowed; none allows everything. */
function list(covers: (allowed: unknown[], value: unknown) => boolean): Keyword {
  const within = (some: unknown, all: unknown) =>
    all === undefined || (some !== undefined && [some].flat().every((value) => covers([all].flat(), value)));
  return { shift: (before, after) => shifted(!within(before, after), !within(after, before)) };
}

const isAmong = (allowed: unknown[], value: unknown) => allowed.some((one) => JSON.stringify(one) === JSON.stringify(value));
const isTypeAmong = (allowed: unknown[], type: unknown) =>
  allowed.includes(type) || (type === 'integer' && allowed.includes('number'));

/** Every keyword that restricts a value by itself. `const` is a list of one, whose value may be any JSON. */
export const keywords: Readonly<Record<string, Keyword>> = {
  type: list(isTypeAmong),
  enum: list(isAmong),
  minimum: lower,
  exclusiveMinimum: lower,
  minLength: lower,
  minItems: lower,
  minProperties: lower,
  maximum: upper,
  exclusiveMaximum: upper,
  maxLength: upper,
  maxItems: upper,
  maxProperties: upper,
  pattern: opaque,
  format: opaque,
  multipleOf: opaque,
  uniqueItems: opaque,
};

/** Keywords with schemas in them, which the comparison of schemas walks itself. */
export const walked = ['properties', 'required', 'items', 'additionalProperties', 'propertyNames', 'anyOf', 'const', 'default'];

/** Keywords that change no value. */
export const silent = ['title', 'description', 'example', 'examples', 'deprecated', '$comment'];

/** A schema whose `const` is an `enum` of one: the same thing, and one may become the other. */
export function withoutConst(schema: Schema): Schema {
  if (!('const' in schema)) return schema;
  const { const: only, ...rest } = schema;
  return { ...rest, enum: [only] };
}
