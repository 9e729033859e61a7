/** `first`: before the others. `late`: behind them, but if both wait, every second slot. */
export type Turn = 'first' | 'next' | 'late';

/** A semaphore. Callers of the same turn wait for a slot in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];
  readonly #late: (() => void)[] = [];
  /** True if the last slot that was released went to a `late` caller. */
  #wasLate = false;

  constructor(count: number) {
    this.#free = count;
  }

  /** True if a caller waits that is not `late`. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves when the caller has a slot. */
  async take(turn: Turn = 'next'): Promise<void> {
    const line = turn === 'late' ? this.#late : this.#waiting;
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => line[turn === 'first' ? 'unshift' : 'push'](resolve));
  }

  release(): void {
    this.#wasLate = this.#late.length > 0 && !(this.#wasLate && this.isAwaited);
    const next = (this.#wasLate ? this.#late : this.#waiting).shift();
    if (next) next();
    else this.#free += 1;
  }

  async use<T>(work: () => Promise<T>): Promise<T> {
    await this.take();
    try {
      return await work();
    } finally {
      this.release();
    }
  }
}
