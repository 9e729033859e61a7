import type { Rows, Store } from '../store/port.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface Ledger {
  /** Deliveries that the events fanned out so far came to: events times the endpoints that matched. */
  expected: number;
  /** Events whose fan-out is still owed. */
  awaiting_fan_out: number;
  deliveries: Record<DeliveryStatus, number>;
  /** Expected less those found: 0, or something was lost. */
  unaccounted: number;
}

/** The sum over everything (DESIGN.md, "The ledger balances"). */
export function readLedger(store: Store): Promise<Ledger> {
  // One transaction, so that no fan-out commits between the two sums.
  return store.transaction(sum);
}

/** What `passerelle_deliveries_unaccounted` shows. */
export async function unaccounted(store: Store): Promise<number> {
  return (await readLedger(store)).unaccounted;
}

async function sum(rows: Rows): Promise<Ledger> {
  const [events] = await rows.summarize('events', { by: [], sum: ['matched'] });
  const awaiting = await rows.count('events', { fanned_out_at: null });
  const byStatus = await rows.summarize('deliveries', { by: ['status'] });
  const deliveries = { pending: 0, delivered: 0, failed: 0, skipped: 0 };
  for (const { status, count } of byStatus) deliveries[status as DeliveryStatus] = count;
  const found = byStatus.reduce((total, { count }) => total + count, 0);
  const expected = Number(events?.matched ?? 0);
  return { expected, awaiting_fan_out: awaiting, deliveries, unaccounted: expected - found };
}
