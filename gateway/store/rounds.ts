import type { Clock } from '../base/clock.ts';
import type { Feature } from '../base/features.ts';
import type { Logger } from '../base/log.ts';
import type { Store } from './port.ts';

export interface RoundsParts {
  store: Store;
  clock: Clock;
  log: Logger;
  name: string;
  /** The log line of a round that fails. */
  failed: string;
  /** Time to the next round, in milliseconds: if there is more to do, and if there is not. */
  busyMs: number;
  idleMs: number;
  /** Works in short transactions, so that another process can go on. Call `mayGoOn` before each. Resolves to true if there is more to do. */
  work(mayGoOn: () => boolean): Promise<boolean>;
}

/** Work that one process at a time does, in rounds. */
export class Rounds implements Feature {
  readonly #parts: RoundsParts;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #isWoken = false;
  #closed = false;

  constructor(parts: RoundsParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#cancel = undefined;
    this.#running = this.#round();
  }

  /** Begins a round now, because there is something to do. Before the start, or during a round, the next round does this work. */
  wake(): void {
    this.#isWoken = true;
    if (this.#closed || !this.#cancel) return;
    this.#cancel();
    this.start();
  }

  /** Stops after the running step. The next process continues from there. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    await this.#running;
  }

  async #round(): Promise<void> {
    const { store, clock, log, name, failed, busyMs, idleMs, work } = this.#parts;
    // If another process works now, it may have read the work before the new work was stored.
    let isBusy = this.#isWoken;
    this.#isWoken = false;
    try {
      await store.alone(name, async (lease) => {
        isBusy = await work(() => !this.#closed && lease.isHeld());
      });
    } catch (error) {
      log.error({ err: error }, failed);
    }
    if (this.#closed) return;
    if (this.#isWoken) this.start();
    else this.#cancel = clock.after(isBusy ? busyMs : idleMs, () => this.start(), { upkeep: !isBusy });
  }
}
