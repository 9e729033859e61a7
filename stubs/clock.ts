import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { type Clock, systemClock } from '../gateway/base/clock.ts';
import { checkAdvance } from './duration.ts';

interface Task {
  dueMs: number;
  order: number;
  isUpkeep: boolean;
  run(): void;
}

/** Bounds one advance: a task that repeats itself for ever would keep it busy for ever. */
const mostSteps = 100_000;
/** When upkeep may run next, and how long it pauses after that. */
interface Upkeep {
  notBeforeMs: number;
  pauseMs: number;
}

const tooManySteps = (nowMs: number) =>
  `More than ${mostSteps} tasks fell due. The clock stands at ${new Date(nowMs).toISOString()}: advance it in smaller steps.`;

/** The first pause of upkeep while nothing else happens. Each further one is twice as long. */
const firstPauseMs = 60_000;

/**
 * A stub's time: the machine's time, or a time that stands still. Both can be advanced: each task that falls due runs at
 * its own moment, and what it starts (a delivery, say) ends before the next task runs. Upkeep runs ever more rarely while
 * nothing else falls due, and once at the end, so that an idle year takes about twenty steps.
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

  after(delayMs: number, run: () => void, { upkeep = false }: { upkeep?: boolean } = {}): () => void {
    const task = { dueMs: this.now() + Math.max(0, delayMs), order: this.#order++, isUpkeep: upkeep, run };
    this.#tasks.push(task);
    this.#tasks.sort((one, other) => one.dueMs - other.dueMs || one.order - other.order);
    this.#setTimer();
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task);
    };
  }

  /**
   * Moves time forward. `settled` resolves when everything that the last task started has ended. Resolves when everything that
   * fell due has ended. Two advances run one after the other. Throws `CouldNotRun` beyond the year 9999, or if too many
   * tasks fall due.
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
    checkAdvance(this.now(), byMs);
    let upkeep: Upkeep = { notBeforeMs: 0, pauseMs: firstPauseMs };
    for (let steps = 0; ; steps++) {
      await settled();
      const next = this.#nextStep(endMs, upkeep);
      if (this.#closed || !next) break;
      if (steps === mostSteps) throw new CouldNotRun(tooManySteps(this.now()));
      const { atMs, tasks } = next;
      this.#tasks = this.#tasks.filter((task) => !tasks.includes(task));
      this.#moveTo(atMs);
      for (const task of tasks) task.run();
      upkeep = tasks.some((task) => !task.isUpkeep)
        ? { notBeforeMs: 0, pauseMs: firstPauseMs }
        : { notBeforeMs: atMs + upkeep.pauseMs, pauseMs: 2 * upkeep.pauseMs };
    }
    this.#moveTo(endMs);
  }

  /** The tasks to run next until `endMs`, and when: one of work, or all upkeep that is due by then. */
  #nextStep(endMs: number, { notBeforeMs }: Upkeep): { atMs: number; tasks: Task[] } | undefined {
    const due = this.#tasks.filter(({ dueMs }) => dueMs <= endMs);
    const work = due.find(({ isUpkeep }) => !isUpkeep);
    const upkeep = due.filter(({ isUpkeep }) => isUpkeep);
    const [first] = upkeep;
    const upkeepMs = first && Math.min(endMs, Math.max(first.dueMs, notBeforeMs));
    if (work && (upkeepMs === undefined || work.dueMs <= upkeepMs)) return { atMs: work.dueMs, tasks: [work] };
    if (upkeepMs === undefined) return undefined;
    return { atMs: upkeepMs, tasks: upkeep.filter(({ dueMs }) => dueMs <= upkeepMs) };
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
