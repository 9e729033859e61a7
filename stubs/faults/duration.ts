import { FaultError } from './errors.ts';

const millisecondsIn: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** `200ms`, `1.5s` or `2m` in milliseconds. */
export function parseDuration(text: string): number {
  const [, number, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m)$/.exec(text) ?? [];
  const ms = Math.round(Number(number) * (millisecondsIn[unit] ?? Number.NaN) * 1000) / 1000;
  if (Number.isInteger(ms)) return ms;
  throw new FaultError(`"${text}" is no time of whole milliseconds. Write it with its unit: 200ms, 1.5s or 2m.`);
}

/** Milliseconds in the largest unit in which they are whole. */
export function durationText(ms: number): string {
  return ms >= 1000 && ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
