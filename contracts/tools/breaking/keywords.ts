import { canonical } from './rules.ts';

/** How a keyword's change affects the allowed values. */
interface Shift {
  narrower: boolean;
  /** More values are allowed. */
  wider: boolean;
}

interface Keyword {
  /** The values of the keyword, and the schemas that have them. */
  shift: (before: unknown, after: unknown, from?: Fields, to?: Fields) => Shift;
  /** The keyword that is compared with this one. */
  beside?: string;
  /** For bounds: which one. */
  bound?: 'lower' | 'upper';
  /** True if a consumer can still read the new values. Only a limit is gone on which the consumer may rely. */
  isLimit?: boolean;
}

const shifted = (narrower: boolean, wider: boolean): Shift => ({ narrower, wider });

/** A keyword that another one is compared with, such as `exclusiveMinimum` with `minimum`. */
const withAnother = { shift: () => shifted(false, false) };

/** A lower bound: a higher one allows fewer values. */
const lower: Keyword = {
  bound: 'lower',
  isLimit: true,
  shift: (before, after) => {
    const [old, now] = [before ?? Number.NEGATIVE_INFINITY, after ?? Number.NEGATIVE_INFINITY] as [number, number];
    return shifted(now > old, now < old);
  },
};

/** A lower bound of a size: none is 0. */
const lowerSize: Keyword = { ...lower, shift: (before, after) => lower.shift(before ?? 0, after ?? 0) };

/** An upper bound: a lower one allows fewer values. */
const upper: Keyword = {
  bound: 'upper',
  isLimit: true,
  shift: (before, after) => {
    const [old, now] = [before ?? Number.POSITIVE_INFINITY, after ?? Number.POSITIVE_INFINITY] as [number, number];
    return shifted(now < old, now > old);
  },
};

type Fields = Readonly<Record<string, unknown>>;

/** Returns the tightest bound of a schema as a number that grows as fewer values are allowed, and 1 if it is exclusive itself. */
function edgeOf(schema: Fields, sign: 1 | -1, inclusive: string, exclusive: string): [number, number] {
  const [from, over] = [inclusive, exclusive].map((name) =>
    typeof schema[name] === 'number' ? sign * schema[name] : Number.NEGATIVE_INFINITY,
  ) as [number, number];
  if (schema.type === 'integer') return [Math.max(Math.ceil(from), Math.floor(over) + 1), 0];
  return over >= from && Number.isFinite(over) ? [over, 1] : [from, 0];
}

/** The range of a number: for integers, above -1 is the same as from 0. */
const edge = (keyword: Keyword, sign: 1 | -1, ...names: [string, string]): Keyword => ({
  ...keyword,
  beside: names[1],
  shift: (_, __, before = {}, after = {}) => {
    const [old, now] = [edgeOf(before, sign, ...names), edgeOf(after, sign, ...names)];
    const difference = now[0] === old[0] ? now[1] - old[1] : now[0] - old[0];
    return shifted(difference > 0, difference < 0);
  },
});

/** A condition that cannot be compared: any change counts as narrower and wider. */
const opaque: Keyword = {
  shift: (before, after) =>
    canonical(before) === canonical(after) ? shifted(false, false) : shifted(after !== undefined, before !== undefined),
};

/** Returns true if each multiple of `one` is also a multiple of `other`. 0.3 is three times 0.1, though not in binary fractions. */
function isMultiple(one: unknown, other: unknown): boolean {
  if (canonical(one) === canonical(other) || other === undefined) return true;
  const times = Number(one) / Number(other);
  return Math.round(times) >= 1 && Math.abs(times - Math.round(times)) <= times * 1e-12;
}

/** The values must be multiples of this number. If the new number divides the old one, more values are allowed. */
const multiple: Keyword = {
  isLimit: true,
  shift: (before, after) => shifted(!isMultiple(before, after), !isMultiple(after, before)),
};

/** A list of allowed values; a missing list allows everything. */
function list(covers: (allowed: unknown[], value: unknown) => boolean): Keyword {
  const within = (some: unknown, all: unknown) =>
    all === undefined || (some !== undefined && [some].flat().every((value) => covers([all].flat(), value)));
  return { shift: (before, after) => shifted(!within(before, after), !within(after, before)) };
}

const isAmong = (allowed: unknown[], value: unknown) => allowed.some((one) => canonical(one) === canonical(value));
const isTypeAmong = (allowed: unknown[], type: unknown) =>
  allowed.includes(type) || (type === 'integer' && allowed.includes('number'));

/** Formats whose values are values of another format too. */
const widerFormats: Readonly<Record<string, readonly string[]>> = { int32: ['int64'], float: ['double'] };
const isFormatAmong = (allowed: unknown[], format: unknown) =>
  allowed.includes(format) || allowed.some((one) => widerFormats[String(format)]?.includes(String(one)));

const limit = (keyword: Keyword): Keyword => ({ ...keyword, isLimit: true });

/** A keyword that says nothing if it is false or empty: an empty pattern fits every text. */
const opaqueUnlessEmpty = limit({ shift: (before, after) => opaque.shift(before || undefined, after || undefined) });

/** The keywords that restrict a value. */
export const keywords: Readonly<Record<string, Keyword>> = {
  type: list(isTypeAmong),
  enum: list(isAmong),
  minimum: edge(lower, 1, 'minimum', 'exclusiveMinimum'),
  exclusiveMinimum: { ...lower, ...withAnother },
  minLength: lowerSize,
  minItems: lowerSize,
  minProperties: lowerSize,
  maximum: edge(upper, -1, 'maximum', 'exclusiveMaximum'),
  exclusiveMaximum: { ...upper, ...withAnother },
  maxLength: upper,
  maxItems: upper,
  maxProperties: upper,
  pattern: opaqueUnlessEmpty,
  format: list(isFormatAmong),
  multipleOf: multiple,
  uniqueItems: opaqueUnlessEmpty,
};

/** Keywords that the comparison of schemas handles itself. */
export const walked: ReadonlySet<string> = new Set([
  ...['properties', 'required', 'items', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'],
]);

/** Keywords that do not restrict values. */
export const silent: ReadonlySet<string> = new Set([
  ...['title', 'description', 'example', 'examples', 'deprecated', 'default', 'readOnly', 'writeOnly', 'externalDocs', 'xml'],
  ...[
    'discriminator',
    'nullable',
    'definitions',
    '$schema',
    '$id',
    '$anchor',
    '$defs',
    '$comment',
    '$dynamicAnchor',
    '$vocabulary',
  ],
]);

/** Returns true for a keyword that restricts values in a way that no rule knows. */
export const isUnknown = (keyword: string): boolean =>
  !(keyword in keywords || walked.has(keyword) || silent.has(keyword) || keyword.startsWith('x-'));
