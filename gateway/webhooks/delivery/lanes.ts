import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { type Gate, lookAgainMs } from '../../queue/gate/port.ts';
import type { Queue } from '../../queue/port.ts';
import type { Rows, Store } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { SkipReason } from '../../store/tables/webhooks.ts';
import { jobsOf } from '../model/jobs.ts';
import type { DeliveryListener } from '../model/listener.ts';
import { skipDeliveries } from '../model/skip.ts';
import { entryOf, roomOf } from './admit.ts';

export interface LaneParts {
  store: Store;
  queue: Queue;
  gate: Gate;
  clock: Clock;
  log: Logger;
  listener: DeliveryListener;
  /** Attempts in flight at once at an endpoint that says nothing else. */
  maxInFlight: number;
}

/** How many parked deliveries are skipped in one statement when their endpoint is disabled. */
const skippedAtOnce = 500;
const afterErrorMs = 1000;

/**
 * Each endpoint has a lane in the store, where deliveries are parked that cannot be attempted now: it has no room for
 * more, is held, or is ordered and another one's turn it is. So they cost the queue and the other endpoints nothing.
 * A lane is looked at when something parks in it, when an attempt at its endpoint ends, and after a while; the
 * reconciler's sweep finds those that nobody looks at any more.
 */
export class Lanes {
  readonly #parts: LaneParts;
  /** Lanes that are looked at, and what cancels the next look. */
  readonly #watched = new Map<string, () => void>();
  readonly #looking = new Map<string, Promise<void>>();
  /** Lanes to look at once more, since something happened while they were looked at. */
  readonly #again = new Set<string>();
  #closed = false;

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  /** To be called when deliveries were parked for these endpoints. */
  watch(endpointIds: readonly string[]): void {
    for (const id of endpointIds) this.#look(id);
  }

  /** To be called when an attempt at this endpoint ended. */
  room(endpointId: string): void {
    if (this.#watched.has(endpointId)) this.#look(endpointId);
  }

  /** Looks at every lane that holds something. */
  async sweep(): Promise<void> {
    const lanes = await this.#parts.store.summarize('deliveries', { where: { parked: true }, by: ['endpoint_id'] });
    this.watch(lanes.map(({ endpoint_id }) => endpoint_id));
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const cancel of this.#watched.values()) cancel();
    await Promise.all(this.#looking.values());
  }

  #look(endpointId: string): void {
    if (this.#closed) return;
    if (this.#looking.has(endpointId)) {
      this.#again.add(endpointId);
      return;
    }
    this.#watched.get(endpointId)?.();
    this.#watched.set(endpointId, () => {});
    const looking = this.#release(endpointId).finally(() => this.#looking.delete(endpointId));
    this.#looking.set(
      endpointId,
      looking.then((afterMs) => this.#lookAfter(endpointId, afterMs)),
    );
  }

  #lookAfter(endpointId: string, afterMs: number | null): void {
    if (this.#again.delete(endpointId)) this.#look(endpointId);
    else if (afterMs === null || this.#closed) this.#watched.delete(endpointId);
    else
      this.#watched.set(
        endpointId,
        this.#parts.clock.after(afterMs, () => this.#look(endpointId)),
      );
  }

  async #release(endpointId: string): Promise<number | null> {
    try {
      return await release(this.#parts, endpointId);
    } catch (error) {
      this.#parts.log.error({ err: error, endpointId }, 'lane.failed');
      return afterErrorMs;
    }
  }
}

/** Lets out what there is room for. Says after how many milliseconds to look again; null where nothing waits. */
async function release(parts: LaneParts, endpointId: string): Promise<number | null> {
  const { store, clock } = parts;
  const endpoint = await store.get('endpoints', { id: endpointId });
  if (!endpoint?.active) return skipParked(parts, endpointId, endpoint ? reasonOf(endpoint) : 'endpoint_deleted');
  const { held_until } = endpoint;
  const waitMs = held_until === null ? 0 : held_until - clock.now();
  if (waitMs > 0) return (await isEmpty(store, endpointId)) ? null : waitMs;
  return endpoint.ordered ? releaseNext(parts, endpoint) : releaseSome(parts, endpoint);
}

const reasonOf = ({ deleted_at }: Row<'endpoints'>): SkipReason =>
  deleted_at === null ? 'endpoint_disabled' : 'endpoint_deleted';

const parkedFor = (endpointId: string) =>
  ({ where: { endpoint_id: endpointId, parked: true }, order: [['event_id', 'asc']] }) as const;

async function isEmpty(rows: Rows, endpointId: string): Promise<boolean> {
  return (await rows.list('deliveries', { ...parkedFor(endpointId), limit: 1 })).length === 0;
}

async function skipParked({ store, clock, listener }: LaneParts, endpointId: string, reason: SkipReason): Promise<number | null> {
  const parked = await store.list('deliveries', { ...parkedFor(endpointId), limit: skippedAtOnce });
  const where = { id: { in: parked.map(({ id }) => id) }, parked: true };
  const skipped = await store.transaction((tx) => skipDeliveries(tx, where, { reason, now: clock.now() }));
  if (skipped > 0) listener.ended('skipped', skipped);
  return parked.length < skippedAtOnce ? null : 0;
}

async function releaseSome(parts: LaneParts, endpoint: Row<'endpoints'>): Promise<number | null> {
  const { store, gate, maxInFlight } = parts;
  const parked = await store.list('deliveries', { ...parkedFor(endpoint.id), limit: roomOf(endpoint, maxInFlight) });
  if (parked.length === 0) return null;
  const entries = parked.map((delivery) => entryOf({ delivery, endpoint }, maxInFlight));
  const waits = await gate.enter(entries);
  const admitted = parked.filter((_, index) => waits[index] === null);
  const released = await unpark(parts, store, admitted);
  const missed = admitted.filter(({ id }) => !released.has(id));
  if (missed.length > 0) await gate.leave(missed.map(({ id }) => ({ endpointId: endpoint.id, deliveryId: id })));
  await parts.queue.add(jobsOf([...released.values()]));
  return Math.min(lookAgainMs, ...waits.filter((wait) => wait !== null));
}

/** Gives up their places in the lane, each with a new `next_attempt_at`, so that its job is a new one. */
async function unpark({ clock }: LaneParts, rows: Rows, parked: Row<'deliveries'>[]): Promise<Map<string, Row<'deliveries'>>> {
  if (parked.length === 0) return new Map();
  const at = Math.max(clock.now(), ...parked.map(({ next_attempt_at }) => (next_attempt_at ?? 0) + 1));
  const where = { id: { in: parked.map(({ id }) => id) }, parked: true };
  const released = await rows.update('deliveries', where, { parked: false, next_attempt_at: at });
  return new Map(released.map((delivery) => [delivery.id, delivery]));
}

/** In an ordered lane the next one leaves when the one before it is finished, its retries included. */
async function releaseNext(parts: LaneParts, { id }: Row<'endpoints'>): Promise<number | null> {
  const { store, gate, queue, maxInFlight } = parts;
  const next = await store.transaction(async (tx) => {
    const endpoint = await tx.get('endpoints', { id }, { lock: true });
    const head = endpoint?.head_delivery_id ? await tx.get('deliveries', { id: endpoint.head_delivery_id }) : undefined;
    if (!endpoint || (head?.status === 'pending' && !head.parked)) return null;
    const [first] = head?.status === 'pending' ? [head] : await tx.list('deliveries', { ...parkedFor(id), limit: 1 });
    if (!first) return null;
    const [waitMs] = await gate.enter([entryOf({ delivery: first, endpoint }, maxInFlight)]);
    if (typeof waitMs === 'number') return waitMs;
    await tx.update('endpoints', { id }, { head_delivery_id: first.id });
    return (await unpark(parts, tx, [first])).get(first.id) ?? null;
  });
  if (next === null || typeof next === 'number') return next;
  await queue.add(jobsOf([next]));
  return lookAgainMs;
}
