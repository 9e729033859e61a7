import type { Row } from '../../store/tables/index.ts';

/** Returns the key of the deliveries that wait for each other: the endpoint's id, with the event's subject if it is ordered by that. */
export function orderKeyOf(
  { id, ordered, order_by }: Pick<Row<'endpoints'>, 'id' | 'ordered' | 'order_by'>,
  { subject }: Pick<Row<'events'>, 'subject'>,
): string | null {
  if (!ordered) return null;
  if (order_by === 'endpoint') return id;
  return `${id}/${subject ?? ''}`;
}
