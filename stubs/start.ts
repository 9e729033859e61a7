import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import type { ServiceName } from '../contracts/documents/services.ts';
import { findOperation, openApi } from '../contracts/openapi/operations.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { Refusal } from '../gateway/base/errors.ts';
import { type Feature, startFeatures } from '../gateway/base/features.ts';
import type { Logger } from '../gateway/base/log.ts';
import { isOrigin } from '../gateway/http/cors.ts';
import { serveLate } from '../gateway/http/late.ts';
import { MemoryCounters } from '../gateway/http/limit/memory-counters.ts';
import { nobodyListens } from '../gateway/webhooks/model/listener.ts';
import { openApp } from './app.ts';
import { Assumptions } from './assume/assumptions.ts';
import { assumedOf } from './assume/chosen.ts';
import { checkedStub } from './checked.ts';
import { StubClock } from './clock.ts';
import { type Core, openCore } from './core.ts';
import { openData } from './data.ts';
import { examplesOf } from './examples/reply.ts';
import { documentCheck } from './faults/document-check.ts';
import { FaultError } from './faults/errors.ts';
import { Faults } from './faults/faults.ts';
import type { Target } from './faults/targets.ts';
import { Journal } from './journal/journal.ts';
import { Address } from './listen-on.ts';
import { operationNames } from './names.ts';
import { checkNode } from './node-version.ts';
import { type OperationParts, operationsOfStub, Subscribers } from './operations.ts';
import { checkStart } from './options.ts';
import type { MobileMoneyParts } from './payments/mobile-money.ts';
import { tryIt } from './try-it.ts';
import type { Stub, StubOptions } from './types.ts';
import type { Watching } from './watching.ts';

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
  const faults = faultsOf(api, options, clock);
  const assumptions = await assumptionsOf(api, options);
  const counters = new MemoryCounters(clock);
  const journal = new Journal({ operations: operationNames[api] });
  const events = new Subscribers();
  const core = await openStubCore(api, options, { clock, log, events, assumptions, watching });
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

  const features = featuresOf(parts, { clock, counters, data, address, app });
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

interface CoreOfStub {
  clock: StubClock;
  log: Logger;
  events: Subscribers;
  assumptions: Assumptions;
  watching: Watching | undefined;
}

/** Opens what is behind the app: it tells what happens, and answers under the assumptions. */
async function openStubCore(
  api: ServiceName,
  options: StubOptions,
  { clock, log, events, assumptions, watching }: CoreOfStub,
): Promise<Core> {
  const listener = { ...nobodyListens, attempted: events.attempted };

  const core = await openCore(api, {
    clock,
    log,
    listener,
    console: options.console ?? false,
    assumptions,
    message: watching?.message,
    mobileMoney: await mobileMoneyOf(api, options, {
      ended: (payment) => events.tell({ kind: 'payment', payment }),
      ending: (id, as) => watching?.changes('the end of a payment', ({ payments }) => payments?.settle(id, as)),
    }),
  });
  assumptions.connect({
    api,
    clock,
    log,
    queue: core.queue,
    change: core.services.change,
    isOfApi: core.isOfApi,
    onAttempt: (listener) => events.add((event) => event.kind === 'attempt' && listener(event.attempt)),
  });
  return core;
}

function faultsOf(api: ServiceName, options: StubOptions, clock: StubClock): Faults {
  return new Faults(options.faults ?? [], {
    seed: options.faultSeed,
    operations: targetsOf(api),
    examples: examplesOf(api),
    now: () => clock.now(),
    check: documentCheck(api),
  });
}

interface StartedParts {
  clock: StubClock;
  counters: MemoryCounters;
  data: Feature;
  address: Address;
  app: FastifyInstance;
}

/** What starts, ends and is reset with a stub, in the order of its start. */
function featuresOf(
  { core, assumptions, faults, journal }: Pick<OperationParts<ServiceName>, 'core' | 'assumptions' | 'faults' | 'journal'>,
  { clock, counters, data, address, app }: StartedParts,
): Feature[] {
  const { payments, provider, records, webhooks } = core;
  return [
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
