import { skipReasons } from '../../base/causes/cause.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Queue } from '../../queue/port.ts';
import type { Patch, Rows, Store } from '../../store/port.ts';
import { Rounds } from '../../store/rounds.ts';
import type { Row } from '../../store/tables/index.ts';
import type { RecoveryRefusal, RecoveryResult } from '../../store/tables/webhooks.ts';
import type { Lanes } from '../delivery/lanes.ts';
import { skipReasonOf } from '../model/activity.ts';
import { isUrgent, jobsOf } from '../model/jobs.ts';
import { whyNotSent } from '../outbox/owners.ts';
import { deliveriesOfItems, endHolds, nextBatch } from './recoveries.ts';

export interface RecoverParts {
  store: Store;
  queue: Queue;
  clock: Clock;
  log: Logger;
  lanes: Pick<Lanes, 'check'>;
}

/** A recovery's pace is in deliveries per second. One step queues the deliveries of one second. */
const stepMs = 1000;
const idleMs = 5000;
const itemsPerPage = 1000;
const pagesPerStep = 5;

/** Works on running recoveries, one process at a time. */
export function recovererOf(parts: RecoverParts): Rounds {
  const { store, clock, log } = parts;
  /** The last delivery id that was checked for a result; empty at the start of each pass. */
  let settledTo = '';
  const work = async (mayGoOn: () => boolean): Promise<boolean> => {
    const running = await store.list('recoveries', { where: { status: 'running' }, order: [['id', 'asc']] });
    for (const { id } of running) if (mayGoOn()) await recoverBatch(parts, id);
    let settled = 0;
    for (let page = 0; page < pagesPerStep && mayGoOn(); page++) {
      const { count, last } = await settle(store, settledTo);
      settled += count;
      settledTo = last;
      if (last === '') break;
    }
    return running.length > 0 || settled > 0;
  };
  return new Rounds({ store, clock, log, name: 'recoveries', failed: 'recovery.failed', busyMs: stepMs, idleMs, work });
}

/**
 * Stores the results of queued items after `settledTo` now, because retention or a later resend may change their deliveries.
 * Returns the last one that was checked; empty at the end.
 */
async function settle(store: Store, settledTo: string): Promise<{ count: number; last: string }> {
  const items = await store.list('recovery_items', {
    where: { result: 'queued', delivery_id: { gt: settledTo } },
    order: [['delivery_id', 'asc']],
    limit: itemsPerPage,
  });
  const deliveries = await deliveriesOfItems(store, items);
  const settled = items.flatMap((item) => {
    const result = resultOf(item, deliveries.get(item.delivery_id));
    return result === null ? [] : [{ recovery_id: item.recovery_id, delivery_id: item.delivery_id, result }];
  });
  await store.revise('recovery_items', settled);
  return { count: settled.length, last: items.length < itemsPerPage ? '' : (items.at(-1)?.delivery_id ?? '') };
}

/** Returns the result of an item whose attempt was queued; null if the attempt has not been made yet. */
function resultOf({ attempts_before }: Row<'recovery_items'>, delivery: Row<'deliveries'> | undefined): RecoveryResult | null {
  if (!delivery) return 'delivery_missing';
  // A delivery that was pending may still be: its schedule continues after a failure.
  if (delivery.attempts > attempts_before) return delivery.status === 'delivered' ? 'delivered' : 'failed';
  if (delivery.status === 'pending') return null;
  return skipReasons.find((reason) => reason === delivery.reason) ?? 'skipped';
}

/**
 * Queues the deliveries of one second, unless any process did so within the last one. If the queue fails after the commit, the
 * reconciler queues them.
 */
async function recoverBatch({ store, queue, clock, log, lanes }: RecoverParts, id: string): Promise<void> {
  const step = await store.transaction(async (tx) => {
    const recovery = await tx.get('recoveries', { id }, { lock: true });
    if (recovery?.status !== 'running') return undefined;
    const now = clock.now();
    // Another process has just made this second's step. A change of the pace or the status also begins a second.
    if (recovery.position !== null && now - recovery.updated_at < stepMs) return undefined;
    // Before the deliveries, because all code locks endpoints first.
    const released = recovery.position === null ? await endHolds(tx, recovery, now) : [];
    const room = recovery.pace - (await countWaiting(tx, recovery));
    if (room <= 0) return { released, due: [] };
    const { deliveries: batch, position, isLast } = await nextBatch(tx, { ...recovery, pace: room });
    const endpoints = await tx.list('endpoints', { where: { id: { in: [...new Set(batch.map((one) => one.endpoint_id))] } } });
    const refusalOf = await refusals(tx, batch, endpoints);
    const items = batch.map(
      (delivery): Row<'recovery_items'> => ({
        recovery_id: id,
        delivery_id: delivery.id,
        result: refusalOf(delivery) ?? 'queued',
        attempts_before: delivery.attempts,
        at: now,
      }),
    );
    await tx.append('recovery_items', items);
    const ended: Patch<'recoveries'> = isLast ? { status: 'done', ended_at: now } : {};
    await tx.update('recoveries', { id }, { position, done: { add: batch.length }, updated_at: now, ...ended });
    const queued = batch.filter((delivery) => refusalOf(delivery) === null);
    return { released, due: await makeDue(tx, queued, now) };
  });
  if (!step) return;
  if (step.due.length > 0) await queue.add(jobsOf(step.due));
  lanes.check(step.released);
  log.info({ recoveryId: id, deliveries: step.due.length }, 'recovery.queued');
}

/**
 * Returns how many of the last deliveries still have to be attempted. If their worker died, or the queue lost them, they are
 * attempted later. Without this count, they would come in the same second as other deliveries. Deliveries in a lane wait for
 * their endpoint, and do not count.
 */
async function countWaiting(tx: Rows, { id, pace }: Row<'recoveries'>): Promise<number> {
  const items = await tx.list('recovery_items', { where: { recovery_id: id }, order: [['delivery_id', 'desc']], limit: pace });
  const queued = items.filter(({ result }) => result === 'queued');
  const deliveries = await deliveriesOfItems(tx, queued);
  const isWaiting = (item: Row<'recovery_items'>) => {
    const delivery = deliveries.get(item.delivery_id);
    return resultOf(item, delivery) === null && !delivery?.parked;
  };
  return queued.filter(isWaiting).length;
}

/**
 * Finished deliveries get one more attempt, and pending ones their next attempt, now. Some pending ones are left out: they are
 * due already, which includes what waits in a lane for its turn, or their resend waits for an attempt in flight. A lane releases
 * them in their order, as soon as their endpoint has room.
 */
async function makeDue(tx: Rows, deliveries: Row<'deliveries'>[], now: number): Promise<Row<'deliveries'>[]> {
  const finished = deliveries.filter(({ status }) => status !== 'pending');
  const isInOrder = ({ parked, order_key }: Row<'deliveries'>) => parked && order_key !== null;
  const waiting = deliveries.filter(
    (one) => one.status === 'pending' && (one.next_attempt_at ?? now) > now && !isInOrder(one) && !isUrgent(one),
  );
  const due = [['recover', finished] as const, ['retry_now', waiting] as const].flatMap(([reason, group]) =>
    group.map((delivery) => ({
      delivery,
      changes: { status: 'pending', reason, next_attempt_at: now, parked: false, updated_at: now } as const,
    })),
  );
  await tx.revise(
    'deliveries',
    due.map(({ delivery, changes }) => ({ id: delivery.id, ...changes })),
  );
  return due.map(({ delivery, changes }) => ({ ...delivery, ...changes }));
}

/** Returns a function that says why a delivery is not sent; null if it is. */
async function refusals(
  tx: Rows,
  batch: readonly Row<'deliveries'>[],
  endpoints: readonly Row<'endpoints'>[],
): Promise<(delivery: Row<'deliveries'>) => RecoveryRefusal | null> {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const where = { id: { in: [...new Set(batch.map(({ event_id }) => event_id))] } };
  const events = await tx.summarize('events', { by: ['id', 'subject'], where });
  const eventOf = new Map(events.map((event) => [event.id, event]));
  return ({ endpoint_id, event_id }) => {
    const endpoint = byId.get(endpoint_id);
    if (!endpoint) return null;
    const event = eventOf.get(event_id);
    return event ? whyNotSent(endpoint, event) : skipReasonOf(endpoint);
  };
}
