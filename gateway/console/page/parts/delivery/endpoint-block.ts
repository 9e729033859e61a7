import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../lib/api.ts';
import { stateOf } from '../../lib/endpoint-state.ts';
import { useNow } from '../../lib/now.ts';
import { relativeTime } from '../../lib/time.ts';
import { text } from '../../texts/shared.ts';
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
  const says = text.delivery.block;
  const next = until === null ? null : relativeTime(until, nowMs);
  if (word === 'held') return why === null ? says.held(next) : says.heldBecause(why, next);
  if (word === 'probing') return says.probing;
  if (word === 'unverified') return says.unverifiedBecause(why ?? '–');
  if (word === 'paused' || word === 'disabled') return why === null ? says[word] : says[`${word}Because`](why);
  return null;
}
