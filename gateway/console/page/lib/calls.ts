import type { paths } from './api.ts';
import { type FilterValues, withStartTime } from './filters.ts';

export type CallQuery = NonNullable<paths['/calls']['get']['parameters']['query']>;
export type Call = paths['/calls']['get']['responses'][200]['content']['application/json']['data'][number];

/** Turns the filters in the address into a query of the API, which validates them. */
export function callQuery(values: FilterValues, nowMs: number): CallQuery {
  const { to, ...query } = withStartTime(values, nowMs);
  return (to === undefined ? query : { ...query, until: to }) as CallQuery;
}

/** The URL that exports the matching calls as an HTTP Archive (HAR). */
export const harUrl = (query: CallQuery) =>
  `/manage/v1/calls/export?format=har&${new URLSearchParams(query as Record<string, string>)}`;
