import { createHash } from 'node:crypto';
import type { Clock, Timers } from '../../gateway/base/clock.ts';
import { type Random, type Streams, streamsOf } from './random.ts';

/** A task of a process that is killed before does not happen. */
interface Task {
  dueMs: number;
  order: number;
  /** The process in whose memory it happens; none for what happens at a server or on a wire. */
  process: Process | undefined;
  /** Undefined once it is canceled. */
  run: (() => void) | undefined;
}

/** Why the connection of a process that was killed or suspended ends. */
export const gone = new Error('The process is gone.');

/** One gateway's memory and clock. It can be killed, or suspended for a while. */
export class Process {
  readonly name: string;
  readonly #world: World;
  #skewMs: number;
  /** Since when its machine's clock is so far off that it must not send. */
  farOffSinceMs = Number.POSITIVE_INFINITY;
  #isDead = false;
  #resumesAtMs = 0;
  /** When it was last suspended or killed. */
  disturbedAtMs = Number.NEGATIVE_INFINITY;
  readonly #interrupts = new Set<(why: Error) => void>();
  /** The clock of its machine, and the one that its gateway goes by. */
  readonly machine: Clock;
  clock: Clock;
  readonly timers: Timers;
  /** Decides the order of its tasks that are due at once. */
  readonly order: Random;

  constructor(world: World, name: string, skewMs: number) {
    this.name = name;
    this.#world = world;
    this.order = world.random(`order of ${name}`);
    this.#skewMs = skewMs;
    const after = (delayMs: number, task: () => void) => world.after(delayMs, task, this);
    this.machine = {
      now: () => Math.round(world.nowMs + this.#skewMs),
      after: (delayMs, task, { upkeep = false } = {}) => after(delayMs * (upkeep ? world.upkeepFactor : 1), task),
    };
    this.clock = this.machine;
    this.timers = { elapsed: () => world.nowMs, after };
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get resumesAtMs(): number {
    return this.#resumesAtMs;
  }

  get isRunning(): boolean {
    return !this.#isDead && this.#resumesAtMs <= this.#world.nowMs;
  }

  setClock(skewMs: number): void {
    this.#skewMs = skewMs;
    this.farOffSinceMs = skewMs === 0 ? Number.POSITIVE_INFINITY : this.#world.nowMs;
  }

  kill(): void {
    this.#isDead = true;
    this.#interrupt();
  }

  suspend(forMs: number): void {
    this.#resumesAtMs = this.#world.nowMs + forMs;
    this.#interrupt();
  }

  /** Runs work on a connection. The server ends the connection of a process that does not go on with it. */
  async onConnection<R>(work: Promise<R>): Promise<R> {
    const { promise: interrupted, reject } = Promise.withResolvers<never>();
    interrupted.catch(() => {});
    this.#interrupts.add(reject);
    try {
      return await Promise.race([work, interrupted]);
    } finally {
      this.#interrupts.delete(reject);
    }
  }

  #interrupt(): void {
    this.disturbedAtMs = this.#world.nowMs;
    for (const interrupt of this.#interrupts) interrupt(gone);
  }
}

/** The turns of the event loop that the code under test has asked for, and not had yet. */
let turns = 0;
const { setImmediate: realTurn } = globalThis;

/** Gives turns without the event loop, which costs more than all else: nothing waits for real input. Returns a function that ends it. */
export function takeTurns(): () => void {
  turns = 0;
  const soon = (run: (...args: unknown[]) => void, ...args: unknown[]) => {
    turns += 1;
    process.nextTick(() => {
      turns -= 1;
      run(...args);
    });
  };
  globalThis.setImmediate = soon as unknown as typeof setImmediate;
  return () => {
    globalThis.setImmediate = realTurn;
  };
}

/** Resolves when all that the last task led to has happened. A tick comes after the promises that are settled before it. */
async function quiet(): Promise<void> {
  do await new Promise<void>((resolve) => process.nextTick(resolve));
  while (turns > 0);
}

/** After so many tasks the event loop gets a turn, so that what runs the simulation can speak. */
const tasksPerTurn = 2000;

/** More turns than a statement of a real PostgreSQL takes. */
const turnsOfAnswer = 1000;

/** Virtual time. One seed decides the order of all that happens, so the same seed gives the same trace. */
export class World {
  readonly random: Streams;
  nowMs: number;
  /** More than 1 leaves out repetitions of upkeep: between the retries of days there is nothing for it to find. */
  upkeepFactor = 1;
  readonly #tasks: Task[] = [];
  readonly #random: Random;
  #order = 0;
  #ran = 0;
  readonly #trace = createHash('sha256');
  /** What happened, in words. */
  readonly story: string[] = [];
  /** How often each kind of thing happened. */
  readonly counts = new Map<string, number>();

  constructor(seed: number, startMs: number) {
    this.random = streamsOf(seed);
    this.#random = this.random('order of servers and wires');
    this.nowMs = startMs;
  }

  /** Runs `run` after `delayMs`. The returned function cancels it. */
  readonly after = (delayMs: number, run: () => void, process?: Process): (() => void) => {
    // Fractions of a millisecond decide the order of what is due at once.
    const fraction = (process?.order ?? this.#random).fraction();
    const task: Task = {
      dueMs: this.nowMs + Math.max(0, delayMs) + fraction / 2,
      order: this.#order++,
      process,
      run,
    };
    this.#push(task);
    return () => {
      task.run = undefined;
    };
  };

  /** How many tasks of a process wait. */
  timersOf(process: Process): number {
    return this.#tasks.filter((task) => task.process === process && task.run).length;
  }

  wait(delayMs: number, process?: Process): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve, process));
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  note(what: string, detail = ''): void {
    this.count(what);
    const line = `${(this.nowMs / 1000).toFixed(3)} ${what}${detail === '' ? '' : `: ${detail}`}`;
    this.#trace.update(line);
    this.story.push(line);
  }

  /** Identifies all that was noted. */
  get trace(): string {
    return this.#trace.copy().digest('hex').slice(0, 16);
  }

  /** Lets things happen until the promise is settled: what it waits for may need time. */
  readonly until = async <R>(result: Promise<R>): Promise<R> => {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    result.then(settle, settle);
    // A real PostgreSQL answers after some turns. Time passes only if it waits for a process to end its transaction.
    for (let turn = 0; turn < turnsOfAnswer && !isSettled; turn += 1) await quiet();
    await this.run(Number.POSITIVE_INFINITY, () => isSettled);
    return result;
  };

  /** Lets things happen until `endMs`, or until `isOver` says so. */
  async run(endMs: number, isOver: () => boolean = () => false): Promise<void> {
    for (;;) {
      await quiet();
      if (++this.#ran % tasksPerTurn === 0) await new Promise((resolve) => realTurn(resolve));
      if (isOver()) return;
      const next = this.#tasks[0];
      if (!next || next.dueMs > endMs) break;
      this.#pop();
      this.nowMs = Math.max(this.nowMs, next.dueMs);
      const { process } = next;
      if (process?.isDead || !next.run) continue;
      if (process && !process.isRunning) this.#push({ ...next, dueMs: process.resumesAtMs, run: () => next.run?.() });
      else next.run?.();
    }
    if (Number.isFinite(endMs)) this.nowMs = Math.max(this.nowMs, endMs);
  }

  /** The tasks are a binary heap. */
  #push(task: Task): void {
    const heap = this.#tasks;
    let at = heap.push(task) - 1;
    for (let above = (at - 1) >> 1; at > 0 && isBefore(task, heap[above]); at = above, above = (at - 1) >> 1) {
      heap[at] = heap[above] as Task;
      heap[above] = task;
    }
  }

  #pop(): void {
    const heap = this.#tasks;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    heap[0] = last;
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const least = [left, right].reduce((one, other) => (isBefore(heap[other], heap[one]) ? other : one), at);
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least] as Task, heap[at] as Task];
      at = least;
    }
  }
}

const isBefore = (one: Task | undefined, other: Task | undefined): boolean =>
  one !== undefined && other !== undefined && (one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.order < other.order));
