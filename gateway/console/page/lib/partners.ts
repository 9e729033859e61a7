import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answer, api, type paths } from './api.ts';

type Found = paths['/partners']['get']['responses'][200]['content']['application/json'];

/** An account or a user that can own endpoints. */
export type Partner = Found['data'][number];

const maxShown = 20;

/** The partners that have this in their name, or this id. While a new search runs, the result of the last one stays. */
export function usePartners(q: string, enabled = true): Found | undefined {
  const found = useQuery({
    queryKey: ['partners', q],
    queryFn: () => answer(api.GET('/partners', { params: { query: { limit: maxShown, ...(q !== '' && { q }) } } })),
    staleTime: 10_000,
    enabled,
    placeholderData: keepPreviousData,
  });
  return found.data;
}

/** The name of the account or user with this id. The id itself while the name is loading. */
export function usePartnerName(id = ''): string {
  const found = usePartners(id, id !== '');
  return found?.data.find((partner) => partner.id === id)?.name ?? id;
}

/** The page of an account or user, and the address of its row. */
export const partnerPages = { account: '/back-office/accounts', user: '/back-office/users' } as const;
