import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answer, api, type paths } from './api.ts';

export type Overview = paths['/overview']['get']['responses'][200]['content']['application/json']['data'];
export type EndpointFigures = paths['/endpoints/figures']['get']['responses'][200]['content']['application/json']['data'][number];
export type Period = Overview['period']['name'];

/** Lengths of time that figures are of; `since` is the name that the filters of lists have for the same. */
export const periods: Readonly<Record<Period, { label: string; words: string; since: string }>> = {
  hour: { label: 'Hour', words: 'in the last hour', since: '1h' },
  day: { label: 'Day', words: 'in the last 24 hours', since: '24h' },
  week: { label: 'Week', words: 'in the last 7 days', since: '7d' },
};

const everyMs = 5000;

/** How the gateway is; what was read for another period stays until the new figures are there. */
export function useOverview(period: Period) {
  return useQuery({
    queryKey: ['overview', period],
    queryFn: async () => (await answer(api.GET('/overview', { params: { query: { period } } }))).data,
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
  });
}

/** The figures of these endpoints, in their order; at most 100. */
export async function readEndpointFigures(ids: readonly string[], period: Period): Promise<EndpointFigures[]> {
  if (ids.length === 0) return [];
  return (await answer(api.GET('/endpoints/figures', { params: { query: { ids: ids.join(), period } } }))).data;
}

export function useEndpointFigures(id: string, period: Period) {
  return useQuery({
    queryKey: ['endpoint', id, 'figures', period],
    queryFn: async () => (await readEndpointFigures([id], period))[0] ?? null,
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
  });
}
