import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { Refusal, SettingsError } from '../gateway/base/errors.ts';
import { type Feature, startFeatures } from '../gateway/base/features.ts';
import { withoutLogin } from '../gateway/base/hosts.ts';
import type { Logger } from '../gateway/base/log.ts';
import { isOrigin } from '../gateway/http/cors.ts';
import { serveLate } from '../gateway/http/late.ts';
import { MemoryCounters } from '../gateway/http/limit/memory-counters.ts';
import { type DeliveryListener, nobodyListens } from '../gateway/webhooks/model/listener.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import { openApp } from './app.ts';
import { Assumptions, assumedOf } from './assume/assumptions.ts';
import { checkedStub } from './checked.ts';
import { StubClock } from './clock.ts';
import { type Core, openCore } from './core.ts';
import { openData } from './data.ts';
import { examplesOf } from './examples/reply.ts';
import { documentCheck } from './faults/document-check.ts';
import { FaultError } from './faults/errors.ts';
import { Faults } from './faults/faults.ts';
import { LostWebhooks } from './faults/lost-webhooks.ts';
import { targetsOf } from './faults/targets.ts';
import { Journal } from './journal/journal.ts';
import { Address } from './listen-on.ts';
import { operationNames } from './names.ts';
import { checkNode } from './node-version.ts';
import { type OperationParts, operationsOfStub, Subscribers } from './operations.ts';
import { checkStart } from './options.ts';
import type { MobileMoneyParts } from './payments/mobile-money.ts';
import { securedBy } from './secured.ts';
import { tryIt } from './try-it.ts';
import type { Stub, StubOptions, World } from './types.ts';
import type { WorldPlace } from './worlds/place.ts';
import { Worlds, type WorldsParts } from './worlds/worlds.ts';

export type { Stub, StubEvent, StubOptions, World, WorldOptions } from './types.ts';

/**
 * Starts a stub of one API: the reference implementation itself, in memory, with the API at the root of its own port.
 * Many stubs can run in one process. Throws `CouldNotRun`, whose message says what to do, if an option cannot be used.
 */
export const startStub = <A extends ServiceName>(api: A, options: StubOptions<A> = {}): Promise<Stub<A>> =>
  startAs({}, api, options);

/** Starts a stub as `startStub` does, without worlds: whoever watches it would not see what happens in them. */
export const startWatchedStub = <A extends ServiceName>(api: A, options: StubOptions<A>): Promise<Stub<A>> =>
  startAs({ isWatched: true }, api, options);

/** A world is at a place of its stub, with the authority of its certificate. */
interface Kind {
  isWatched?: boolean;
  world?: { place: WorldPlace; ca: string | undefined };
}

async function startAs<A extends ServiceName>(kind: Kind, api: A, options: StubOptions<A>): Promise<Stub<A>> {
  checkNode();
  checkStart(api, options);
  try {
    return await start(api, options, kind);
  } catch (error) {
    // The gateway, the faults or the reader of certificates refused an option.
    if (error instanceof Refusal || error instanceof FaultError || error instanceof SettingsError)
      throw new CouldNotRun(error.message, { cause: error });
    throw error;
  }
}

/** A stub, as the list of its parts. A gateway is another such list: `gateway/gateway.ts`. */
async function start<A extends ServiceName>(api: A, options: StubOptions<A>, { isWatched, world }: Kind): Promise<Stub<A>> {
  const { console = false, help = true } = options;
  const log = pino({ level: options.logLevel ?? 'error', base: null }, pino.destination({ fd: 2, sync: true }));
  const clock = new StubClock(instantOf(options.clock ?? 'real'));
  const faults = faultsOf(api, options, clock);
  const assumptions = await assumptionsOf(api, options);
  const counters = new MemoryCounters(clock);
  const secured = options.tls ? await securedBy(options.tls, options.host) : undefined;
  const ca = world?.ca ?? secured?.ca;
  const address = world?.place ?? new Address(options);
  const worlds = worldsOf(api, options, { address, ca, whyNot: whyNoWorlds({ isWatched, world }) });
  const journal = new Journal({ operations: operationNames[api], scheme: address.scheme });
  const events = new Subscribers();
  const lost = new LostWebhooks({
    faults,
    lossOf: ({ caused_by }) => core.payments?.lossOf(caused_by),
    lost: (webhook) => events.tell({ kind: 'lost', webhook }),
  });
  const core: Core = await openStubCore(api, options, { clock, log, events, assumptions, lost });
  const data = await openData(api, { ...core, assumptions, world: world?.place.name }, options);
  await world?.place.follow(api, core.services, assumptions);
  const about = () => ({ api, url: address.url, credentials: data.credentials, known: data.known });
  const parts = {
    core,
    https: secured?.https,
    journal,
    faults,
    lost,
    assumptions,
    about,
    tryIt: tryIt(core, about),
    secret: data.secret,
    help,
    console,
    cors: originsOf(options),
    count: options.limits === false ? () => null : counters.count,
    worlds: world ? undefined : worlds,
  };
  const app = await openApp(parts);
  const ending = { close: () => (world ? world.place.leave() : worlds.close()) };
  const features = featuresOf(parts, { clock, counters, data, address, app, ending });
  const closing = new AbortController();
  const own = operationsOfStub({
    api,
    core,
    data,
    clock,
    faults,
    assumptions,
    journal,
    events,
    features,
    closing,
    worlds,
  });
  const control = { stub: own, about, journal, closing: closing.signal };
  serveLate(app, '/_stub', async () => (await import('./control/api.ts')).openControlApp(control, core));
  await startFeatures(features);
  const { url } = address;
  const stub = {
    ...own,
    ...(world && { name: world.place.name }),
    url,
    ...(ca && { ca }),
    ...(console && { console: `${url}/console` }),
    get credentials() {
      return data.credentials;
    },
  };
  return checkedStub(stub, world ? 'world' : 'stub');
}

interface CoreOfStub {
  clock: StubClock;
  log: Logger;
  events: Subscribers;
  assumptions: Assumptions;
  lost: LostWebhooks;
}

/** Opens what is behind the app: it tells what happens, and answers under the assumptions. */
async function openStubCore(
  api: ServiceName,
  options: StubOptions,
  { clock, log, events, assumptions, lost }: CoreOfStub,
): Promise<Core> {
  const listener: DeliveryListener = {
    ...nobodyListens,
    attempted(attempt) {
      core.payments?.attempted(attempt);
      events.attempted(attempt);
    },
  };
  const core: Core = await openCore(api, {
    clock,
    log,
    listener,
    console: options.console ?? false,
    assumptions,
    lost,
    mobileMoney: await mobileMoneyOf(api, options, (payment) => events.tell({ kind: 'payment', payment })),
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

const faultsOf = (api: ServiceName, options: StubOptions, clock: StubClock): Faults =>
  new Faults(options.faults ?? [], {
    seed: options.faultSeed,
    operations: targetsOf(api),
    examples: examplesOf(api),
    now: () => clock.now(),
    check: documentCheck(api),
  });

interface StartedParts {
  clock: StubClock;
  counters: MemoryCounters;
  data: Feature;
  address: Pick<Address, 'listen'>;
  app: FastifyInstance;
  /** Comes first when the stub closes. */
  ending: Feature;
}

/** The parts that start, end and are reset with a stub, in the order of their start. */
function featuresOf(
  {
    core,
    assumptions,
    faults,
    lost,
    journal,
  }: Pick<OperationParts<ServiceName>, 'core' | 'assumptions' | 'faults' | 'journal'> & { lost: Feature },
  { clock, counters, data, address, app, ending }: StartedParts,
): Feature[] {
  const { payments, provider, records, webhooks } = core;
  return [
    // A reset goes through this list backwards. So the clock goes back first, and then payments of the seed and waits of
    // alternatives begin again.
    { start: () => payments?.start(), reset: () => payments?.start() },
    assumptions,
    clock,
    counters,
    faults,
    lost,
    { reset: () => journal.clear() },
    { reset: () => core.dropCachedRows() },
    data,
    { reset: () => provider.api.flush?.() },
    ...records.features,
    webhooks,
    { close: () => payments?.stop(), reset: () => payments?.stop() },
    { start: () => address.listen(app), close: () => app.close() },
    ending,
  ];
}

/** The worlds of a stub. They begin with the stub's options, unless they get other ones. */
const worldsOf = <A extends ServiceName>(
  api: A,
  options: StubOptions<A>,
  { address, ca, whyNot }: Pick<WorldsParts<A>, 'address' | 'whyNot'> & { ca: string | undefined },
): Worlds<A> =>
  new Worlds({
    address,
    open: async (own, place) => (await startAs({ world: { place, ca } }, api, { ...options, ...own, tls: false })) as World<A>,
    whyNot,
  });

/** Why a stub has no worlds; undefined if it may have some. A world cannot end itself by a call that it answers. */
function whyNoWorlds({ isWatched, world }: Kind): string | undefined {
  if (world) return 'A world has no worlds. Start and end worlds at the address of their stub.';
  if (!isWatched) return undefined;
  return 'This stub is watched, and what happens in a world would not be seen: start the command without worlds.';
}

/** What happens to payments. Undefined for an API without payments. */
async function mobileMoneyOf(api: ServiceName, { mobileMoney = [] }: StubOptions, ended: MobileMoneyParts['ended']) {
  const texts = [mobileMoney].flat();
  if (api === 'pos') return { rules: (await import('./payments/test-numbers.ts')).mobileMoneyRules(texts), ended };
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

function originsOf({ cors = ['*'] }: StubOptions): readonly string[] {
  const wrong = cors.find((origin) => !isOrigin(origin));
  if (wrong === undefined) return cors;
  throw new CouldNotRun(
    `cors: "${withoutLogin(wrong)}" is not an origin. Use one such as http://localhost:5173, without a path, or *.`,
  );
}

/** Milliseconds since 1970 at which the clock stands still; undefined for a running clock. */
function instantOf(clock: NonNullable<StubOptions['clock']>): number | undefined {
  if (clock === 'real') return undefined;
  const atMs = new Date(clock).getTime();
  if (Number.isFinite(atMs)) return atMs;
  throw new CouldNotRun(`clock: "${clock}" is not a date and time. Use one such as 2026-11-21T08:00:00Z, or "real".`);
}
