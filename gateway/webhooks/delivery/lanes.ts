import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { type Answer, type Gate, lookAgainMs } from '../../queue/gate/port.ts';
import type { Queue } from '../../queue/port.ts';
import type { Rows, Store } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { SkipReason } from '../../store/tables/webhooks.ts';
import { skipReasonOf } from '../model/activity.ts';
import { jobsOf, seenOf } from '../model/jobs.ts';
import { isLate, parkedFor } from '../model/lane.ts';
import type { DeliveryListener } from '../model/listener.ts';
import { isOrderedByKey } from '../model/order-key.ts';
import { skipDeliveries } from '../model/skip.ts';
import { firstInOrder } from '../outbox/order.ts';
import { entryOf, maxInFlightAt } from './admit.ts';
import { namesOf } from './lease.ts';
import { type OrderedRow, OrderKeys } from './order-keys.ts';
import type { SlowShares } from './shares.ts';

export interface LaneParts {
  store: Store;
  queue: Queue;
  gate: Gate;
  slow: Pick<SlowShares, 'has'>;
  clock: Clock;
  log: Logger;
  listener: DeliveryListener;
  /** Attempts in flight at once at an endpoint without a limit of its own. */
  maxInFlight: number;
}

/** Maximum parked deliveries of a disabled endpoint that one transaction skips. */
const skipBatch = 500;
const retryDelayMs = 1000;
/** The least time between two checks of the lane of a slow endpoint, unless one of its attempts ends. */
const slowDelayMs = 1000;

/**
 * Each endpoint has a lane in the store: its parked deliveries, which wait without jobs because the endpoint is full, held, or
 * ordered and busy. So they cost the queue and the other endpoints nothing. A lane is checked when a delivery is parked in it,
 * when an attempt at its endpoint ends, and again after a delay. The reconciler's sweep finds lanes that no process checks.
 */
export class Lanes {
  readonly #parts: LaneParts;
  /** The lanes that this process checks, each with the function that cancels its next check. */
  readonly #watched = new Map<string, () => void>();
  readonly #checking = new Map<string, Promise<void>>();
  #orderKeys = new OrderKeys();
  /** Deliveries that attempts of this process have taken out of lanes. No check releases them. */
  readonly taken = new Set<string>();
  /** Lanes to check once more, because something happened during their check. */
  readonly #repeat = new Set<string>();
  /** Lanes into which something was parked during their check. */
  readonly #grown = new Set<string>();
  #closed = false;

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  /** Checks the lanes of these endpoints. Returns at once. */
  check(endpointIds: readonly string[]): void {
    for (const id of endpointIds) {
      this.#orderKeys.addAll(id);
      this.#check(id);
    }
  }

  /** Call it after deliveries were parked. A lane that has a next check waits for it: many deliveries may be parked each second. */
  grown(parked: readonly OrderedRow[]): void {
    for (const one of parked) this.#orderKeys.add(one);
    for (const id of new Set(parked.map(({ endpoint_id }) => endpoint_id))) {
      if (this.#checking.has(id)) this.#grown.add(id);
      else if (!this.#watched.has(id)) this.#check(id);
    }
  }

  /** Call it before an attempt, and `attemptEnded` afterwards, unless another one of its key follows at once. */
  attemptBegins(delivery: OrderedRow): void {
    if (delivery.order_key !== null) this.#orderKeys.begin(delivery);
  }

  /**
   * Checks the endpoint's lane if it may hold something. The lane of an endpoint that is ordered as a whole may hold deliveries
   * that no process has looked at. An attempt at a held endpoint may have ended the hold, or has put its delivery into the lane.
   * `isLast`: nothing waits behind the delivery.
   */
  attemptEnded(
    endpoint: Pick<Row<'endpoints'>, 'id' | 'ordered' | 'order_by' | 'held_until'>,
    delivery: OrderedRow,
    { isLast } = { isLast: false },
  ): void {
    const { id, ordered, held_until } = endpoint;
    this.#orderKeys.end(delivery);
    if (ordered && !isLast) this.#orderKeys.add(delivery);
    const mayHold = isOrderedByKey(endpoint)
      ? !this.#orderKeys.isEmpty(id)
      : ordered || held_until !== null || this.#watched.has(id);
    if (mayHold) this.#check(id);
  }

  /** Returns true if this process looks after the endpoint's lane: it has held something not long ago. */
  mayHold(endpointId: string): boolean {
    return this.#watched.has(endpointId);
  }

  /** Checks every lane that holds something. */
  async sweep(): Promise<void> {
    const lanes = await this.#parts.store.summarize('deliveries', { where: { parked: true }, by: ['endpoint_id'] });
    this.check(lanes.map(({ endpoint_id }) => endpoint_id));
  }

  /** Checks no lane any more until something is parked in it: the store's rows were reset. */
  async reset(): Promise<void> {
    await Promise.all(this.#checking.values());
    for (const cancel of this.#watched.values()) cancel();
    this.#watched.clear();
    this.#orderKeys = new OrderKeys();
    this.taken.clear();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const cancel of this.#watched.values()) cancel();
    await Promise.all(this.#checking.values());
  }

  #check(endpointId: string): void {
    if (this.#closed) return;
    if (this.#checking.has(endpointId)) {
      this.#repeat.add(endpointId);
      return;
    }
    this.#watched.get(endpointId)?.();
    this.#watched.set(endpointId, () => {});
    const checking = this.#release(endpointId).then((delayMs) => {
      this.#checking.delete(endpointId);
      this.#checkAfter(endpointId, delayMs);
    });
    this.#checking.set(endpointId, checking);
  }

  #checkAfter(endpointId: string, delayMs: number | null): void {
    const mayHoldMore = this.#grown.delete(endpointId) && delayMs === null;
    if (this.#repeat.delete(endpointId) || mayHoldMore) this.#check(endpointId);
    else if (delayMs === null || this.#closed) this.#watched.delete(endpointId);
    else
      this.#watched.set(
        endpointId,
        this.#parts.clock.after(this.#parts.slow.has(endpointId) ? Math.max(delayMs, slowDelayMs) : delayMs, () =>
          this.#check(endpointId),
        ),
      );
  }

  async #release(endpointId: string): Promise<number | null> {
    try {
      return await release({ ...this.#parts, taken: this.taken }, endpointId, this.#orderKeys);
    } catch (error) {
      this.#parts.log.error({ err: error, endpointId }, 'lane.failed');
      this.#orderKeys.addAll(endpointId);
      return retryDelayMs;
    }
  }
}

/** Queues what the endpoint has room for. Returns the delay until the next check in milliseconds; null if the lane is empty. */
async function release(parts: LaneParts & Pick<Lanes, 'taken'>, endpointId: string, keys: OrderKeys): Promise<number | null> {
  const { store, clock } = parts;
  const endpoint = await store.get('endpoints', { id: endpointId });
  const why = endpoint ? skipReasonOf(endpoint) : 'endpoint_deleted';
  if (!endpoint || why) {
    keys.forget(endpointId);
    return skipParked(parts, endpointId, why ?? 'endpoint_deleted');
  }
  const { held_until } = endpoint;
  const waitMs = held_until === null ? 0 : held_until - clock.now();
  if (waitMs > 0) return (await isEmpty(store, endpointId)) ? null : waitMs;
  if (isOrderedByKey(endpoint)) return releaseByKey(parts, endpoint, keys);
  keys.forget(endpointId);
  return endpoint.ordered ? releaseNext(parts, endpoint) : releaseSome(parts, endpoint);
}

async function isEmpty(rows: Rows, endpointId: string): Promise<boolean> {
  return (await rows.list('deliveries', { ...parkedFor(endpointId), limit: 1 })).length === 0;
}

async function skipParked({ store, clock, listener }: LaneParts, endpointId: string, reason: SkipReason): Promise<number | null> {
  const parked = await store.list('deliveries', { ...parkedFor(endpointId), limit: skipBatch });
  const where = { id: { in: parked.map(({ id }) => id) }, parked: true };
  const skipped = await store.transaction((tx) => skipDeliveries(tx, where, { reason, now: clock.now() }));
  if (skipped > 0) listener.ended('skipped', skipped);
  return parked.length < skipBatch ? null : 0;
}

async function releaseSome(parts: LaneParts & Pick<Lanes, 'taken'>, endpoint: Row<'endpoints'>): Promise<number | null> {
  const { store, clock } = parts;
  const limit = maxInFlightAt(endpoint, parts.maxInFlight);
  const { where, order } = parkedFor(endpoint.id);
  // What has failed while the endpoint was held tests it again only when its retry is due, so that its attempts last.
  const due = endpoint.held_until === null ? {} : { next_attempt_at: { lte: clock.now() } };
  const parked = await store.list('deliveries', { where: { ...where, ...due }, order, limit });
  if (parked.length === 0) {
    const [next] = await store.list('deliveries', { where, order: [['next_attempt_at', 'asc']], limit: 1 });
    return next ? Math.max(lookAgainMs, (next.next_attempt_at ?? 0) - clock.now()) : null;
  }
  const free = parked.filter(({ id }) => !parts.taken.has(id));
  return (await releaseThese(parts, endpoint, free)).ms;
}

/** Releases the first delivery of each key, as far as there is room. Skips a key whose first delivery is already on its way. */
async function releaseByKey(parts: LaneParts, endpoint: Row<'endpoints'>, keys: OrderKeys): Promise<number | null> {
  const { store, gate } = parts;
  if (keys.isEmpty(endpoint.id)) return null;
  const [busy] = await gate.inFlight([endpoint.id]);
  const room = maxInFlightAt(endpoint, parts.maxInFlight) - (busy ?? 0);
  if (room <= 0) return lookAgainMs;
  const firsts = await keys.firsts(store, endpoint, room);
  const { full, ms } = await releaseThese(parts, endpoint, firsts);
  for (const one of full) keys.add(one);
  if (keys.isEmpty(endpoint.id)) return null;
  return full.length === 0 ? 0 : ms;
}

/** Queues the parked deliveries of an endpoint for which the gate has room. Returns the other ones, and when to look again. */
async function releaseThese(
  parts: LaneParts,
  endpoint: Row<'endpoints'>,
  parked: readonly Row<'deliveries'>[],
): Promise<{ full: Row<'deliveries'>[]; ms: number }> {
  if (parked.length === 0) return { full: [], ms: lookAgainMs };
  const answers = await parts.gate.reserve(parked.map((delivery) => entryOf({ delivery, endpoint }, parts.maxInFlight)));
  const placed = parked.flatMap((delivery, index) => {
    const { kind, ms } = answers[index] as Answer;
    return kind === 'admitted' ? [{ delivery, ms }] : [];
  });
  await queueReleased(parts, placed, await unpark(parts, parts.store, placed));
  return {
    full: parked.filter((_, index) => answers[index]?.kind === 'full'),
    ms: Math.min(lookAgainMs, ...answers.filter(({ kind }) => kind === 'full').map(({ ms }) => ms)),
  };
}

/** A parked delivery that the gate gave a place, and when its job should run. */
interface Placed {
  delivery: Row<'deliveries'>;
  ms: number;
}

/** Queues the deliveries that were taken out of the lane. Gives back the places of those that somebody else took out first. */
async function queueReleased(
  { gate, queue, clock, slow }: LaneParts,
  placed: Placed[],
  released: Map<string, Row<'deliveries'>>,
): Promise<void> {
  const lost = placed.filter(({ delivery }) => !released.has(delivery.id));
  if (lost.length > 0) await gate.release(lost.map(({ delivery }) => namesOf(delivery)));
  const jobs = placed.flatMap(({ delivery, ms }) => {
    const row = released.get(delivery.id);
    const late = isLate(delivery, clock.now());
    // Its place at the gate is kept free for it. One to a slow receiver would occupy the process.
    const first = !late && !slow.has(delivery.endpoint_id);
    return row ? jobsOf([row], ms).map((job) => ({ ...job, first, ...(late && { late }) })) : [];
  });
  if (jobs.length > 0) await queue.add(jobs);
}

/** Takes deliveries out of the lane. Each gets a new `next_attempt_at`, so that its job's id is new and the queue accepts it. */
async function unpark({ clock }: LaneParts, rows: Rows, placed: Placed[]): Promise<Map<string, Row<'deliveries'>>> {
  const now = clock.now();
  const moves = placed.map(({ delivery }) => {
    const next = { parked: false, next_attempt_at: delivery.next_attempt_at === now ? now + 1 : now };
    return { id: delivery.id, seen: { ...seenOf(delivery), parked: true }, next, after: { ...delivery, ...next } };
  });
  const released = new Set(await rows.advance('deliveries', moves));
  return new Map(moves.filter(({ id }) => released.has(id)).map(({ id, after }) => [id, after]));
}

/** An ordered lane releases one delivery at a time: the next one leaves when the one before is finished, with its retries. */
async function releaseNext(parts: LaneParts, { id }: Row<'endpoints'>): Promise<number | null> {
  const { store, gate, maxInFlight } = parts;
  const next = await store.transaction(async (tx) => {
    const endpoint = await tx.get('endpoints', { id }, { lock: true });
    const head = endpoint?.head_delivery_id ? await tx.get('deliveries', { id: endpoint.head_delivery_id }) : undefined;
    if (!endpoint || (head?.status === 'pending' && !head.parked)) return null;
    if (head?.status === 'failed' && head.order_key !== null && endpoint.on_dead_letter === 'block') return null;
    const readFirst = async () => (await tx.list('deliveries', { ...parkedFor(id), limit: 1 }))[0];
    const first = head?.status === 'pending' ? head : await firstInOrder(tx, endpoint, readFirst);
    if (!first) return null;
    if (first === 'waits') return lookAgainMs;
    const [answer] = await gate.reserve([entryOf({ delivery: first, endpoint }, maxInFlight)]);
    if (answer?.kind !== 'admitted') return answer?.ms ?? lookAgainMs;
    const placed = [{ delivery: first, ms: answer.ms }];
    // A test that fails waits for its next attempt, and the endpoint's own events do not wait with it.
    if (!first.test) await tx.update('endpoints', { id }, { head_delivery_id: first.id });
    return { placed, released: await unpark(parts, tx, placed) };
  });
  if (next === null || typeof next === 'number') return next;
  await queueReleased(parts, next.placed, next.released);
  return lookAgainMs;
}
