import Big from 'big.js';
import type { Condition } from '../port.ts';

/** Stores, compares and matches values as PostgreSQL does. */

export type AnyRow = Record<string, unknown>;

/** Returns a value in the form in which PostgreSQL returns it. */
export function stored(value: unknown, kind: string): unknown {
  if (kind === 'json')
    return JSON.parse(JSON.stringify(value), (_key, part) => (typeof part === 'string' ? storedText(part) : part));
  if (kind === 'decimal') return decimalText(value as string | Big);
  if (typeof value === 'string') return storedText(value);
  return Object.is(value, -0) ? 0 : value;
}

/** PostgreSQL rejects NUL and lone surrogates in text. Rejecting them here too shows schemas that let them pass. */
export function storedText(text: string): string {
  if (text.includes('\u0000') || !text.isWellFormed())
    throw new Error(`PostgreSQL cannot store NUL or a lone surrogate: ${JSON.stringify(text.slice(0, 100))}.`);
  return text;
}

/** Most amounts are whole numbers, which need no conversion. */
const isFinal = /^(0|[1-9][0-9]{0,30})$/;

export function decimalText(value: string | Big): string {
  if (typeof value === 'string' && isFinal.test(value)) return value;
  return (typeof value === 'object' ? value : Big(value)).toFixed();
}

/** A lone surrogate, which no stored text contains. */
const nullMark = '\ud800';

/** Returns a text that identifies a row by these columns. NUL separates the values, because no stored text contains it. */
export function identity(row: AnyRow, columns: readonly string[]): string {
  let text = '';
  for (let at = 0; at < columns.length; at++) {
    const value = row[columns[at] as string];
    text += at === 0 ? '' : '\u0000';
    text += value === null ? nullMark : typeof value === 'object' ? JSON.stringify(value) : value;
  }
  return text;
}

/** Returns the identity that a condition gives, if it has a plain value for each of the columns. */
export function identityIn(where: AnyRow, columns: readonly string[]): string | undefined {
  for (const name of columns) if (where[name] === undefined || typeof where[name] === 'object') return undefined;
  return identity(where, columns);
}

/** Returns the identities that a condition gives, without duplicates; undefined if a column has no value, or beyond `atMost`. */
export function identitiesIn(where: AnyRow, columns: readonly string[], atMost: number): string[] | undefined {
  if (!columns.every((name) => namesValues(where[name]))) return undefined;
  let rows: AnyRow[] = [{}];
  for (const name of columns) {
    const values = typeof where[name] === 'object' ? (where[name] as { in: readonly unknown[] }).in : [where[name]];
    if (values.length * rows.length > Math.max(1, atMost)) return undefined;
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value })));
  }
  return [...new Set(rows.map((row) => identity(row, columns)))];
}

function namesValues(condition: unknown): boolean {
  if (condition === undefined || condition === null) return false;
  return typeof condition !== 'object' || (condition as { in?: unknown }).in !== undefined;
}

export function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copied(part)]));
}

/** The value that a column gets from a patch: the given one, or its sum with the stored one. A sum with null is null. */
export function sumOrValue(before: unknown, given: unknown, kind: string): unknown {
  if (!isAddition(given, kind)) return given;
  if (before === null) return null;
  return kind === 'decimal' ? Big(before as string).plus(given.add) : Number(before) + Number(given.add);
}

const isAddition = (value: unknown, kind: string): value is { add: string | number } =>
  kind !== 'json' && typeof value === 'object' && value !== null && 'add' in value;

/** Sorts nulls last and text by code point (collation "C"). */
export function compareValues(a: unknown, b: unknown, kind: string): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  if (kind === 'decimal') return Big(a as string).cmp(b as string);
  if (kind === 'text') return compareText(a as string, b as string);
  return (a as number) < (b as number) ? -1 : Number(a !== b);
}

/** JavaScript compares code units, which puts the surrogates of U+10000 and above before U+E000. */
function compareText(a: string, b: string): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

const rank = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

type Test = { in?: readonly unknown[]; not?: unknown; contains?: string; has?: unknown } & Record<string, unknown>;

/** Returns the test of a condition. Throws for a condition that PostgreSQL rejects. */
export function testOf(name: string, condition: Condition<unknown>, kind: string): (row: AnyRow) => boolean {
  rejectNul(condition);
  return (row) => isTrueOf(row[name], condition, kind);
}

/** Returns true if a stored value meets a condition that PostgreSQL takes. */
export function isTrueOf(value: unknown, condition: Condition<unknown>, kind: string): boolean {
  // Equal values of these kinds have the same stored form.
  if (condition === null || (typeof condition !== 'object' && kind !== 'decimal')) return value === condition;
  return holds(value, condition, kind);
}

function holds(value: unknown, condition: Condition<unknown>, kind: string): boolean {
  if (condition === null) return value === null;
  if (typeof condition !== 'object') return equals(value, condition, kind);
  const test = condition as Test;
  if (test.in) return test.in.some((one) => equals(value, one, kind));
  if ('not' in test) return test.not === null ? value !== null : value !== null && !equals(value, test.not, kind);
  if (test.contains !== undefined) return value !== null && textOf(value, kind).includes(test.contains);
  if (test.has !== undefined) return value !== null && (value as unknown[]).includes(test.has);
  return (
    isBeyond(value, test.gt, kind, (difference) => difference > 0) &&
    isBeyond(value, test.gte, kind, (difference) => difference >= 0) &&
    isBeyond(value, test.lt, kind, (difference) => difference < 0) &&
    isBeyond(value, test.lte, kind, (difference) => difference <= 0)
  );
}

/** JSON as PostgreSQL's `json` keeps it: the text that was stored. */
const textOf = (value: unknown, kind: string) => (kind === 'json' ? JSON.stringify(value) : String(value));

const equals = (value: unknown, other: unknown, kind: string): boolean =>
  value !== null && other !== null && compareValues(value, other, kind) === 0;

/** A missing bound holds for every value, including null. */
const isBeyond = (value: unknown, bound: unknown, kind: string, fits: (difference: number) => boolean): boolean =>
  bound === undefined || (value !== null && fits(compareValues(value, bound, kind)));

/** PostgreSQL rejects NUL in a condition. It does not just find nothing. */
export function rejectNul(condition: unknown): void {
  if (typeof condition === 'string' && condition.includes('\u0000')) throw new Error('PostgreSQL cannot search for NUL.');
  if (typeof condition !== 'object' || condition === null) return;
  if (Array.isArray(condition)) for (let at = 0; at < condition.length; at++) rejectNul(condition[at]);
  else for (const name of Object.keys(condition)) rejectNul((condition as Record<string, unknown>)[name]);
}
