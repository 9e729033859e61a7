/** One due attempt. It carries ids only; the delivery's row is the truth. */
export interface Job {
  deliveryId: string;
  /** The attempt's number, from 1. */
  attempt: number;
  /** The delivery's `next_attempt_at`. A job whose value differs from the row's is stale and does nothing. */
  dueAt: number;
  /** Low priority: runs when no other job waits. Recoveries use it, so that live traffic goes first. */
  low?: boolean;
  /** It waited long in its lane. If others wait too, they get every second place. The memory queue ignores it. */
  late?: boolean;
}

export interface NewJob extends Job {
  delayMs: number;
  /** Runs before the jobs of its priority that wait. The reconciler uses it for jobs that were lost: they are the oldest. */
  first?: boolean;
}

/**
 * Runs one job. An error is logged, and the reconciler queues the delivery again once it is overdue. `isAwaited` returns true if a job
 * that is not late waits for its place.
 */
export type Handler = (job: Job, isAwaited?: () => boolean) => Promise<void>;

/** Counts of jobs as the queue stores them. BullMQ's carry up to 16 attempts each, so these are not counts of deliveries. */
export interface Depth {
  waiting: number;
  delayed: number;
  active: number;
}

/**
 * Runs each job at least once after its delay, in no guaranteed order. Adapters: `memory.ts` (stubs), `embedded.ts` and
 * `redis.ts` (both BullMQ). All pass `test/queue/conformance.ts`.
 */
export interface Queue {
  /**
   * Queues each job to run after `delayMs`. A job that is queued again while it runs in this process is dropped. One that is
   * queued again in another call may run twice: the handler finds it stale.
   */
  add(jobs: readonly NewJob[]): Promise<void>;
  /** Returns what it has. A queue without it skips jobs that it has. */
  held?(): Promise<Held>;
  /** Starts running jobs, at most `concurrency` at once. Call it once. */
  work(handler: Handler, options: { concurrency: number }): void;
  depth(): Promise<Depth>;
  /** Throws if it takes no jobs now, although it may still say how many it has. */
  ping?(): Promise<void>;
  /** Drops the jobs that have not started. Only stubs have it. */
  forget?(): void;
  /**
   * Calls `listener` when the queue is reachable again, and when its data was lost (`emptied`). While it was away, jobs could
   * not be added. Without data it has no jobs at all.
   */
  onBack?(listener: (loss: { emptied: boolean }) => void): void;
  /** Takes no more jobs and waits for the running ones. Then runs `last`, which may still add jobs. */
  close(last?: () => Promise<void>): Promise<void>;
}

/** The jobs that a queue has, as far as they can be read: those that run first. */
export interface Held {
  /** Their `jobId`s. */
  ids: ReadonlySet<string>;
  /**
   * False if the queue has certainly lost the job: it was not among the jobs that were read, although jobs that are due more than
   * `outOfOrderMs` later were.
   */
  mayHave(job: Job): boolean;
}

/**
 * Jobs are queued in the order in which they are due, apart from differences of this length. A job may be queued again by
 * mistake: it does nothing then.
 */
export const outOfOrderMs = 20_000;

/** A job's idempotency key. The same attempt, queued twice for the same time, is one job. */
export const jobId = ({ deliveryId, attempt, dueAt }: Job): string => `${deliveryId}-${attempt}-${dueAt}`;
