import { hash } from 'node:crypto';
import type { Clock } from '../gateway/base/clock.ts';
import { Keyring } from '../gateway/base/keyring.ts';
import type { Logger } from '../gateway/base/log.ts';
import type { Services } from '../gateway/http/api.ts';
import { memorySettings, openMemory } from '../gateway/start/memory.ts';
import { openProvider } from '../gateway/start/providers.ts';
import { webhookSettings } from '../gateway/start/webhook-settings.ts';
import { MemoryStore } from '../gateway/store/memory/store.ts';
import { watchWrites } from '../gateway/store/watch.ts';
import { noticeEvents } from '../gateway/webhooks/endpoints/notices.ts';
import type { AttemptHooks } from '../gateway/webhooks/model/attempt-hooks.ts';
import type { DeliveryListener } from '../gateway/webhooks/model/listener.ts';
import { openWebhooks } from '../gateway/webhooks/webhooks.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import type { Assumptions } from './assume/assumptions.ts';
import { assumedAttempts } from './assume/attempts.ts';
import { newEvents } from './assume/harmless/new-events.ts';
import type { MobileMoneyParts } from './payments/mobile-money.ts';
import { callsKept, recordsWithFigures, recordsWithoutFigures } from './records.ts';

/** The same for every stub, so that credentials, tokens and secrets are the same at each start. Nothing here is secret. */
const masterKey = hash('sha256', 'passerelle stub', 'buffer');
/** The number of rows of figures that a stub with `console` keeps: several days. */
const talliesKept = 20_000;
/** Retries run 5 % early, so that 72 h cover the whole schedule: 71.8 h instead of 75.6 h. */
const jitter = () => 0.25;
/** The queue loses no jobs, so the reconciler runs rarely. */
const settings = memorySettings({ RECONCILE_SECONDS: '3600' });

export interface CoreParts {
  clock: Clock;
  log: Logger;
  listener: DeliveryListener;
  /** True if figures are kept for the console. */
  console: boolean;
  /** The alternatives under which it answers. Default: none. */
  assumptions?: Assumptions | undefined;
  /** What happens to mobile-money payments (pos). Default: they are received at once. */
  mobileMoney?: Pick<MobileMoneyParts, 'rules' | 'ended'> | undefined;
  /** Loses webhooks of the API. Default: none. */
  lost?: Pick<AttemptHooks, 'skip' | 'skipped'> | undefined;
}

export type Core = Awaited<ReturnType<typeof openCore>>;

/** The parts of a stub behind its app: one API on the memory tier, its webhooks, and the recorded calls. */
export async function openCore(name: ServiceName, parts: CoreParts) {
  const { clock, log, listener, console, mobileMoney, assumptions, lost } = parts;
  const memory = new MemoryStore({ calls: callsKept, tallies: console ? talliesKept : 0 });
  const { queue } = openMemory(clock, log, memory);
  let ownEvents: ReadonlySet<string> = new Set();
  const isOfApi = (type: string) => ownEvents.has(type) || type === newEvents[name];
  const { store, onWrite, reset: dropCachedRows } = watchWrites(memory);
  const keys = new Keyring(masterKey);
  const operatorToken = `op_stub_${keys.demoCredential('operator token')}`;
  const records = (console ? recordsWithFigures : recordsWithoutFigures)({ store, clock, log, settings });
  const hooks = assumptions && assumedAttempts(assumptions, isOfApi);
  const webhooks = openWebhooks({
    store,
    queue,
    clock,
    keys,
    log,
    listener,
    tallier: records.tallier,
    settings: webhookSettings(settings),
    random: jitter,
    attempts: {
      // Receivers compare the time in a signature with their own clock.
      signedAt: Date.now,
      lateClient: true,
      abortOnClose: true,
      ...hooks,
      skip: (...due) => (isOfApi(due[1].type) ? lost?.skip?.(...due) : undefined),
      skipped: (delivery) => lost?.skipped?.(delivery),
    },
  });
  const services: Services = { store, clock, keys, log, onWrite, change: webhooks.change };
  const payments =
    mobileMoney &&
    (await openPayments({
      services,
      log,
      ...mobileMoney,
      otherwise: () => assumptions?.payment,
    }));
  const ofApi = payments ? { ...services, change: payments.follow(services.change) } : services;
  const provider = await openProvider(ofApi, { name, prefix: '', mobileMoney: payments });
  ownEvents = new Set(provider.api.events.map(({ type }) => type));
  const catalogue = [...provider.api.events, ...noticeEvents];
  return {
    settings,
    memory,
    dropCachedRows,
    store,
    queue,
    log,
    operatorToken,
    records,
    webhooks,
    services,
    payments,
    provider,
    catalogue,
    isOfApi,
  };
}

async function openPayments(parts: MobileMoneyParts) {
  const { StubMobileMoney } = await import('./payments/mobile-money.ts');
  return new StubMobileMoney(parts);
}
