import type { Row } from '../../store/tables/index.ts';

/** Selects failed deliveries that block the deliveries behind them. */
export const blockingOnes = { order_key: { not: null }, attempts: { gt: 0 } } as const;

/** Returns true for a delivery that `blockingOnes` selects. */
export const isBlocking = ({ order_key, attempts }: Pick<Row<'deliveries'>, 'order_key' | 'attempts'>): boolean =>
  order_key !== null && attempts > 0;

type Ordered = Pick<Row<'endpoints'>, 'ordered' | 'order_by'>;

/** Returns true if the endpoint's deliveries wait for those with the same subject only. */
export const isOrderedByKey = ({ ordered, order_by }: Ordered): boolean => ordered && order_by === 'subject';

/** Returns the key of the deliveries that wait for each other: the endpoint's id, with the event's subject if it is ordered by that. */
export function orderKeyOf(
  { id, ordered, order_by }: Ordered & Pick<Row<'endpoints'>, 'id'>,
  { subject }: Pick<Row<'events'>, 'subject'>,
): string | null {
  if (!ordered) return null;
  if (order_by === 'endpoint') return id;
  return `${id}/${subject ?? ''}`;
}
