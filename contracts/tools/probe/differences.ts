import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../spec/json.ts';

/** A place in which two bodies differ. A value is undefined where it is absent. */
export interface Place {
  /** Such as `data.items[0].price`; '' for the whole body. */
  path: string;
  before: unknown;
  after: unknown;
}

/** The places in which two values differ: the members of objects, and of lists of the same length. */
export function placesOf(before: unknown, after: unknown, path = ''): Place[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((one, at) => placesOf(one, after[at], `${path}[${at}]`));
  if (!isRecord(before) || !isRecord(after)) return [{ path, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => placesOf(before[name], after[name], path === '' ? name : `${path}.${name}`));
}
