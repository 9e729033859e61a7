/** One attempt that is owed. It carries ids only: the delivery's row is the truth. */
export interface Job {
  deliveryId: string;
  /** Which attempt of the delivery this is, from 1. */
  attempt: number;
  /** The delivery's `next_attempt_at`: a job for another moment than the row's is out of date and does nothing. */
  dueAt: number;
  /** Runs when nothing else waits: what is made up for later comes after live traffic. */
  low?: boolean;
}

/** Runs one job. What it throws is logged; the reconciler queues the delivery again when it is overdue. */
export type Handler = (job: Job) => Promise<void>;

export interface Depth {
  waiting: number;
  delayed: number;
  active: number;
}

/**
 * Which attempts are to be made, and when: at least once each, in no promised order. Adapters: `memory.ts` (stub tier)
 * and `bullmq.ts` (embedded and scale tier); both pass `test/queue/conformance.ts`.
 */
export interface Queue {
  /** Queues each job for `delayMs` from now. One that is queued or running already stays as it is. */
  add(jobs: readonly (Job & { delayMs: number })[]): Promise<void>;
  /** Starts taking jobs, at most `concurrency` at once. To be called once. */
  work(handler: Handler, options: { concurrency: number }): void;
  depth(): Promise<Depth>;
  /** Drops the jobs that do not run yet, as a stub's queue can. */
  forget?(): void;
  /** Calls when the queue can be reached again, with how long it could not be: it may have come back empty. */
  onBack?(listener: (awayMs: number) => void): void;
  /** Takes no more jobs, and waits for those that run, then for `last`, which may still add some. */
  close(last?: () => Promise<void>): Promise<void>;
}

/** The idempotency key of a job: the same attempt queued twice for the same moment is one job. */
export const jobId = ({ deliveryId, attempt, dueAt }: Job): string => `${deliveryId}-${attempt}-${dueAt}`;
