/** The time, and timers. Gateways use the system's clock. Stubs and tests use one that is advanced by hand. */
export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  /**
   * Runs `task` once after `delayMs`. The returned function cancels it. `upkeep`: the task repeats for ever and usually finds no
   * work. A clock that is advanced far may leave out repetitions.
   */
  after(delayMs: number, task: () => void, options?: { upkeep?: boolean }): () => void;
  /**
   * How far the machine's clock is ahead of this one, in milliseconds. Absent if this clock is the machine's, or is independent
   * of it.
   */
  skewMs?(): number;
}

/** Clocks of machines may differ by this much. */
export const toleratedSkewMs = 30_000;

/** Returns true if the machine's clock differs so much that this process must not send: retries, holds and locks of jobs go by time. */
export const isMachineWrong = (clock: Clock): boolean => Math.abs(clock.skewMs?.() ?? 0) > toleratedSkewMs;

/** setTimeout fires at once for delays over 2^31 - 1 ms, so longer delays are split into steps of this length. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number) => {
      const stepMs = Math.min(leftMs, longestTimerMs);
      timer = setTimeout(() => (leftMs > stepMs ? wait(leftMs - stepMs) : task()), stepMs);
    };
    wait(Math.max(0, delayMs));
    return () => clearTimeout(timer);
  },
};

/** How much time passes for this process. Unlike a clock, it cannot be set, and it never goes back. */
export interface Timers {
  /** Milliseconds since some instant. */
  elapsed(): number;
  /** Runs `task` once after `delayMs`. The returned function cancels it. */
  after(delayMs: number, task: () => void): () => void;
}

export const systemTimers: Timers = {
  elapsed: () => performance.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or as soon as the signal aborts. */
export const pause = (timers: Timers, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = timers.after(ms, end);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });

/** A clock that stands still until `advance` moves it. */
export class ManualClock implements Clock {
  #nowMs: number;
  #tasks: { dueMs: number; order: number; run: () => void }[] = [];
  #order = 0;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const task = { dueMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, run };
    this.#tasks.push(task);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task);
    };
  }

  /** Moves time forward by `byMs`. Runs each due task in order of due time, with the clock at that time. */
  async advance(byMs: number): Promise<void> {
    const endMs = this.#nowMs + byMs;
    for (;;) {
      // Tasks that ran before may schedule more tasks within this span. Let them settle first.
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.#tasks.filter((task) => task.dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs || a.order - b.order)[0];
      if (!next) break;
      this.#tasks = this.#tasks.filter((task) => task !== next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.run();
    }
    this.#nowMs = endMs;
  }
}
