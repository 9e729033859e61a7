import type { Clock } from '../clock.ts';
import { newId } from '../ids.ts';
import type { Logger } from '../log.ts';
import type { Queue } from '../queue/port.ts';
import type { Store } from '../store/port.ts';
import type { Row } from '../store/tables.ts';
import { nextJob } from './jobs.ts';
import type { DeliveryListener } from './listener.ts';

export interface FanoutParts {
  store: Store;
  queue: Queue;
  clock: Clock;
  log: Logger;
  listener: DeliveryListener;
  /** Delay before the first attempt, in milliseconds. */
  firstDelayMs: number;
}

const eventsAtOnce = 100;
/** Bounds one transaction where many endpoints match; a single event is never split. */
const deliveriesAtOnce = 2000;
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

/** One batch in one transaction; true if there may be more. */
async function fanOutBatch({ store, queue, clock, listener, firstDelayMs }: FanoutParts): Promise<boolean> {
  const made = await store.transaction(async (tx) => {
    const events = await tx.list('events', {
      where: { fanned_out_at: null },
      order: [['id', 'asc']],
      limit: eventsAtOnce,
      lock: true,
    });
    if (events.length === 0) return null;
    const services = [...new Set(events.map(({ service }) => service))];
    const endpoints = await tx.list('endpoints', {
      where: { service: { in: services }, deleted_at: null },
      order: [['id', 'asc']],
    });
    const now = clock.now();
    const { deliveries, eventIdsByMatched } = plan(events, endpoints, { now, firstAttemptAt: now + firstDelayMs });
    await tx.insert('deliveries', deliveries, { onConflict: 'ignore' });
    // As many statements as there are different counts, which is few.
    for (const [matched, ids] of eventIdsByMatched)
      await tx.update('events', { id: { in: ids } }, { fanned_out_at: now, matched });
    return deliveries;
  });
  if (!made) return false;
  const pending = made.filter(({ status }) => status === 'pending');
  if (made.length > pending.length) listener.ended('skipped', made.length - pending.length);
  await queue.add(pending.map((delivery) => ({ ...nextJob(delivery), delayMs: firstDelayMs })));
  return true;
}

interface Plan {
  deliveries: Row<'deliveries'>[];
  eventIdsByMatched: Map<number, string[]>;
}

function plan(events: Row<'events'>[], endpoints: Row<'endpoints'>[], at: { now: number; firstAttemptAt: number }): Plan {
  const deliveries: Row<'deliveries'>[] = [];
  const eventIdsByMatched = new Map<number, string[]>();
  for (const event of events) {
    const matching = endpoints.filter((endpoint) => matches(endpoint, event));
    if (deliveries.length > 0 && deliveries.length + matching.length > deliveriesAtOnce) break;
    deliveries.push(...matching.map((endpoint) => deliveryOf(event, endpoint, at)));
    eventIdsByMatched.set(matching.length, [...(eventIdsByMatched.get(matching.length) ?? []), event.id]);
  }
  return { deliveries, eventIdsByMatched };
}

/** Whether an endpoint wants an event: its service, its type, and the store or structure that it is about. */
export function matches(endpoint: Row<'endpoints'>, event: Row<'events'>): boolean {
  if (endpoint.service !== event.service) return false;
  if (endpoint.events && !endpoint.events.includes(event.type)) return false;
  return !endpoint.perimeter || (event.subject !== null && endpoint.perimeter.includes(event.subject));
}

/** A disabled endpoint gets its delivery too, skipped from the start: the ledger shows what it missed. */
function deliveryOf(
  event: Row<'events'>,
  endpoint: Row<'endpoints'>,
  at: { now: number; firstAttemptAt: number },
): Row<'deliveries'> {
  return {
    id: newId('dlv'),
    event_id: event.id,
    endpoint_id: endpoint.id,
    event_type: event.type,
    status: endpoint.active ? 'pending' : 'skipped',
    attempts: 0,
    reason: endpoint.active ? null : 'endpoint_disabled',
    response_status: null,
    next_attempt_at: endpoint.active ? at.firstAttemptAt : null,
    parked: false,
    created_at: at.now,
    updated_at: at.now,
  };
}
