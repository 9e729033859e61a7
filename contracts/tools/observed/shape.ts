import { isRecord } from '../../json.ts';

const [deepest, mostNames, longestName] = [6, 40, 40];

/** Stands for a name that may be a value. */
export const hiddenName = '…';

/** The names of a value's fields and the kinds of their values, and no value. */
export function shapeOf(value: unknown, depth = 0): unknown {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (depth === deepest && typeof value === 'object') return '…';
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0], depth + 1)];
  if (!isRecord(value)) return Number.isInteger(value) ? 'integer' : typeof value;
  const entries = Object.entries(value).slice(0, mostNames);
  return Object.fromEntries(entries.map(([name, held]) => [isShown(name) ? name : hiddenName, shapeOf(held, depth + 1)]));
}

/** A name with digits in a row may be an id, a key or a telephone number. */
export const isShown = (name: string) => /^[A-Za-z_$@][\w$@.-]*$/.test(name) && name.length <= longestName && !/\d{4}/.test(name);
