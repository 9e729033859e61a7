import { invalid } from '../../base/errors.ts';
import { firstIdAt } from '../../base/ids.ts';
import type { Rows, Store } from '../../store/port.ts';
import type { DeliveryStatus } from '../../store/tables/webhooks.ts';

export interface LedgerFilter {
  /** Events made from this moment on, in milliseconds since 1970. */
  from?: number | undefined;
  /** Events made before this moment. */
  to?: number | undefined;
  service?: string | undefined;
  endpoint_id?: string | undefined;
}

export interface Ledger {
  /** Deliveries that the events came to so far: events times the endpoints that matched. Null for one endpoint. */
  expected: number | null;
  /** Events whose fan-out is still owed. */
  awaiting_fan_out: number;
  deliveries: Record<DeliveryStatus, number>;
  skipped_because: Record<string, number>;
  /** Expected less those found: 0, or something was lost. Null for one endpoint. */
  unaccounted: number | null;
}

/** The sum over a period, or over everything (DESIGN.md, "The ledger balances"). */
export async function readLedger(store: Store, filter: LedgerFilter = {}): Promise<Ledger> {
  const { from, to } = filter;
  if (from !== undefined && to !== undefined && from >= to) {
    const said = `from (${new Date(from).toISOString()}) is not before to (${new Date(to).toISOString()})`;
    throw invalid(
      'from',
      'before_to',
      `The period is empty: ${said}. It holds what was made from the one until before the other.`,
    );
  }
  // One snapshot, so that no fan-out commits between the sums.
  return store.transaction((tx) => sum(tx, filter), { snapshot: true });
}

async function sum(tx: Rows, { from, to, service, endpoint_id }: LedgerFilter): Promise<Ledger> {
  const id = idsBetween(from, to);
  // What one endpoint should have got is not known: its sums need no event.
  const ofEvents = endpoint_id === undefined || service !== undefined;
  const events = ofEvents ? await tx.summarize('events', { by: ['type'], sum: ['matched'], where: { id, service } }) : [];
  const awaiting = await tx.count('events', { id, service, fanned_out_at: null });
  // A delivery says its event's type, and a type is of one service.
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
  const expected = endpoint_id === undefined ? events.reduce((total, { matched }) => total + Number(matched), 0) : null;
  const unaccounted = expected === null ? null : expected - found;
  return { expected, awaiting_fan_out: awaiting, deliveries, skipped_because: skippedBecause, unaccounted };
}

/** Ids sort by the moment at which they were made, so a period is a range of them. */
function idsBetween(from: number | undefined, to: number | undefined): { gte?: string; lt?: string } | undefined {
  if (from === undefined && to === undefined) return undefined;
  return {
    ...(from === undefined ? {} : { gte: firstIdAt('evt', from) }),
    ...(to === undefined ? {} : { lt: firstIdAt('evt', to) }),
  };
}
