import { z } from 'zod';
import { mostDetails } from '../base/errors.ts';
import { nearOf } from '../base/nearest.ts';

/** A raw issue, with what its code adds. */
type Issue = z.core.$ZodRawIssue;

/** An issue as Fastify reports it. */
export interface ValidationIssue {
  keyword: string;
  instancePath: string;
  message?: string;
  params: Record<string, unknown>;
}

/** Plain messages for zod's built-in issues, by issue code. A message that a schema states itself takes precedence. */
const messages: Record<string, (issue: Issue) => string | undefined> = {
  invalid_type({ input, expected }) {
    if (input === undefined) return 'is required';
    const wanted = typeNameOf(expected as string);
    // A text that should be a number becomes NaN if it contains no number.
    if (Number.isNaN(input)) return `must be ${wanted}`;
    if (input === Number.POSITIVE_INFINITY || input === Number.NEGATIVE_INFINITY)
      return `must be ${wanted}; this one is too large for a number`;
    return `must be ${wanted}, not ${typeof input === 'number' && expected === 'int' ? input : kindOf(input)}`;
  },
  invalid_value: ({ input, values }) => oneOf(values as unknown[], input),
  invalid_union({ input, errors, discriminator, options }) {
    if (typeof discriminator === 'string' && Array.isArray(options)) {
      const sent = isObject(input) ? Reflect.get(input, discriminator) : undefined;
      return oneOf(options, sent);
    }
    if (input === undefined) return 'is required';
    const issues = ((errors as z.core.$ZodIssue[][] | undefined) ?? []).map(([first]) => first);
    // An option of another type can only name its type. The messages of options that accept the type say more.
    const types = issues.filter((issue) => issue?.code === 'invalid_type' && issue.path.length === 0);
    if (types.length < issues.length) return issues.find((issue) => issue && !types.includes(issue))?.message;
    const names = types.map((issue) => typeNameOf((issue as z.core.$ZodIssueInvalidType).expected));
    return `must be ${names.join(' or ')}, not ${kindOf(input)}`;
  },
  too_small: ({ origin, minimum, inclusive }) => bound(origin as string, inclusive ? 'at least' : 'more than', Number(minimum)),
  too_big: ({ origin, maximum, inclusive }) => bound(origin as string, inclusive ? 'at most' : 'less than', Number(maximum)),
  invalid_format: ({ format, pattern, prefix }) =>
    `must ${prefix === undefined ? (formats[format as string] ?? `match ${String(pattern ?? format)}`) : `start with ${JSON.stringify(prefix)}`}`,
  not_multiple_of: ({ divisor }) => `must be a multiple of ${String(divisor)}`,
  invalid_key: ({ issues }) => `has a name that cannot be used: it ${(issues as z.core.$ZodIssue[])[0]?.message}`,
  unrecognized_keys(issue) {
    const { keys, inst } = issue as Issue & { keys: string[]; inst?: z.ZodType };
    const known = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
    // The finished issue keeps this, and not the schema.
    Object.assign(issue, { known });
    return keys
      .slice(0, mostDetails)
      .map((name) => `${JSON.stringify(shortened(name))} ${notAField(name, known)}`)
      .join('; ');
  },
};

const oneOf = (values: readonly unknown[], sent: unknown) =>
  sent === undefined
    ? `is required: one of ${values.join(', ')}`
    : `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}, not ${shown(sent)}`;

/** The issues of a value of the wrong type. A missing field has them too. */
const typeIssues = new Set(['invalid_type', 'invalid_value', 'invalid_format', 'invalid_union']);

/**
 * Returns the message of an issue of a request. If a field is missing, it says so: a schema's own message says only what a value
 * must be.
 */
export function messageOf(issue: ValidationIssue, sent: unknown): string {
  const { keyword, instancePath, message = 'is not valid', params } = issue;
  const path = instancePath.split('/').filter(Boolean);
  const name = path.pop();
  const holder = path.reduce((value, key) => (isObject(value) ? Reflect.get(value, key) : undefined), sent);
  const isMissing = typeIssues.has(keyword) && name !== undefined && isObject(holder) && !Object.hasOwn(holder, name);
  if (!isMissing || message.startsWith('is required')) return message;
  return Array.isArray(params.values) ? oneOf(params.values, undefined) : 'is required';
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const sizes: Record<string, (limit: string, size: number) => string> = {
  string: (limit, size) => (limit === 'at least' && size === 1 ? 'must not be empty' : `must have ${limit} ${size} characters`),
  array: (limit, size) => (limit === 'at least' && size === 1 ? 'must not be empty' : `must have ${limit} ${size} entries`),
};

const bound = (origin: string, limit: string, size: number) => sizes[origin]?.(limit, size) ?? `must be ${limit} ${size}`;

const formats: Record<string, string> = {
  datetime: 'be a date and time with a zone, such as 2026-11-27T08:00:00Z',
  date: 'be a date, as YYYY-MM-DD',
  email: 'be an e-mail address, such as awa@example.org',
  url: 'be a complete URL, such as https://example.com/',
  uuid: 'be a UUID',
};

/** Says what is wrong with an unknown name. */
export function notAField(name: string, known: readonly string[]): string {
  const nearest = nearOf(name.slice(0, longestName), known);
  return `is not a field of this request${nearest === undefined ? `. Its fields: ${known.join(', ') || 'none'}` : `; the nearest is ${nearest}`}`;
}

const longestName = 100;

/** A field's name as refusals quote it. */
export const shortened = (name: string): string => (name.length <= longestName ? name : `${name.slice(0, longestName)}…`);

const typeNames: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const typeNameOf = (type: string) => typeNames[type] ?? `a value of type ${type}`;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return { string: 'text', boolean: 'true or false', number: 'a number' }[typeof value as string] ?? 'an object';
}

/** Quotes a short value. Fields with a choice of values never hold secrets. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length <= 60 ? text : kindOf(value);
}

/** Sets the messages of every schema in this process. Call it before the first request. */
export function setZodMessages(): void {
  z.config({ customError: (issue) => messages[issue.code]?.(issue) });
}
