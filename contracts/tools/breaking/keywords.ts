import type { Schema } from '../../openapi/document.ts';

/** How a keyword's change affects the allowed values. */
type Shift = { narrower: boolean; wider: boolean };

interface Keyword {
  /** Returns whether `after` allows fewer values than `before`, and whether it allows more. */
  shift: (before: unknown, after: unknown) => Shift;
}

const shifted = (narrower: boolean, wider: boolean): Shift => ({ narrower, wider });

/** A lower bound: a higher one allows fewer values. */
const lower: Keyword = {
  shift: (before, after) => {
    const [old, now] = [before ?? Number.NEGATIVE_INFINITY, after ?? Number.NEGATIVE_INFINITY] as [number, number];
    return shifted(now > old, now < old);
  },
};

/** An upper bound: a lower one allows fewer values. */
const upper: Keyword = {
  shift: (before, after) => {
    const [old, now] = [before ?? Number.POSITIVE_INFINITY, after ?? Number.POSITIVE_INFINITY] as [number, number];
    return shifted(now < old, now > old);
  },
};

/** A condition that cannot be compared: any change counts as narrower and wider. */
const opaque: Keyword = {
  shift: (before, after) => (before === after ? shifted(false, false) : shifted(after !== undefined, before !== undefined)),
};

/** A list of allowed values; a missing list allows everything. */
function list(covers: (allowed: unknown[], value: unknown) => boolean): Keyword {
  const within = (some: unknown, all: unknown) =>
    all === undefined || (some !== undefined && [some].flat().every((value) => covers([all].flat(), value)));
  return { shift: (before, after) => shifted(!within(before, after), !within(after, before)) };
}

const isAmong = (allowed: unknown[], value: unknown) => allowed.some((one) => JSON.stringify(one) === JSON.stringify(value));
const isTypeAmong = (allowed: unknown[], type: unknown) =>
  allowed.includes(type) || (type === 'integer' && allowed.includes('number'));

/** The keywords that restrict a value. `const` is a list with one value of any JSON type. */
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

/** Keywords that contain schemas; the comparison of schemas handles them. */
export const walked = [
  'properties',
  'required',
  'items',
  'additionalProperties',
  'propertyNames',
  'anyOf',
  'oneOf',
  'const',
  'default',
];

/** Keywords that do not restrict values. */
export const silent = ['title', 'description', 'example', 'examples', 'deprecated', '$comment'];

/** Replaces `const` by an `enum` with one value, so that both compare as equal. */
export function withoutConst(schema: Schema): Schema {
  if (!('const' in schema)) return schema;
  const { const: only, ...rest } = schema;
  return { ...rest, enum: [only] };
}
