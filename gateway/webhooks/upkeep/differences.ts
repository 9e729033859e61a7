import { firstIdAt, timeOfId } from '../../base/ids.ts';
import type { LedgerDifferences } from '../../figures/ledger.ts';
import { storedEvents } from '../../figures/tally.ts';
import type { Rows } from '../../store/port.ts';

/** The ledger is compared in slices of this length. */
export const sliceMs = 3_600_000;
/** More rows than this are compared by sums: there a loss and a surplus of one slice cancel out. */
export const maxCompared = 20_000;

const idsIn = (prefix: string, slice: number) => ({ gte: firstIdAt(prefix, slice), lt: firstIdAt(prefix, slice + sliceMs) });

/** Returns the times of the first rows from `fromMs` on: of events, deliveries and attempts, with or without each other. */
export async function startsOf(rows: Rows, fromMs: number): Promise<number[]> {
  const [evt, dlv] = [{ gte: firstIdAt('evt', fromMs) }, { gte: firstIdAt('dlv', fromMs) }];
  const [event] = await rows.list('events', { where: { id: evt }, order: [['id', 'asc']], limit: 1 });
  const [orphan] = await rows.list('deliveries', { where: { event_id: evt }, order: [['event_id', 'asc']], limit: 1 });
  const [delivery] = await rows.list('deliveries', { where: { id: dlv }, order: [['id', 'asc']], limit: 1 });
  const [attempt] = await rows.list('attempts', { where: { delivery_id: dlv }, order: [['delivery_id', 'asc']], limit: 1 });
  const [tally] = await rows.list('tallies', {
    where: { ...storedEvents, width: sliceMs, at: { gte: fromMs } },
    order: [['at', 'asc']],
    limit: 1,
  });
  const ids = [event?.id, orphan?.event_id, delivery?.id, attempt?.delivery_id].filter((id) => id !== undefined);
  return [...ids.map(timeOfId), ...(tally ? [tally.at] : [])];
}

/** Returns how many deliveries the slice's events should have beyond those they have. */
export async function quickDifference(tx: Rows, slice: number): Promise<number> {
  const ids = idsIn('evt', slice);
  const [events] = await tx.summarize('events', { by: [], sum: ['matched'], where: { id: ids } });
  return Number(events?.matched ?? 0) - (await tx.count('deliveries', { event_id: ids }));
}

/**
 * Compares a slice: its events with their deliveries, and its deliveries with their attempts. `complete` says which rows
 * retention has left alone. `rows` is the number of rows that were compared one by one.
 */
export async function differencesIn(
  tx: Rows,
  slice: number,
  complete: { attempts: boolean; events: boolean },
): Promise<{ found: LedgerDifferences; rows: number }> {
  const deliveries = await compareDeliveries(tx, slice);
  const attempts = complete.attempts ? await compareAttempts(tx, slice) : compared([]);
  const events = complete.events ? await missingEvents(tx, slice) : 0;
  const found = {
    missing: { events, deliveries: deliveries.missing, attempts: attempts.missing },
    surplus: { deliveries: deliveries.surplus, attempts: attempts.surplus },
  };
  return { found, rows: deliveries.rows + attempts.rows };
}

interface Compared {
  missing: number;
  surplus: number;
  /** Rows compared one by one. */
  rows: number;
}

/** An event states how many endpoints it matched. */
async function compareDeliveries(tx: Rows, slice: number): Promise<Compared> {
  const id = idsIn('evt', slice);
  const where = { event_id: id };
  if (await isLarge([tx.count('events', { id }, atMost), tx.count('deliveries', where, atMost)]))
    return compared([await quickDifference(tx, slice)]);
  const events = await tx.summarize('events', { by: ['id', 'matched'], where: { id } });
  const found = await tx.summarize('deliveries', { by: ['event_id'], where });
  const expected = new Map(events.map((event) => [event.id, event.matched ?? 0]));
  return compared(differencesByKey(expected, new Map(found.map(({ event_id, count }) => [event_id, count]))));
}

/** A delivery states how many attempts were recorded. */
async function compareAttempts(tx: Rows, slice: number): Promise<Compared> {
  const id = idsIn('dlv', slice);
  const where = { delivery_id: id };
  if (await isLarge([tx.count('deliveries', { id }, atMost), tx.count('attempts', where, atMost)])) {
    const [sum] = await tx.summarize('deliveries', { by: [], sum: ['attempts'], where: { id } });
    return compared([Number(sum?.attempts ?? 0) - (await tx.count('attempts', where))]);
  }
  const deliveries = await tx.summarize('deliveries', { by: ['id', 'attempts'], where: { id } });
  const found = await tx.summarize('attempts', { by: ['delivery_id'], where });
  const expected = new Map(deliveries.map((delivery) => [delivery.id, delivery.attempts]));
  return compared(differencesByKey(expected, new Map(found.map(({ delivery_id, count }) => [delivery_id, count]))));
}

/**
 * Only a count shows how many events there were, so each process counts the events that it stores. A killed process has not
 * counted its last second.
 */
async function missingEvents(tx: Rows, slice: number): Promise<number> {
  const [tally] = await tx.list('tallies', { where: { ...storedEvents, width: sliceMs, at: slice }, limit: 1 });
  return tally ? Math.max(0, tally.total - (await tx.count('events', { id: idsIn('evt', slice) }))) : 0;
}

const atMost = { atMost: maxCompared + 1 };
const isLarge = async (counts: Promise<number>[]) => (await Promise.all(counts)).some((count) => count > maxCompared);

function differencesByKey(expected: Map<string, number>, found: Map<string, number>): number[] {
  const keys = new Set([...expected.keys(), ...found.keys()]);
  return [...keys].map((key) => (expected.get(key) ?? 0) - (found.get(key) ?? 0));
}

const compared = (differences: number[]): Compared => ({
  missing: differences.reduce((sum, one) => sum + Math.max(0, one), 0),
  surplus: differences.reduce((sum, one) => sum + Math.max(0, -one), 0),
  rows: differences.length,
});
