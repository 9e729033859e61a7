import type { Logger } from '../base/log.ts';
import { type Store, StoreUnavailable } from '../store/port.ts';
import { addTo, inEveryWidth, putBack, type Tallied, type Tallies } from './tally.ts';

const flushEveryMs = 1000;
/** While the store is away what waits is bounded: past it, what comes is not in the figures. */
const waitingAtMost = 100_000;

/**
 * Adds up in this process what comes in by the thousand, and stores the sums once a second: one statement, however many
 * calls and attempts there were. A killed process takes the figures of its last second along; the records are all there.
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
    if (this.#waiting.size >= waitingAtMost) return;
    addTo(this.#waiting, entries);
    this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs);
  }

  /** Stores what waits. Readers of figures ask for it first. */
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
      this.#log.warn({ tallies: tallies.size }, 'tallies.wait_for_store');
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
