import { z } from 'zod';
import { mostDetails } from '../base/errors.ts';

/** Messages for zod's built-in issues, by issue code. A message that a schema states itself takes precedence. */
const messages: Record<string, (issue: z.core.$ZodRawIssue) => string | undefined> = {
  invalid_type({ input, expected }) {
    if (input === undefined) return 'is required';
    const wanted = typeNameOf(expected as string);
    if (input === Number.POSITIVE_INFINITY || input === Number.NEGATIVE_INFINITY)
      return `must be ${wanted}; this one is too large for a number`;
    return `must be ${wanted}, not ${kindOf(input)}`;
  },
  invalid_value({ input, values }) {
    const allowed = (values as unknown[]).join(', ');
    return input === undefined ? `is required: one of ${allowed}` : `must be one of ${allowed}, not ${shown(input)}`;
  },
  invalid_union({ input, errors }) {
    if (input === undefined) return 'is required';
    const issues = (errors as z.core.$ZodIssue[][]).map(([first]) => first);
    // An option that takes another type is refused for the type alone. The others took the value, and say more themselves.
    if (!issues.every((issue) => issue?.code === 'invalid_type' && issue.path.length === 0)) return undefined;
    const types = issues.map((issue) => typeNameOf((issue as z.core.$ZodIssueInvalidType).expected));
    return `must be ${types.join(' or ')}, not ${kindOf(input)}`;
  },
  unrecognized_keys: ({ keys }) => unknownKeys(keys as string[]),
};

/** What zod's own message says of unknown fields. */
export const unknownKeys = (keys: readonly string[]): string => {
  const listed = keys.slice(0, mostDetails).map(shortened).join(', ');
  const more = keys.length > mostDetails ? ` and ${keys.length - mostDetails} more` : '';
  return `unknown ${keys.length === 1 ? 'field' : 'fields'}: ${listed}${more}`;
};

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
