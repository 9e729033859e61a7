import { useQuery } from '@tanstack/react-query';
import { answer, api, type paths } from '../../lib/api.ts';

export type EventDetail = paths['/events/{id}']['get']['responses'][200]['content']['application/json']['data'];
type Delivery = EventDetail['deliveries'][number];
export type Status = Delivery['status'];

export const statuses: readonly Status[] = ['delivered', 'pending', 'failed', 'skipped'];

const pageRows = 100;
const pagesAtMost = 20;

/** Something of it is still to come: its fan-out, or an attempt. */
export const isOwed = ({ fanned_out_at, deliveries }: EventDetail) =>
  fanned_out_at === null || deliveries.some(({ status }) => status === 'pending');

export interface FanOut {
  counts: Readonly<Record<Status, number>>;
  /** Of how many deliveries these are; fewer than matched where there are more than are counted here. */
  counted: number;
}

export function countsOf(deliveries: readonly Pick<Delivery, 'status'>[]): FanOut {
  const counts: Record<Status, number> = { delivered: 0, pending: 0, failed: 0, skipped: 0 };
  for (const { status } of deliveries) counts[status] += 1;
  return { counts, counted: deliveries.length };
}

/** The states of an event's deliveries. The event comes with a hundred of them; where there are more, they are read too. */
export function useFanOut(event: EventDetail): FanOut {
  const all = useQuery({
    queryKey: ['event', event.id, 'all-deliveries'],
    queryFn: () => readAll(event.id),
    enabled: (event.matched ?? 0) > event.deliveries.length,
    refetchInterval: isOwed(event) ? 5000 : false,
  });
  return countsOf(all.data ?? event.deliveries);
}

async function readAll(event_id: string): Promise<Delivery[]> {
  const found: Delivery[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pagesAtMost; page++) {
    const query = { event_id, limit: pageRows, ...(cursor !== undefined && { cursor }) };
    const { data, next } = await answer(api.GET('/deliveries', { params: { query } }));
    found.push(...data);
    if (next === null) break;
    cursor = next;
  }
  return found;
}
