import pino from 'pino';
import type { ServiceName } from '../contracts/documents/services.ts';
import { findOperation, openApi } from '../contracts/openapi/operations.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { Refusal } from '../gateway/base/errors.ts';
import { closeFeatures, type Feature, resetFeatures, startFeatures } from '../gateway/base/features.ts';
import { isOrigin } from '../gateway/http/cors.ts';
import { serveLate } from '../gateway/http/late.ts';
import { MemoryCounters } from '../gateway/http/limit/memory-counters.ts';
import { openApp } from './app.ts';
import { Assumptions } from './assume/assumptions.ts';
import { assumedOf } from './assume/chosen.ts';
import { checkedStub } from './checked.ts';
import { StubClock } from './clock.ts';
import { type Core, openCore } from './core.ts';
import { openData, type StubData } from './data.ts';
import { checkDeliveryFilter } from './delivery-filter.ts';
import { durationMs } from './duration.ts';
import { examplesOf } from './examples/reply.ts';
import { documentCheck } from './faults/document-check.ts';
import { FaultError } from './faults/errors.ts';
import { Faults } from './faults/faults.ts';
import type { Target } from './faults/targets.ts';
import { Journal } from './journal/journal.ts';
import { Address } from './listen-on.ts';
import { operationNames } from './names.ts';
import { checkNode } from './node-version.ts';
import { checkStart } from './options.ts';
import type { MobileMoneyParts } from './payments/mobile-money.ts';
import { profileOf } from './profile/profile.ts';
import { trigger } from './trigger.ts';
import { tryIt } from './try-it.ts';
import type { Stub, StubEvent, StubOperations, StubOptions } from './types.ts';
import { waitForDelivery } from './wait-for-delivery.ts';
import type { Watching } from './watching.ts';
import { deliveriesOf, type Gateway, resend } from './webhooks.ts';

/** Starts a stub as `startStub` does. `watching` is told of what it does, and changes nothing. */
export async function startWatchedStub<A extends ServiceName>(
  api: A,
  options: StubOptions<A> = {},
  watching?: Watching,
): Promise<Stub<A>> {
  checkNode();
  checkStart(api, options);
  try {
    return await start(api, options, watching);
  } catch (error) {
    // The gateway or the faults refused an option.
    if (error instanceof Refusal || error instanceof FaultError) throw new CouldNotRun(error.message, { cause: error });
    throw error;
  }
}

/** A stub, as the list of its parts. A gateway is another such list: `gateway/gateway.ts`. */
async function start<A extends ServiceName>(api: A, options: StubOptions<A>, watching?: Watching): Promise<Stub<A>> {
  const { console = false, help = true } = options;
  const log = pino({ level: options.logLevel ?? 'error', base: null }, pino.destination({ fd: 2, sync: true }));
  const clock = new StubClock(instantOf(options.clock ?? 'real'));
  const faults = new Faults(options.faults ?? [], {
    seed: options.faultSeed,
    operations: targetsOf(api),
    examples: examplesOf(api),
    now: () => clock.now(),
    check: documentCheck(api),
  });
  const assumptions = await assumptionsOf(api, options);
  const counters = new MemoryCounters(clock);
  const journal = new Journal({ operations: operationNames[api] });
  const events = new Subscribers();
  const listener = { attempted: events.attempted, ended() {} };

  const core = await openCore(api, {
    clock,
    log,
    listener,
    console,
    assumptions,
    message: watching?.message,
    mobileMoney: await mobileMoneyOf(api, options, {
      ended: (payment) => events.tell({ kind: 'payment', payment }),
      ending: (id, as) => watching?.changes('the end of a payment', ({ payments }) => payments?.settle(id, as)),
    }),
  });
  const { payments, provider, records, webhooks } = core;
  assumptions.connect({
    api,
    clock,
    log,
    queue: core.queue,
    change: core.services.change,
    isOfApi: core.isOfApi,
    onAttempt: (listener) => events.add((event) => event.kind === 'attempt' && listener(event.attempt)),
  });
  const data = await openData(api, { ...core, assumptions }, options);
  const address = new Address(options);
  const about = () => ({ api, url: address.url, credentials: data.credentials, known: data.known });
  const parts = {
    core,
    journal,
    faults,
    assumptions,
    about,
    tryIt: tryIt(core, about),
    help,
    console,
    cors: originsOf(options),
    count: options.limits === false ? () => null : counters.count,
  };
  await watching?.open(parts);
  const app = await openApp({ ...parts, called: watching?.called });

  const features: Feature[] = [
    // A reset goes backwards: payments of the seed, and what alternatives wait for, begin again after the clock has gone back.
    { start: () => payments?.start(), reset: () => payments?.start() },
    assumptions,
    clock,
    counters,
    faults,
    { reset: () => journal.clear() },
    { reset: () => core.dropCachedRows() },
    data,
    { reset: () => provider.api.flush?.() },
    ...records.features,
    webhooks,
    { close: () => payments?.stop(), reset: () => payments?.stop() },
    { start: () => address.listen(app), close: () => app.close() },
  ];
  const closing = new AbortController();
  const own = operationsOfStub({ api, core, data, clock, faults, assumptions, journal, events, features, closing, watching });
  const control = { stub: own, about, journal, closing: closing.signal };
  serveLate(app, '/_stub', async () => (await import('./control/api.ts')).openControlApp(control, core));
  await startFeatures(features);
  const { url } = address;
  return checkedStub({
    ...own,
    url,
    ...(console && { console: `${url}/console` }),
    get credentials() {
      return data.credentials;
    },
  });
}

/** What happens to payments. Undefined for an API without payments. */
async function mobileMoneyOf(
  api: ServiceName,
  { mobileMoney = [] }: StubOptions,
  told: Pick<MobileMoneyParts, 'ended' | 'ending'>,
) {
  const texts = [mobileMoney].flat();
  if (api === 'pos') return { rules: (await import('./payments/rule.ts')).parseMobileMoneyRules(texts), ...told };
  if (texts.length === 0) return undefined;
  throw new CouldNotRun(`mobileMoney: ${api} has no payments. It is an option of pos.`);
}

async function assumptionsOf(api: ServiceName, { assume, observed }: StubOptions): Promise<Assumptions> {
  const assumptions = new Assumptions(api);
  const chosen = assume && assumedOf(assume);
  const seen = observed === undefined ? undefined : (await import('./observed.ts')).playedObserved(api, observed);
  if (chosen !== undefined || seen !== undefined) await assumptions.replace({ ...(await seen)?.assumed, ...chosen });
  return assumptions;
}

/** The assumptions as programs get them. */
const assumptionsShown = (assumptions: Assumptions): Stub['assumptions'] => ({
  list: () => assumptions.list(),
  add: (assumed) => assumptions.add(assumed),
  replace: (assumed) => assumptions.replace(assumed),
  remove: (gap) => assumptions.remove(gap),
  clear: () => assumptions.replace({}),
});

/** The operations by all of their paths: one may have two. */
const targetsOf = (api: ServiceName): Target[] =>
  Object.entries(openApi[api].paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({
      id: findOperation(api, method, path)?.operation.operationId ?? '',
      method: method.toUpperCase(),
      path,
    })),
  );

function originsOf({ cors = ['*'] }: StubOptions): readonly string[] {
  const wrong = cors.find((origin) => !isOrigin(origin));
  if (wrong === undefined) return cors;
  throw new CouldNotRun(`cors: "${wrong}" is not an origin. Use one such as http://localhost:5173, without a path, or *.`);
}

/** Milliseconds since 1970 at which the clock stands still; undefined for a running clock. */
function instantOf(clock: NonNullable<StubOptions['clock']>): number | undefined {
  if (clock === 'real') return undefined;
  const atMs = new Date(clock).getTime();
  if (Number.isFinite(atMs)) return atMs;
  throw new CouldNotRun(`clock: "${clock}" is not a date and time. Use one such as 2026-11-21T08:00:00Z, or "real".`);
}

/** Who is told of each attempt. The journal tells of calls. */
class Subscribers {
  readonly #listeners = new Set<(event: StubEvent) => void>();

  tell(event: StubEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  readonly attempted = (attempt: Extract<StubEvent, { kind: 'attempt' }>['attempt']): void =>
    this.tell({ kind: 'attempt', attempt });

  add(listener: (event: StubEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

interface OperationParts<A extends ServiceName> {
  api: A;
  core: Core;
  data: StubData<A>;
  clock: StubClock;
  faults: Faults;
  assumptions: Assumptions;
  journal: Journal;
  events: Subscribers;
  features: readonly Feature[];
  /** Ends what waits for the stub. */
  closing: AbortController;
  watching: Watching | undefined;
}

function operationsOfStub<A extends ServiceName>(parts: OperationParts<A>): StubOperations<A> {
  const { api, core, data, clock, faults, assumptions, journal, events, features, closing, watching } = parts;
  const { services, catalogue, operatorToken, webhooks } = core;
  const settled = async () => {
    do {
      await core.payments?.settled();
      await webhooks.settled();
    } while (await assumptions.settle());
  };
  const gateway = { services, catalogue, settled };
  const { secret, credentials } = data;
  const triggerAll: Stub['triggerAll'] = async (sent, options) => {
    const triggerOn = ({ payments, policies }: Core, gateway: Gateway) =>
      trigger({ gateway, service: api, credentials, secret, payments, policy: policies[api] }, sent, options);
    const what = `the trigger of ${sent.map(({ event }) => event).join(', ')}`;
    await watching?.changes(what, (other) => triggerOn(other, { ...other, settled: other.webhooks.settled }));
    return triggerOn(core, gateway);
  };
  const close = () => {
    closing.abort(new CouldNotRun('stub.close() was called during this wait. Close the stub later.'));
    return closeFeatures(features);
  };
  const untilClosed = <O extends { signal?: AbortSignal }>(options?: O) => ({
    ...options,
    signal: AbortSignal.any([closing.signal, ...(options?.signal ? [options.signal] : [])]),
  });
  return {
    api,
    operatorToken,
    secret,
    faults,
    assumptions: assumptionsShown(assumptions),
    endpoints: data.endpoints,
    profile: profileOf({ api, gateway, credentials, add: data.add }),
    triggerAll,
    settled,
    close,
    [Symbol.asyncDispose]: close,
    [Symbol.dispose]: () => void close().catch(() => {}),
    clock: { now: () => clock.now(), advance: async (duration) => clock.advance(durationMs(duration), settled) },
    async trigger(event, given, { on, ...options } = {}) {
      const [triggered] = await triggerAll([{ event, data: given, on }], options);
      if (!triggered) throw new Error(`The event ${event} was not stored.`);
      return triggered;
    },
    payments: paymentsOf(api, core.payments, settled),
    async deliveries(filter = {}) {
      await checkDeliveryFilter(gateway, filter);
      return deliveriesOf(gateway, filter);
    },
    resend: (id) => resend(gateway, id),
    waitForDelivery: (filter, options) =>
      waitForDelivery({ gateway, subscribe: (told) => events.add(told) }, filter, untilClosed(options)),
    calls: (filter) => journal.check(filter),
    waitForCall: (filter, options) => journal.checkNext(filter, untilClosed(options)),
    expectCalls: (filter) => journal.expect(filter),
    uncheckedCalls: () => journal.unchecked(),
    clearCalls: () => journal.clear(),
    har: (options) => journal.har(options),
    subscribe(listener) {
      const ends = [events.add(listener), journal.subscribe((call) => listener({ kind: 'call', call }))];
      return () => {
        for (const end of ends) end();
      };
    },
    state: () => data.state(),
    reset: () => resetFeatures(features),
  };
}

/** Payments as programs get them. A payment that is settled by hand delivers its webhooks first. */
function paymentsOf(api: ServiceName, payments: Core['payments'], settled: () => Promise<void>): Stub['payments'] {
  const known = () => {
    if (payments) return payments;
    throw new Refusal('not_found', 'no_payments', `${api} has no payments. They belong to pos.`);
  };
  return {
    rules: payments?.rules ?? [],
    list: async (filter) => known().list(filter),
    async settle(id, as) {
      const payment = await known().settle(id, as);
      await settled();
      return payment;
    },
  };
}
