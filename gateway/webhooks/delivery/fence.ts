import type { Timers } from '../../base/clock.ts';
import type { Job } from '../../queue/port.ts';
import type { Store } from '../../store/port.ts';
import type { Fenced } from '../sending/send.ts';

/** A delivery read within this time is known to be due still: no other process takes a job over sooner. */
const knownForMs = 500;

/**
 * Keeps a process that was suspended from sending an old event after newer ones. Another process may have sent the delivery, and
 * then the ones behind it. So an attempt at an ordered endpoint reads its delivery again when its request is written, if it was last
 * read too long ago. Create the fence before the delivery is read.
 */
export class Fence {
  readonly #store: Store;
  readonly #job: Job;
  readonly #timers: Timers;
  #readMs: number;
  #isClosed = false;

  constructor(store: Store, job: Job, timers: Timers) {
    this.#store = store;
    this.#job = job;
    this.#timers = timers;
    this.#readMs = timers.elapsed();
  }

  /** True if the request was not sent, because another process has made the attempt. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Returns the request's body. The HTTP client reads it once the connection is open, and writes nothing before. */
  guard(body: string): Fenced {
    const bytes = Buffer.from(body);
    return { chunks: this.#chunks(bytes), bytes: bytes.length };
  }

  async *#chunks(bytes: Buffer): AsyncGenerator<Buffer> {
    this.#isClosed = !(await this.#isStillDue());
    if (this.#isClosed) throw new Error('The attempt was made elsewhere.');
    yield bytes;
  }

  /** While the delivery is pending, its lane releases nothing else. It may have been reserved, so its due time does not count. */
  async #isStillDue(): Promise<boolean> {
    // The process may be suspended again while it reads.
    while (this.#timers.elapsed() - this.#readMs > knownForMs) {
      this.#readMs = this.#timers.elapsed();
      const delivery = await this.#store.get('deliveries', { id: this.#job.deliveryId });
      if (delivery?.status !== 'pending' || delivery.attempts !== this.#job.attempt - 1) return false;
    }
    return true;
  }
}
