import { type Clock, systemClock } from '../gateway/base/clock.ts';

interface Task {
  dueMs: number;
  order: number;
  run(): void;
}

/**
 * A stub's time: the machine's time, or a time that stands still. Both can be advanced: each task that falls due runs at
 * its own moment, and what it starts (a delivery, say) ends before the next task runs.
 */
export class StubClock implements Clock {
  /** The time at which it stands still; undefined for a running clock. */
  readonly #startMs: number | undefined;
  #nowMs: number;
  /** How far a running clock is ahead of the machine's. */
  #aheadMs = 0;
  #tasks: Task[] = [];
  #order = 0;
  #advancing: Promise<void> | undefined;
  #cancelTimer = () => {};
  #closed = false;

  /** `startMs`: milliseconds since 1970 at which the clock stands still. Without it the clock runs. */
  constructor(startMs?: number) {
    this.#startMs = startMs;
    this.#nowMs = startMs ?? 0;
  }

  get runs(): boolean {
    return this.#startMs === undefined;
  }

  now(): number {
    return this.runs ? Date.now() + this.#aheadMs : this.#nowMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const task = { dueMs: this.now() + Math.max(0, delayMs), order: this.#order++, run };
    this.#tasks.push(task);
    this.#tasks.sort((one, other) => one.dueMs - other.dueMs || one.order - other.order);
    this.#setTimer();
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task);
    };
  }

  /**
   * Moves time forward. `settled` resolves when everything that the last task started has ended. Resolves when everything that
   * fell due has ended. Two advances run one after the other.
   */
  advance(byMs: number, settled: () => Promise<void>): Promise<void> {
    const before = this.#advancing ?? Promise.resolve();
    const mine = before.catch(() => {}).then(() => this.#advance(byMs, settled));
    this.#advancing = mine;
    return mine.finally(() => {
      if (this.#advancing !== mine) return;
      this.#advancing = undefined;
      this.#setTimer();
    });
  }

  /** Returns to the start time. Waiting tasks keep their remaining delay. */
  reset(): void {
    const wasMs = this.now();
    this.#aheadMs = 0;
    this.#nowMs = this.#startMs ?? 0;
    const backMs = wasMs - this.now();
    for (const task of this.#tasks) task.dueMs -= backMs;
    this.#setTimer();
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
    this.#tasks = [];
  }

  async #advance(byMs: number, settled: () => Promise<void>): Promise<void> {
    const endMs = this.now() + byMs;
    for (;;) {
      await settled();
      const [next] = this.#tasks;
      if (this.#closed || !next || next.dueMs > endMs) break;
      this.#tasks = this.#tasks.slice(1);
      this.#moveTo(next.dueMs);
      next.run();
    }
    this.#moveTo(endMs);
  }

  #moveTo(atMs: number): void {
    if (this.runs) this.#aheadMs = Math.max(this.#aheadMs, atMs - Date.now());
    else this.#nowMs = Math.max(this.#nowMs, atMs);
  }

  #setTimer(): void {
    this.#cancelTimer();
    const [next] = this.#tasks;
    if (!this.runs || this.#closed || this.#advancing || !next) return;
    this.#cancelTimer = systemClock.after(next.dueMs - this.now(), () => this.#runDue());
  }

  #runDue(): void {
    const nowMs = this.now();
    const due = this.#tasks.filter((task) => task.dueMs <= nowMs);
    this.#tasks = this.#tasks.filter((task) => task.dueMs > nowMs);
    for (const task of due) task.run();
    this.#setTimer();
  }
}
