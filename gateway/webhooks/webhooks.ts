import type { BlockList } from 'node:net';
import { type Clock, pause, systemTimers, type Timers } from '../base/clock.ts';
import { closeFeatures } from '../base/features.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Logger } from '../base/log.ts';
import { type Redaction, standardRedaction } from '../base/redact.ts';
import { noTracing, type Tracing } from '../base/tracing.ts';
import type { Tallier } from '../figures/tallier.ts';
import { MemoryGate } from '../queue/gate/memory.ts';
import type { Gate } from '../queue/gate/port.ts';
import type { Queue } from '../queue/port.ts';
import type { Store } from '../store/port.ts';
import { Deliverer } from './delivery/deliver.ts';
import { Lanes } from './delivery/lanes.ts';
import { ProxyHold } from './delivery/proxy-hold.ts';
import { defaultRetrySeconds } from './delivery/retry.ts';
import { SlowShares } from './delivery/shares.ts';
import type { AttemptHooks } from './model/attempt-hooks.ts';
import { type DeliveryListener, nobodyListens } from './model/listener.ts';
import { lostAfterMs } from './model/lost-after.ts';
import { recovererOf } from './operator/recover.ts';
import { changesOn, type RunChange } from './outbox/change.ts';
import { afterCommit } from './outbox/dispatch.ts';
import { Fanout } from './outbox/fanout.ts';
import { RecentDeliveries } from './outbox/recent-deliveries.ts';
import type { GuardOptions } from './sending/connect.ts';
import { lazySender } from './sending/lazy-sender.ts';
import { Reconciler } from './upkeep/reconcile.ts';

export interface WebhookSettings {
  /** Name of the signature header that the API documents describe. */
  signatureHeader: string;
  /** Delay before each attempt in seconds, including the first. */
  scheduleSeconds: readonly number[];
  /** Time limit of a whole attempt, in milliseconds. */
  deadlineMs: number;
  /** Jobs that this process works on at once. */
  concurrency: number;
  /** Attempts in flight at once at an endpoint without a limit of its own. */
  maxInFlight: number;
  /** An endpoint at which every attempt failed for this long is disabled. */
  disableAfterMs: number;
  /** Deliver to http and https on loopback, for development. */
  allowLoopback: boolean;
  /** Private networks that receivers of the operator's endpoints may be in. By default none. */
  allowNetworks?: BlockList | undefined;
  /** The http proxy that all requests go through, with its credentials. By default none. */
  proxyUrl?: string | undefined;
  keptBodyBytes: number;
  /** Removes secrets from what receivers answer. */
  redaction: Redaction;
  reconcileEveryMs: number;
  /** How long an attempt may be overdue before its job counts as lost. Longer than the deadline. */
  graceMs: number;
}

const defaultWebhookSettings: WebhookSettings = {
  signatureHeader: 'X-SERVICE-Signature',
  scheduleSeconds: defaultRetrySeconds,
  deadlineMs: 15_000,
  concurrency: 100,
  maxInFlight: 20,
  disableAfterMs: 5 * 24 * 3_600_000,
  allowLoopback: false,
  keptBodyBytes: 16 * 1024,
  redaction: standardRedaction,
  reconcileEveryMs: 10_000,
  graceMs: 20_000,
};

export interface WebhookParts {
  store: Store;
  queue: Queue;
  /** By default, a gate for this process alone. */
  gate?: Gate | undefined;
  clock: Clock;
  keys: Keyring;
  log: Logger;
  /** False if only other processes make attempts. */
  work?: boolean;
  settings?: Partial<WebhookSettings>;
  listener?: DeliveryListener | undefined;
  /** Counts attempts for the figures. */
  tallier?: Tallier | undefined;
  /** By default no spans are made. */
  tracing?: Tracing | undefined;
  /** Only a stub has them. */
  attempts?: AttemptHooks | undefined;
  /** For tests: the source of jitter, and DNS. */
  random?: (() => number) | undefined;
  lookup?: GuardOptions['lookup'];
  /** For the simulator. */
  timers?: Timers | undefined;
  sender?: ReturnType<typeof lazySender> | undefined;
}

export interface Webhooks {
  /** Runs a change and delivers its events after the commit. */
  change: RunChange;
  /** Begins to deliver. Changes made before are delivered too. */
  start(): void;
  /** Resolves when this process has nothing due or under way. */
  settled(): Promise<void>;
  /** Returns how many attempts are in flight at each of these endpoints, in all processes; null if unknown. */
  inFlight(endpointIds: readonly string[]): Promise<(number | null)[]>;
  /** Why this process holds all deliveries: its proxy fails. Null while it does not. */
  proxyFailure(): string | null;
  /** Drops waiting jobs and cached state, and records no attempt that runs. Call it when the store's rows are reset. */
  reset(): Promise<void>;
  /** Takes no more jobs, waits for attempts in flight, and closes the queue. The store stays open. */
  close(): Promise<void>;
}

/** Connects what takes an event from a change to its receivers: outbox, fan-out, queue, delivery, lanes, upkeep. */
export function openWebhooks(parts: WebhookParts): Webhooks {
  const { store, queue, clock, keys, log, listener = nobodyListens, random = Math.random, lookup } = parts;
  const { timers = systemTimers } = parts;
  const settings = { ...defaultWebhookSettings, ...parts.settings };
  const { tallier, attempts: hooks, tracing = noTracing } = parts;
  const { deadlineMs, keptBodyBytes, redaction, scheduleSeconds, maxInFlight, graceMs } = settings;
  const base = { store, queue, clock, timers, log, listener, tracing, hooks };
  const slow = new SlowShares(settings);
  const gate = slow.limited(parts.gate ?? new MemoryGate(clock, lostAfterMs(deadlineMs)));
  const allow = { loopback: settings.allowLoopback };
  const senderOptions = {
    deadlineMs,
    keptBodyBytes,
    redaction,
    allow,
    proxyUrl: settings.proxyUrl,
    ...(lookup ? { lookup } : {}),
  };
  const sender = parts.sender ?? lazySender(senderOptions);
  // Connections are kept by host, so operators and partners must not share them.
  const networks = settings.allowNetworks;
  const operatorSender = networks ? lazySender({ ...senderOptions, allow: { ...allow, networks } }) : sender;

  const lanes = new Lanes({ ...base, gate, slow, maxInFlight });
  const recent = new RecentDeliveries();
  const firstDelayMs = (scheduleSeconds[0] ?? 0) * 1000;
  const dispatching = { ...base, firstDelayMs, recent: parts.work === false ? undefined : recent, lanes };
  const fanout = new Fanout(dispatching);
  const recoverer = recovererOf({ ...base, lanes });
  const [wakeFanout, wakeRecoverer] = [() => fanout.wake(), () => recoverer.wake()];
  const committed = afterCommit({ ...dispatching, wakeFanout, wakeRecoverer });
  const change = changesOn({ ...dispatching, gate, tallier, afterCommit: committed });
  const proxyHold = new ProxyHold({ timers, log });
  const sending = { gate, slow, recent, lanes, keys, sender, operatorSender, proxyHold, random, tallier, wakeFanout };
  const deliverer = new Deliverer({ ...settings, ...base, ...sending });
  const sweeps = [() => lanes.sweep()];
  const reconciler = new Reconciler({ ...base, wakeFanout, sweeps, graceMs, everyMs: settings.reconcileEveryMs });

  const start = () => {
    queue.onBack?.((loss) => reconciler.repair(loss));
    if (parts.work !== false && !hooks?.lateClient) sender.load();
    if (parts.work !== false) queue.work((job, isAwaited) => deliverer.deliver(job, isAwaited), settings);
    reconciler.start();
    recoverer.start();
  };
  const attempts = {
    close() {
      deliverer.stop();
      return hooks?.abortOnClose ? sender.abort() : undefined;
    },
  };
  const jobs = { close: () => queue.close(async () => void (await deliverer.settled())) };
  const end = () => closeFeatures([sender, operatorSender, jobs, attempts, lanes, fanout, reconciler, recoverer]);
  let ended: Promise<void> | undefined;
  return {
    change,
    start,
    settled: () => settled({ fanout, deliverer, queue }),
    inFlight: (endpointIds) => gate.inFlight(endpointIds),
    proxyFailure: () => proxyHold.failure,
    async reset() {
      queue.forget?.();
      deliverer.reset();
      await lanes.reset();
    },
    close() {
      ended ??= end();
      return ended;
    },
  };
}

async function settled({ fanout, deliverer, queue }: { fanout: Fanout; deliverer: Deliverer; queue: Queue }): Promise<void> {
  for (;;) {
    // A memory queue takes new jobs in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    await fanout.settled();
    const detached = await deliverer.settled();
    const { waiting, active } = await queue.depth();
    // A job may have ended in the meantime because its attempt left it.
    if (waiting + active === 0 && (await deliverer.settled()) === detached) return;
    await pause(systemTimers, 1);
  }
}
