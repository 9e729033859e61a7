import { firstIdAt } from '../../base/ids.ts';
import type { Rows, Store } from '../../store/port.ts';
import type { DeliveryStatus } from '../../store/tables/webhooks.ts';

export interface LedgerFilter {
  /** Events emitted at or after this time, in milliseconds since 1970. */
  from?: number | undefined;
  /** Events emitted before this time, in milliseconds since 1970. */
  to?: number | undefined;
  service?: string | undefined;
  endpoint_id?: string | undefined;
}

export interface Ledger {
  /** The number of deliveries that the events should have: the sum of their matching endpoints. Null for one endpoint. */
  expected: number | null;
  /** Deliveries that filters on the payload spared: `expected` does not count them. Null for one endpoint. */
  filtered: number | null;
  awaiting_fan_out: number;
  deliveries: Record<DeliveryStatus, number>;
  skipped_because: Record<string, number>;
  /** Expected minus found: anything but 0 means a loss. Null for one endpoint. */
  unaccounted: number | null;
}

/** Sums up a period, or everything (docs/guarantees.md). */
export async function readLedger(store: Store, filter: LedgerFilter = {}): Promise<Ledger> {
  // One snapshot for all sums, so that no fan-out commits between them.
  return store.transaction((tx) => sum(tx, filter), { snapshot: true });
}

async function sum(tx: Rows, { from, to, service, endpoint_id }: LedgerFilter): Promise<Ledger> {
  const id = idsBetween(from, to);
  // It is not known how many deliveries one endpoint should have, so its sums need no events.
  const needsEvents = endpoint_id === undefined || service !== undefined;
  const events = needsEvents
    ? await tx.summarize('events', { by: ['type'], sum: ['matched', 'filtered'], where: { id, service } })
    : [];
  const awaiting = await tx.count('events', { id, service, fanned_out_at: null });
  // Deliveries have no service column, but each event type belongs to one service.
  const event_type = service === undefined ? undefined : { in: events.map(({ type }) => type) };
  const groups = await tx.summarize('deliveries', { by: ['status', 'reason'], where: { event_id: id, event_type, endpoint_id } });
  const deliveries = { pending: 0, delivered: 0, failed: 0, skipped: 0 };
  const skippedBecause: Record<string, number> = {};
  let found = 0;
  for (const { status, reason, count } of groups) {
    found += count;
    deliveries[status] += count;
    if (status === 'skipped') skippedBecause[reason ?? 'unknown'] = count;
  }
  const total = (column: 'matched' | 'filtered') =>
    endpoint_id === undefined ? events.reduce((sum, event) => sum + Number(event[column]), 0) : null;
  const [expected, filtered] = [total('matched'), total('filtered')];
  const unaccounted = expected === null ? null : expected - found;
  return { expected, filtered, awaiting_fan_out: awaiting, deliveries, skipped_because: skippedBecause, unaccounted };
}

/** Ids sort by creation time, so a period is a range of ids. */
function idsBetween(from: number | undefined, to: number | undefined): { gte?: string; lt?: string } | undefined {
  if (from === undefined && to === undefined) return undefined;
  return {
    ...(from === undefined ? {} : { gte: firstIdAt('evt', from) }),
    ...(to === undefined ? {} : { lt: firstIdAt('evt', to) }),
  };
}
