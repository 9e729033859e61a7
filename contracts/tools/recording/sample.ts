import { isRecord } from '../../../spec/json.ts';
import { checkerOf, type Schema } from '../../../spec/openapi/document.ts';

/** A value as it stands in a pact, and words about it where it is not the usual one: `payment_method cash`, `no total`. */
export interface Sample {
  value: unknown;
  words: string[];
}

export const isAllowed = (schema: Schema, value: unknown): boolean => checkerOf(schema).safeParse(value).success;

const usualTexts: Readonly<Record<string, string>> = { date: '2026-11-21', 'date-time': '2026-11-21T08:53:00.000Z' };

/** Returns the value that stands for all others which a schema allows. */
export function usualOf({ const: only, example, enum: known, format, minimum, type }: Schema): unknown {
  const shown = only ?? example ?? known?.[0] ?? usualTexts[String(format)];
  if (shown !== undefined) return shown;
  const [first] = [type].flat();
  if (first === 'boolean') return true;
  return first === 'integer' || first === 'number' ? Math.max(Number(minimum ?? 1), 1) : 'text';
}

/**
 * Returns a value that stands for all of its kind. Values that a run invented or was given (an id, a date, a token, a name) never
 * reach the pact. So every run of a suite writes the same pact, and no secret gets in. Values are of different kinds if the
 * answer may differ: a certain value of an enum, empty, too long, too small, of another type, unknown to the document.
 */
export function sampleOf(schema: Schema | undefined, value: unknown, name: string): Sample {
  if (schema === undefined) return { value: kindOf(value), words: [`the unknown ${name}`] };
  if (value === '') return { value, words: [`an empty ${name}`] };
  if (isRecord(value) && schema.type === 'object') return ofRecord(schema, value, name);
  if (Array.isArray(value) && schema.type === 'array') return ofList(schema, value, name);
  const problem = problemOf(schema, value);
  if (problem !== undefined)
    return { value: alikeOf(schema, value, problem), words: [`${name} ${problems[problem] ?? 'wrong'}`] };
  if (schema.enum) return { value, words: schema.enum.length > 1 ? [`${name} ${value}`] : [] };
  if (value === 0) return { value, words: [`${name} 0`] };
  if (typeof value === 'number' && !Number.isInteger(value))
    return { value: Math.trunc(Number(usualOf(schema))) + 0.5, words: [`a fractional ${name}`] };
  return { value: usualOf(schema), words: [] };
}

/** Only the JSON type of a value is kept, whether it is empty, and whether it is a number in a text. */
function kindOf(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : /^\d+$/.test(value) ? '1' : 'unknown';
  if (typeof value === 'number') return 1;
  if (Array.isArray(value)) return [];
  return isRecord(value) ? {} : value;
}

const problemOf = (schema: Schema, value: unknown) => checkerOf(schema).safeParse(value).error?.issues[0]?.code;

/** Words for what zod finds. */
const problems: Readonly<Record<string, string>> = {
  too_small: 'too small',
  too_big: 'too large',
  invalid_type: 'of another type',
  invalid_value: 'unknown',
  invalid_format: 'malformed',
};

/** Returns a value of our own with which the same is wrong. */
function alikeOf(schema: Schema, value: unknown, problem: string): unknown {
  const { minimum = 0, maximum = 0, maxLength = 0 } = schema as { minimum?: number; maximum?: number; maxLength?: number };
  const kind = kindOf(value);
  const wrong = [kind, 'é', 'x'.repeat(maxLength + 1), Math.min(minimum, 0) - 1, maximum + 1, 0.5];
  return wrong.find((one) => typeof one === typeof value && problemOf(schema, one) === problem) ?? kind;
}

function ofList({ items, maxItems = Number.POSITIVE_INFINITY }: Schema, values: readonly unknown[], name: string): Sample {
  if (values.length === 0) return { value: [], words: [`empty ${name}`] };
  const samples = values.slice(0, 200).map((one) => sampleOf(items, one, name));
  const kinds = [...new Map(samples.map((one) => [JSON.stringify(one.value), one]))]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, sample]) => sample);
  const [first] = kinds as [Sample];
  const most = Number(maxItems);
  if (values.length > most) return { value: Array(most + 1).fill(first.value), words: [`more than ${most} ${name}`] };
  const all = kinds.length === 1 && values.length > 1 ? [first, first] : kinds;
  return {
    value: all.map((one) => structuredClone(one.value)),
    words: [...(all.length > 1 ? [`several ${name}`] : []), ...all.flatMap(({ words }) => words)],
  };
}

function ofRecord({ properties = {}, required = [] }: Schema, record: Record<string, unknown>, name: string): Sample {
  const schemaOf = (field: string) => (Object.hasOwn(properties, field) ? properties[field] : undefined);
  const fields = Object.keys(record)
    .sort()
    .map((field) => [field, sampleOf(schemaOf(field), record[field], field)] as const);
  const unusual = fields.flatMap(([field, { words }]) => (words.length > 0 || required.includes(field) ? words : [field]));
  const missing = required.filter((field) => !Object.hasOwn(record, field)).map((field) => `no ${field}`);
  return {
    value: Object.fromEntries(fields.map(([field, { value }]) => [field, value])),
    words: fields.length === 0 && name === 'body' ? ['an empty body'] : [...unusual, ...missing],
  };
}
