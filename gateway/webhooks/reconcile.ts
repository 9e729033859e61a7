import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';
import type { Queue } from '../queue/port.ts';
import type { Store } from '../store/port.ts';
import { nextJob } from './jobs.ts';

export interface ReconcileParts {
  store: Store;
  queue: Queue;
  clock: Clock;
  log: Logger;
  /** Looks for events whose fan-out is owed. */
  wakeFanout(): void;
  /** How often to look, in milliseconds. */
  everyMs: number;
  /** How long an attempt may be overdue before its job counts as lost, in milliseconds. */
  graceMs: number;
}

const deliveriesAtOnce = 500;

/** Puts back what the queue lost: at the start whatever is due, then periodically whatever is long overdue. */
export class Reconciler {
  readonly #parts: ReconcileParts;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(parts: ReconcileParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#round(0);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    await this.#running;
  }

  #round(graceMs: number): void {
    const { wakeFanout, clock, everyMs, log } = this.#parts;
    wakeFanout();
    this.#running ??= this.#requeue(graceMs)
      .catch((error: unknown) => log.error({ err: error }, 'reconcile.failed'))
      .finally(() => {
        this.#running = undefined;
      });
    this.#cancel = clock.after(everyMs, () => this.#round(this.#parts.graceMs));
  }

  /** In batches by id. A job that the queue still has stays as it is, so nothing is sent twice by this. */
  async #requeue(graceMs: number): Promise<void> {
    const { store, queue, clock, log } = this.#parts;
    const overdue = { lte: clock.now() - graceMs };
    let after = '';
    while (!this.#closed) {
      const due = await store.list('deliveries', {
        where: { status: 'pending', parked: false, next_attempt_at: overdue, id: { gt: after } },
        order: [['id', 'asc']],
        limit: deliveriesAtOnce,
      });
      await queue.add(due.map((delivery) => ({ ...nextJob(delivery), delayMs: 0 })));
      if (due.length > 0) log.info({ deliveries: due.length }, 'deliveries.requeued');
      if (due.length < deliveriesAtOnce) return;
      after = due.at(-1)?.id ?? '';
    }
  }
}
