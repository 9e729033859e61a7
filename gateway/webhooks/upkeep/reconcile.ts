import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Queue } from '../../queue/port.ts';
import type { Store, Where } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { jobsOf } from '../model/jobs.ts';

export interface ReconcileParts {
  store: Store;
  queue: Queue;
  clock: Clock;
  log: Logger;
  /** Looks for events whose fan-out is owed. */
  wakeFanout(): void;
  /** What else is put right in each round, after the queue; one process at a time. */
  sweeps?: readonly (() => Promise<void>)[];
  /** How often to look, in milliseconds. */
  everyMs: number;
  /** How long an attempt may be overdue before its job counts as lost, in milliseconds. */
  graceMs: number;
}

const deliveriesAtOnce = 500;
/** A backlog that the queue has is long overdue too: offering all of it in each round would be most of the work. */
const deliveriesInRound = 5000;

/** Where a round stopped: deliveries are offered in the order of these. */
type Position = Pick<Row<'deliveries'>, 'next_attempt_at' | 'id'>;

/**
 * Puts back what the queue lost: at the start whatever is due, then periodically whatever is long overdue. Over all
 * processes one at a time; who finds another at work waits for the next round.
 */
export class Reconciler {
  readonly #parts: ReconcileParts;
  #position: Position | undefined;
  #cancel: (() => void) | undefined;
  #cancelExtra: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(parts: ReconcileParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#round(0);
  }

  /** An extra round after so long, for whatever is due then. */
  roundAfter(delayMs: number): void {
    const round = async () => {
      await this.#running;
      if (!this.#closed) this.#round(0);
    };
    this.#cancelExtra?.();
    this.#cancelExtra = this.#parts.clock.after(delayMs, () => void round());
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    this.#cancelExtra?.();
    await this.#running;
  }

  #round(graceMs: number): void {
    const { wakeFanout, clock, everyMs } = this.#parts;
    this.#cancel?.();
    wakeFanout();
    this.#running ??= this.#logged(() => this.#reconcile(graceMs)).finally(() => {
      this.#running = undefined;
    });
    this.#cancel = clock.after(everyMs, () => this.#round(this.#parts.graceMs));
  }

  async #reconcile(graceMs: number): Promise<void> {
    const { store, sweeps = [] } = this.#parts;
    await store.alone('reconcile', async () => {
      for (const part of [() => this.#requeue(graceMs), ...sweeps]) {
        if (!this.#closed) await this.#logged(part);
      }
    });
  }

  async #logged(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.log.error({ err: error }, 'reconcile.failed');
    }
  }

  /**
   * Offers a part of what is overdue, oldest first, and goes on there in the next round; all of it to a queue that has
   * nothing to do. A job that the queue still has stays as it is, so nothing is sent twice by this.
   */
  async #requeue(graceMs: number): Promise<void> {
    const { queue, clock, log } = this.#parts;
    const overdue = clock.now() - graceMs;
    const { waiting, active } = await queue.depth();
    const idle = waiting + active === 0;
    if (idle) this.#position = undefined;
    for (let offered = 0; !this.#closed && (idle || offered < deliveriesInRound); ) {
      const due = await this.#next(overdue);
      await queue.add(jobsOf(due));
      if (due.length > 0) log.info({ deliveries: due.length }, 'deliveries.requeued');
      this.#position = due.length < deliveriesAtOnce ? undefined : due.at(-1);
      if (this.#position === undefined) return;
      offered += due.length;
    }
  }

  /** The page after the position: the rest of those due at that very instant, then those due later. */
  async #next(overdue: number): Promise<Row<'deliveries'>[]> {
    const { id, next_attempt_at: at } = this.#position ?? { id: '', next_attempt_at: null };
    if (at === null) return this.#page({ next_attempt_at: { lte: overdue } }, deliveriesAtOnce);
    const same = await this.#page({ next_attempt_at: at, id: { gt: id } }, deliveriesAtOnce);
    const later = { next_attempt_at: { gt: at, lte: overdue } };
    return [...same, ...(await this.#page(later, deliveriesAtOnce - same.length))];
  }

  async #page(where: Where<'deliveries'>, limit: number): Promise<Row<'deliveries'>[]> {
    if (limit === 0) return [];
    return this.#parts.store.list('deliveries', {
      where: { status: 'pending', parked: false, ...where },
      order: [
        ['next_attempt_at', 'asc'],
        ['id', 'asc'],
      ],
      limit,
    });
  }
}
