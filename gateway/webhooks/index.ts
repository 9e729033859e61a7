import type { Clock } from '../clock.ts';
import type { Keyring } from '../keyring.ts';
import type { Logger } from '../log.ts';
import type { Queue } from '../queue/port.ts';
import type { Store } from '../store/port.ts';
import type { Row } from '../store/tables.ts';
import { deliver } from './deliver.ts';
import { Fanout } from './fanout.ts';
import type { GuardOptions } from './guard.ts';
import { nextJob } from './jobs.ts';
import { type DeliveryListener, nobodyListens } from './listener.ts';
import { Reconciler } from './reconcile.ts';
import { Recoverer } from './recover.ts';
import { defaultRetrySeconds } from './retry.ts';
import { Sender } from './send.ts';

export interface WebhookSettings {
  /** Header of the signature that the documents describe. */
  signatureHeader: string;
  /** Delay before each attempt in seconds, the first included. */
  scheduleSeconds: readonly number[];
  /** One deadline over all of an attempt, in milliseconds. */
  deadlineMs: number;
  /** Attempts in flight at once. */
  concurrency: number;
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
  concurrency: 50,
  allowLoopback: false,
  keptBodyBytes: 16 * 1024,
  reconcileEveryMs: 30_000,
  graceMs: 60_000,
};

export interface WebhookParts {
  store: Store;
  queue: Queue;
  clock: Clock;
  keys: Keyring;
  log: Logger;
  settings?: Partial<WebhookSettings>;
  listener?: DeliveryListener;
  /** For tests: where jitter comes from, and how names are looked up. */
  random?: () => number;
  lookup?: GuardOptions['lookup'];
}

export interface Webhooks {
  /** To be called after each change that emitted events or owes deliveries an attempt that is due now. */
  wake(owed?: readonly Row<'deliveries'>[]): void;
  /** Takes no more, and waits for attempts in flight. Closes the queue too; the store is its opener's. */
  close(): Promise<void>;
}

/** Starts what takes events from the outbox to their receivers: fan-out, queue, attempts, reconciler. */
export function startWebhooks(parts: WebhookParts): Webhooks {
  const { store, queue, clock, keys, log, listener = nobodyListens, random = Math.random, lookup } = parts;
  const settings = { ...defaultWebhookSettings, ...parts.settings };
  const { deadlineMs, keptBodyBytes, scheduleSeconds, signatureHeader, concurrency } = settings;
  const sender = new Sender({
    deadlineMs,
    keptBodyBytes,
    allow: { loopback: settings.allowLoopback },
    ...(lookup ? { lookup } : {}),
  });
  const fanout = new Fanout({ store, queue, clock, log, listener, firstDelayMs: (scheduleSeconds[0] ?? 0) * 1000 });
  const delivering = { store, queue, clock, keys, log, sender, listener, signatureHeader, scheduleSeconds, random };
  const wake = (owed: readonly Row<'deliveries'>[] = []) => {
    fanout.wake();
    if (owed.length === 0) return;
    const jobs = owed.map((delivery) => ({ ...nextJob(delivery), delayMs: 0 }));
    // The change is committed: what the queue does not take now, the reconciler finds.
    queue.add(jobs).catch((error: unknown) => log.error({ err: error }, 'queue.failed'));
  };
  const reconciler = new Reconciler({
    store,
    queue,
    clock,
    log,
    wakeFanout: wake,
    everyMs: settings.reconcileEveryMs,
    graceMs: settings.graceMs,
  });

  const recoverer = new Recoverer({ store, queue, clock, log });

  queue.work((job) => deliver(delivering, job), { concurrency });
  reconciler.start();
  recoverer.start();
  const end = async () => {
    await recoverer.close();
    await reconciler.close();
    await fanout.close();
    await queue.close();
    await sender.close();
  };
  let ended: Promise<void> | undefined;
  return {
    wake,
    close() {
      ended ??= end();
      return ended;
    },
  };
}
