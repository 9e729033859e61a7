import { useQuery } from '@tanstack/react-query';
import { listFilters } from '../../../../spec/types/filters.ts';
import { text } from '../texts/shared.ts';
import { api, apiPrefix, dataOf, type paths } from './api.ts';
import { type FilterValues, pickFilters, withStartTime } from './filters.ts';

/** The lists that can be counted and exported. */
export type ListName = keyof typeof listFilters;

const labels = text.parts.exports;

/** What can be exported of each list: the API's path, the format, and what the menu says. */
export const exports: Readonly<Record<ListName, readonly (readonly [path: string, format: string, label: string])[]>> = {
  deliveries: [
    ['/deliveries', 'csv', labels.deliveriesCsv],
    ['/attempts', 'csv', labels.attemptsCsv],
    ['/attempts', 'curl', labels.attemptsCurl],
    ['/attempts', 'har', labels.attemptsHar],
  ],
  calls: [
    ['/calls', 'csv', labels.csv],
    ['/calls', 'jsonl', labels.jsonLines],
    ['/calls', 'curl', labels.curl],
    ['/calls', 'har', labels.har],
  ],
  events: [['/events', 'csv', labels.csv]],
  endpoints: [['/endpoints', 'csv', labels.csv]],
};

/** The names of the filters in the page's address that the API knows. */
export const filterNames = (list: ListName): readonly string[] => Object.keys(listFilters[list]);

/** The filters in the page's address as a query of the API, which validates them. Calls name the end of a time `until`. */
export function queryOf(list: ListName, values: FilterValues, nowMs: number): FilterValues {
  const { to, ...query } = withStartTime(values, nowMs);
  const end = to === undefined ? {} : { [list === 'calls' ? 'until' : 'to']: to };
  return pickFilters({ ...query, ...end }, filterNames(list));
}

/** The values of filters with the types that the API has for them in a body. */
export const typed = (list: ListName, values: FilterValues): Record<string, string | number> => {
  const types: Readonly<Record<string, string>> = listFilters[list];
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, types[name] === 'integer' ? Number(value) : value]),
  );
};

/** The filters in the page's address that the list has. */
export const listedFilters = (list: ListName, values: FilterValues): FilterValues =>
  pickFilters(values, [...filterNames(list), 'since', 'to']);

export const exportUrl = (path: string, format: string, query: FilterValues) =>
  `${apiPrefix}${path}/export?${new URLSearchParams({ format, ...query })}`;

type Counted = paths['/deliveries/count']['get']['responses'][200]['content']['application/json']['data'];

const recountEveryMs = 10_000;

/** How many rows of the list match. Undefined until they are counted. */
export function useCount(list: ListName, values: FilterValues, live: boolean): Counted | undefined {
  const counted = useQuery({
    queryKey: ['count', list, listedFilters(list, values)],
    queryFn: async () => {
      const query = queryOf(list, values, Date.now());
      return await dataOf(api.GET(`/${list}/count` as '/deliveries/count', { params: { query } }));
    },
    staleTime: recountEveryMs,
    refetchInterval: live ? recountEveryMs : false,
  });
  return counted.data;
}

/** `1,234 calls`, or `More than 10,000 calls`. */
export function wordsOfCount(list: ListName, { count: rows, more }: Counted): string {
  const { count, moreThan } = text.parts.lists[list];
  return more ? moreThan(rows) : count(rows);
}
