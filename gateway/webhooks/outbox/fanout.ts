import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { talliesOfEnded } from '../../figures/tally.ts';
import type { Queue } from '../../queue/port.ts';
import type { Rows, Store } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { jobsOf } from '../model/jobs.ts';
import type { DeliveryListener } from '../model/listener.ts';
import { newDelivery } from '../model/new-delivery.ts';
import type { Fresh, FreshDelivery } from './fresh.ts';
import { nextSubscribersOf, subscribersOf } from './subscriptions.ts';

export interface SendOffParts {
  queue: Queue;
  listener: DeliveryListener;
  /** Delay before the first attempt, in milliseconds. */
  firstDelayMs: number;
  /** Told, after the commit, which endpoints have new deliveries that wait in their lane. Does its work in its own time. */
  parkedFor?: (endpointIds: string[]) => void;
  /** Gets what was made for the queue, so that its first attempt in this process need not read it. */
  fresh?: Fresh;
}

export interface FanoutParts extends SendOffParts {
  store: Store;
  clock: Clock;
  log: Logger;
  /** Bounds of one transaction; for tests. */
  batch?: Partial<typeof defaultBatch>;
}

/** An event that matches more endpoints goes over several batches, each beginning where the one before ended. */
const defaultBatch = { events: 100, deliveries: 2000 };
const pauseAfterErrorMs = 1000;

/** Makes the deliveries of events whose fan-out is owed: when woken, one batch after another until none is. */
export class Fanout {
  readonly #parts: FanoutParts;
  #owed = false;
  #running: Promise<void> | undefined;
  #cancelPause: (() => void) | undefined;
  #closed = false;

  constructor(parts: FanoutParts) {
    this.#parts = parts;
  }

  wake(): void {
    this.#owed = true;
    if (this.#closed || this.#running) return;
    this.#running = this.#run();
  }

  /** Resolves when nobody waits for a fan-out. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Stops after the batch that runs. What is left is found again at the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelPause?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    // Whoever woke us may be in the middle of a reply.
    await Promise.resolve();
    while (this.#owed && !this.#closed) {
      this.#owed = false;
      try {
        if (await fanOutBatch(this.#parts)) this.#owed = true;
      } catch (error) {
        this.#parts.log.error({ err: error }, 'fanout.failed');
        this.#cancelPause?.();
        this.#cancelPause = this.#parts.clock.after(pauseAfterErrorMs, () => this.wake());
      }
    }
    this.#running = undefined;
  }
}

/** One batch: true if there may be more. Two processes that do this at once take turns at the same events. */
export async function fanOutBatch(parts: FanoutParts): Promise<boolean> {
  const { made, events, more } = await parts.store.transaction((tx) => makeBatch(tx, parts));
  const eventOf = new Map(events.map((event) => [event.id, event]));
  await sendOff(
    parts,
    made.map((delivery) => ({ delivery, event: eventOf.get(delivery.event_id) as Row<'events'> })),
  );
  return more;
}

/** What follows once deliveries are committed: those that are not parked or skipped go into the queue. */
export async function sendOff(parts: SendOffParts, made: readonly FreshDelivery[]): Promise<void> {
  const { queue, listener, firstDelayMs, fresh, parkedFor } = parts;
  const [skipped, pending] = split(made, ({ delivery }) => delivery.status === 'skipped');
  const [parked, queued] = split(pending, ({ delivery }) => delivery.parked);
  if (skipped.length > 0) listener.ended('skipped', skipped.length);
  if (parked.length > 0) parkedFor?.([...new Set(parked.map(({ delivery }) => delivery.endpoint_id))]);
  for (const one of queued) fresh?.put(one);
  const deliveries = queued.map(({ delivery }) => delivery);
  await queue.add(jobsOf(deliveries, firstDelayMs));
}

function split<V>(values: readonly V[], belongs: (value: V) => boolean): [V[], V[]] {
  return [values.filter(belongs), values.filter((value) => !belongs(value))];
}

interface Batch {
  made: Row<'deliveries'>[];
  events: Row<'events'>[];
  /** Whether something may be left that nobody will be woken for. */
  more: boolean;
}

async function makeBatch(tx: Rows, { clock, firstDelayMs, batch }: FanoutParts): Promise<Batch> {
  const limits = { ...defaultBatch, ...batch };
  const where = { fanned_out_at: null };
  const events = await tx.list('events', { where, order: [['id', 'asc']], limit: limits.events, lock: true });
  if (events.length === 0) return { made: [], events, more: false };
  const shares = await shareOut(tx, events, limits.deliveries);
  const endpoints = await readEndpoints(tx, shares);
  const now = clock.now();
  const at = { now, firstAttemptAt: now + firstDelayMs };
  const planned = shares.flatMap(({ event, endpointIds }) =>
    endpointIds.flatMap((id) => endpoints.get(id) ?? []).map((endpoint) => newDelivery(event, endpoint, at)),
  );
  const inserted = await tx.insert('deliveries', planned, { onConflict: 'ignore', columns: ['id'] });
  const stored = new Set(inserted.map(({ id }) => id));
  const made = planned.filter(({ id }) => stored.has(id));
  const matched = await countMatched(tx, shares, { planned, made });
  const progress = shares.map(({ event, endpointIds, whole }) => ({
    id: event.id,
    matched: matched.get(event.id) ?? 0,
    fanned_out_at: whole ? now : null,
    fanout_after: whole ? null : (endpointIds.at(-1) ?? null),
  }));
  await tx.revise('events', progress);
  await tx.tally('tallies', talliesOfEnded(made));
  const more = events.length === limits.events || shares.length < events.length || shares.some(({ whole }) => !whole);
  return { made, events, more };
}

/** The endpoints of one event that are served in this batch; `whole` if none is left after it. */
interface Share {
  event: Row<'events'>;
  endpointIds: string[];
  whole: boolean;
}

/** As many events as fit, in their order; or a part of the first one. */
async function shareOut(tx: Rows, events: Row<'events'>[], atMost: number): Promise<Share[]> {
  const [first] = events as [Row<'events'>];
  for (let some = events; some.length > 0 && first.fanout_after === null; some = some.slice(0, some.length / 2)) {
    const subscribers = await subscribersOf(tx, some, atMost);
    if (!subscribers) continue;
    const shares: Share[] = [];
    let deliveries = 0;
    for (const event of some) {
      const endpointIds = subscribers(event);
      deliveries += endpointIds.length;
      if (deliveries > atMost) break;
      shares.push({ event, endpointIds, whole: true });
    }
    return shares;
  }
  const endpointIds = await nextSubscribersOf(tx, first, first.fanout_after ?? '', atMost + 1);
  return [{ event: first, endpointIds: endpointIds.slice(0, atMost), whole: endpointIds.length <= atMost }];
}

/** Grouped rather than listed: an endpoint's row may hold a thousand stores, and these columns are enough. */
async function readEndpoints(tx: Rows, shares: Share[]): Promise<Map<string, Parameters<typeof newDelivery>[1]>> {
  const ids = [...new Set(shares.flatMap(({ endpointIds }) => endpointIds))];
  if (ids.length === 0) return new Map();
  const where = { id: { in: ids }, deleted_at: null };
  const rows = await tx.summarize('endpoints', { by: ['id', 'active', 'ordered', 'held_until'], where });
  return new Map(rows.map((row) => [row.id, row]));
}

/** How many deliveries each event has now. Counted only where some were there before: the sum must hold in any case. */
async function countMatched(
  tx: Rows,
  shares: Share[],
  { planned, made }: { planned: Row<'deliveries'>[]; made: Row<'deliveries'>[] },
): Promise<Map<string, number>> {
  const [wanted, added] = [countByEvent(planned), countByEvent(made)];
  const matched = new Map<string, number>();
  const doubtful: string[] = [];
  for (const { event } of shares) {
    const more = added.get(event.id) ?? 0;
    const begunAnew = event.matched !== null && event.fanout_after === null;
    if (begunAnew || more < (wanted.get(event.id) ?? 0)) doubtful.push(event.id);
    else matched.set(event.id, (event.matched ?? 0) + more);
  }
  if (doubtful.length === 0) return matched;
  const found = await tx.summarize('deliveries', { by: ['event_id'], where: { event_id: { in: doubtful } } });
  for (const { event_id, count } of found) matched.set(event_id, count);
  return matched;
}

function countByEvent(deliveries: Row<'deliveries'>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { event_id } of deliveries) counts.set(event_id, (counts.get(event_id) ?? 0) + 1);
  return counts;
}
