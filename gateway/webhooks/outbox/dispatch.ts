import { afterCall } from '../../base/in-call.ts';
import { errorsSeldom, type Logger } from '../../base/log.ts';
import type { Queue } from '../../queue/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { AttemptHooks } from '../model/attempt-hooks.ts';
import { jobsOf } from '../model/jobs.ts';
import type { KnownLanes } from '../model/lane.ts';
import type { DeliveryListener } from '../model/listener.ts';
import type { ChangeParts } from './change.ts';
import type { NewDelivery, RecentDeliveries } from './recent-deliveries.ts';

export interface DispatchParts {
  queue: Queue;
  listener: DeliveryListener;
  /** Delay before the first attempt, in milliseconds. */
  firstDelayMs: number;
  lanes?: KnownLanes | undefined;
  /** Only in a process that makes attempts: nothing else takes deliveries out of it. */
  recent?: RecentDeliveries | undefined;
  hooks?: AttemptHooks | undefined;
}

/** Returns the function that hands over what a change committed. If the queue fails, the reconciler queues it later. */
export function afterCommit(
  parts: DispatchParts & { log: Logger; wakeFanout(): void; wakeRecoverer(): void },
): ChangeParts['afterCommit'] {
  const logSeldom = errorsSeldom(parts.log);
  const logFailure = (error: unknown) => logSeldom(error, 'queue.failed');
  return ({ created, isComplete, attempts, unblocked, recovers }) =>
    afterCall(() => {
      if (!isComplete) parts.wakeFanout();
      if (created.length > 0) dispatch(parts, created).catch(logFailure);
      if (unblocked.length > 0) parts.lanes?.grown(unblocked);
      if (attempts.length > 0) queueDue(parts, attempts, 0).catch(logFailure);
      if (recovers) parts.wakeRecoverer();
    });
}

/** Hands over committed new deliveries: jobs for those that are due, their lanes for those that are parked. */
export async function dispatch(parts: DispatchParts, created: readonly NewDelivery[]): Promise<void> {
  const { listener, firstDelayMs, lanes, recent } = parts;
  const skipped = created.filter(({ delivery }) => delivery.status === 'skipped');
  const parked = created.filter(({ delivery }) => delivery.parked);
  const due = created.filter(({ delivery }) => delivery.status !== 'skipped' && !delivery.parked);
  if (skipped.length > 0) listener.ended('skipped', skipped.length);
  if (parked.length > 0) lanes?.grown(parked.map(({ delivery }) => delivery));
  for (const one of created) if (one.delivery.status !== 'skipped') recent?.put(one);
  await queueDue(
    parts,
    due.map(({ delivery }) => delivery),
    firstDelayMs,
  );
}

function queueDue({ queue, hooks }: DispatchParts, due: readonly Row<'deliveries'>[], delayMs: number): Promise<void> {
  const jobs = jobsOf(due, delayMs);
  return queue.add(hooks?.jobs?.(jobs, due) ?? jobs);
}
