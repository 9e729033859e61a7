import { firstIdAt } from '../../base/ids.ts';
import { removeInBatches } from '../../store/batches.ts';
import type { Rows, Store } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';

/** Events of one batch, and the deliveries that bound it where many endpoints matched; one event is never split. */
const eventsAtOnce = 200;
const deliveriesAtOnce = 2000;
/** Attempts hold whole answers, so few are read at once. */
const attemptsAtOnce = 200;

/** One batch: the last id that it looked at, or null where nothing is left to look at. */
type Batch = (tx: Rows, after: string) => Promise<string | null>;

/** Removes attempts begun before this moment whose deliveries are finished. */
export function forgetAttempts(store: Store, beforeMs: number): Promise<void> {
  return inBatches(store, async (tx, after) => {
    const where = { id: { gt: after, lt: firstIdAt('att', beforeMs) } };
    const attempts = await tx.list('attempts', { where, order: [['id', 'asc']], limit: attemptsAtOnce });
    const ids = [...new Set(attempts.map(({ delivery_id }) => delivery_id))];
    const deliveries = await tx.list('deliveries', { where: { id: { in: ids } }, order: [['id', 'asc']], lock: true });
    const pending = new Set(deliveries.filter(({ status }) => status === 'pending').map(({ id }) => id));
    const old = attempts.filter(({ delivery_id }) => !pending.has(delivery_id));
    await tx.remove('attempts', { id: { in: old.map(({ id }) => id) } });
    return attempts.at(-1)?.id ?? null;
  });
}

/**
 * Removes events whose deliveries have all been finished since before this moment, with these deliveries and their
 * attempts: all of an event or nothing, so that the ledger balances.
 */
export function forgetEvents(store: Store, beforeMs: number): Promise<void> {
  return inBatches(store, async (tx, after) => {
    const where = { id: { gt: after, lt: firstIdAt('evt', beforeMs) }, fanned_out_at: { lt: beforeMs } };
    const listed = await tx.list('events', { where, order: [['id', 'asc']], limit: eventsAtOnce, lock: true });
    const events = bounded(listed);
    const inEvents = { event_id: { in: events.map(({ id }) => id) } };
    const deliveries = await tx.list('deliveries', { where: inEvents, order: [['id', 'asc']], lock: true });
    const kept = new Set(
      deliveries.filter((one) => one.status === 'pending' || one.updated_at >= beforeMs).map(({ event_id }) => event_id),
    );
    const gone = deliveries.filter(({ event_id }) => !kept.has(event_id)).map(({ id }) => id);
    await tx.remove('attempts', { delivery_id: { in: gone } });
    await tx.remove('deliveries', { id: { in: gone } });
    await tx.remove('events', { id: { in: events.map(({ id }) => id).filter((id) => !kept.has(id)) } });
    return events.at(-1)?.id ?? null;
  });
}

/** Removes what an operator was told before this moment. */
export function forgetNotices(store: Store, beforeMs: number): Promise<void> {
  return removeInBatches(store, 'notices', { created_at: { lt: beforeMs } });
}

/** Removes recoveries that ended before this moment: first what they did, so that nothing is left without its recovery. */
export async function forgetRecoveries(store: Store, beforeMs: number): Promise<void> {
  const ended = await store.list('recoveries', { where: { ended_at: { lt: beforeMs } } });
  for (const { id } of ended) {
    await removeInBatches(store, 'recovery_items', { recovery_id: id });
    await store.remove('recoveries', { id });
  }
}

function bounded(events: Row<'events'>[]): Row<'events'>[] {
  let deliveries = 0;
  const end = events.findIndex(({ matched }, index) => {
    deliveries += matched ?? 0;
    return index > 0 && deliveries > deliveriesAtOnce;
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
