import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { type Job, jobId, type Queue } from '../../queue/port.ts';
import type { Lease, Store, Where } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { nextJob } from '../model/jobs.ts';

export interface ReconcileParts {
  store: Store;
  queue: Queue;
  clock: Clock;
  log: Logger;
  /** Wakes the fan-out, which looks for events without deliveries. */
  wakeFanout(): void;
  /** Further repairs of each round, after the queue's. One process at a time runs them. */
  sweeps?: readonly (() => Promise<void>)[];
  /** The time between rounds, in milliseconds. */
  everyMs: number;
  /** How long an attempt may be overdue before its job counts as lost, in milliseconds. */
  graceMs: number;
}

const pageSize = 500;
/**
 * Deliveries of a backlog are overdue too, although the queue has them. To offer all of them in each round would be most of the
 * work.
 */
const maxPerRound = 5000;

/** An attempt that takes longer than this has left its job and moved its delivery's due time, so a round does not find it. */
const settleMs = 2000;

/** The position at which the last round stopped. Deliveries are offered in the order of these columns. */
type Position = Pick<Row<'deliveries'>, 'next_attempt_at' | 'id'>;

/**
 * Queues deliveries whose jobs the queue has lost: at the start all that are due, then periodically those that are overdue.
 * One process at a time does this; the others skip the round.
 */
export class Reconciler {
  readonly #parts: ReconcileParts;
  #position: Position | undefined;
  #cancel: (() => void) | undefined;
  #cancelExtra: (() => void) | undefined;
  #running: Promise<void> | undefined;
  /** The last round has seen what the queue lacks: no other process was making one, and the queue answered. */
  #hasLooked = false;
  /** The queue may lack some jobs, and no round has looked for them yet. */
  #mayLack = false;
  /** When it was noticed that the queue had lost all its jobs; null once they are queued again. */
  #emptiedAt: number | null = null;
  #closed = false;

  constructor(parts: ReconcileParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#round(0);
  }

  /**
   * Makes an extra round soon, because the queue may have lost jobs: for all deliveries that are due, or for all that are
   * pending if the queue was emptied.
   */
  repair({ emptied }: { emptied: boolean }): void {
    if (emptied) this.#emptiedAt = this.#parts.clock.now();
    else this.#mayLack = true;
    this.#extraRound(settleMs);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    this.#cancelExtra?.();
    await this.#running;
  }

  /** Makes a round for what was due at the start of the delay. Repeats it until one has seen what the queue lacks. */
  #extraRound(delayMs: number): void {
    const round = async () => {
      await this.#running;
      if (this.#closed) return;
      const [wasEmptied, mayLack] = [this.#emptiedAt !== null, this.#mayLack];
      this.#mayLack = false;
      this.#round(delayMs);
      await this.#running;
      // A round for an emptied queue leaves out deliveries that have changed since, whose new jobs may be lost too.
      if (wasEmptied || !this.#hasLooked) this.#mayLack ||= mayLack;
      if ((this.#emptiedAt !== null || this.#mayLack) && !this.#closed) this.#extraRound(settleMs);
    };
    this.#cancelExtra?.();
    this.#cancelExtra = this.#parts.clock.after(delayMs, () => void round());
  }

  #round(graceMs: number): void {
    const { wakeFanout, clock, everyMs } = this.#parts;
    this.#cancel?.();
    wakeFanout();
    this.#running ??= this.#logged(() => this.#reconcile(graceMs)).finally(() => {
      this.#running = undefined;
    });
    this.#cancel = clock.after(everyMs, () => this.#round(this.#parts.graceMs), { upkeep: true });
  }

  async #reconcile(graceMs: number): Promise<void> {
    const { store, sweeps = [] } = this.#parts;
    this.#hasLooked = false;
    const requeue = async (lease: Lease) => {
      await this.#requeue(graceMs, lease);
      this.#hasLooked = true;
    };
    await store.alone('reconcile', async (lease) => {
      for (const repair of [() => requeue(lease), ...sweeps]) {
        if (!this.#closed && lease.isHeld()) await this.#logged(repair);
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
   * Queues overdue deliveries that the queue does not have, oldest first: all of them if the queue is idle, else a part, which
   * the next round continues. If the queue has a long backlog, only a part of it is known. Deliveries that the queue may still
   * have are not queued again. If the queue was emptied, queues those that are due later too.
   */
  async #requeue(graceMs: number, lease: Lease): Promise<void> {
    const { queue, clock, log } = this.#parts;
    const emptiedAt = this.#emptiedAt;
    const isEmptied = emptiedAt !== null;
    // Deliveries that changed after the loss have a new job already.
    const lostOf = isEmptied ? { updated_at: { lte: emptiedAt } } : {};
    const overdue = isEmptied ? Number.MAX_SAFE_INTEGER : clock.now() - graceMs;
    const held = await queue.held?.();
    const isLost = (job: Job) => !(isEmptied ? held?.ids.has(jobId(job)) : held?.mayHave(job));
    const { waiting, active } = await queue.depth();
    const isWhole = isEmptied || waiting + active === 0;
    if (isWhole) this.#position = undefined;
    for (let offered = 0; !this.#closed && lease.isHeld() && (isWhole || offered < maxPerRound); ) {
      const due = await this.#next(overdue, lostOf);
      const now = clock.now();
      const lost = due.map(nextJob).filter(isLost);
      await queue.add(lost.map((job) => ({ ...job, delayMs: job.dueAt - now, first: !isWhole })));
      if (lost.length > 0) log.info({ deliveries: lost.length }, 'deliveries.requeued');
      this.#position = due.length < pageSize ? undefined : due.at(-1);
      if (this.#position === undefined) {
        if (this.#emptiedAt === emptiedAt) this.#emptiedAt = null;
        return;
      }
      offered += due.length;
    }
  }

  /** Returns the page after the position: first the rest of those due at the same millisecond, then those due later. */
  async #next(overdue: number, lostOf: Where<'deliveries'>): Promise<Row<'deliveries'>[]> {
    const { id, next_attempt_at: at } = this.#position ?? { id: '', next_attempt_at: null };
    if (at === null) return this.#page({ ...lostOf, next_attempt_at: { lte: overdue } }, pageSize);
    const same = await this.#page({ ...lostOf, next_attempt_at: at, id: { gt: id } }, pageSize);
    const later = { ...lostOf, next_attempt_at: { gt: at, lte: overdue } };
    return [...same, ...(await this.#page(later, pageSize - same.length))];
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
