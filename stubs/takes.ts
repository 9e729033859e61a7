import { inspect } from 'node:util';
import { z } from 'zod';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { nearestOf } from '../gateway/base/nearest.ts';
import { isRecord } from '../spec/json.ts';

// The error of each schema says in words what it takes, after "must be".
export const text = z.string('text');
export const flag = z.boolean('true or false');
export const callback = z.custom((value) => typeof value === 'function', 'a function');
export const anyObject = z.custom(isRecord, 'an object');
export const aDate = z.instanceof(Date, { error: 'a Date' });
export const textOrNumber = z.union([text, z.custom((value) => typeof value === 'number')], 'text or a number');
export const textOrObject = z.union([text, anyObject], 'text or an object');
export const texts = z.array(text, 'a list of text');
export const textOrList = z.union([text, texts], 'text or a list of text');

export const whole = (least: number, most: number) =>
  z.custom(
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
    `a whole number from ${least} to ${most}`,
  );

export const oneOf = (...names: readonly string[]) => z.enum(names, names.join(', ').replace(/, ([^,]*)$/, ' or $1'));

/**
 * An object with the fields of `T` and no others. `fieldIs`: the word for such a field in the message that refuses an unknown
 * one.
 */
export const objectOf = <T>(fieldIs: string, fields: { readonly [Name in keyof T]-?: z.ZodType }, takes = 'an object') =>
  z.strictObject(fields as z.ZodRawShape, {
    error(issue) {
      if (issue.code !== 'unrecognized_keys') return takes;
      const [unknown = ''] = issue.keys as string[];
      return `"${unknown}" is not ${fieldIs}. Did you mean ${nearestOf(unknown, Object.keys(fields))}?`;
    },
  });

/** The same, but each field, and the object itself, may be left out. */
export const optionsOf = <T>(optionIs: string, fields: { readonly [Name in keyof T]-?: z.ZodType }) =>
  objectOf<T>(optionIs, fields).partial().optional();

/** Throws `CouldNotRun` for the first thing that is wrong with a value: an unknown field before a value of another kind. */
export function refuseWrong(value: unknown, schema: z.ZodType, name: string): void {
  const { error } = schema.safeParse(value);
  if (!error) return;
  const unknown = error.issues.find(({ code }) => code === 'unrecognized_keys');
  if (unknown) throw new CouldNotRun(unknown.message);
  const [{ path, message }] = error.issues as [z.core.$ZodIssue];
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  const wrong = path.reduce((object, key) => Reflect.get(object as object, key), value);
  throw new CouldNotRun(`${name}${place} must be ${message}, got ${shown(wrong)}.`);
}

/** The value for a message, cut. Never throws. */
export function shown(value: unknown): string {
  try {
    const words = inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY });
    return words.length > 80 ? `${words.slice(0, 80)}...` : words;
  } catch {
    return `a value of type ${typeof value}`;
  }
}
