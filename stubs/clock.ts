import { type Clock, systemClock } from '../gateway/base/clock.ts';

interface Task {
  dueMs: number;
  order: number;
  run(): void;
}

/**
 * A stub's time: the machine's, or one that stands still at an instant. Either can be advanced by hand: what falls due
 * in between runs at its own moment, and what it sets going (a delivery, say) ends before the next.
 */
export class StubClock implements Clock {
  /** Where it stands still; undefined for a clock that runs. */
  readonly #startMs: number | undefined;
  readonly #settled: () => Promise<void>;
  #nowMs: number;
  /** How far a running clock is ahead of the machine's, in milliseconds. */
  #aheadMs = 0;
  #tasks: Task[] = [];
  #order = 0;
  #advancing: Promise<void> | undefined;
  #cancelTimer = () => {};
  #closed = false;

  constructor(options: { startMs?: number | undefined; settled: () => Promise<void> }) {
    this.#startMs = options.startMs;
    this.#nowMs = options.startMs ?? 0;
    this.#settled = options.settled;
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

  /** Resolves when all that fell due has ended. One advance after another. */
  advance(byMs: number): Promise<void> {
    const before = this.#advancing ?? Promise.resolve();
    const mine = before.catch(() => {}).then(() => this.#advance(byMs));
    this.#advancing = mine;
    return mine.finally(() => {
      if (this.#advancing !== mine) return;
      this.#advancing = undefined;
      this.#setTimer();
    });
  }

  /** Back to the beginning; who waits still waits as long as was left. */
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

  async #advance(byMs: number): Promise<void> {
    const endMs = this.now() + byMs;
    for (;;) {
      await this.#settled();
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
