import { textOf } from '../base/log.ts';
import type { Queue } from '../queue/port.ts';
import type { Store } from '../store/port.ts';

/** What this process cannot reach, by name, and why. */
export interface Readiness {
  /** It cannot do its work. */
  notReady: Record<string, string>;
  /** It does its work, though something is put off or left out. */
  degraded: Record<string, string>;
}

const answerWithinMs = 2000;

/**
 * What a load balancer should know. Without the store nothing can be done. Without the queue a process that serves calls
 * goes on, since events wait in the store: taking every gateway out because Redis is away would turn a delay into an
 * outage. A worker has nothing to do then, and with closed limits most calls would be refused, so there `queueNeeded`.
 */
export async function readinessOf({
  store,
  queue,
  queueNeeded,
}: {
  store: Store;
  queue: Queue;
  queueNeeded: boolean;
}): Promise<Readiness> {
  const [storeAway, queueAway] = await Promise.all([
    whyNot('store', () => store.ping()),
    whyNot('queue', async () => void (await queue.depth())),
  ]);
  return { notReady: { ...storeAway, ...(queueNeeded ? queueAway : {}) }, degraded: queueNeeded ? {} : queueAway };
}

async function whyNot(name: string, check: () => Promise<void>): Promise<Record<string, string>> {
  const { promise: late, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${answerWithinMs} ms`)), answerWithinMs);
  try {
    await Promise.race([check(), late]);
    return {};
  } catch (error) {
    return { [name]: textOf(error) };
  } finally {
    clearTimeout(timer);
  }
}
