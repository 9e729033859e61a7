import { firstIdAt } from '../../base/ids.ts';
import { removeInBatches } from '../../store/batches.ts';
import type { Rows, Store } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { noteRemoved } from '../outbox/feed.ts';

/** Bounds of one batch. An event's deliveries stay together, even if they are more. */
const maxEvents = 200;
const maxDeliveries = 2000;

/** Works on one batch. Returns the last id that it read, or null if none is left. */
type Batch = (tx: Rows, after: string) => Promise<string | null>;

/**
 * Removes events whose deliveries were all finished before `beforeMs`, with their deliveries and attempts. An event's rows go
 * together or stay together, so that the ledger balances.
 */
export const removeOldEvents = (store: Store, beforeMs: number): Promise<void> =>
  inBatches(store, async (tx, after) => {
    const where = { id: { gt: after, lt: firstIdAt('evt', beforeMs) }, fanned_out_at: { lt: beforeMs } };
    const listed = await tx.list('events', { where, order: [['id', 'asc']], limit: maxEvents, lock: true });
    const events = cutToBatch(listed);
    const inEvents = { event_id: { in: events.map(({ id }) => id) } };
    const deliveries = await tx.list('deliveries', { where: inEvents, order: [['id', 'asc']], lock: true });
    const kept = new Set(
      deliveries.filter((one) => one.status === 'pending' || one.updated_at >= beforeMs).map(({ event_id }) => event_id),
    );
    const old = deliveries.filter(({ event_id }) => !kept.has(event_id)).map(({ id }) => id);
    await tx.remove('attempts', { delivery_id: { in: old } });
    await tx.remove('deliveries', { id: { in: old } });
    const gone = events.filter(({ id }) => !kept.has(id));
    await noteRemoved(tx, gone);
    await tx.remove('events', { id: { in: gone.map(({ id }) => id) } });
    return events.at(-1)?.id ?? null;
  });

export const removeOldNotices = (store: Store, beforeMs: number): Promise<void> =>
  removeInBatches(store, 'notices', { created_at: { lt: beforeMs } });

/** Removes recoveries that ended before `beforeMs`. Their items go first, so that no item is left without its recovery. */
export async function removeOldRecoveries(store: Store, beforeMs: number): Promise<void> {
  const ended = await store.list('recoveries', { where: { ended_at: { lt: beforeMs } } });
  for (const { id } of ended) {
    await removeInBatches(store, 'recovery_items', { recovery_id: id });
    await store.remove('recoveries', { id });
  }
}

function cutToBatch(events: Row<'events'>[]): Row<'events'>[] {
  let deliveries = 0;
  const end = events.findIndex(({ matched }, index) => {
    deliveries += matched ?? 0;
    return index > 0 && deliveries > maxDeliveries;
  });
  return end === -1 ? events : events.slice(0, end);
}

async function inBatches(store: Store, batch: Batch): Promise<void> {
  let after: string | null = '';
  while (after !== null) {
    const from: string = after;
    after = await store.transaction((tx) => batch(tx, from));
  }
}
