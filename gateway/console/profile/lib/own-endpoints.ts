import { useQuery } from '@tanstack/react-query';
import { shortUrl } from '../../page/lib/format.ts';
import { dataOf, profile } from './api.ts';
import type { Endpoint } from './endpoints.ts';

const none: readonly Endpoint[] = [];

/** All of the partner's endpoints: there are at most 100. Empty while loading. */
export function useOwnEndpoints(): readonly Endpoint[] {
  const { data = none } = useQuery({
    queryKey: ['endpoints', 'all'],
    queryFn: () => dataOf(profile.GET('/endpoints', { params: { query: { limit: 100 } } })),
    staleTime: 30_000,
  });
  return data;
}

/** The endpoint's URL without its scheme. Its id while it is loading, or if it was deleted. */
export const nameOf = (endpoints: readonly Endpoint[], id: string): string => {
  const endpoint = endpoints.find((one) => one.id === id);
  return endpoint ? shortUrl(endpoint.url) : id;
};

/** The endpoints as choices of a filter. One URL may have several endpoints, which descriptions or else ids tell apart. */
export function choicesOf(endpoints: readonly Endpoint[]): { value: string; label: string }[] {
  const named = endpoints.map(({ id, url, description }) => ({
    value: id,
    label: description === '' ? url : `${description} (${url})`,
  }));
  const same = Map.groupBy(named, ({ label }) => label);
  return named.map(({ value, label }) => ({ value, label: same.get(label)?.length === 1 ? label : `${label} ${value}` }));
}
