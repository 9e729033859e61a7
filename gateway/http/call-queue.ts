import { systemTimers, type Timers } from '../base/clock.ts';
import { overloadedCode, Refusal } from '../base/errors.ts';
import { asCall } from '../base/in-call.ts';

/** Calls of one API that a process handles at once. More would only wait for its database. */
export const mostAtOnce = 32;

/** Refused calls are told to come back after 1 to 5 s in turn, so that they do not all come back together. */
const retrySpread = 5;

/**
 * Bounds how long a call waits until it is handled. Without a bound, calls wait longer and longer while more of them come than
 * the gateway can handle, and are handled when their callers have given up.
 */
export class CallQueue {
  readonly #maxWaitMs: number;
  readonly #timers: Timers;
  /** Functions that begin the waiting calls, the oldest call first. */
  readonly #waiting = new Set<() => void>();
  #handled = 0;
  #refused = 0;

  constructor(maxWaitMs: number, timers: Timers = systemTimers) {
    this.#maxWaitMs = maxWaitMs;
    this.#timers = timers;
  }

  /** Handles a call when there is room for it. If that takes too long, throws a refusal, and `handle` is not called. */
  async run<R>(handle: () => R): Promise<Awaited<R>> {
    if (this.#handled < mostAtOnce) this.#handled += 1;
    else await this.#wait();
    try {
      return await asCall(handle);
    } finally {
      this.#endOne();
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        cancel();
        this.#waiting.delete(begin);
        resolve();
      };
      const cancel = this.#timers.after(this.#maxWaitMs, () => {
        this.#waiting.delete(begin);
        reject(overloaded(1 + (this.#refused++ % retrySpread)));
      });
      this.#waiting.add(begin);
    });
  }

  #endOne(): void {
    const [begin] = this.#waiting;
    if (begin) begin();
    else this.#handled -= 1;
  }
}

/** The refusal of a call for which there was no room in time. */
export const overloaded = (retryAfterSeconds: number): Refusal =>
  new Refusal(
    'unavailable',
    overloadedCode,
    `More calls arrive than the gateway can handle. Nothing was done. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
