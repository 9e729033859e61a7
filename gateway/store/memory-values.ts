import Big from 'big.js';
import type { Condition } from './port.ts';

/** How PostgreSQL stores, compares and finds values, for the memory adapter. */

export type AnyRow = Record<string, unknown>;

/** A value in the form in which a database gives it back. */
export function stored(value: unknown, kind: string): unknown {
  if (kind === 'json')
    return JSON.parse(JSON.stringify(value), (_key, part) => (typeof part === 'string' ? storedText(part) : part));
  if (kind === 'decimal') return decimalText(value as string);
  if (typeof value === 'string') return storedText(value);
  return Object.is(value, -0) ? 0 : value;
}

/** PostgreSQL has no NUL in text and no half of a surrogate pair. A schema that let one pass shows on this tier too. */
function storedText(text: string): string {
  if (text.includes('\u0000') || !text.isWellFormed())
    throw new Error(`PostgreSQL cannot store ${JSON.stringify(text.slice(0, 100))}`);
  return text;
}

/** Whole numbers, which most amounts are, are in their final form already. */
const isFinal = /^(0|[1-9][0-9]{0,30})$/;

export function decimalText(value: string | Big): string {
  if (typeof value === 'string' && isFinal.test(value)) return value;
  return Big(value).toFixed();
}

/** What tells rows apart by these columns. NUL stands for null, since no text holds it. */
export function identity(row: AnyRow, columns: readonly string[]): string {
  if (columns.length !== 1) return JSON.stringify(columns.map((name) => row[name]));
  const value = row[columns[0] as string];
  return value === null ? '\u0000' : String(value);
}

export function isPlain(condition: unknown): boolean {
  return condition !== undefined && condition !== null && typeof condition !== 'object';
}

export function isAddition(value: unknown, kind: string): value is { add: string | number } {
  return kind !== 'json' && typeof value === 'object' && value !== null && 'add' in value;
}

/** Nulls come last, and text is in the order of its code points (collation "C"). */
export function compareValues(a: unknown, b: unknown, kind: string): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  if (kind === 'decimal') return Big(a as string).cmp(b as string);
  if (kind === 'text') return compareText(a as string, b as string);
  return (a as number) < (b as number) ? -1 : Number(a !== b);
}

/** JavaScript compares code units, in which the surrogates of U+10000 and above come before U+E000. */
function compareText(a: string, b: string): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const difference = rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const rank = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

type Test = { in?: readonly unknown[]; not?: unknown; contains?: string; has?: unknown } & Record<string, unknown>;

export function holds(value: unknown, condition: Condition<unknown>, kind: string): boolean {
  if (condition === null) return value === null;
  if (typeof condition !== 'object') return equals(value, condition, kind);
  const test = condition as Test;
  if (test.in) return test.in.some((one) => equals(value, one, kind));
  if ('not' in test) return test.not === null ? value !== null : value !== null && !equals(value, test.not, kind);
  if (test.contains !== undefined) return value !== null && String(value).includes(test.contains);
  if (test.has !== undefined) return value !== null && (value as unknown[]).includes(test.has);
  return (
    isBeyond(value, test.gt, kind, (difference) => difference > 0) &&
    isBeyond(value, test.gte, kind, (difference) => difference >= 0) &&
    isBeyond(value, test.lt, kind, (difference) => difference < 0) &&
    isBeyond(value, test.lte, kind, (difference) => difference <= 0)
  );
}

function equals(value: unknown, other: unknown, kind: string): boolean {
  return value !== null && other !== null && compareValues(value, other, kind) === 0;
}

/** A bound that is not given holds for every value, null included. */
function isBeyond(value: unknown, bound: unknown, kind: string, fits: (difference: number) => boolean): boolean {
  return bound === undefined || (value !== null && fits(compareValues(value, bound, kind)));
}

/** A NUL in a condition is an error in PostgreSQL, not a text that is never found. */
export function refuseNul(condition: unknown): void {
  const texts = typeof condition === 'object' && condition !== null ? Object.values(condition).flat() : [condition];
  if (texts.some((text) => typeof text === 'string' && text.includes('\u0000')))
    throw new Error('PostgreSQL cannot search for NUL.');
}
