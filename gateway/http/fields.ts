import { z } from 'zod';

/**
 * Fields that both APIs use. Each refuses values that cannot be stored or computed exactly. The `rule` of a refusal is the
 * one in `params`, or zod's issue code.
 */

/** An object that documents show under a name of its own. */
export const named = <S extends z.ZodRawShape>(id: string, shape: S) => z.object(shape).meta({ id });

/** A body whose fields are all optional: it may be left out. */
export function optionalBody<S extends z.ZodRawShape>(shape: S) {
  const fields = z.strictObject(shape);
  // Fastify validates null if no body was sent.
  return fields.nullable().transform((body) => body ?? fields.parse({}));
}

/** A change of at least one of the fields. Those that are not sent stay as they are. */
export const changeOf = <S extends z.ZodRawShape>(fields: S, message = 'must contain at least one field') =>
  z
    .strictObject(fields)
    .partial()
    .refine((sent) => Object.keys(sent).length > 0, { message, params: { rule: 'not_empty' } });

/** Control characters except tab and line ends: they are invisible in logs and pages. */
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

const isWellFormedText = (value: string): boolean => value.isWellFormed() && !unprintable.test(value);

const wellFormed = {
  message: 'must be well-formed text, without control characters or unpaired surrogates',
  params: { rule: 'well_formed_text' },
};

/** Text of 1 to `max` characters, at least one of which is not a blank. */
export const text = (max: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine(isWellFormedText, wellFormed)
    .refine((value) => value === '' || value.trim() !== '', { message: 'must not be blank', params: { rule: 'not_blank' } });

/** Invisible characters, characters that change the direction of text, and blanks that look like a space. */
const deceptive = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** A name that looks like what it is: `text` without characters by which it could pass for another name. */
export const visibleText = (max: number) =>
  text(max).superRefine((value, context) => {
    const [found] = deceptive.exec(value) ?? [];
    if (found === undefined) return;
    const codePoint = `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    const message = `must not contain ${codePoint}, which is invisible, changes the direction of text, or looks like a space`;
    context.addIssue({ code: 'custom', message, params: { rule: 'visible_text' } });
  });

/** Text to search for. Empty text is allowed and filters nothing. */
export const searchText = (max = 200) =>
  z.string().max(max, `must have at most ${max} characters`).refine(isWellFormedText, wellFormed);

/** -0 passes every check for 0, but its text differs. */
const noNegativeZero = { message: 'must not be negative zero', params: { rule: 'negative_zero' } };

/** A decimal number of 0 or more. The bound on digits after the point keeps its text, and so every sum, exact. */
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
  if (Number.isSafeInteger(value)) return true;
  const [digits = '', exponent = '0'] = String(value).split('e');
  const point = digits.indexOf('.');
  const fraction = point === -1 ? 0 : digits.length - point - 1;
  return fraction - Number(exponent) <= decimals;
}

const largestId = 2 ** 31 - 1;

/** An integer id in a body. */
export const id = () =>
  z.number().int('must be a whole number').min(1, 'must be 1 or more').max(largestId, `must be at most ${largestId}`);

/** Describes a number that is text in a path or query as an integer in OpenAPI. */
const asInteger = (minimum: number, maximum: number) => ({ type: 'integer', pattern: undefined, minimum, maximum });

const digits = (pattern: RegExp, message: string) => z.string().regex(pattern, message);

/** An integer id in a path or query string. */
export const idParam = () =>
  digits(/^[0-9]{1,10}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().max(largestId, `must be at most ${largestId}`))
    .meta(asInteger(1, largestId));

export const intParam = (min: number, max: number) =>
  digits(/^-?[0-9]{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be ${min} or more`).max(max, `must be at most ${max}`))
    .meta(asInteger(min, max));

export const yearParam = () =>
  digits(/^[1-9][0-9]{3}$/, 'must be a year with four digits, YYYY')
    .transform(Number)
    .meta(asInteger(1000, 9999));

/** A date that exists in the calendar, YYYY-MM-DD. */
export const isoDate = () =>
  z
    .string()
    .refine(isRealDay, { message: 'must be a date that exists, as YYYY-MM-DD', params: { rule: 'date' } })
    .meta({ format: 'date' });

function isRealDay(value: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value)) return false;
  const at = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value);
}

/** A date and time in replies: ISO 8601 in UTC. */
export const instant = () => z.string().meta({ format: 'date-time' });

/** A date and time in a filter: ISO 8601 with a zone. Parses to milliseconds since 1970. */
export const moment = () => z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

let formatted = { atMs: Number.NaN, text: '' };

/** Calls and rows of the same millisecond share one text, because formatting it costs as much as a small reply. */
export function toInstant(atMs: number): string {
  if (formatted.atMs !== atMs) formatted = { atMs, text: new Date(atMs).toISOString() };
  return formatted.text;
}
export const toInstantOrNull = (atMs: number | null): string | null => (atMs === null ? null : toInstant(atMs));

type WithInstants<R, N extends keyof R> = Omit<R, N> & { [C in N]: null extends R[C] ? string | null : string };

/** A row with some of its times as replies show them. */
export function withInstants<R extends object, N extends keyof R>(row: R, ...times: N[]): WithInstants<R, N> {
  const shown = Object.fromEntries(times.map((name) => [name, toInstantOrNull(row[name] as number | null)]));
  return { ...row, ...shown } as WithInstants<R, N>;
}
