import type { paths } from './api.ts';
import { type FilterValues, withInstant } from './filters.ts';

export type CallQuery = NonNullable<paths['/calls']['get']['parameters']['query']>;
export type Call = paths['/calls']['get']['responses'][200]['content']['application/json']['data'][number];

/** The filters of the page's address as the API has them; it checks them, and says what is wrong with one. */
export function callQuery(values: FilterValues, nowMs: number): CallQuery {
  const { to, ...query } = withInstant(values, nowMs);
  return (to === undefined ? query : { ...query, until: to }) as CallQuery;
}

/** Where the calls of these filters are to be had as an HTTP Archive. */
export const harAddress = (query: CallQuery) =>
  `/manage/v1/calls/export.har?${new URLSearchParams(query as Record<string, string>)}`;
