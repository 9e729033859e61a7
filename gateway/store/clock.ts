import { type Clock, isMachineWrong, systemClock, systemTimers, type Timers } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';

export interface StoreClockParts {
  /** Asks the store for the time, in milliseconds since 1970. */
  read(): Promise<number>;
  log: Logger;
  /** For the simulator. */
  machine?: Clock;
  timers?: Timers;
}

const everyMs = 5000;
/**
 * The store reads its clock at an unknown moment of the round trip. After a longer trip the reading is too inexact: this process
 * may have been suspended.
 */
const longestTripMs = 1000;

/**
 * The store's clock, which all processes share. Between two readings, this process's monotonic time moves it. So changes of the
 * machine's clock have no effect.
 */
export class StoreClock implements Clock {
  readonly #parts: Required<StoreClockParts>;
  readonly after: Clock['after'];
  /** The store's time less the monotonic time. */
  #offsetMs = 0;
  #wasWrong = false;
  #cancel: (() => void) | undefined;
  #closed = false;

  private constructor(parts: StoreClockParts) {
    this.#parts = { machine: systemClock, timers: systemTimers, ...parts };
    this.after = this.#parts.machine.after;
  }

  static async open(parts: StoreClockParts): Promise<StoreClock> {
    const clock = new StoreClock(parts);
    await clock.#read(Number.POSITIVE_INFINITY);
    clock.#watch();
    return clock;
  }

  now(): number {
    return Math.round(this.#parts.timers.elapsed() + this.#offsetMs);
  }

  skewMs(): number {
    return this.#parts.machine.now() - this.now();
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
  }

  async #read(longestMs: number): Promise<void> {
    const { timers, read } = this.#parts;
    const sentMs = timers.elapsed();
    const storeMs = await read();
    const tripMs = timers.elapsed() - sentMs;
    if (tripMs <= longestMs) this.#offsetMs = storeMs - sentMs - tripMs / 2;
  }

  #watch(): void {
    const { log, timers } = this.#parts;
    const isWrong = isMachineWrong(this);
    if (isWrong !== this.#wasWrong) {
      const seconds = { ahead_seconds: Math.round(this.skewMs() / 1000) };
      if (isWrong) log.error(seconds, 'clock.wrong');
      else log.warn(seconds, 'clock.right');
    }
    this.#wasWrong = isWrong;
    if (this.#closed) return;
    this.#cancel = timers.after(everyMs, () => {
      // While the store is away, monotonic time goes on.
      void this.#read(longestTripMs)
        .catch(() => {})
        .then(() => this.#watch());
    });
  }
}
