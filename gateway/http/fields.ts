import { z } from 'zod';

/**
 * Fields that both APIs use, each refusing what could not be stored or computed exactly. A refusal's rule is the
 * `rule` in its parameters, or zod's own issue code.
 */

/** A control character other than tab and line ends would hide in logs and pages; half a surrogate pair is no text. */
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

function isWellFormedText(value: string): boolean {
  return value.isWellFormed() && !unprintable.test(value);
}

const wellFormed = {
  message: 'must be well-formed text: no control characters, no half of a surrogate pair',
  params: { rule: 'well_formed_text' },
};

/** Text of 1 to `max` characters that is not only blanks. */
export const text = (max: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine(isWellFormedText, wellFormed)
    .refine((value) => value.trim() !== '', { message: 'must not be blank', params: { rule: 'not_blank' } });

/** Text to search for or filter by; empty is allowed and means nothing is filtered. */
export const searchText = (max = 200) =>
  z.string().max(max, `must have at most ${max} characters`).refine(isWellFormedText, wellFormed);

/** -0 would pass as 0 and come back as another text. */
const noNegativeZero = { message: 'must not be negative zero', params: { rule: 'negative_zero' } };

/** A decimal number from 0, with at most `decimals` digits after the point: exact as text, so it can be summed exactly. */
export const amount = (options: { max?: number; decimals?: number; above?: number } = {}) => {
  const { max = 1e12, decimals = 6, above } = options;
  const bounded =
    above === undefined ? z.number().min(0, 'must not be negative') : z.number().gt(above, `must be more than ${above}`);
  return bounded
    .max(max, `must be at most ${max}`)
    .refine((value) => !Object.is(value, -0), noNegativeZero)
    .refine((value) => hasAtMostDecimals(value, decimals), {
      message: `must have at most ${decimals} digits after the point`,
      params: { rule: 'decimals' },
    });
};

/** Like `amount`, but more than 0. */
export const positiveAmount = (options: { max?: number; decimals?: number } = {}) => amount({ ...options, above: 0 });

function hasAtMostDecimals(value: number, decimals: number): boolean {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const fraction = digits.split('.')[1]?.length ?? 0;
  return fraction - Number(exponent) <= decimals;
}

const largestId = 2 ** 31 - 1;

/** An integer id in a body. */
export const id = () =>
  z.number().int('must be a whole number').min(1, 'must be 1 or more').max(largestId, `must be at most ${largestId}`);

/** What OpenAPI says of a number that travels as text in an address. */
const shownAsInteger = (minimum: number, maximum: number) => ({ type: 'integer', pattern: undefined, minimum, maximum });

const digits = (pattern: RegExp, message: string) => z.string().regex(pattern, message);

/** An integer id in a path or query string, where everything is text. */
export const idParam = () =>
  digits(/^[0-9]{1,10}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().max(largestId, `must be at most ${largestId}`))
    .meta(shownAsInteger(1, largestId));

/** A whole number in a query string, within bounds. */
export const intParam = (min: number, max: number) =>
  digits(/^-?[0-9]{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be ${min} or more`).max(max, `must be at most ${max}`))
    .meta(shownAsInteger(min, max));

/** A year in a query string, YYYY. */
export const yearParam = () =>
  digits(/^[1-9][0-9]{3}$/, 'must be a year with four digits, YYYY')
    .transform(Number)
    .meta(shownAsInteger(1000, 9999));

/** A day that exists, YYYY-MM-DD. */
export const isoDate = () =>
  z
    .string()
    .refine(isRealDay, { message: 'must be a day that exists, as YYYY-MM-DD', params: { rule: 'date' } })
    .meta({ format: 'date' });

function isRealDay(value: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value)) return false;
  const at = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value);
}

/** An instant in replies, ISO 8601 in UTC. */
export const instant = () => z.string().meta({ format: 'date-time' });

/** An instant in a filter, as milliseconds since 1970. */
export const moment = () => z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

export const toInstant = (atMs: number): string => new Date(atMs).toISOString();
export const toInstantOrNull = (atMs: number | null): string | null => (atMs === null ? null : toInstant(atMs));
