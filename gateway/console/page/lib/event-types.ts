import { useQuery } from '@tanstack/react-query';
import { answer, api, type paths } from './api.ts';

export type EventType = paths['/event-types']['get']['responses'][200]['content']['application/json']['data'][number];

/** The catalogue of events, which stays as it is while the gateway runs. */
export function useCatalogue() {
  return useQuery({
    queryKey: ['event-types'],
    queryFn: async () => (await answer(api.GET('/event-types'))).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The same for filters: none until it is there. */
export const useEventTypes = (): readonly EventType[] => useCatalogue().data ?? none;

const none: readonly EventType[] = [];
