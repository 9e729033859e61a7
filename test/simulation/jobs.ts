import { isMachineWrong } from '../../gateway/base/clock.ts';
import { type Handler, type Held, type Job, jobId, type NewJob, outOfOrderMs } from '../../gateway/queue/port.ts';
import type { Random } from './random.ts';
import type { Process, World } from './world.ts';

interface HeldJob {
  job: Job;
  /** Jobs of a priority run in the order of their turns. */
  turn: number;
  dueMs: number;
  /** Until when a worker has it. */
  taken?: { endsMs: number };
}

interface Worker {
  process: Process;
  handler: Handler;
  /** How many jobs it can take. */
  free: number;
}

const jobLockMs = 30_000;
/** How often workers look whether they may take jobs. */
const lookEveryMs = 1000;
/** For how long writes can be undone. */
const rememberedMs = 1000;
/** Of how many jobs a queue says that it has them. */
const mostRead = 10;

/** The jobs of the queue's server. Each is given to a worker at least once. */
export class Jobs {
  readonly #world: World;
  readonly #held = new Map<string, HeldJob>();
  #added = 0;
  #cancelSoon = () => {};
  /** The last writes, each with what undoes it. */
  #written: { atMs: number; undo(): void }[] = [];
  #workers: Worker[] = [];
  readonly listeners: { process: Process; listener(loss: { emptied: boolean }): void }[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  #random(what: string): Random {
    return this.#world.random(`jobs: ${what}`);
  }

  add(jobs: readonly NewJob[]): void {
    for (const { delayMs, first, ...job } of jobs) {
      const id = jobId(job);
      if (this.#held.has(id)) continue;
      this.#added += 1;
      const turn = first ? -this.#added : this.#added;
      const held = { job, turn, dueMs: this.#world.nowMs + Math.max(0, delayMs) };
      this.#held.set(id, held);
      this.#write(() => this.#removeIf(id, held));
      this.#world.after(delayMs, () => this.#give());
    }
  }

  work(worker: Worker): void {
    this.#workers.push(worker);
    this.#give();
  }

  /** Gives a process no more jobs. */
  dismiss(process: Process): void {
    this.#workers = this.#workers.filter((worker) => worker.process !== process);
  }

  depth() {
    const due = this.#due();
    const active = due.filter(({ taken }) => taken).length;
    return { waiting: due.length - active, delayed: this.#held.size - due.length, active };
  }

  /** Reads some of the jobs, those that run first. */
  dueJobs(): Held {
    const read = (isLow: boolean) => {
      const due = this.#due().filter(({ job }) => (job.low ?? false) === isLow);
      const first = due.slice(0, mostRead).map(({ job }) => job);
      const untilMs = first.length === due.length ? Number.POSITIVE_INFINITY : Math.max(...first.map(({ dueAt }) => dueAt));
      return { ids: first.map(jobId), untilMs };
    };
    const [high, low] = [read(false), read(true)];
    const ids = new Set([...high.ids, ...low.ids]);
    return { ids, mayHave: (job) => ids.has(jobId(job)) || job.dueAt > (job.low ? low : high).untilMs - outOfOrderMs };
  }

  /** The jobs that are due, in the order in which they run: those of low priority after all others. */
  #due(): HeldJob[] {
    const due = [...this.#held.values()].filter(({ dueMs }) => dueMs <= this.#world.nowMs);
    return due.sort((one, other) => Number(one.job.low ?? false) - Number(other.job.low ?? false) || one.turn - other.turn);
  }

  /** Loses all jobs. */
  empty(): void {
    this.#held.clear();
    this.#isBack({ emptied: true });
  }

  /** Is as it was some time ago: jobs that were added since are lost, and those that were done are there again. */
  forgetLast(forMs: number): void {
    for (const { atMs, undo } of this.#written.splice(0).reverse()) if (atMs > this.#world.nowMs - forMs) undo();
    this.#isBack({ emptied: false });
    this.#give();
  }

  /** The processes notice it some seconds later. */
  #isBack(loss: { emptied: boolean }): void {
    for (const { process, listener } of this.listeners)
      this.#world.after(this.#random('back').whole(0, 5000), () => listener(loss), process);
  }

  #write(undo: () => void): void {
    const { nowMs } = this.#world;
    this.#written = [...this.#written.filter(({ atMs }) => atMs > nowMs - rememberedMs), { atMs: nowMs, undo }];
  }

  #done(id: string, held: HeldJob): void {
    if (this.#held.get(id) !== held) return;
    this.#held.delete(id);
    // It is nobody's then, so that another worker gets it.
    const { taken: _, ...waiting } = held;
    this.#write(() => {
      if (!this.#held.has(id)) this.#held.set(id, waiting);
    });
  }

  #removeIf(id: string, held: HeldJob): void {
    if (this.#held.get(id) === held) this.#held.delete(id);
  }

  #give(): void {
    const now = this.#world.nowMs;
    for (const held of this.#due().filter(({ taken }) => !taken || taken.endsMs <= now)) {
      const ready = this.#workers.filter(({ process, free }) => process.isRunning && !isMachineWrong(process.clock) && free > 0);
      if (ready.length === 0) {
        this.#giveSoon();
        return;
      }
      this.#run(jobId(held.job), held, this.#random('worker').pick(ready));
    }
  }

  /** Workers look again, as they may be suspended now, or have a wrong clock. */
  #giveSoon(): void {
    this.#cancelSoon();
    if (this.#workers.length > 0) this.#cancelSoon = this.#world.after(lookEveryMs, () => this.#give());
  }

  #run(id: string, held: HeldJob, worker: Worker): void {
    const { process, handler } = worker;
    const taken = { endsMs: this.#world.nowMs + jobLockMs };
    held.taken = taken;
    worker.free -= 1;
    // The lock of a process that is gone or suspended ends. Then another gets the job.
    const renew = () => {
      if (this.#held.get(id) !== held || held.taken !== taken) return;
      taken.endsMs = this.#world.nowMs + jobLockMs;
      this.#world.after(jobLockMs / 2, renew, process);
    };
    this.#world.after(jobLockMs / 2, renew, process);
    const look = () => {
      if (this.#held.get(id) !== held || held.taken !== taken) return;
      if (taken.endsMs <= this.#world.nowMs) this.#give();
      else this.#world.after(taken.endsMs - this.#world.nowMs + 1, look);
    };
    this.#world.after(jobLockMs + 1, look);
    this.#world.after(
      this.#random(`given to ${process.name}`).whole(0, 5),
      () => {
        const end = () => {
          worker.free += 1;
          if (held.taken === taken) this.#done(id, held);
          this.#give();
        };
        // Any job may say that another one waits for its place.
        const isAwaited = () => this.#random(`awaited at ${process.name}`).chance(0.3);
        handler(held.job, isAwaited).then(end, (error: Error) => {
          this.#world.note('job failed', error.message);
          end();
        });
      },
      process,
    );
  }
}
