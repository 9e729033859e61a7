import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { text } from '../texts/shared.ts';
import { api, dataOf, type paths } from './api.ts';

export type Overview = paths['/overview']['get']['responses'][200]['content']['application/json']['data'];
export type EndpointFigures = paths['/endpoints/figures']['get']['responses'][200]['content']['application/json']['data'][number];
export type Period = Overview['period']['name'];

/** The periods of figures. `since` is the same period in the filters of lists. */
export const periods: Readonly<Record<Period, { label: string; words: string; since: string }>> = {
  hour: { ...text.parts.period.hour, since: '1h' },
  day: { ...text.parts.period.day, since: '24h' },
  week: { ...text.parts.period.week, since: '7d' },
};

const refetchEveryMs = 5000;
/** The gateway itself answers within 8 s, also if its store does not. */
const overviewWithinMs = 9000;

/**
 * The overview's figures. The previous period's stay until the new ones are loaded. A failure shows at once, because old
 * figures beside it would say that all is well.
 */
export const useOverview = (period: Period) =>
  useQuery({
    queryKey: ['overview', period],
    queryFn: async ({ signal }) => {
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(overviewWithinMs)]);
      return await dataOf(api.GET('/overview', { params: { query: { period } }, signal: bounded }));
    },
    retry: false,
    refetchInterval: refetchEveryMs,
    placeholderData: keepPreviousData,
  });

/** The figures of up to 100 endpoints, in the order of `ids`. */
export async function readEndpointFigures(ids: readonly string[], period: Period): Promise<EndpointFigures[]> {
  if (ids.length === 0) return [];
  return await dataOf(api.GET('/endpoints/figures', { params: { query: { ids: ids.join(), period } } }));
}

export const useEndpointFigures = (id: string, period: Period) =>
  useQuery({
    queryKey: ['endpoint', id, 'figures', period],
    queryFn: async () => (await readEndpointFigures([id], period))[0] ?? null,
    refetchInterval: refetchEveryMs,
    placeholderData: keepPreviousData,
  });
