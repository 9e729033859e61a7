import type { Clock } from '../../base/clock.ts';
import type { Queue } from '../../queue/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { nextJob } from '../model/jobs.ts';
import { batched, type Stage } from './stage.ts';

/** The stage that queues a delivery's next attempt, if it has one. One in a lane has no job. */
export function scheduleStage({ queue, clock }: { queue: Queue; clock: Clock }): Stage<Row<'deliveries'>> {
  const add = batched<Row<'deliveries'>>('schedule', async (deliveries) => {
    const now = clock.now();
    await queue.add(deliveries.map((one) => ({ ...nextJob(one), delayMs: (one.next_attempt_at ?? now) - now })));
    return undefined;
  });
  return async (delivery) => (delivery.next_attempt_at === null || delivery.parked ? undefined : add(delivery));
}
