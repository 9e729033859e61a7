import { useQuery } from '@tanstack/react-query';
import { answer, api, type paths } from '../../lib/api.ts';

export type EventDetail = paths['/events/{id}']['get']['responses'][200]['content']['application/json']['data'];
type Delivery = EventDetail['deliveries'][number];
export type Status = Delivery['status'];

export const statuses: readonly Status[] = ['delivered', 'pending', 'failed', 'skipped'];

const pageRows = 100;
const maxPages = 20;

/** Returns true while the event waits for its fan-out or for an attempt. */
export const isUnfinished = ({ fanned_out_at, deliveries }: EventDetail) =>
  fanned_out_at === null || deliveries.some(({ status }) => status === 'pending');

export interface FanOut {
  counts: Readonly<Record<Status, number>>;
  /** The number of deliveries counted. Less than the number of matches if they fill more than `maxPages`. */
  counted: number;
}

function countsOf(deliveries: readonly Pick<Delivery, 'status'>[]): FanOut {
  const counts: Record<Status, number> = { delivered: 0, pending: 0, failed: 0, skipped: 0 };
  for (const { status } of deliveries) counts[status] += 1;
  return { counts, counted: deliveries.length };
}

/** An event's deliveries by status. The event contains the first 100; the others are read from the list. */
export function useFanOut(event: EventDetail): FanOut {
  const all = useQuery({
    queryKey: ['event', event.id, 'all-deliveries'],
    queryFn: () => readAll(event.id),
    enabled: (event.matched ?? 0) > event.deliveries.length,
    refetchInterval: isUnfinished(event) ? 5000 : false,
  });
  return countsOf(all.data ?? event.deliveries);
}

async function readAll(event_id: string): Promise<Delivery[]> {
  const found: Delivery[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const query = { event_id, limit: pageRows, ...(cursor !== undefined && { cursor }) };
    const { data, next } = await answer(api.GET('/deliveries', { params: { query } }));
    found.push(...data);
    if (next === null) break;
    cursor = next;
  }
  return found;
}
