import { useQuery } from '@tanstack/react-query';
import { dataOf, type paths, profile } from './api.ts';

export type EventType = paths['/events/catalogue']['get']['responses'][200]['content']['application/json']['data'][number];

const none: readonly EventType[] = [];

/** The event types of the partner's API. Empty while loading. They do not change while the gateway runs. */
export function useEventTypes(): readonly EventType[] {
  const { data = none } = useQuery({
    queryKey: ['event-types'],
    queryFn: () => dataOf(profile.GET('/events/catalogue')),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
