import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { noTracing, type Tracing } from '../../base/tracing.ts';
import { talliesOfEnded } from '../../figures/tally.ts';
import type { Rows, Store } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { newDelivery } from '../model/new-delivery.ts';
import { thoseThatMatch } from '../model/payload-filter.ts';
import { type DispatchParts, dispatch } from './dispatch.ts';
import { nextSubscribersOf, subscribersOf, wants } from './subscriptions.ts';
import { traceFanout } from './trace.ts';

export interface FanoutParts extends DispatchParts {
  store: Store;
  clock: Clock;
  log: Logger;
  tracing?: Tracing | undefined;
  /** Bounds of one transaction; for tests. */
  batch?: Partial<typeof defaultBatch>;
}

/** Bounds of one transaction. An event that matches more endpoints takes several, each starting where the last one ended. */
const defaultBatch = { events: 100, deliveries: 2000 };
const retryDelayMs = 1000;

/** The background fan-out: creates the deliveries of stored events that have none yet. When woken, it works until none is left. */
export class Fanout {
  readonly #parts: FanoutParts;
  #isWoken = false;
  #running: Promise<void> | undefined;
  #cancelRetry: (() => void) | undefined;
  #closed = false;

  constructor(parts: FanoutParts) {
    this.#parts = parts;
  }

  wake(): void {
    this.#isWoken = true;
    if (this.#closed || this.#running) return;
    this.#running = this.#run();
  }

  /** Resolves when no fan-out is running. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Stops after the running batch. The next process to start fans out the rest. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRetry?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    // The caller may be about to send a reply: let it go first.
    await Promise.resolve();
    while (this.#isWoken && !this.#closed) {
      this.#isWoken = false;
      try {
        if (await fanOutBatch(this.#parts)) this.#isWoken = true;
      } catch (error) {
        this.#parts.log.error({ err: error }, 'fanout.failed');
        this.#cancelRetry?.();
        this.#cancelRetry = this.#parts.clock.after(retryDelayMs, () => this.wake());
      }
    }
    this.#running = undefined;
  }
}

/** Fans out one batch. Returns true if more events may be left. Processes that do this at the same time wait for each other's locks. */
export async function fanOutBatch(parts: FanoutParts): Promise<boolean> {
  const { deliveries, inOrder, events, more } = await parts.store.transaction((tx) => createBatch(tx, parts));
  if (inOrder.length > 0) parts.lanes?.grown(inOrder);
  const eventOf = new Map(events.map((event) => [event.id, event]));
  await dispatch(
    parts,
    deliveries.map((delivery) => ({ delivery, event: eventOf.get(delivery.event_id) as Row<'events'> })),
  );
  return more;
}

interface Batch {
  /** The deliveries that this batch created. */
  deliveries: Row<'deliveries'>[];
  /** All deliveries to ordered endpoints. */
  inOrder: Row<'deliveries'>[];
  events: Row<'events'>[];
  /** True if events may be left. */
  more: boolean;
}

async function createBatch(tx: Rows, { clock, firstDelayMs, batch, lanes, tracing = noTracing }: FanoutParts): Promise<Batch> {
  const limits = { ...defaultBatch, ...batch };
  const where = { fanned_out_at: null };
  const events = await tx.list('events', { where, order: [['id', 'asc']], limit: limits.events, lock: true });
  if (events.length === 0) return { deliveries: [], inOrder: [], events, more: false };
  const endSpans = traceFanout(tracing, events);
  const { shares, unsure } = await planShares(tx, events, limits.deliveries);
  const [endpoints, doubtful] = await Promise.all([readEndpoints(tx, shares), readWhole(tx, unsure)]);
  const isWanted = (id: string, event: Row<'events'>) => !unsure.has(id) || wantsIt(doubtful.get(id), event);
  const now = clock.now();
  const at = { now, firstAttemptAt: now + firstDelayMs };
  const filtered = new Map<string, number>();
  const planned = shares.flatMap(({ event, endpointIds }) => {
    const wanting = endpointIds.flatMap((id) => (isWanted(id, event) ? (endpoints.get(id) ?? []) : []));
    const matching = thoseThatMatch(wanting, event.body);
    filtered.set(event.id, wanting.length - matching.length);
    return matching.map((endpoint) => newDelivery(event, endpoint, { ...at, hasLane: lanes?.mayHold(endpoint.id) }));
  });
  const inserted = await tx.insert('deliveries', planned, { onConflict: 'ignore', columns: ['id'] });
  const stored = new Set(inserted.map(({ id }) => id));
  const created = planned.filter(({ id }) => stored.has(id));
  const matched = await countMatched(tx, shares, { planned, created });
  const progress = shares.map(({ event, endpointIds, isLast }) => ({
    id: event.id,
    matched: matched.get(event.id) ?? 0,
    filtered: (isRestarted(event) ? 0 : (event.filtered ?? 0)) + (filtered.get(event.id) ?? 0),
    fanned_out_at: isLast ? now : null,
    fanout_after: isLast ? null : (endpointIds.at(-1) ?? null),
  }));
  await tx.revise('events', progress);
  await tx.tally('tallies', talliesOfEnded(created));
  endSpans(created);
  const more = events.length === limits.events || shares.length < events.length || shares.some(({ isLast }) => !isLast);
  // Deliveries with an order were stored with their event, and perhaps nobody has looked at their lanes since.
  return { deliveries: created, inOrder: planned.filter(({ order_key }) => order_key !== null), events, more };
}

/** The endpoints that one event is delivered to in this batch. */
interface Share {
  event: Row<'events'>;
  endpointIds: string[];
  /** True if no endpoint of the event is left after this batch. */
  isLast: boolean;
}

interface Plan {
  shares: Share[];
  /** Endpoints of which only their filters say whether they want an event. */
  unsure: Set<string>;
}

/** Plans a batch: as many whole events as fit, in order; or a part of the first one. */
async function planShares(tx: Rows, events: Row<'events'>[], maxDeliveries: number): Promise<Plan> {
  const [first] = events as [Row<'events'>];
  for (let some = events; some.length > 0 && first.fanout_after === null; some = some.slice(0, some.length / 2)) {
    const subscribers = await subscribersOf(tx, some, maxDeliveries);
    if (!subscribers) continue;
    const shares: Share[] = [];
    let deliveries = 0;
    for (const event of some) {
      const endpointIds = subscribers.of(event);
      deliveries += endpointIds.length;
      if (deliveries > maxDeliveries) break;
      shares.push({ event, endpointIds, isLast: true });
    }
    return { shares, unsure: subscribers.unsure };
  }
  const { ids, unsure } = await nextSubscribersOf(tx, first, first.fanout_after ?? '', maxDeliveries + 1);
  return {
    shares: [{ event: first, endpointIds: ids.slice(0, maxDeliveries), isLast: ids.length <= maxDeliveries }],
    unsure,
  };
}

type Subscriber = Parameters<typeof newDelivery>[1] & Pick<Row<'endpoints'>, 'filter'>;

/** Reads only the columns that a delivery needs: a whole endpoint row may hold a perimeter of a thousand stores. */
async function readEndpoints(tx: Rows, shares: Share[]): Promise<Map<string, Subscriber>> {
  const ids = [...new Set(shares.flatMap(({ endpointIds }) => endpointIds))];
  if (ids.length === 0) return new Map();
  const where = { id: { in: ids }, deleted_at: null };
  const by = ['id', 'active', 'disabled_reason', 'ordered', 'order_by', 'held_until', 'filter'] as const;
  const rows = await tx.summarize('endpoints', { by, where });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Reads whole rows: endpoints with so many subscriptions are rare. */
async function readWhole(tx: Rows, ids: Set<string>): Promise<Map<string, Row<'endpoints'>>> {
  if (ids.size === 0) return new Map();
  const rows = await tx.list('endpoints', { where: { id: { in: [...ids] } } });
  return new Map(rows.map((row) => [row.id, row]));
}

const wantsIt = (endpoint: Row<'endpoints'> | undefined, event: Row<'events'>) =>
  endpoint !== undefined && wants(endpoint, event);

/** True if the event's fan-out begins again, so some of its deliveries may exist. */
const isRestarted = ({ matched, fanout_after }: Row<'events'>) => matched !== null && fanout_after === null;

/** Returns how many deliveries each event has now. Reads the store only for events that may have had some before this batch. */
async function countMatched(
  tx: Rows,
  shares: Share[],
  { planned, created }: { planned: Row<'deliveries'>[]; created: Row<'deliveries'>[] },
): Promise<Map<string, number>> {
  const [wanted, added] = [countByEvent(planned), countByEvent(created)];
  const matched = new Map<string, number>();
  const uncertain: string[] = [];
  for (const { event } of shares) {
    const count = added.get(event.id) ?? 0;
    if (isRestarted(event) || count < (wanted.get(event.id) ?? 0)) uncertain.push(event.id);
    else matched.set(event.id, (event.matched ?? 0) + count);
  }
  if (uncertain.length === 0) return matched;
  const found = await tx.summarize('deliveries', { by: ['event_id'], where: { event_id: { in: uncertain } } });
  for (const { event_id, count } of found) matched.set(event_id, count);
  return matched;
}

function countByEvent(deliveries: Row<'deliveries'>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { event_id } of deliveries) counts.set(event_id, (counts.get(event_id) ?? 0) + 1);
  return counts;
}
