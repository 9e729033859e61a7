import { language, locale } from './language.ts';

const whole = new Intl.NumberFormat(locale);
const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });

export const count = (value: number) => whole.format(value);
export const shortCount = (value: number) => (value < 10_000 ? whole.format(value) : short.format(value));

const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

/** French keeps the sign on the number's line. */
const beforePercent = { en: ' ', fr: '\u00a0' }[language];

/** A share from 0 to 1 as a percentage. Never rounds up to 100 %: that would hide failures. */
export function percent(share: number | null): string {
  if (share === null) return '–';
  return `${decimal.format(share < 1 && share > 0.999 ? 99.9 : share * 100)}${beforePercent}%`;
}

/** `response_timeout` as `response timeout`. */
export const words = (code: string) => code.replaceAll('_', ' ');

const rules = new Intl.PluralRules(language);

/** The form of a word for an amount. French uses `one` for 0 as well. */
export const form = (amount: number, one: string, other = `${one}s`): string => (rules.select(amount) === 'one' ? one : other);

/** An amount and its word: `plural(2, 'call')` is `2 calls`. */
export const plural = (amount: number, one: string, other = `${one}s`): string => `${count(amount)} ${form(amount, one, other)}`;

/** Indents JSON. Returns any other text unchanged. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A URL without its scheme. */
export const shortUrl = (url: string) => url.replace(/^https?:\/\//, '');

/** Shortens a caller's id for a column. Keeps the end, where ids created at the same time differ. */
export const shortCaller = (caller: string) => caller.replace(/_[0-9a-f]{20,}([0-9a-f]{6})$/, '_…$1');
