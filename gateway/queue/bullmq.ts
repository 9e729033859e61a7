import { type BackendFactory, Queue as BullQueue, type IQueueBackend, Worker } from 'bullmq';
import { SettingsError } from '../base/errors.ts';
import { errorsSeldom, type Logger } from '../base/log.ts';
import { type Depth, type Handler, type Job, jobId, type Queue } from './port.ts';

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
  log: Logger;
}

/** The queue on any backend of BullMQ. BullMQ runs each job once; retries are jobs of their own. */
export class BullMqQueue<B extends IQueueBackend, C> implements Queue {
  readonly #options: BullMqOptions<B, C>;
  readonly #queue: BullQueue<Job, void, string, Job, void, string, B, C>;
  #worker: Worker<Job, void, string, B, never, C> | undefined;
  readonly #failed: (error: unknown, message: string) => void;

  constructor(options: BullMqOptions<B, C>) {
    const { name, lockMs, attemptDeadlineMs } = options;
    if (lockMs <= attemptDeadlineMs) {
      throw new SettingsError(
        `The job lock (${lockMs} ms) must be longer than an attempt's deadline (${attemptDeadlineMs} ms). Otherwise a second worker repeats attempts that are still running.`,
      );
    }
    this.#options = options;
    this.#failed = errorsSeldom(options.log);
    const { prefix } = options;
    this.#queue = new BullQueue(
      name,
      { connection: options.connection, prefix, defaultJobOptions: { removeOnComplete: true, removeOnFail: true } } as never,
      options.backend,
    );
    this.#queue.on('error', (error: Error) => this.#onError(error));
  }

  async add(jobs: readonly (Job & { delayMs: number })[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.#queue.addBulk(
      jobs.map(({ delayMs, ...job }) => ({
        name: 'attempt',
        data: job,
        // BullMQ runs jobs without a priority first.
        opts: { jobId: jobId(job), delay: Math.max(0, delayMs), ...(job.low ? { priority: 1 } : {}) },
      })),
    );
  }

  work(handler: Handler, { concurrency }: { concurrency: number }): void {
    const { name, connection, workerConnection = connection, prefix, backend, lockMs, stalledEveryMs, log } = this.#options;
    const run = async ({ data }: { data: Job }) => {
      try {
        await handler(data);
      } catch (error) {
        log.error({ err: error, ...data }, 'job.failed');
      }
    };
    // A job may lose any number of workers. By default BullMQ drops it with the second one.
    const maxStalledCount = Number.MAX_SAFE_INTEGER;
    const stalled = { maxStalledCount, ...(stalledEveryMs === undefined ? {} : { stalledInterval: stalledEveryMs }) };
    const options = { connection: workerConnection, prefix, concurrency, lockDuration: lockMs, ...stalled };
    this.#worker = new Worker(name, run, options as never, backend);
    this.#worker.on('error', (error: Error) => this.#onError(error));
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
    const counts = await this.#queue.getJobCounts('waiting', 'prioritized', 'delayed', 'active');
    return {
      waiting: (counts.waiting ?? 0) + (counts.prioritized ?? 0),
      delayed: counts.delayed ?? 0,
      active: counts.active ?? 0,
    };
  }

  async close(last?: () => Promise<void>): Promise<void> {
    await this.#worker?.close();
    await last?.();
    await this.#queue.close();
  }

  #onError(error: Error): void {
    this.#failed(error, 'queue.failed');
  }
}
