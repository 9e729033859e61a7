import { durationForms, durationText, parseDuration } from '../../gateway/base/duration.ts';
import { FaultError } from './errors.ts';

/** One option of the text form of a rule: the field that it sets, and how its value is read and written. */
export interface Option {
  field: string;
  /** Throws only `FaultError`. */
  read(text: string): unknown;
  write(value: unknown): string;
}

/** A duration in whole milliseconds. */
export const time = (field: string): Option => ({ field, read: readTime, write: (ms) => durationText(Number(ms)) });
export const number = (field: string): Option => ({ field, read: readNumber, write: String });
export const word = (field: string): Option => ({ field, read: (text) => text, write: String });

export function readTime(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new FaultError(`"${text}" is not a duration. ${durationForms}`);
  if (!Number.isInteger(ms)) throw new FaultError(`"${text}" is not a whole number of milliseconds.`);
  return ms;
}

function readNumber(text: string): number {
  const value = /^\d[\d.e+-]*$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw new FaultError(`"${text}" is not a number.`);
}
