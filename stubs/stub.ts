import pino from 'pino';
import { type ServiceName, serviceNames } from '../contracts/documents/services.ts';
import { operationsOf } from '../contracts/openapi/operations.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { Refusal } from '../gateway/base/errors.ts';
import { nearestOf } from '../gateway/base/nearest.ts';
import { MemoryCounters } from '../gateway/http/limit/memory-counters.ts';
import { closeFeatures, type Feature, resetFeatures, startFeatures } from '../gateway/start/features.ts';
import { openApp } from './app.ts';
import { StubClock } from './clock.ts';
import { serveControl } from './control.ts';
import { type Core, openCore } from './core.ts';
import { openData, type StubData } from './data.ts';
import { durationMs } from './duration.ts';
import { FaultError } from './faults/errors.ts';
import { Faults } from './faults/faults.ts';
import { Journal } from './journal/journal.ts';
import { Address } from './listen-on.ts';
import { tryIt } from './try-it.ts';
import type { Stub, StubEvent, StubOperations, StubOptions } from './types.ts';
import { deliveriesOf, resend, trigger, triggerReordered } from './webhooks.ts';

export type { Stub, StubEvent, StubOptions } from './types.ts';

/**
 * Starts a stub of one API: the reference implementation itself, in memory, with the API at the root of its own port.
 * Many stubs can run in one process. Throws `CouldNotRun`, whose message says what to do, if an option cannot be used.
 */
export async function startStub<A extends ServiceName>(api: A, options: StubOptions<A> = {}): Promise<Stub<A>> {
  checkNames(api, options);
  try {
    return await start(api, options);
  } catch (error) {
    // The gateway or the faults refused an option.
    if (error instanceof Refusal || error instanceof FaultError) throw new CouldNotRun(error.message, { cause: error });
    throw error;
  }
}

const optionNames: Record<keyof StubOptions, true> = {
  ...{ port: true, host: true, seed: true, plan: true, limits: true, clock: true, faults: true, faultSeed: true },
  ...{ webhooks: true, help: true, console: true, logLevel: true },
};

/** For programs in JavaScript: refuses a misspelt API or option, which would be ignored or fail obscurely. */
function checkNames(api: string, options: object): void {
  if (!(serviceNames as readonly string[]).includes(api))
    throw new CouldNotRun(`"${api}" is not an API. Use ${serviceNames.join(' or ')}.`);
  const known = Object.keys(optionNames);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new CouldNotRun(`"${unknown}" is not an option of startStub. Did you mean ${nearestOf(unknown, known)}?`);
}

/** A stub, as the list of its parts. A gateway is another such list: `gateway/gateway.ts`. */
async function start<A extends ServiceName>(api: A, options: StubOptions<A>): Promise<Stub<A>> {
  const { console = false, help = true } = options;
  const log = pino({ level: options.logLevel ?? 'error', base: null }, pino.destination({ fd: 2, sync: true }));
  const clock = new StubClock(instantOf(options.clock ?? 'real'));
  const operations = operationsOf(api).flatMap(({ operation }) => operation.operationId ?? []);
  const faults = new Faults(options.faults ?? [], { seed: options.faultSeed, operations });
  const counters = new MemoryCounters(clock);
  const journal = new Journal();
  const events = new Subscribers();
  journal.subscribe((call) => events.tell({ kind: 'call', call }));
  const listener = { attempted: events.attempted, ended() {} };

  const core = await openCore(api, { clock, log, listener, console });
  const { operatorToken, provider, records, webhooks } = core;
  const data = await openData(api, core, options);
  const address = new Address(options);
  const about = () => ({ api, url: address.url, credentials: data.credentials, known: data.known });
  const counter = async () => (options.limits === false ? () => null : counters.count);
  const app = await openApp({ core, journal, faults, counter, about, tryIt: tryIt(core, about), help, console });

  const features: Feature[] = [
    clock,
    counters,
    faults,
    { reset: () => journal.clear() },
    { reset: () => core.dropCachedRows() },
    data,
    { reset: () => provider.api.flush?.() },
    ...records.features,
    webhooks,
    { start: () => address.listen(app), close: () => app.close() },
  ];
  const own = operationsOfStub({ api, core, data, clock, faults, journal, events, features });
  await app.register(serveControl(own, about, operatorToken), { prefix: '/_stub' });
  await startFeatures(features);
  const { url } = address;
  return { ...own, url, credentials: data.credentials, ...(console && { console: `${url}/console` }) };
}

/** Milliseconds since 1970 at which the clock stands still; undefined for a running clock. */
function instantOf(clock: NonNullable<StubOptions['clock']>): number | undefined {
  if (clock === 'real') return undefined;
  const atMs = typeof clock === 'number' ? clock : new Date(clock).getTime();
  if (Number.isFinite(atMs)) return atMs;
  throw new CouldNotRun(`clock: "${clock}" is not a date and time. Use one such as 2026-11-21T08:00:00Z, or "real".`);
}

/** The listeners of `stub.subscribe`. */
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
  journal: Journal;
  events: Subscribers;
  features: readonly Feature[];
}

function operationsOfStub<A extends ServiceName>(parts: OperationParts<A>): StubOperations<A> {
  const { api, core, data, clock, faults, journal, events, features } = parts;
  const { services, catalogue, operatorToken, webhooks } = core;
  const settled = () => webhooks.settled();
  const gateway = { services, catalogue, settled };
  const triggerAll: Stub['triggerAll'] = (sent, { reorder = false, ...rest } = {}) =>
    (reorder ? triggerReordered : trigger)(gateway, api, sent, rest);
  const close = () => closeFeatures(features);
  return {
    ...{ api, operatorToken, faults, endpoints: data.endpoints, triggerAll, settled, close, [Symbol.asyncDispose]: close },
    clock: { now: () => clock.now(), advance: async (duration) => clock.advance(durationMs(duration), settled) },
    async trigger(event, given, options) {
      const [triggered] = await triggerAll([{ event, data: given }], options);
      if (!triggered) throw new Error(`The event ${event} was not stored.`);
      return triggered;
    },
    deliveries: (filter) => deliveriesOf(gateway, filter),
    resend: (id) => resend(gateway, id),
    calls: (filter) => journal.calls(filter),
    waitForCall: (filter, options) => journal.waitForCall(filter, options),
    clearCalls: () => journal.clear(),
    har: (options) => journal.har(options),
    subscribe: (eventListener) => events.add(eventListener),
    reset: () => resetFeatures(features),
  };
}
