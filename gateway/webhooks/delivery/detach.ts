import type { Clock, Timers } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Job, Queue } from '../../queue/port.ts';
import type { Store } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { lostAfterMs } from '../model/lost-after.ts';
import { postponeStage } from './postpone.ts';
import type { SlowShares } from './shares.ts';

export interface DetachParts {
  store: Store;
  queue: Queue;
  clock: Clock;
  timers: Timers;
  log: Logger;
  slow: SlowShares;
  /** The longest that an attempt can last, in milliseconds. */
  deadlineMs: number;
}

type Delivery = Row<'deliveries'>;

/**
 * An attempt that takes longer than this leaves its job. It also bounds detached attempts: each has occupied a worker for
 * this long, so there are at most `concurrency * deadlineMs / detachAfterMs`.
 */
const detachAfterMs = 250;
/** A timer that fires later than this is late. */
const lateMs = 25;
/** How often the timer of an attempt is set. */
const maxTries = 4;

/**
 * Attempts that outlive their jobs, so that receivers that do not answer keep no worker busy. Before an attempt is
 * detached, its delivery is reserved: no other attempt of it begins while this one can last.
 */
export class DetachedAttempts {
  readonly #log: Logger;
  readonly #timers: Timers;
  readonly #reserve: (delivery: Delivery) => Promise<Delivery | undefined>;
  readonly #slow: SlowShares;
  readonly #running = new Set<Promise<void>>();
  /** How many attempts have left their jobs so far. */
  count = 0;
  #stopped = false;

  constructor(parts: DetachParts) {
    this.#log = parts.log;
    this.#timers = parts.timers;
    this.#slow = parts.slow;
    const postpone = postponeStage(parts);
    this.#reserve = (delivery) => postpone({ delivery, ms: lostAfterMs(parts.deadlineMs) });
  }

  /** Runs an attempt. Resolves when it has ended, or when it calls `releaseJob`; from then on its errors are logged here. */
  run(job: Job, attempt: (releaseJob: () => void) => Promise<void>): Promise<void> {
    const { promise: released, resolve } = Promise.withResolvers<void>();
    const ended = attempt(() => {
      const logged = ended.catch((error: unknown) => this.#log.error({ err: error, ...job }, 'job.failed'));
      const detached: Promise<void> = logged.finally(() => this.#running.delete(detached));
      this.#running.add(detached);
      this.count += 1;
      resolve();
    });
    return Promise.race([ended, released]);
  }

  /** If the request takes long, reserves its delivery and releases the job. Returns the delivery as it is stored then. */
  async releaseIfSlow(request: Promise<unknown>, delivery: Delivery, releaseJob: () => void): Promise<Delivery> {
    if (!(await this.#isSlow(request))) return delivery;
    void this.#slow.count(delivery.endpoint_id, request);
    const reserved = await this.#reserve(delivery).catch(() => undefined);
    if (!reserved) return delivery;
    releaseJob();
    return reserved;
  }

  /** Resolves when every detached attempt has ended, also those that are detached meanwhile. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Detaches no more attempts. */
  stop(): void {
    this.#stopped = true;
  }

  /** A timer that is late says that this process is slow, and not the receiver. So it is set again, but not for ever. */
  async #isSlow(request: Promise<unknown>): Promise<boolean> {
    const { promise: timedOut, resolve } = Promise.withResolvers<boolean>();
    let cancel = () => {};
    const wait = (tries: number) => {
      const dueMs = this.#timers.elapsed() + detachAfterMs;
      cancel = this.#timers.after(detachAfterMs, () => {
        if (tries > 1 && this.#timers.elapsed() > dueMs + lateMs) wait(tries - 1);
        else resolve(!this.#stopped);
      });
    };
    wait(maxTries);
    const ended = request.then(() => false).finally(() => cancel());
    return Promise.race([ended, timedOut]);
  }
}
