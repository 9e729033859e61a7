import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../lib/api.ts';
import { stateOf } from '../../lib/endpoint-state.ts';
import { useNow } from '../../lib/now.ts';
import { relativeTime } from '../../lib/time.ts';
import type { Delivery } from './delivery.ts';

/** A sentence that says why nothing is sent to the delivery's endpoint now. Null if it can be sent to. */
export function useEndpointBlock({ endpoint_id: id, url, status }: Delivery): string | null {
  const nowMs = useNow();
  const endpoint = useQuery({
    queryKey: ['endpoint', id],
    queryFn: async () => (await answer(api.GET('/endpoints/{id}', { params: { path: { id } } }))).data,
    enabled: url !== null && status === 'pending',
    refetchInterval: 3000,
  });
  if (!endpoint.data) return null;
  const { word, why, until } = stateOf(endpoint.data);
  const because = why === null ? '' : ` (${why})`;
  if (word === 'held') return `Its endpoint is held${because}. Next try: ${until === null ? 'soon' : relativeTime(until, nowMs)}`;
  if (word === 'probing') return 'One attempt is testing its endpoint. The other deliveries wait for the result.';
  if (word === 'paused' || word === 'disabled') return `Its endpoint is ${word}${because}. Nothing is sent to it.`;
  return null;
}
