import { useQuery } from '@tanstack/react-query';
import { text } from '../texts/shared.ts';
import { answer, api, apiPrefix, type paths } from './api.ts';
import { type FilterValues, pickFilters, withStartTime } from './filters.ts';

/** The lists that can be counted, exported and saved as views. */
export type ListName = 'deliveries' | 'calls' | 'events' | 'endpoints';

interface Listed {
  /** The filters in the page's address that the API knows. */
  filters: readonly string[];
  /** What can be exported: the API's path, the format, and what the menu says. */
  exports: readonly (readonly [path: string, format: string, label: string])[];
}

const time = ['from', 'to'];
const labels = text.parts.exports;

export const listed: Readonly<Record<ListName, Listed>> = {
  deliveries: {
    filters: [
      ...['q', 'status', 'reason', 'endpoint_id', 'event_id', 'event_type', 'partner', 'owner', 'response_status', 'waits_for'],
      ...time,
    ],
    exports: [
      ['/deliveries', 'csv', labels.deliveriesCsv],
      ['/attempts', 'csv', labels.attemptsCsv],
      ['/attempts', 'curl', labels.attemptsCurl],
      ['/attempts', 'har', labels.attemptsHar],
    ],
  },
  calls: {
    filters: [
      ...['id', 'q', 'api', 'status', 'error_code', 'operation', 'caller', 'partner', 'ip', 'method', 'limited'],
      ...['from', 'until'],
    ],
    exports: [
      ['/calls', 'csv', labels.csv],
      ['/calls', 'jsonl', labels.jsonLines],
      ['/calls', 'curl', labels.curl],
      ['/calls', 'har', labels.har],
    ],
  },
  events: {
    filters: ['q', 'type', 'service', 'subject', 'partner', 'unmatched', ...time],
    exports: [['/events', 'csv', labels.csv]],
  },
  endpoints: {
    filters: ['q', 'service', 'state', 'partner', 'owner'],
    exports: [['/endpoints', 'csv', labels.csv]],
  },
};

/** The filters in the page's address as a query of the API, which validates them. Calls name the end of a time `until`. */
export function queryOf(list: ListName, values: FilterValues, nowMs: number): FilterValues {
  const { to, ...query } = withStartTime(values, nowMs);
  const end = to === undefined ? {} : { [list === 'calls' ? 'until' : 'to']: to };
  return pickFilters({ ...query, ...end }, listed[list].filters);
}

/** The filters that a view of the list saves. */
export const savedFilters = (list: ListName, values: FilterValues): FilterValues =>
  pickFilters(values, [...listed[list].filters, 'since', 'to']);

export const exportUrl = (path: string, format: string, query: FilterValues) =>
  `${apiPrefix}${path}/export?${new URLSearchParams({ format, ...query })}`;

type Counted = paths['/deliveries/count']['get']['responses'][200]['content']['application/json']['data'];

const recountEveryMs = 10_000;

/** How many rows of the list match. Undefined until they are counted. */
export function useCount(list: ListName, values: FilterValues, live: boolean): Counted | undefined {
  const counted = useQuery({
    queryKey: ['count', list, savedFilters(list, values)],
    queryFn: async () => {
      const query = queryOf(list, values, Date.now());
      return (await answer(api.GET(`/${list}/count` as '/deliveries/count', { params: { query } }))).data;
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
