import type { FastifyInstance } from 'fastify';
import { cohesionApi } from './api/cohesion/api.ts';
import { posApi } from './api/pos/api.ts';
import { buildApp, buildProbes } from './app.ts';
import type { Clock } from './clock.ts';
import { allowsLoopbackDelivery, isScale, type Settings } from './config.ts';
import type { Services } from './http/api.ts';
import { Recorder } from './http/recorder.ts';
import type { Keyring } from './keyring.ts';
import type { Logger } from './log.ts';
import { manageApi } from './manage/api.ts';
import { cohesionRoutes } from './manage/cohesion.ts';
import { posRoutes } from './manage/pos.ts';
import { webhookRoutes } from './manage/webhooks.ts';
import { Metrics } from './metrics.ts';
import type { Gate } from './queue/gate.ts';
import type { Queue } from './queue/port.ts';
import { readinessOf } from './readiness.ts';
import type { Redis } from './redis.ts';
import { startRetention } from './retention.ts';
import type { Store } from './store/port.ts';
import { Auditor } from './webhooks/audit.ts';
import { firstDelayMsOf, startWebhooks } from './webhooks/index.ts';
import { noticeEvents } from './webhooks/notices.ts';
import { changesOn } from './webhooks/outbox.ts';

export interface GatewayParts {
  settings: Settings;
  operatorToken: string;
  store: Store;
  queue: Queue;
  /** How many attempts run at each endpoint; of this process alone, where it is left out. */
  gate?: Gate | undefined;
  keys: Keyring;
  clock: Clock;
  log: Logger;
  /** Where limits are counted for all processes together; in this one, where it is left out. */
  counters?: Redis | undefined;
}

export interface Gateway {
  app: FastifyInstance;
  services: Services;
  metrics: Metrics;
  /** Finishes what runs, writes what waits. The store stays open: who opened it closes it. */
  close(): Promise<void>;
}

/** Puts the parts together: the two APIs and the manage API on one app, webhooks behind them. */
export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const { settings, operatorToken, store, queue, keys, clock, log } = parts;
  const metrics = new Metrics();
  // Woken only by changes, and there is none before the webhooks are started below.
  const firstDelayMs = firstDelayMsOf(settings.WEBHOOK_RETRY_SECONDS);
  const change = changesOn({ store, clock, firstDelayMs, wake: (owed) => webhooks.wake(owed) });
  const services: Services = { store, clock, keys, log, change };
  const recorder = new Recorder({
    store,
    log,
    maxBytes: settings.RECORD_BACKLOG_BYTES,
    lost: (calls) => metrics.callsLost.inc(calls),
  });
  const pos = posApi(services);
  const cohesion = cohesionApi(services);
  const catalogue = [...pos.events, ...cohesion.events, ...noticeEvents];
  const allowLoopback = allowsLoopbackDelivery(settings);
  const manage = manageApi(services, {
    operatorToken,
    recorder,
    parts: [
      (app) => posRoutes(app, services),
      (app) => cohesionRoutes(app, services),
      (app) => webhookRoutes(app, services, { catalogue, allowLoopback }),
    ],
  });
  const apis = [
    { prefix: '/pos', api: pos },
    { prefix: '/cohesion', api: cohesion },
    { prefix: '/manage/v1', api: manage },
  ];
  const queueNeeded = !isScale(settings) || settings.ROLE === 'worker' || settings.LIMITS_WITHOUT_REDIS === 'closed';
  const probes = { settings, metrics, log, readiness: () => readinessOf({ store, queue, queueNeeded }) };
  const app = await (settings.ROLE === 'worker'
    ? buildProbes(probes)
    : buildApp({ ...probes, apis, recorder, counters: parts.counters }));

  const webhooks = startWebhooks({
    store,
    queue,
    gate: parts.gate,
    clock,
    keys,
    log,
    work: settings.ROLE !== 'api',
    listener: {
      attempted: ({ outcome, durationMs }) => metrics.attempts.observe({ outcome }, durationMs / 1000),
      ended: (outcome, count) => metrics.deliveries.inc({ outcome }, count),
    },
    settings: {
      signatureHeader: settings.WEBHOOK_SIGNATURE_HEADER,
      scheduleSeconds: settings.WEBHOOK_RETRY_SECONDS,
      deadlineMs: settings.WEBHOOK_DEADLINE_MS,
      concurrency: settings.WEBHOOK_CONCURRENCY,
      maxInFlight: settings.WEBHOOK_ENDPOINT_CONCURRENCY,
      disableAfterMs: settings.WEBHOOK_DISABLE_AFTER_HOURS * 3_600_000,
      allowLoopback,
      reconcileEveryMs: settings.RECONCILE_SECONDS * 1000,
      graceMs: settings.WEBHOOK_DEADLINE_MS * 4,
    },
  });
  const auditor = new Auditor({ store, clock, log });
  auditor.start();
  showFigures(metrics, { recorder, queue, auditor });
  const stopRetention = startRetention({
    store,
    clock,
    log,
    callHours: settings.CALL_RETENTION_HOURS,
    attemptHours: settings.ATTEMPT_RETENTION_HOURS,
    deliveryHours: settings.DELIVERY_RETENTION_HOURS,
  });

  const close = async () => {
    await app.close();
    await stopRetention();
    await auditor.close();
    await webhooks.close();
    await recorder.close();
  };
  return { app, services, metrics, close };
}

interface Shown {
  recorder: Recorder;
  queue: Queue;
  auditor: Auditor;
}

/** Figures of the moment, read when `/metrics` is; none of them asks the store. */
function showFigures(metrics: Metrics, { recorder, queue, auditor }: Shown): void {
  metrics.gauge('passerelle_calls_backlog', 'Records of calls that wait to be written.', () => recorder.state.backlog);
  metrics.gauges('passerelle_queue_jobs', 'Jobs in the delivery queue, by state.', 'state', async () => ({
    ...(await queue.depth()),
  }));
  metrics.gauge(
    'passerelle_deliveries_unaccounted',
    'Deliveries that should be in the ledger and are not: 0, or something was lost.',
    () => auditor.unaccounted,
  );
  metrics.gauge(
    'passerelle_events_awaiting_fan_out',
    'Events whose deliveries are still to be made.',
    () => auditor.awaitingFanOut,
  );
}
