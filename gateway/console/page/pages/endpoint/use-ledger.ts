import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../lib/api.ts';

/** The number of deliveries ever created for this endpoint, by status. */
export function useLedger(id: string) {
  return useQuery({
    queryKey: ['endpoint', id, 'ledger'],
    queryFn: async () => (await answer(api.GET('/ledger', { params: { query: { endpoint_id: id } } }))).data,
    refetchInterval: 5000,
  });
}
