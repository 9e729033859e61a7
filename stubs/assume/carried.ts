import { mapIn } from './memory.ts';
import type { ListQuery, Memory } from './types.ts';

/**
 * What a call says to the list that it reads. A list knows its filters and not its call, so a number goes along in the filter by
 * region, which every list of records has that can be narrowed. Folding leaves these signs and the digits between them.
 */
const mark = (name: string) => new RegExp(`\\u{e010}${name}(\\d+)\\u{e011}`, 'u');

/** No region of the reference is longer than this, so a longer one finds nothing with the mark or without it. */
const longestRegion = 70;

/** Returns the query with the value in it. Equal values have the same number. */
export function carrying(
  memory: Memory,
  name: string,
  value: string,
  query: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { region = '' } = query;
  if (region.length > longestRegion) return query;
  const values = mapIn<string>(memory, name);
  const known = [...values].find(([, one]) => one === value)?.[0] ?? String(values.size);
  values.set(known, value);
  return { ...query, region: `\u{e010}${name}${known}\u{e011}${region}` };
}

/** Returns the value that its call gave the list, and the list without it. */
export function carriedBy(memory: Memory, name: string, query: ListQuery): { value: string | undefined; query: ListQuery } {
  const { region_search: region, ...others } = query.where;
  const [whole = '', number = ''] = typeof region === 'string' ? (mark(name).exec(region) ?? []) : [];
  if (whole === '') return { value: undefined, query };
  const left = String(region).replace(whole, '');
  const where = left === '' ? others : { ...others, region_search: left };
  return { value: mapIn<string>(memory, name).get(number), query: { ...query, where } };
}
