import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../lib/api.ts';
import { stateOf } from '../../lib/endpoint-state.ts';
import { useNow } from '../../lib/now.ts';
import { relativeTime } from '../../lib/time.ts';
import type { Story } from './delivery.ts';

/** What keeps the endpoint of a delivery from being sent anything, as a sentence; null where nothing does. */
export function useEndpointSays({ endpoint_id: id, url, status }: Story): string | null {
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
  if (word === 'held')
    return `Its endpoint is held${because}: it is tried again ${until === null ? 'soon' : relativeTime(until, nowMs)}`;
  if (word === 'probing') return 'Its endpoint is tried with one attempt: the others wait for how that ends.';
  if (word === 'paused' || word === 'disabled') return `Its endpoint is ${word}${because}: nothing is sent to it.`;
  return null;
}
