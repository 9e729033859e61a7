const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

export const count = (value: number) => whole.format(value);
export const shortCount = (value: number) => (value < 10_000 ? whole.format(value) : short.format(value));

/** A share from 0 to 1 as a percentage. Never rounds up to 100 %: that would hide failures. */
export function percent(share: number | null): string {
  if (share === null) return '–';
  if (share < 1 && share > 0.999) return '99.9 %';
  return `${Math.round(share * 1000) / 10} %`;
}

/** `response_timeout` as `response timeout`. */
export const words = (code: string) => code.replaceAll('_', ' ');

export const plural = (amount: number, one: string, many = `${one}s`) => `${count(amount)} ${amount === 1 ? one : many}`;

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
