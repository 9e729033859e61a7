import { invalid } from '../base/errors.ts';

/** The text in place of an erased value. */
export const erased = '[erased]';

/** ITU country codes: those of one and of two digits. All others have three. */
const shortCode = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** What people and encodings put between two digits: blanks, points, hyphens, slashes, brackets, and escapes of these. */
const between = String.raw`(?:[\s./()+_-]|[\u00a0\u2007\u2009-\u2015\u202f\u2060]|%(?!3\d)[0-9A-Fa-f]{2}|\\+u(?!003\d)[0-9A-Fa-f]{4}|\\+[nrt/]|&nbsp;){0,6}`;
const digit = (one: string) => String.raw`(?:${one}|%3${one}|\\+u003${one})`;
const digits = (text: string) => [...text].map(digit).join(between);

/** Returns the digits of a number with its country code. Throws `invalid`, and does not repeat what may be somebody's number. */
export function digitsOf(number: string): string {
  const international = /^\s*(?:\+|00)/.test(number) && /^[\s+\d./()-]+$/.test(number);
  // The 0 of +33 (0)6 is for calls in the country.
  const written = number.replace('(0)', '').replace(/\D/g, '').replace(/^00/, '');
  if (international && /^[1-9]\d{7,14}$/.test(written)) return written;
  throw invalid(
    'number',
    'international',
    'The number must begin with + or 00 and its country code, and have 8 to 15 digits, such as +225 07 00 00 00 00.',
  );
}

/**
 * Returns a pattern that finds a number in all usual spellings; `number` is its digits after the plus sign. Finds it with `+`,
 * with `00` or without its country code; with or without the leading 0 of a call in the country; grouped in any way; and escaped
 * in JSON or in a URL.
 */
export function patternOf(number: string): RegExp {
  const code = shortCode.exec(number)?.[0] ?? number.slice(0, 3);
  const [zero, own] = [`(?:${digit('0')}${between})?`, digits(number.slice(code.length))];
  const country = `(?:(?:${digits('00')}${between})?${digits(code)}${between})?`;
  // If an escape such as `%2B` stands before the number, its last digit is not a part of a longer number.
  const start = String.raw`(?:(?<!\d)|(?<=%[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4}))`;
  const plus = String.raw`(?:\+|%2[Bb]|\\+u002[Bb])?`;
  return new RegExp(`${plus}${start}${country}${zero}${own}(?!\\d)`, 'g');
}

/** Returns true if a text contains the number, or any text in JSON does. */
export const holds = (pattern: RegExp, value: unknown): boolean => replaced(pattern, value) !== value;

/** The value without the number: the same value if it does not contain it. */
export function replaced<V>(pattern: RegExp, value: V, by = erased): V {
  if (typeof value === 'string') return value.replace(pattern, by) as V;
  if (typeof value === 'number') return String(value).replace(pattern, '') === String(value) ? value : (null as V);
  if (typeof value !== 'object' || value === null) return value;
  let isSame = true;
  const part = (one: unknown) => {
    const next = replaced(pattern, one, by);
    isSame &&= next === one;
    return next;
  };
  const next = Array.isArray(value)
    ? value.map(part)
    : Object.fromEntries(Object.entries(value).map(([name, one]) => [part(name), part(one)]));
  return isSame ? value : (next as V);
}
