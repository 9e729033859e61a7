import Big from 'big.js';
import type { Condition } from '../port.ts';

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

/** Half a surrogate pair: no text is one. */
const noText = '\ud800';

/** What tells rows apart by these columns. NUL parts the values, since no text holds it. */
export function identity(row: AnyRow, columns: readonly string[]): string {
  let text = '';
  for (let at = 0; at < columns.length; at++) {
    const value = row[columns[at] as string];
    text += at === 0 ? '' : '\u0000';
    text += value === null ? noText : typeof value === 'object' ? JSON.stringify(value) : value;
  }
  return text;
}

/** The identities that a condition on these columns names, each once; undefined where it names no whole ones, or more than `atMost`. */
export function identitiesIn(where: AnyRow, columns: readonly string[], atMost: number): string[] | undefined {
  if (!columns.every((name) => namesValues(where[name]))) return undefined;
  if (columns.every((name) => typeof where[name] !== 'object')) return [identity(where, columns)];
  let rows: AnyRow[] = [{}];
  for (const name of columns) {
    const values = typeof where[name] === 'object' ? (where[name] as { in: readonly unknown[] }).in : [where[name]];
    if (values.length * rows.length > Math.max(1, atMost)) return undefined;
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value })));
  }
  return [...new Set(rows.map((row) => identity(row, columns)))];
}

/** Whether a condition is a value, or a list of them. */
function namesValues(condition: unknown): boolean {
  if (condition === undefined || condition === null) return false;
  return typeof condition !== 'object' || (condition as { in?: unknown }).in !== undefined;
}

/** A copy of a JSON value. */
export function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copied(part)]));
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
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

const rank = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

type Test = { in?: readonly unknown[]; not?: unknown; contains?: string; has?: unknown } & Record<string, unknown>;

/** Whether a row's column fits a condition; refuses a condition that PostgreSQL would. */
export function testOf(name: string, condition: Condition<unknown>, kind: string): (row: AnyRow) => boolean {
  refuseNul(condition);
  // The form in which most values are stored tells them apart by itself.
  if (condition === null || (typeof condition !== 'object' && kind !== 'decimal')) return (row) => row[name] === condition;
  return (row) => holds(row[name], condition, kind);
}

function holds(value: unknown, condition: Condition<unknown>, kind: string): boolean {
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
function refuseNul(condition: unknown): void {
  if (typeof condition === 'number' || typeof condition === 'boolean' || condition === null) return;
  const texts = typeof condition === 'object' ? Object.values(condition as object).flat() : [condition];
  if (texts.some((text) => typeof text === 'string' && text.includes('\u0000')))
    throw new Error('PostgreSQL cannot search for NUL.');
}
