import type { FastifyInstance } from 'fastify';
import { buildApp, buildProbes } from './app.ts';
import type { Clock } from './base/clock.ts';
import type { Keyring } from './base/keyring.ts';
import type { Logger } from './base/log.ts';
import type { Redis } from './base/redis.ts';
import type { Metrics } from './figures/metrics.ts';
import { Tallier } from './figures/tallier.ts';
import { tallyCalls } from './figures/tally.ts';
import type { Api, Services } from './http/api.ts';
import type { Count } from './http/limit/limit.ts';
import { Recorder } from './http/record/recorder.ts';
import type { FigureParts } from './manage/figures/routes.ts';
import type { Gate } from './queue/gate/port.ts';
import type { Queue } from './queue/port.ts';
import { allowsLoopbackDelivery, isScale, type Settings } from './start/config.ts';
import { type Mounted, openProviders } from './start/providers.ts';
import { readinessOf } from './start/readiness.ts';
import { type RetentionOptions, startRetention } from './start/retention.ts';
import type { Store } from './store/port.ts';
import { noticeEvents } from './webhooks/endpoints/notices.ts';
import type { DeliveryListener } from './webhooks/model/listener.ts';
import type { EventDefinition } from './webhooks/outbox/event.ts';
import { Auditor } from './webhooks/upkeep/audit.ts';
import { openWebhooks, type WebhookSettings } from './webhooks/webhooks.ts';

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
  /** Which of the two APIs are served, and where; both, each under its name, where it is left out. */
  serve?: readonly Mounted[];
  /** Where the built console is; where `npm run console` leaves it, if left out. */
  consoleFolder?: string;
  /** What a stub does otherwise. */
  stub?: StubParts;
}

/**
 * A gateway in a stub is light: no metrics, no audit, no large page of the documents; no HTTP client before the first webhook
 * and no manage API before it is first called.
 */
export interface StubParts {
  /** Counts calls against limits. */
  count: Count;
  /** The OpenAPI documents by name, so that they need not be made from the routes. */
  documents: ReadonlyMap<string, () => unknown>;
  /** Serves a page of them at `/docs`. */
  docsPage(app: FastifyInstance): void;
  /** Changes an API before it is mounted. */
  adapt(api: Api): Api;
  /** Comes between the recording of calls and the APIs. */
  extend(app: FastifyInstance): void | Promise<void>;
  listener: DeliveryListener;
  /** How many recorded calls `/manage/v1/calls` shows; their rows are made when it is asked. */
  callsKept: number;
  /** Where the console is, if it is served; then figures are kept for it. */
  consoleFolder: string | undefined;
  /** Where the jitter of retries comes from. */
  random(): number;
}

export interface Gateway {
  app: FastifyInstance;
  services: Services;
  /** Every event that it can send. */
  catalogue: readonly EventDefinition[];
  /** Absent in a stub. */
  metrics?: Metrics | undefined;
  /** Resolves when no delivery is due or under way in this process. */
  settled(): Promise<void>;
  /** Puts the store back by `restore`, and forgets what this process remembers of what came after. */
  startOver(restore: () => Promise<void>): Promise<void>;
  /** Finishes what runs, writes what waits. The store stays open: who opened it closes it. */
  close(): Promise<void>;
}

/** Where the manage API is. */
const managed = '/manage/v1';

/** Puts the parts together: the two APIs and the manage API on one app, webhooks behind them. */
export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const { settings, operatorToken, store, queue, keys, clock, log, stub } = parts;
  const metrics = stub ? undefined : new (await import('./figures/metrics.ts')).Metrics();
  const consoleFolder = await consoleFolderOf(parts);
  const tallier = consoleFolder === undefined ? undefined : new Tallier({ store, log });
  const webhooks = openWebhooks({
    store,
    queue,
    gate: parts.gate,
    clock,
    keys,
    log,
    work: settings.ROLE !== 'api',
    light: stub !== undefined,
    random: stub?.random,
    // Receivers check against the machine's time, however far a stub's clock is from it.
    signedAt: stub && Date.now,
    listener: stub?.listener ?? countedBy(metrics),
    tallier,
    settings: webhookSettings(settings),
  });
  const services: Services = { store, clock, keys, log, change: webhooks.change };
  // Calls are recorded by the machine's time, and figures are read by the clock, which a stub's user may have moved on.
  const aheadMs = () => (stub ? clock.now() - Date.now() : 0);
  const recorder = new Recorder({
    store,
    log,
    maxBytes: settings.RECORD_BACKLOG_BYTES,
    lost: (calls) => metrics?.callsLost.inc(calls),
    ...(tallier && { written: (calls) => tallier.note(tallyCalls(calls, aheadMs())) }),
    keptUnread: tallier ? undefined : stub?.callsKept,
  });
  const providers = await openProviders(services, parts.serve);
  const catalogue = [...providers.flatMap(({ api }) => api.events), ...noticeEvents];
  const allowLoopback = allowsLoopbackDelivery(settings);
  const auditor = new Auditor({ store, clock, log });
  const figures: FigureParts = {
    depth: () => queue.depth(),
    inFlight: (endpointIds) => webhooks.inFlight(endpointIds),
    recorder: () => recorder.state,
    async upToDate() {
      await recorder.flush();
      await tallier?.flush();
    },
    ledger: () => auditor,
    windowsMs: windowsOf(settings, providers),
  };
  const manage = async (): Promise<Api> => {
    const { openManage } = await import('./manage/open.ts');
    return openManage(services, {
      ...{ operatorToken, recorder, figures, sessionHours: settings.SESSION_HOURS },
      webhooks: { catalogue, allowLoopback, signatureHeader: settings.WEBHOOK_SIGNATURE_HEADER },
      backOffices: await Promise.all(providers.map(({ backOffice }) => backOffice())),
    });
  };
  // The one at the root comes last: whatever is nobody else's is its own.
  const apis = [
    ...providers.map(({ prefix, api }) => ({ prefix, api: stub?.adapt(api) ?? api })),
    ...(stub ? [] : [{ prefix: managed, api: await manage() }]),
  ].sort((one, other) => Number(one.prefix === '') - Number(other.prefix === ''));
  const queueNeeded = !isScale(settings) || settings.ROLE === 'worker' || settings.LIMITS_WITHOUT_REDIS === 'closed';
  const probes = { settings, metrics, log, readiness: () => readinessOf({ store, queue, queueNeeded }) };
  const app = await (settings.ROLE === 'worker'
    ? buildProbes(probes)
    : buildApp({
        ...probes,
        apis,
        late: stub ? [{ prefix: managed, open: manage }] : [],
        recorder,
        counters: parts.counters,
        count: stub?.count,
        extend: stub?.extend,
        documents: stub?.documents,
        consoleFolder,
        docsPage: stub?.docsPage,
      }));

  webhooks.start();
  if (metrics) {
    auditor.start();
    showFigures(metrics, { recorder, queue, auditor });
  }
  // A stub is put back to its beginning instead, and its clock may be in another year.
  const stopRetention = stub ? async () => {} : startRetention(kept({ store, clock, log }, settings));

  const close = async () => {
    await app.close();
    await stopRetention();
    await auditor.close();
    await webhooks.close();
    await recorder.close();
    await tallier?.close();
  };
  const startOver = async (restore: () => Promise<void>) => {
    webhooks.reset();
    await recorder.forget();
    await tallier?.forget();
    for (const { api } of providers) await api.flush?.();
    await restore();
    for (const { api } of providers) api.forget?.();
  };
  return { app, services, catalogue, metrics, settled: () => webhooks.settled(), startOver, close };
}

async function consoleFolderOf({ stub, consoleFolder }: GatewayParts): Promise<string | undefined> {
  if (stub) return stub.consoleFolder;
  return consoleFolder ?? (await import('./console/serve.ts')).builtFolder;
}

/** The windows of the limits that hold for whole APIs, and of those that the settings add. */
const windowsOf = (settings: Settings, providers: Awaited<ReturnType<typeof openProviders>>): Map<string, number> =>
  new Map([
    ...providers.flatMap(({ api }) => api.limits.map(({ name, windowMs }): [string, number] => [name, windowMs])),
    ...settings.OPERATION_LIMITS.map(({ operation, windowMs }): [string, number] => [`operation-${operation}`, windowMs]),
  ]);

const kept = (where: Pick<RetentionOptions, 'store' | 'clock' | 'log'>, settings: Settings): RetentionOptions => ({
  ...where,
  callHours: settings.CALL_RETENTION_HOURS,
  attemptHours: settings.ATTEMPT_RETENTION_HOURS,
  deliveryHours: settings.DELIVERY_RETENTION_HOURS,
});

const webhookSettings = (settings: Settings): Partial<WebhookSettings> => ({
  signatureHeader: settings.WEBHOOK_SIGNATURE_HEADER,
  scheduleSeconds: settings.WEBHOOK_RETRY_SECONDS,
  deadlineMs: settings.WEBHOOK_DEADLINE_MS,
  concurrency: settings.WEBHOOK_CONCURRENCY,
  maxInFlight: settings.WEBHOOK_ENDPOINT_CONCURRENCY,
  disableAfterMs: settings.WEBHOOK_DISABLE_AFTER_HOURS * 3_600_000,
  allowLoopback: allowsLoopbackDelivery(settings),
  reconcileEveryMs: settings.RECONCILE_SECONDS * 1000,
  graceMs: settings.WEBHOOK_DEADLINE_MS * 4,
});

function countedBy(metrics: Metrics | undefined): DeliveryListener | undefined {
  if (!metrics) return undefined;
  return {
    attempted: ({ outcome, durationMs }) => metrics.attempts.observe({ outcome }, durationMs / 1000),
    ended: (outcome, count) => metrics.deliveries.inc({ outcome }, count),
  };
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
