import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type ChannelSenderOptions, channelSender } from './alerts/send.ts';
import { type AlertParts, AlertWatcher } from './alerts/watcher.ts';
import { type AppParts, buildApp, buildWorkerApp } from './app.ts';
import type { Clock } from './base/clock.ts';
import { closeFeatures, type Feature, startFeatures } from './base/features.ts';
import type { Keyring } from './base/keyring.ts';
import { errorsSeldom, type Logger } from './base/log.ts';
import type { Tracing } from './base/tracing.ts';
import { builtFolder, readPage, serveConsole, serveProfile } from './console/serve.ts';
import { serveDocs } from './docs/serve.ts';
import { Metrics } from './figures/metrics.ts';
import { Tallier } from './figures/tallier.ts';
import { tallyCalls, tallyLost } from './figures/tally.ts';
import type { Services } from './http/api.ts';
import { MemoryCounters } from './http/limit/memory-counters.ts';
import { shareCounters } from './http/limit/shared-counters.ts';
import { serveProbes } from './http/probes.ts';
import { backlogBytes, Recorder, waitingCall } from './http/record/recorder.ts';
import { openManage } from './manage/open.ts';
import { openProfile } from './profile/open.ts';
import { allowedNetworks, allowsLoopbackDelivery, isScale, type Settings } from './start/config.ts';
import { operationLimits } from './start/operation-limits.ts';
import { openProviders } from './start/providers.ts';
import { publicUrl } from './start/public-url.ts';
import { readinessOf } from './start/readiness.ts';
import { redactionOf } from './start/redaction.ts';
import { retention } from './start/retention.ts';
import type { Tier } from './start/tiers.ts';
import { webhookSettings } from './start/webhook-settings.ts';
import { watchWrites } from './store/watch.ts';
import { noticeEvents } from './webhooks/endpoints/notices.ts';
import type { EventDefinition } from './webhooks/outbox/event.ts';
import { Auditor } from './webhooks/upkeep/audit.ts';
import { openWebhooks } from './webhooks/webhooks.ts';

export interface GatewayParts extends Pick<Tier, 'store' | 'queue' | 'counters' | 'freeBytes'>, Partial<Pick<Tier, 'gate'>> {
  settings: Settings;
  operatorToken: string;
  keys: Keyring;
  clock: Clock;
  log: Logger;
  /** By default no spans are made. */
  tracing?: Tracing | undefined;
  /** The folder of the built pages, `console` and `profile`. Default: the folder that `npm run make` writes. */
  pagesFolder?: string;
  /** For tests: how alerts are sent, and who is told of their rounds. */
  alerts?: Pick<ChannelSenderOptions, 'ca' | 'deadlineMs'> & Pick<AlertParts, 'roundEnded'>;
}

export interface Gateway {
  app: FastifyInstance;
  services: Services;
  /** Every event that the gateway can send. */
  catalogue: readonly EventDefinition[];
  metrics: Metrics;
  /** Resolves when no delivery is due or under way in this process. */
  settled(): Promise<void>;
  /** Finishes what runs and stores what waits. The store stays open for the code that opened it. */
  close(): Promise<void>;
}

/** A gateway, as the list of its parts. A stub is another such list: `stubs/stub.ts`. */
export async function startGateway(given: GatewayParts): Promise<Gateway> {
  const { onWrite, store } = watchWrites(given.store);
  const parts = { ...given, store };
  const { keys, clock, log } = parts;
  const recording = recordCalls(parts);
  const delivery = deliverWebhooks(parts, recording);
  const services: Services = { store, clock, keys, log, onWrite, change: delivery.webhooks.change };
  const { app, catalogue, watcher } = await serveApis(parts, { services, ...recording, ...delivery });
  const features: Feature[] = [
    recording.tallier,
    recording.recorder,
    delivery.webhooks,
    delivery.auditor,
    watcher,
    retention({ store, clock, log, ...retentionHours(parts.settings) }),
    { start: () => app.ready(), close: () => app.close() },
  ];
  await startFeatures(features);
  return {
    app,
    services,
    catalogue,
    metrics: recording.metrics,
    settled: () => delivery.webhooks.settled(),
    close: () => closeFeatures(features),
  };
}

/** How long a sign-in to the console or a profile lasts. */
const sessionHours = 12;

const retentionHours = (settings: Settings) => ({
  callHours: settings.CALL_RETENTION_HOURS,
  attemptHours: settings.ATTEMPT_RETENTION_HOURS,
  deliveryHours: settings.DELIVERY_RETENTION_HOURS,
});

/** What keeps the records of calls, and counts them over time. */
function recordCalls({ store, clock, log }: GatewayParts) {
  const metrics = new Metrics();
  const tallier = new Tallier({ store, log });
  const recorder = new Recorder({
    store,
    log,
    maxBytes: backlogBytes,
    lost: (calls) => {
      metrics.callsLost.inc(calls);
      tallier.note(tallyLost(calls, clock.now()));
    },
    written: (calls) => tallier.note(tallyCalls(calls)),
  });
  const upToDate = async () => {
    await recorder.flush();
    await tallier.flush();
  };
  return { metrics, tallier, recorder, upToDate };
}
type Recording = ReturnType<typeof recordCalls>;

/** What makes deliveries of events and sends them, and checks that none is missing. */
function deliverWebhooks(parts: GatewayParts, { metrics, tallier, recorder }: Recording) {
  const { settings, store, queue, gate, clock, keys, log, tracing } = parts;
  const webhooks = openWebhooks({
    store,
    queue,
    gate,
    clock,
    keys,
    log,
    tallier,
    listener: metrics,
    tracing,
    work: settings.ROLE !== 'api',
    settings: { ...webhookSettings(settings), redaction: redactionOf(settings) },
  });
  const auditor = new Auditor({ store, clock, log, ...retentionHours(settings) });
  metrics.addGauges({ recorder, queue, auditor, clock });
  return { webhooks, auditor };
}

type Served = Recording & ReturnType<typeof deliverWebhooks> & { services: Services };

/** The APIs of partners, of operators and of the profile, with what alerts both. */
async function serveApis(parts: GatewayParts, { services, metrics, tallier, recorder, upToDate, webhooks, auditor }: Served) {
  const { settings, operatorToken, store, queue, keys, clock, log } = parts;
  const providers = await openProviders(services);
  const catalogue: readonly EventDefinition[] = [...providers.flatMap(({ api }) => api.events), ...noticeEvents];
  const limits = operationLimits(settings);
  const allowLoopback = allowsLoopbackDelivery(settings);
  const channels = channelSender({ keys, allowLoopback, proxyUrl: settings.WEBHOOK_PROXY_URL, ...parts.alerts });
  const pageUrl = (path: string) => publicUrl(settings, app.server.address())?.concat(path) ?? null;
  const alerts = { send: channels.send, consoleUrl: () => pageUrl('/console'), profileUrl: () => pageUrl('/profile') };
  const shared = { sessionHours, records: recorder };
  const allowNetworks = allowedNetworks(settings);
  const webhookOptions = { catalogue, signatureHeader: settings.WEBHOOK_SIGNATURE_HEADER, allowLoopback, allowNetworks };
  const manage = openManage(services, {
    ...shared,
    operatorToken,
    tallier,
    ledger: auditor,
    isStoreShared: isScale(settings),
    depth: () => queue.depth(),
    inFlight: (endpointIds) => webhooks.inFlight(endpointIds),
    limits: [...providers.flatMap(({ api }) => api.limits), ...limits.values()],
    webhooks: webhookOptions,
    alerts: { allowLoopback, ...alerts },
    profileLinks: { publicUrl: settings.PUBLIC_URL },
    backOffices: await Promise.all(providers.map(({ backOffice }) => backOffice())),
  });
  const profile = openProfile(services, {
    ...shared,
    upToDate,
    limits: providers.flatMap(({ api }) => api.limits),
    webhooks: { ...webhookOptions, deadlineMs: settings.WEBHOOK_DEADLINE_MS },
    reference: async (api, known) => (await import('./docs/reference/own.ts')).ownReference(api, known),
    alerts,
  });
  const apis = [...providers, { prefix: '/manage/v1', api: manage }, { prefix: '/profile/v1', api: profile }];
  const app = await openApp({ parts, metrics, recorder, apis, limits, proxyFailure: webhooks.proxyFailure });
  const watcher = new AlertWatcher({
    store,
    clock,
    log,
    ...alerts,
    closeChannels: channels.close,
    roundEnded: parts.alerts?.roundEnded,
    sources: { depth: () => queue.depth(), ledger: () => auditor.differences, freeBytes: parts.freeBytes },
    upToDate,
  });
  return { app, catalogue, watcher };
}

interface OpenAppParts {
  parts: GatewayParts;
  metrics: Metrics;
  recorder: Recorder;
  apis: AppParts['apis'];
  limits: NonNullable<AppParts['operationLimits']>;
  proxyFailure: () => string | null;
}

/** The app of this process's role: everything that is served, or a worker's probes. */
function openApp({ parts, metrics, recorder, apis, limits, proxyFailure }: OpenAppParts): Promise<FastifyInstance> {
  const { settings, store, queue, clock, log, counters, tracing, pagesFolder = builtFolder } = parts;
  const queueNeeded = !isScale(settings) || settings.ROLE === 'worker';
  const probes = serveProbes({
    program: 'gateway',
    metrics,
    metricsToken: settings.METRICS_TOKEN,
    readiness: () =>
      readinessOf({ store, queue, queueNeeded, clock, proxyFailure: proxyFailure(), isWorker: settings.ROLE === 'worker' }),
  });
  if (settings.ROLE === 'worker') return buildWorkerApp({ settings, log }, probes);

  const documents = new Map<string, () => unknown>();
  const console = readPage(join(pagesFolder, 'console'));
  const profile = readPage(join(pagesFolder, 'profile'));
  const rows = { bodyCharacters: settings.RECORD_BODY_CHARACTERS, redaction: redactionOf(settings) };
  const uncountedSeldom = errorsSeldom(log);
  return buildApp({
    settings,
    log,
    apis,
    documents,
    tracing,
    operationLimits: limits,
    // Sessions of operators and partners are cookies.
    cors: { origins: settings.CORS_ORIGINS, except: ({ url }) => /^\/(manage|profile)\//.test(url) },
    clock,
    recording: {
      sinks: [(call) => recorder.push(waitingCall(call, rows))],
      onEnded: metrics.called,
    },
    async counter() {
      if (!counters) return new MemoryCounters(clock).count;
      return shareCounters({
        redis: counters,
        namespace: `${settings.REDIS_PREFIX}:calls:`,
        uncounted(error) {
          metrics.limitsUncounted.inc();
          uncountedSeldom(error, 'limits.uncounted');
        },
      });
    },
    limitRefused: (api, limit) => metrics.limitRefusals.inc({ api, limit }),
    pages: [
      probes,
      serveConsole(console),
      serveProfile(profile),
      serveDocs({ documents, home: console.index === undefined, publicUrl: settings.PUBLIC_URL?.replace(/\/$/, '') }),
    ],
  });
}
