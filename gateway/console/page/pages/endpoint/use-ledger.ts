import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../lib/api.ts';

/** The number of deliveries ever created for this endpoint, by status. */
export const useLedger = (id: string) =>
  useQuery({
    queryKey: ['endpoint', id, 'ledger'],
    queryFn: () => dataOf(api.GET('/ledger', { params: { query: { endpoint_id: id } } })),
    refetchInterval: 5000,
  });
