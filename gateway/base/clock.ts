/** What the time is, and a call at a later time. One is the machine's; a stub's can be advanced by hand. */
export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  /** Runs `task` once, `delayMs` from now. The returned function cancels it. */
  after(delayMs: number, task: () => void): () => void;
}

/** setTimeout runs a delay over 2^31 - 1 ms at once, so a longer wait is cut into steps of this length. */
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

/** A clock that stands still until `advance` moves it: 27 hours of retries pass in a blink. */
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

  /** Moves time forward, running what falls due in its order, each task at its own moment. */
  async advance(byMs: number): Promise<void> {
    const endMs = this.#nowMs + byMs;
    for (;;) {
      // Let what ran before settle first: it may put off more work into this very span.
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
