import { textOf } from '../base/log.ts';
import type { Readiness } from '../http/probes.ts';
import type { Queue } from '../queue/port.ts';
import type { Store } from '../store/port.ts';

const deadlineMs = 2000;

export interface ReadinessOptions {
  store: Store;
  queue: Queue;
  /**
   * False if the process can work without its queue. A process that serves calls can, because events wait in the store;
   * taking every such process out of the load balancer would turn a delay into an outage.
   */
  queueNeeded: boolean;
}

/** Checks the store and the queue, with a deadline of 2 s each. */
export async function readinessOf({ store, queue, queueNeeded }: ReadinessOptions): Promise<Readiness> {
  const [storeDown, queueDown] = await Promise.all([
    failureOf('store', () => store.ping()),
    failureOf('queue', () => queue.depth()),
  ]);
  return { notReady: { ...storeDown, ...(queueNeeded ? queueDown : {}) }, degraded: queueNeeded ? {} : queueDown };
}

async function failureOf(name: string, check: () => Promise<unknown>): Promise<Record<string, string>> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs);
  try {
    await Promise.race([check(), late]);
    return {};
  } catch (error) {
    return { [name]: textOf(error) };
  } finally {
    clearTimeout(timer);
  }
}
