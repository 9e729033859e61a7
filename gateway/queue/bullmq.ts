import { type BackendFactory, Queue as BullQueue, type IQueueBackend, Worker } from 'bullmq';
import { SettingsError } from '../base/errors.ts';
import { errorsSeldom, type Logger } from '../base/log.ts';
import { type Depth, type Handler, type Job, jobId, type Queue } from './port.ts';

export interface BullMqOptions<B extends IQueueBackend, C> {
  /** The queue's name in the backend. */
  name: string;
  connection: C;
  /** The connection for taking jobs, where it is another than that for adding them. */
  workerConnection?: C;
  /** What the backend's keys begin with (Redis). */
  prefix?: string;
  /** How often to look for jobs whose worker was killed, in milliseconds; BullMQ's own default unless told. */
  stalledEveryMs?: number;
  /** Which backend of BullMQ, such as `createPostgresBackend`. */
  backend: BackendFactory<B, C>;
  /** How long a job is one worker's alone, in milliseconds; renewed while it runs. */
  lockMs: number;
  /** The longest that an attempt can take, in milliseconds. */
  attemptDeadlineMs: number;
  log: Logger;
}

/** The queue on BullMQ, any backend. Retries are ours: BullMQ runs each job once and forgets it. */
export class BullMqQueue<B extends IQueueBackend, C> implements Queue {
  readonly #options: BullMqOptions<B, C>;
  readonly #queue: BullQueue<Job, void, string, Job, void, string, B, C>;
  #worker: Worker<Job, void, string, B, never, C> | undefined;
  readonly #failed: (error: unknown, message: string) => void;

  constructor(options: BullMqOptions<B, C>) {
    const { name, lockMs, attemptDeadlineMs } = options;
    if (lockMs <= attemptDeadlineMs) {
      throw new SettingsError(
        `A job's lock of ${lockMs} ms must outlast an attempt's deadline of ${attemptDeadlineMs} ms, or a second worker would repeat attempts that still run.`,
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
    this.#queue.on('error', (error: Error) => this.#troubled(error));
  }

  async add(jobs: readonly (Job & { delayMs: number })[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.#queue.addBulk(
      jobs.map(({ delayMs, ...job }) => ({
        name: 'attempt',
        data: job,
        // Jobs without a priority go first.
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
    const stalled = stalledEveryMs === undefined ? {} : { stalledInterval: stalledEveryMs };
    const options = { connection: workerConnection, prefix, concurrency, lockDuration: lockMs, ...stalled };
    this.#worker = new Worker(name, run, options as never, backend);
    this.#worker.on('error', (error: Error) => this.#troubled(error));
  }

  /**
   * Lets go of jobs that a killed process held, instead of waiting until their locks run out. Only where nobody else can
   * be working on the queue. The reconciler queues their deliveries again.
   */
  async forgetActive(): Promise<void> {
    // The token '0' stands for "whoever holds the lock" in every backend of BullMQ.
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

  #troubled(error: Error): void {
    this.#failed(error, 'queue.failed');
  }
}
