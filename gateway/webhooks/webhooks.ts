import type { Clock } from '../base/clock.ts';
import type { Keyring } from '../base/keyring.ts';
import { errorsSeldom, type Logger } from '../base/log.ts';
import type { Tallier } from '../figures/tallier.ts';
import { MemoryGate } from '../queue/gate/memory.ts';
import type { Gate } from '../queue/gate/port.ts';
import type { Queue } from '../queue/port.ts';
import type { Store } from '../store/port.ts';
import { Deliverer } from './delivery/deliver.ts';
import { Lanes } from './delivery/lanes.ts';
import { defaultRetrySeconds } from './delivery/retry.ts';
import { jobsOf } from './model/jobs.ts';
import { type DeliveryListener, nobodyListens } from './model/listener.ts';
import { Recoverer } from './operator/recover.ts';
import { Fanout, sendOff } from './outbox/fanout.ts';
import { Fresh } from './outbox/fresh.ts';
import type { AfterChange } from './outbox/outbox.ts';
import type { GuardOptions } from './sending/connect.ts';
import { lazySender } from './sending/lazy-sender.ts';
import { Reconciler } from './upkeep/reconcile.ts';

export interface WebhookSettings {
  /** Header of the signature that the documents describe. */
  signatureHeader: string;
  /** Delay before each attempt in seconds, the first included. */
  scheduleSeconds: readonly number[];
  /** One deadline over all of an attempt, in milliseconds. */
  deadlineMs: number;
  /** Attempts in flight at once. */
  concurrency: number;
  /** Attempts in flight at once at an endpoint that says nothing else. */
  maxInFlight: number;
  /** An endpoint that gave nothing but failures for this long is disabled. */
  disableAfterMs: number;
  /** Deliver to http and https on loopback, for development. */
  allowLoopback: boolean;
  /** How much of a response body is kept. */
  keptBodyBytes: number;
  reconcileEveryMs: number;
  /** How long an attempt may be overdue before its job counts as lost; longer than the deadline. */
  graceMs: number;
}

export const defaultWebhookSettings: WebhookSettings = {
  signatureHeader: 'X-SERVICE-Signature',
  scheduleSeconds: defaultRetrySeconds,
  deadlineMs: 15_000,
  concurrency: 100,
  maxInFlight: 20,
  disableAfterMs: 5 * 24 * 3_600_000,
  allowLoopback: false,
  keptBodyBytes: 16 * 1024,
  reconcileEveryMs: 30_000,
  graceMs: 60_000,
};

export interface WebhookParts {
  store: Store;
  queue: Queue;
  /** One of this process alone where it is left out. */
  gate?: Gate | undefined;
  clock: Clock;
  keys: Keyring;
  log: Logger;
  /** Whether this process makes attempts; others may for it. True unless told. */
  work?: boolean;
  settings?: Partial<WebhookSettings>;
  listener?: DeliveryListener | undefined;
  /** Where attempts are counted for the figures; nowhere where it is left out. */
  tallier?: Tallier | undefined;
  /** True if `start` does not load the HTTP client: the first attempt does. */
  lateClient?: boolean;
  /** True if `close` aborts the attempts in flight. By default it waits for them. */
  abortOnClose?: boolean;
  /** The time that signatures state; the clock's unless told. */
  signedAt?: (() => number) | undefined;
  /** For tests: where jitter comes from, and how names are looked up. */
  random?: (() => number) | undefined;
  lookup?: GuardOptions['lookup'];
}

export interface Webhooks {
  /** Begins to take jobs and to look for lost ones. To be called once. */
  start(): void;
  /** To be called after each change that emitted events or owes deliveries an attempt that is due now. */
  wake(owed: AfterChange): void;
  /** Resolves when nothing is due on the clock or under way in this process. */
  settled(): Promise<void>;
  /** How many attempts are under way at each of these endpoints, in all processes; null where that is not known. */
  inFlight(endpointIds: readonly string[]): Promise<(number | null)[]>;
  /** Drops what waits and what is remembered of endpoints: the store's rows are put back to what they were once. */
  reset(): void;
  /** Takes no more, and waits for attempts in flight. Closes the queue too; the store is its opener's. */
  close(): Promise<void>;
}

/** Delay before the first attempt, in milliseconds. */
export const firstDelayMsOf = (scheduleSeconds: readonly number[]): number => (scheduleSeconds[0] ?? 0) * 1000;

/** Opens webhooks and starts them. */
export function startWebhooks(parts: WebhookParts): Webhooks {
  const webhooks = openWebhooks(parts);
  webhooks.start();
  return webhooks;
}

/** Opens what takes events from the outbox to their receivers: fan-out, queue, attempts, reconciler. */
export function openWebhooks(parts: WebhookParts): Webhooks {
  const { store, queue, clock, keys, log, listener = nobodyListens, random = Math.random, lookup } = parts;
  const settings = { ...defaultWebhookSettings, ...parts.settings };
  const { deadlineMs, keptBodyBytes, scheduleSeconds, signatureHeader, concurrency, maxInFlight, disableAfterMs } = settings;
  const gate = parts.gate ?? new MemoryGate(clock, 2 * deadlineMs);
  const sender = lazySender({
    deadlineMs,
    keptBodyBytes,
    allow: { loopback: settings.allowLoopback },
    ...(lookup ? { lookup } : {}),
  });
  const lanes = new Lanes({ store, queue, gate, clock, log, listener, maxInFlight });
  const fresh = new Fresh();
  const parkedFor = (endpointIds: string[]) => lanes.watch(endpointIds);
  const sending = { queue, listener, firstDelayMs: firstDelayMsOf(scheduleSeconds), fresh, parkedFor };
  const fanout = new Fanout({ store, clock, log, ...sending });
  const deliverer = new Deliverer({
    ...{ store, queue, gate, fresh, lanes, clock, keys, log, sender, listener, random },
    ...{ signatureHeader, scheduleSeconds, maxInFlight, disableAfterMs, deadlineMs },
    noticed: () => fanout.wake(),
    signedAt: parts.signedAt,
    tallier: parts.tallier,
  });
  const queueFailed = errorsSeldom(log);
  const failed = (error: unknown) => queueFailed(error, 'queue.failed');
  const wake = ({ attempts, made }: AfterChange) => {
    if (made === null) fanout.wake();
    // The change is committed: what the queue does not take now, the reconciler finds.
    if (made !== null && made.length > 0) sendOff(sending, made).catch(failed);
    if (attempts.length > 0) queue.add(jobsOf(attempts)).catch(failed);
  };
  const reconciler = new Reconciler({
    store,
    queue,
    clock,
    log,
    wakeFanout: () => fanout.wake(),
    everyMs: settings.reconcileEveryMs,
    graceMs: settings.graceMs,
    sweeps: [() => lanes.sweep()],
  });
  // What was in flight when the queue was lost ends within a deadline; whatever begins after that is in the queue again.
  queue.onBack?.((awayMs) => reconciler.roundAfter(Math.max(0, deadlineMs - awayMs)));
  const recoverer = new Recoverer({ store, queue, clock, log });

  const start = () => {
    if (parts.work !== false && !parts.lateClient) sender.load();
    if (parts.work !== false) queue.work((job) => deliverer.deliver(job), { concurrency });
    reconciler.start();
    recoverer.start();
  };
  const end = async () => {
    await recoverer.close();
    await reconciler.close();
    await fanout.close();
    await lanes.close();
    deliverer.stop();
    if (parts.abortOnClose) await sender.breakOff();
    await queue.close(() => deliverer.settled());
    await sender.close();
  };
  let ended: Promise<void> | undefined;
  const settled = async () => {
    for (;;) {
      // What was just added is taken in a turn of its own.
      await new Promise((resolve) => setImmediate(resolve));
      await fanout.settled();
      await deliverer.settled();
      const { waiting, active } = await queue.depth();
      if (waiting + active === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  return {
    start,
    wake,
    settled,
    inFlight: (endpointIds) => gate.inFlight(endpointIds),
    reset() {
      queue.forget?.();
      deliverer.forget();
    },
    close() {
      ended ??= end();
      return ended;
    },
  };
}
