import { isRecord } from '../../../spec/json.ts';
import type { Schema } from '../../../spec/openapi/document.ts';

/** A value as it stands in a pact, and words about it where it is not the usual one: `payment_method cash`, `no total`. */
export interface Sample {
  value: unknown;
  words: string[];
  /** The document allows the value. */
  isValid: boolean;
}

const right = (value: unknown, words: string[] = []): Sample => ({ value, words, isValid: true });
const wrong = (value: unknown, word: string): Sample => ({ value, words: [word], isValid: false });

const typesOf = ({ type }: Schema): string[] => [type ?? []].flat();

/** Texts for a wrong value. Every schema of the documents that restricts texts refuses one of them. */
const wrongTexts = ['unknown', 'é', ''];

const usualTexts: Readonly<Record<string, string>> = { date: '2026-11-21', 'date-time': '2026-11-21T08:53:00.000Z' };

/**
 * Returns a value that stands for all of its kind. Values that a run invented or was given (an id, a date, a token, a name) never
 * reach the pact. So every run of a suite writes the same pact, and no secret gets in. Values are of different kinds if the
 * answer may differ: a certain value of an enum, empty, too long, below a bound, of another type, unknown to the document.
 */
export function sampleOf(schema: Schema | undefined, value: unknown, name: string): Sample {
  if (schema === undefined) return wrong(untyped(value), `the unknown ${name}`);
  if (schema.anyOf) return sampleOf(schema.anyOf.find((option) => suits(option, value)) ?? schema.anyOf[0], value, name);
  if (!suits(schema, value))
    return wrong(untyped(value), name === '' ? `${kindOf(value)} as its body` : `${name} of another type`);
  if (schema.enum) return ofEnum(schema.enum, value, name);
  if (typeof value === 'string') return ofText(schema, value, name);
  if (typeof value === 'number') return ofNumber(schema, value, name);
  if (Array.isArray(value)) return ofList(schema, value, name);
  if (isRecord(value)) return ofRecord(schema, value, name);
  return right(value, value === null ? [`${name} null`] : []);
}

/** The sample of a query parameter or a segment of a path, which are texts. */
export function sampleOfText(schema: Schema | undefined, text: string, name: string): Sample & { value: string } {
  const isNumber = schema !== undefined && /^(integer|number)$/.test(String(schema.type));
  const value = isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  const sample = sampleOf(schema, value, name);
  return { ...sample, value: String(sample.value) };
}

function suits(schema: Schema, value: unknown): boolean {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const types = typesOf(schema);
  if (types.length === 0) return schema.anyOf?.some((option) => suits(option, value)) ?? true;
  return types.includes(kind) || (kind === 'number' && types.includes('integer'));
}

/** `a list`, `an object`, `a text`, `null`. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isRecord(value)) return 'an object';
  return { string: 'a text', number: 'a number' }[typeof value as string] ?? String(value);
}

/** A value without a schema: only its JSON type is kept, and whether it is empty. */
function untyped(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : /^\d+$/.test(value) ? '1' : 'unknown';
  if (typeof value === 'number') return 1;
  if (Array.isArray(value)) return [];
  return isRecord(value) ? {} : value;
}

function ofEnum(known: readonly unknown[], value: unknown, name: string): Sample {
  if (known.includes(value)) return right(value, known.length > 1 ? [`${name} ${value}`] : []);
  return value === '' ? wrong(value, `an empty ${name}`) : wrong(untyped(value), `an unknown ${name}`);
}

function ofText(schema: Schema, text: string, name: string): Sample {
  const { maxLength = Number.POSITIVE_INFINITY } = schema as { maxLength?: number };
  if (text === '') return { ...wrong('', `an empty ${name}`), isValid: schema.minLength === undefined && hasForm(schema, '') };
  if (text.length > maxLength) return wrong('x'.repeat(maxLength + 1), `a ${name} of more than ${maxLength} characters`);
  const isRight = (one: string) => hasForm(schema, one);
  if (schema.format === 'date' && dayForm.test(text) && !isDay(text)) return wrong(noDay, `a ${name} that does not exist`);
  if (!isRight(text))
    return wrong(
      wrongTexts.find((one) => !isRight(one)),
      `a wrong ${name}`,
    );
  return right(schema.example ?? usualTexts[String(schema.format)] ?? 'text');
}

const noDay = '2026-02-30';
const dayForm = /^\d{4}-\d{2}-\d{2}$/;
/** JavaScript takes 2026-02-30 for a day in March. */
export const isDay = (text: string): boolean =>
  dayForm.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

function hasForm({ pattern, format }: Schema, text: string): boolean {
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(text)) return false;
  if (format === 'date') return isDay(text);
  return format !== 'date-time' || !Number.isNaN(Date.parse(text));
}

interface Bounds {
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  example?: number;
}

function ofNumber(schema: Schema, value: number, name: string): Sample {
  const { minimum = Number.NEGATIVE_INFINITY, exclusiveMinimum, maximum = Number.POSITIVE_INFINITY, example } = schema as Bounds;
  const isBelow = value < minimum || (exclusiveMinimum !== undefined && value <= exclusiveMinimum);
  if (value === 0) return { value: 0, words: [`${name} 0`], isValid: !isBelow && value <= maximum };
  if (isBelow) return wrong(Math.min(minimum, 0) - 1, `${name} below its minimum`);
  if (value > maximum) return wrong(maximum + 1, `${name} above ${maximum}`);
  const usual = example ?? Math.max(minimum, 1);
  if (Number.isInteger(value)) return right(usual);
  const isWhole = schema.type === 'integer';
  return { value: Math.trunc(usual) + 0.5, words: [`a fractional ${name}`], isValid: !isWhole };
}

function ofList(schema: Schema, values: readonly unknown[], name: string): Sample {
  if (values.length === 0) return { value: [], words: [`empty ${name}`], isValid: schema.minItems === undefined };
  const { maxItems = Number.POSITIVE_INFINITY } = schema as { maxItems?: number };
  const samples = values.slice(0, 200).map((one) => sampleOf(schema.items, one, name));
  const kinds = [...new Map(samples.map((one) => [JSON.stringify(one.value), one])).entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, sample]) => sample);
  const [first] = kinds as [Sample];
  if (values.length > maxItems) return wrong(Array(maxItems + 1).fill(first.value), `more than ${maxItems} ${name}`);
  const all = kinds.length === 1 && values.length > 1 ? [first, first] : kinds;
  return {
    value: all.map((one) => structuredClone(one.value)),
    words: [...(all.length > 1 ? [`several ${name}`] : []), ...new Set(all.flatMap(({ words }) => words))],
    isValid: all.every(({ isValid }) => isValid),
  };
}

function ofRecord(schema: Schema, record: Record<string, unknown>, name: string): Sample {
  const { properties = {}, required = [] } = schema;
  const missing = required.filter((field) => record[field] === undefined).map((field) => `no ${field}`);
  const fields = Object.keys(record)
    .filter((field) => record[field] !== undefined)
    .sort()
    .map(
      (field) =>
        [field, sampleOf(Object.hasOwn(properties, field) ? properties[field] : undefined, record[field], field)] as const,
    );
  const optional = fields.flatMap(([field, { words }]) =>
    words.length === 0 && !required.includes(field) && Object.hasOwn(properties, field) ? [field] : words,
  );
  return {
    value: Object.fromEntries(fields.map(([field, { value }]) => [field, value])),
    words: fields.length === 0 && name === '' ? ['an empty body'] : [...optional, ...missing],
    isValid: missing.length === 0 && fields.every(([, { isValid }]) => isValid),
  };
}
