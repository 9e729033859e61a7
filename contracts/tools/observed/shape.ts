import { isRecord } from '../json.ts';

const [deepest, mostNames, longestName] = [6, 40, 40];

/**
 * The names of a value's fields and the kinds of their values, and no value. `isSecret`: true for a name that is itself one of
 * the secrets of the calls.
 */
export function shapeOf(value: unknown, isSecret: (name: string) => boolean, depth = 0): unknown {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (depth === deepest && typeof value === 'object') return '…';
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0], isSecret, depth + 1)];
  if (!isRecord(value)) return Number.isInteger(value) ? 'integer' : typeof value;
  const entries = Object.entries(value).slice(0, mostNames);
  return Object.fromEntries(
    entries.map(([name, held]) => [isShown(name) && !isSecret(name) ? name : '…', shapeOf(held, isSecret, depth + 1)]),
  );
}

/** A name with digits in a row may be an id, a key or a telephone number. */
const isShown = (name: string) => /^[A-Za-z_$@][\w$@.-]*$/.test(name) && name.length <= longestName && !/\d{4}/.test(name);
