import { type Clock, isMachineWrong, toleratedSkewMs } from '../base/clock.ts';
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
  clock: Clock;
  /** Why webhooks are held: the proxy fails. */
  proxyFailure?: string | null;
  /** True if the process only makes deliveries. */
  isWorker?: boolean;
}

/** Checks the store and the queue, with a deadline of 2 s each, and the machine's clock. */
export async function readinessOf({
  store,
  queue,
  queueNeeded,
  clock,
  proxyFailure,
  isWorker = false,
}: ReadinessOptions): Promise<Readiness> {
  const [storeDown, queueDown] = await Promise.all([
    failureOf('store', () => store.ping()),
    failureOf('queue', () => queue.ping?.() ?? queue.depth()),
  ]);
  const clockWrong: Record<string, string> = isMachineWrong(clock) ? { clock: skewText(clock.skewMs?.() ?? 0) } : {};
  return {
    notReady: { ...storeDown, ...(queueNeeded ? queueDown : {}), ...(isWorker ? clockWrong : {}) },
    degraded: {
      ...(queueNeeded ? {} : queueDown),
      ...(isWorker ? {} : clockWrong),
      ...(proxyFailure ? { proxy: proxyFailure } : {}),
    },
  };
}

function skewText(skewMs: number): string {
  const difference = `${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's`;
  return `The machine's clock is ${difference}: no deliveries are made here until it differs by ${toleratedSkewMs / 1000} s at most.`;
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
