import type { Logger } from '../base/log.ts';
import { type Store, StoreUnavailable } from '../store/port.ts';
import { addTo, inEveryWidth, putBack, type Tallied, type Tallies } from './tally.ts';

const flushEveryMs = 1000;
/** Bounds the memory while the store is away. Beyond it, new entries are missing in the figures. */
const maxWaiting = 100_000;

/**
 * Adds up calls and attempts in memory and stores the sums once a second, in one statement. A killed process loses the
 * figures of its last second. The records themselves are not affected.
 */
export class Tallier {
  readonly #store: Store;
  readonly #log: Logger;
  #waiting: Tallies = new Map();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor({ store, log }: { store: Store; log: Logger }) {
    this.#store = store;
    this.#log = log;
  }

  note(entries: readonly Tallied[]): void {
    if (this.#waiting.size >= maxWaiting) return;
    addTo(this.#waiting, entries);
    this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs);
  }

  /** Stores the waiting sums. Readers of figures call it first. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const tallies = this.#waiting;
    this.#waiting = new Map();
    try {
      await this.#store.tally('tallies', inEveryWidth(tallies));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) {
        this.#log.error({ err: error, tallies: tallies.size }, 'tallies.lost');
        return;
      }
      this.#log.warn({ err: error, tallies: tallies.size }, 'tallies.wait_for_store');
      putBack(this.#waiting, tallies);
      this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs).unref();
    }
  }

  /** Drops the figures that are not stored yet. */
  async reset(): Promise<void> {
    await this.#writing;
    this.#waiting = new Map();
  }

  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
  }
}
