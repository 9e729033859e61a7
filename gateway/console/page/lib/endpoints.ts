import { useQuery } from '@tanstack/react-query';
import { answer, api } from './api.ts';

/** The endpoints by id and URL, for filters and lists; the newest hundred where there are more. */
export function useEndpointNames(): readonly { id: string; url: string }[] {
  const endpoints = useQuery({
    queryKey: ['endpoints', 'names'],
    queryFn: async () => (await answer(api.GET('/endpoints', { params: { query: { limit: 100 } } }))).data,
    staleTime: 30_000,
  });
  return endpoints.data ?? none;
}

const none: readonly { id: string; url: string }[] = [];
