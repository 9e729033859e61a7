import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, dataOf, type paths } from './api.ts';

export type EventType = paths['/event-types']['get']['responses'][200]['content']['application/json']['data'][number];

/** The catalogue of event types. It does not change while the gateway runs. */
export const useCatalogue = () =>
  useQuery({
    queryKey: ['event-types'],
    queryFn: () => dataOf(api.GET('/event-types')),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The event types of one service, or of all. Empty while loading. */
export function useEventTypes(service?: EventType['service']): readonly EventType[] {
  const { data = none } = useCatalogue();
  return useMemo(() => (service === undefined ? data : data.filter((type) => type.service === service)), [data, service]);
}

const none: readonly EventType[] = [];
