import type { Clock } from '../../base/clock.ts';
import type { Queue } from '../../queue/port.ts';
import type { Store } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { jobsOf, seenOf } from '../model/jobs.ts';
import { batched, type Stage } from './stage.ts';

export interface Postponed {
  delivery: Row<'deliveries'>;
  /** Milliseconds until another attempt may begin. */
  ms: number;
}

export interface PostponeParts {
  store: Store;
  queue: Queue;
  clock: Clock;
}

/**
 * The stage that moves the next attempt of a delivery to a later time, and queues a job for then. The job usually finds that its
 * attempt was made or moved by another process. Only if that process died, the job makes it. Returns the delivery as it is stored
 * then, or undefined if it was changed elsewhere.
 */
export const postponeStage = ({ store, queue, clock }: PostponeParts): Stage<Postponed, Row<'deliveries'> | undefined> =>
  batched('postpone', async (postponed) => {
    const now = clock.now();
    const moves = [...new Map(postponed.map((one) => [one.delivery.id, one])).values()].map(({ delivery, ms }) => {
      // The queue skips a job that it has already, so the job's time must be new.
      const next = { next_attempt_at: Math.max(now + ms, (delivery.next_attempt_at ?? 0) + 1), parked: false };
      return { id: delivery.id, seen: seenOf(delivery), next, after: { ...delivery, ...next }, ms };
    });
    const ids = new Set(await store.advance('deliveries', moves));
    const moved = new Map(moves.filter(({ id }) => ids.has(id)).map((move) => [move.id, move]));
    // If the queue fails, the reconciler queues them.
    await queue.add([...moved.values()].flatMap(({ after, ms }) => jobsOf([after], ms))).catch(() => {});
    return postponed.map(({ delivery }) => moved.get(delivery.id)?.after);
  });
