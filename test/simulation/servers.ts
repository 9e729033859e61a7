import type { Clock } from '../../gateway/base/clock.ts';
import { MemoryGate } from '../../gateway/queue/gate/memory.ts';
import type { Gate } from '../../gateway/queue/gate/port.ts';
import { type Handler, type Held, type Job, jobId, type NewJob, outOfOrderMs, type Queue } from '../../gateway/queue/port.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { type Lease, type Rows, type Store, StoreUnavailable } from '../../gateway/store/port.ts';
import type { Faults } from './faults.ts';
import { gone, type Process, type World } from './world.ts';

/** What the processes share: a store, a queue and a gate, each behind a wire that can fail. */
export interface Servers {
  world: World;
  faults: Faults;
  rows: MemoryStore;
  leases: Map<string, { endsMs: number }>;
  jobs: Jobs;
  gate: MemoryGate;
}

const attemptLeaseMs = 20_000;

export function openServers(world: World, faults: Faults): Servers {
  const clock: Clock = { now: () => Math.round(world.nowMs), after: (delayMs, task) => world.after(delayMs, task) };
  const gate = new MemoryGate(clock, attemptLeaseMs);
  return { world, faults, rows: new MemoryStore(), leases: new Map(), jobs: new Jobs(world), gate };
}

/** Calls a server. The call, or its answer, may be lost; a process that is gone gets no answer. */
function call<R>(
  { world, faults }: Servers,
  process: Process,
  kind: 'store' | 'queue' | 'gate',
  effect: () => Promise<R>,
): Promise<R> {
  return new Promise((resolve, reject) => {
    const fault = faults.ofCall(kind);
    const fail = (why: Error) => world.after(faults.latencyMs(), () => reject(why), process);
    const lost = () => new StoreUnavailable(`The ${kind} did not answer.`);
    // A request of a suspended process leaves it when it goes on. What has left is not called back.
    const leave = () => {
      world.after(faults.latencyMs(), () => {
        if (faults.isAway(kind) || fault === 'lost before') return fail(lost());
        effect().then(
          (result) => (fault === 'lost after' ? fail(lost()) : world.after(faults.latencyMs(), () => resolve(result), process)),
          fail,
        );
      });
    };
    if (process.isRunning) leave();
    else world.after(0, leave, process);
  });
}

const statements = [
  ...(['insert', 'append', 'get', 'list', 'scan', 'count', 'newest', 'summarize'] as const),
  ...(['update', 'revise', 'advance', 'tally', 'remove'] as const),
];
const writes = ['insert', 'append', 'update', 'revise', 'advance', 'tally', 'remove'];

type Statement = (...args: unknown[]) => Promise<unknown>;

const rowsFrom = (run: (name: (typeof statements)[number], args: unknown[]) => Promise<unknown>): Rows =>
  Object.fromEntries(statements.map((name) => [name, (...args: unknown[]) => run(name, args)])) as unknown as Rows;

const statementOf = (rows: Rows, name: (typeof statements)[number]) => rows[name].bind(rows) as unknown as Statement;

/** How long a process may keep a lease of the store without renewing it. */
const storeLeaseMs = 20_000;

/** The store, as one process sees it. */
export function storeOf(servers: Servers, process: Process): Store {
  const { world, faults, rows, leases } = servers;
  const readOnly = () => new StoreUnavailable('The store takes no writes.');
  const run = (name: (typeof statements)[number], args: unknown[]) =>
    call(servers, process, 'store', async () => {
      if (faults.isReadOnly && writes.includes(name)) throw readOnly();
      return statementOf(rows, name)(...args);
    });

  const transaction: Store['transaction'] = (work) =>
    call(servers, process, 'store', async () => {
      let isOver = false;
      let failure: Error | undefined;
      const inside = (tx: Rows) =>
        rowsFrom(async (name, args) => {
          if (isOver) throw new StoreUnavailable('The transaction is over.');
          if (faults.isReadOnly && writes.includes(name)) failure = readOnly();
          if (failure) throw failure;
          return statementOf(tx, name)(...args);
        });
      try {
        if (!process.isRunning) throw gone;
        return await rows.transaction(async (tx) => {
          const result = await process.onConnection(work(inside(tx)));
          // A statement for which nobody waited may have failed.
          if (failure) throw failure;
          return result;
        });
      } catch (error) {
        throw error === gone ? new StoreUnavailable('The connection was ended.') : error;
      } finally {
        isOver = true;
      }
    });

  const alone: Store['alone'] = async (name, work) => {
    const own = { endsMs: world.nowMs + storeLeaseMs };
    const isTaken = await call(servers, process, 'store', async () => {
      const other = leases.get(name);
      if (other && other.endsMs > world.nowMs) return true;
      leases.set(name, own);
      return false;
    });
    if (isTaken) return false;
    const renew = () => {
      if (leases.get(name) !== own) return;
      own.endsMs = world.nowMs + storeLeaseMs;
      world.after(storeLeaseMs / 4, renew, process);
    };
    world.after(storeLeaseMs / 4, renew, process);
    const lease: Lease = { isHeld: () => leases.get(name) === own && own.endsMs > world.nowMs };
    try {
      await work(lease);
      return true;
    } finally {
      if (leases.get(name) === own) leases.delete(name);
    }
  };

  const nothing = async () => {};
  return { ...rowsFrom(run), transaction, alone, expire: nothing, ping: nothing, close: nothing };
}

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
/** Of how many jobs a queue says that it has them. */
const mostRead = 10;

/** The jobs of the queue's server. Each is given to a worker at least once. */
export class Jobs {
  readonly #world: World;
  readonly #held = new Map<string, HeldJob>();
  #added = 0;
  readonly #workers: Worker[] = [];
  readonly listeners: { process: Process; listener(loss: { emptied: boolean }): void }[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  add(jobs: readonly NewJob[]): void {
    for (const { delayMs, first, ...job } of jobs) {
      const id = jobId(job);
      if (this.#held.has(id)) continue;
      this.#added += 1;
      const turn = first ? -this.#added : this.#added;
      this.#held.set(id, { job, turn, dueMs: this.#world.nowMs + Math.max(0, delayMs) });
      this.#world.after(delayMs, () => this.#give());
    }
  }

  work(worker: Worker): void {
    this.#workers.push(worker);
    this.#give();
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

  /** Loses all jobs. The processes notice it some seconds later. */
  empty(): void {
    this.#held.clear();
    for (const { process, listener } of this.listeners)
      this.#world.after(this.#world.random.whole(0, 5000), () => listener({ emptied: true }), process);
  }

  #give(): void {
    const now = this.#world.nowMs;
    for (const held of this.#due().filter(({ taken }) => !taken || taken.endsMs <= now)) {
      const ready = this.#workers.filter(({ process, free }) => process.isRunning && free > 0);
      if (ready.length === 0) return;
      this.#run(jobId(held.job), held, this.#world.random.pick(ready));
    }
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
      this.#world.random.whole(0, 5),
      () => {
        const end = () => {
          worker.free += 1;
          if (this.#held.get(id) === held && held.taken === taken) this.#held.delete(id);
          this.#give();
        };
        handler(held.job).then(end, (error: Error) => {
          this.#world.note('job failed', error.message);
          end();
        });
      },
      process,
    );
  }
}

export function queueOf(servers: Servers, process: Process): Queue {
  const { jobs } = servers;
  const ask = <R>(effect: () => R) => call(servers, process, 'queue', async () => effect());
  return {
    add: (added) => ask(() => jobs.add(added)),
    held: () => ask(() => jobs.dueJobs()),
    depth: () => ask(() => jobs.depth()),
    work: (handler, { concurrency }) => jobs.work({ process, handler, free: concurrency }),
    onBack: (listener) => void jobs.listeners.push({ process, listener }),
    close: async (last) => last?.(),
  };
}

export function gateOf(servers: Servers, process: Process): Gate {
  const { gate } = servers;
  const ask = <R>(effect: () => Promise<R>) => call(servers, process, 'gate', effect);
  return {
    enter: (entries) => ask(() => gate.enter(entries)),
    leave: (leases) => ask(() => gate.leave(leases)),
    reserve: (entries) => ask(() => gate.reserve(entries)),
    release: (places) => ask(() => gate.release(places)),
    delay: (entries) => ask(() => gate.delay(entries)),
    inFlight: (ids) => ask(() => gate.inFlight(ids)),
  };
}
