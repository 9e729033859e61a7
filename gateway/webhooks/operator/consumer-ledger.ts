import type { Rows, Store, Where } from '../../store/port.ts';
import { type Consumer, readerOf } from '../outbox/consumers.ts';
import { isBefore, type Place, readCursor, withoutTests } from '../outbox/feed.ts';

export interface ConsumerLedger {
  /** Events that are kept and that it may see, by its owner and types. */
  events: number;
  acknowledged: number;
  not_acknowledged: number;
  /** `events` minus the two other numbers. If it is not 0, the cursor passed over some events. */
  unaccounted: number;
}

/** Sums up what the pull consumer that `find` reads may see. */
export async function readConsumerLedger(store: Store, find: (rows: Rows) => Promise<Consumer>): Promise<ConsumerLedger> {
  // One snapshot, so that no event is committed between the sums.
  return store.transaction(async (tx) => sum(tx, await find(tx)), { snapshot: true });
}

async function sum(tx: Rows, consumer: Consumer): Promise<ConsumerLedger> {
  const { service, visible, types } = await readerOf(tx, consumer);
  const subjects = visible.subjects === null ? { not: null } : { in: visible.subjects };
  const seen: Where<'events'>[] = [subjects, ...(visible.unscoped ? [null] : [])].map((subject) => ({
    service,
    subject,
    type: types && { in: [...types] },
  }));
  const count = (where: Where<'events'>) => total(seen.map((one) => countWithoutTests(tx, { ...one, ...where })));
  const { place } = readCursor(consumer.cursor);
  const ofSame = (
    await Promise.all(seen.map((one) => tx.list('events', { where: { ...one, position: place.position } })))
  ).flat();
  const atPlace = await withoutTests(tx, ofSame);
  const isAfter = (event: Place) => isBefore(place, event);
  const events = await count({});
  const acknowledged = (await count({ position: { lt: place.position } })) + atPlace.filter((one) => !isAfter(one)).length;
  const waiting = (await count({ position: { gt: place.position } })) + atPlace.filter(isAfter).length;
  return { events, acknowledged, not_acknowledged: waiting, unaccounted: events - acknowledged - waiting };
}

const total = async (counts: readonly Promise<number>[]) => (await Promise.all(counts)).reduce((all, one) => all + one, 0);

/** Events that try an endpoint are none of a consumer's. */
async function countWithoutTests(tx: Rows, where: Where<'events'>): Promise<number> {
  const isTest = { of: { table: 'deliveries', column: 'event_id', where: { test: true } } } as const;
  const [all, tests] = await Promise.all([tx.count('events', where), tx.count('events', { ...where, id: isTest })]);
  return all - tests;
}
