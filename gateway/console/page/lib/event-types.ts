import { useQuery } from '@tanstack/react-query';
import { answer, api, type paths } from './api.ts';

export type EventType = paths['/event-types']['get']['responses'][200]['content']['application/json']['data'][number];

const none: readonly EventType[] = [];

/** The catalogue of events of a service. */
export function useEventTypes(service: EventType['service']): readonly EventType[] {
  const types = useQuery({
    queryKey: ['event-types', service],
    queryFn: async () => (await answer(api.GET('/event-types', { params: { query: { service } } }))).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return types.data ?? none;
}
