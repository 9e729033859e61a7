/** Building blocks for alternatives: changes of JSON values. */
import { isRecord, type Json } from '../../json.ts';
import type { Asked } from './is.ts';

export type ValueChange = (value: unknown, asked?: Asked) => unknown;

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const without = <T>(record: Record<string, T>, ...names: string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

export const only =
  (...names: string[]) =>
  (value: unknown): unknown =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name))) : value;

export const omit =
  (...names: string[]) =>
  (value: unknown): unknown =>
    isRecord(value) ? without(value, ...names) : value;

export const withFields =
  (fields: Json | ((record: Json, asked?: Asked) => Json)) =>
  (value: unknown, asked?: Asked): unknown =>
    isRecord(value) ? { ...value, ...(typeof fields === 'function' ? fields(value, asked) : fields) } : value;

export const renamed = (from: string, to: string) => (value: unknown) =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, held]) => [name === from ? to : name, held])) : value;

/** Renames all fields to another convention, such as `store_id` to `StoreId`. */
export function otherNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(otherNames);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [pascalCase(name), otherNames(held)]));
}

const pascalCase = (name: string) => name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Changes all fields with these names, at any depth. JSON leaves out what becomes undefined. */
export const everywhere =
  (names: readonly string[], change: (value: unknown) => unknown) =>
  (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(everywhere(names, change));
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([name, held]) => [
      name,
      names.includes(name) && !isRecord(held) ? change(held) : everywhere(names, change)(held),
    ]);
    return Object.fromEntries(entries);
  };

export const mappedValues = (words: Record<string, string>) => (value: unknown) =>
  typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : value;

/** Multiplies numbers. 15 digits drop what binary numbers add: 1.15 times 100 is 115. */
export const scaled = (factor: number) => (value: unknown) =>
  typeof value === 'number' ? Number((value * factor).toPrecision(15)) : value;

export function textsIn(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => textsIn(one, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, textsIn(held, change)]));
}
