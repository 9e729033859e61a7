import { type BackendFactory, type Job as BullJob, Queue as BullQueue, type IQueueBackend, WaitingError, Worker } from 'bullmq';
import { type Clock, isMachineWrong, systemClock } from '../base/clock.ts';
import { SettingsError } from '../base/errors.ts';
import { errorsSeldom, type Logger } from '../base/log.ts';
import { Slots, type Turn } from '../base/slots.ts';
import { type Group, groupsOf, maxGroup } from './groups.ts';
import { type Depth, type Handler, type Held, type Job, jobId, type NewJob, outOfOrderMs, type Queue } from './port.ts';

export interface BullMqOptions<B extends IQueueBackend, C> {
  /** The queue's name in the backend. */
  name: string;
  connection: C;
  /** The connection for taking jobs. Default: `connection`. */
  workerConnection?: C;
  /** Prefix of the backend's keys (Redis). */
  prefix?: string;
  /** Interval of the search for jobs whose worker was killed, in milliseconds. Default: BullMQ's. */
  stalledEveryMs?: number;
  /** BullMQ's backend, such as `createPostgresBackend`. */
  backend: BackendFactory<B, C>;
  /** How long a worker's lock on a job lasts, in milliseconds. It is renewed while the job runs. */
  lockMs: number;
  /** Maximum duration of an attempt, in milliseconds. */
  attemptDeadlineMs: number;
  /** Default: the machine's. */
  clock?: Clock;
  log: Logger;
}

/** How often to look whether the machine's clock is wrong, or right again. */
const lookEveryMs = 1000;
/** Attempts that this process may take from the queue, as a multiple of those it makes at once. Others leave it for other processes. */
const takenFactor = 3;
/** Jobs of each state that `held` reads. */
const maxHeld = 1000;

/** The attempts that a job of BullMQ carries. */
type Carried = Job[];

/** BullMQ's priority for jobs of low priority that go before the others of low priority. */
const firstOfLow = 1;
const goesFirst = ({ opts }: Pick<BullJob, 'opts'>): boolean => opts.lifo === true || opts.priority === firstOfLow;
const turnOf = ({ low, late }: Job, carrier: Pick<BullJob, 'opts'>): Turn =>
  goesFirst(carrier) ? 'first' : low || late ? 'late' : 'next';

/**
 * The queue on any backend of BullMQ. One job of BullMQ carries a group of attempts, because most of a job's cost is BullMQ's.
 * Attempts that are added while the backend is busy form the next groups. So a quiet queue has jobs of one attempt, without a
 * wait. A worker runs the attempts of a job side by side. BullMQ runs each job once; retries are jobs of their own.
 */
export class BullMqQueue<B extends IQueueBackend, C> implements Queue {
  readonly #options: BullMqOptions<B, C>;
  readonly #clock: Clock;
  readonly #queue: BullQueue<Carried, void, string, Carried, void, string, B, C>;
  #worker: Worker<Carried, void, string, B, never, C> | undefined;
  readonly #failed: (error: unknown, message: string) => void;
  readonly #adding: { jobs: readonly NewJob[]; resolve(): void; reject(error: unknown): void }[] = [];
  #isAdding = false;
  /** The attempts that this process has taken, each under its id. */
  readonly #taken = new Set<string>();
  /** Attempts that had not begun when the queue closed. */
  readonly #returned: Job[] = [];
  #looking: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(options: BullMqOptions<B, C>) {
    const { name, lockMs, attemptDeadlineMs } = options;
    if (lockMs <= attemptDeadlineMs) {
      throw new SettingsError(
        `The job lock (${lockMs} ms) must be longer than an attempt's deadline (${attemptDeadlineMs} ms). Otherwise a second worker repeats attempts that are still running.`,
      );
    }
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#failed = errorsSeldom(options.log);
    const { prefix } = options;
    this.#queue = new BullQueue(
      name,
      { connection: options.connection, prefix, defaultJobOptions: { removeOnComplete: true, removeOnFail: true } },
      options.backend,
    );
    this.#queue.on('error', (error: Error) => this.#onError(error));
  }

  add(jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#adding.push({ jobs, resolve, reject });
      if (this.#isAdding) return;
      this.#isAdding = true;
      setImmediate(() => void this.#addAll());
    });
  }

  async #addAll(): Promise<void> {
    while (this.#adding.length > 0) {
      const calls = this.#adding.splice(0);
      try {
        await this.addGroups(groupsOf(calls.flatMap(({ jobs }) => jobs)));
        for (const { resolve } of calls) resolve();
      } catch (error) {
        for (const { reject } of calls) reject(error);
      }
    }
    this.#isAdding = false;
  }

  protected async addGroups(groups: Group[]): Promise<void> {
    // BullMQ adds the delay to this time. Its workers compare the sum with the clocks of their machines.
    const timestamp = isMachineWrong(this.#clock) ? this.#clock.now() : Date.now();
    await this.#queue.addBulk(
      groups.map(({ id, jobs, delayMs, low, first }) => ({
        name: 'attempts',
        data: jobs,
        // BullMQ runs jobs without a priority first.
        opts: { jobId: id, timestamp, delay: delayMs, ...(low ? { priority: first ? firstOfLow : 2 } : { lifo: first }) },
      })),
    );
  }

  work(handler: Handler, { concurrency }: { concurrency: number }): void {
    const { name, connection, workerConnection = connection, prefix, backend, lockMs, stalledEveryMs } = this.#options;
    const slots = new Slots(concurrency);
    let running = 0;
    const run = async (job: BullJob<Carried, void, string, never>, token?: string) => {
      if (isMachineWrong(this.#clock)) {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      running++;
      await Promise.all(job.data.map((one) => this.#take(one, handler, slots, turnOf(one, job)).finally(limitJobs)));
      running--;
      limitJobs();
    };
    // A job may carry one attempt or many, so the number of jobs to take follows from the attempts that are taken.
    const limitJobs = () => {
      const room = Math.ceil((takenFactor * concurrency - this.#taken.size) / maxGroup);
      worker.concurrency = Math.max(1, Math.min(concurrency, running + Math.max(0, room)));
    };
    // A job may lose any number of workers. By default BullMQ drops it with the second one. PostgreSQL's integer bounds this.
    const maxStalledCount = 2 ** 31 - 1;
    const stalled = { maxStalledCount, ...(stalledEveryMs === undefined ? {} : { stalledInterval: stalledEveryMs }) };
    const options = { connection: workerConnection, prefix, concurrency, lockDuration: lockMs, ...stalled };
    const worker: Worker<Carried, void, string, B, never, C> = new Worker(name, run, options, backend);
    limitJobs();
    worker.on('error', (error: Error) => this.#onError(error));
    this.#worker = worker;
    const look = () => void (isMachineWrong(this.#clock) ? worker.pause() : worker.resume());
    look();
    this.#looking = setInterval(look, lookEveryMs).unref();
  }

  /** Runs one attempt of a job when a slot is free. Drops an attempt that this process has already taken from another job. */
  async #take(job: Job, handler: Handler, slots: Slots, turn: Turn): Promise<void> {
    const id = jobId(job);
    if (this.#taken.has(id)) return;
    this.#taken.add(id);
    await slots.take(turn);
    try {
      if (this.#closing) this.#returned.push(job);
      else await handler(job, () => slots.isAwaited);
    } catch (error) {
      this.#options.log.error({ err: error, ...job }, 'job.failed');
    } finally {
      slots.release();
      this.#taken.delete(id);
    }
  }

  /**
   * Drops the jobs that a killed process had taken, instead of waiting until their locks expire. Use it only if no other
   * process can be working on the queue. The reconciler queues their deliveries again.
   */
  async forgetActive(): Promise<void> {
    // In every backend of BullMQ, the token '0' skips the check of who holds the lock.
    for (const job of await this.#queue.getActive()) await job.moveToCompleted(undefined, '0', false);
  }

  async depth(): Promise<Depth> {
    // A closed queue never answers, and the last metrics are read after it is closed.
    if (this.#closing) throw new Error('The queue is closed.');
    const counts = await this.#queue.getJobCounts('waiting', 'prioritized', 'delayed', 'active');
    return {
      waiting: (counts.waiting ?? 0) + (counts.prioritized ?? 0),
      delayed: counts.delayed ?? 0,
      active: counts.active ?? 0,
    };
  }

  async held(): Promise<Held> {
    const ids = new Set<string>();
    // All jobs of this priority that are due up to this time were read.
    const readUntil = { waiting: Number.POSITIVE_INFINITY, prioritized: Number.POSITIVE_INFINITY };
    let isReadable = true;
    for (const state of ['waiting', 'prioritized', 'active', 'delayed'] as const) {
      const jobs = await this.#queue.getJobs([state], 0, maxHeld - 1, true);
      // BullMQ returns undefined for a job that was removed meanwhile.
      const carried = jobs.flatMap((job) => job?.data ?? []);
      for (const one of carried) ids.add(jobId(one));
      // The rest of the delayed jobs is due later than all of these.
      if (jobs.length < maxHeld || state === 'delayed') continue;
      if (state === 'active') isReadable = false;
      // Jobs that go first are left out, because they may be due later than jobs behind them.
      else
        readUntil[state] = Math.max(...jobs.flatMap((job) => (job && !goesFirst(job) ? job.data : [])).map(({ dueAt }) => dueAt));
    }
    const untilOf = ({ low }: Job) => readUntil[low ? 'prioritized' : 'waiting'];
    return { ids, mayHave: (job) => !isReadable || ids.has(jobId(job)) || job.dueAt > untilOf(job) - outOfOrderMs };
  }

  async close(last?: () => Promise<void>): Promise<void> {
    this.#closing = true;
    clearInterval(this.#looking);
    await this.#worker?.close();
    await this.add(this.#returned.map((job) => ({ ...job, delayMs: 0 }))).catch((error) => this.#onError(error));
    await last?.();
    await this.#queue.close();
  }

  #onError(error: Error): void {
    this.#failed(error, 'queue.failed');
  }
}
