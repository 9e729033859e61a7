import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { type Depth, type Handler, type Job, jobId, type NewJob, type Queue } from './port.ts';

/** The queue of stubs. Its delays follow the given clock, so that a test can advance them. */
export class MemoryQueue implements Queue {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #waiting = new Map<string, Job>();
  /** Low-priority jobs. They wait for all others. */
  readonly #low = new Map<string, Job>();
  readonly #delayed = new Map<string, () => void>();
  readonly #active = new Map<string, Promise<void>>();
  #handler: Handler | undefined;
  #concurrency = 0;
  #closed = false;

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  async add(jobs: readonly NewJob[]): Promise<void> {
    if (this.#closed) return;
    for (const { delayMs, first: _, ...job } of jobs) {
      const id = jobId(job);
      if ([this.#waiting, this.#low, this.#delayed, this.#active].some((place) => place.has(id))) continue;
      if (delayMs <= 0) this.#wait(id, job);
      else
        this.#delayed.set(
          id,
          this.#clock.after(delayMs, () => this.#makeDue(id, job)),
        );
    }
    // Due jobs run even while a manual clock stands still.
    setImmediate(() => this.#take());
  }

  work(handler: Handler, { concurrency }: { concurrency: number }): void {
    this.#handler = handler;
    this.#concurrency = concurrency;
    this.#take();
  }

  async depth(): Promise<Depth> {
    return { waiting: this.#waiting.size + this.#low.size, delayed: this.#delayed.size, active: this.#active.size };
  }

  forget(): void {
    for (const cancel of this.#delayed.values()) cancel();
    this.#delayed.clear();
    this.#waiting.clear();
    this.#low.clear();
  }

  async close(last?: () => Promise<void>): Promise<void> {
    this.#closed = true;
    this.forget();
    await Promise.all(this.#active.values());
    await last?.();
  }

  #makeDue(id: string, job: Job): void {
    this.#delayed.delete(id);
    this.#wait(id, job);
    this.#take();
  }

  #wait(id: string, job: Job): void {
    (job.low ? this.#low : this.#waiting).set(id, job);
  }

  #take(): void {
    if (!this.#handler || this.#closed) return;
    for (const place of [this.#waiting, this.#low]) {
      for (const [id, job] of place) {
        if (this.#active.size >= this.#concurrency) return;
        place.delete(id);
        this.#active.set(id, this.#run(id, job, this.#handler));
      }
    }
  }

  async #run(id: string, job: Job, handler: Handler): Promise<void> {
    // Lets the caller register the job as active before it starts.
    await Promise.resolve();
    try {
      await handler(job);
    } catch (error) {
      this.#log.error({ err: error, ...job }, 'job.failed');
    }
    this.#active.delete(id);
    this.#take();
  }
}
