import { hash } from 'node:crypto';
import pino from 'pino';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { Refusal } from '../gateway/base/errors.ts';
import { Keyring } from '../gateway/base/keyring.ts';
import type { TryIt } from '../gateway/docs/serve.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Api } from '../gateway/http/api.ts';
import { memorySettings, startOnMemory } from '../gateway/memory-tier.ts';
import { MemoryStore } from '../gateway/store/memory/store.ts';
import { StubClock } from './clock.ts';
import { serveControl } from './control.ts';
import type { StubApi } from './credentials.ts';
import { documentsOf } from './documents.ts';
import { durationMs } from './duration.ts';
import { FaultError, Faults } from './faults/index.ts';
import { explaining } from './help/explaining.ts';
import { knownValues } from './help/known-values.ts';
import { installCallHooks } from './hooks.ts';
import { Journal } from './journal/index.ts';
import { StubCounters, uncounted } from './limits.ts';
import { listen } from './listen-on.ts';
import { fill } from './seed/index.ts';
import { tryIt } from './try-it.ts';
import type { Stub, StubEvent, StubOptions } from './types.ts';
import type { StubEndpoint } from './webhook-types.ts';
import { addEndpoint, deliveriesOf, resend, trigger, triggerReordered } from './webhooks.ts';

export type { Stub, StubEvent, StubOptions } from './types.ts';

/** The same for every stub, so that credentials, tokens and secrets are the same at each start. Nothing here is secret. */
const masterKey = hash('sha256', 'passerelle stub', 'buffer');

/** Recorded calls that `/manage/v1/calls` shows. */
const callsKept = 1000;
/** Rows of the figures that a stub with a console keeps: several days of them. */
const talliesKept = 20_000;
/** Retries come a little before their time, always by as much: the whole schedule takes 26.2 h of the 27.6 h it names. */
const jitter = () => 0.25;
/**
 * The reconciler has nothing to find in a queue that is not lost. Whoever signed in to the console stays so when the clock
 * is moved on by the 27 h of a schedule of retries.
 */
const settings = memorySettings({ RECONCILE_SECONDS: '3600', SESSION_HOURS: '168' });

/**
 * Starts a stub of one API: the reference implementation itself, on memory, the API at the root of its own port. Many can
 * run in one process. Throws `CouldNotRun`, whose message says what to do, for options that cannot be used.
 */
export async function startStub<A extends StubApi>(api: A, options: StubOptions<A> = {}): Promise<Stub<A>> {
  try {
    return await start(api, options);
  } catch (error) {
    // What the gateway or the faults refuse of the options is told as what it is: a mistake in them.
    if (error instanceof Refusal || error instanceof FaultError) throw new CouldNotRun(error.message, { cause: error });
    throw error;
  }
}

async function start<A extends StubApi>(api: A, options: StubOptions<A>): Promise<Stub<A>> {
  const parts = openParts(options);
  const { clock, counters, journal, faults, store, keys, listeners } = parts;
  let gateway: Gateway | undefined;
  parts.settled = async () => gateway?.settled();
  const help = explaining(api, options.help ?? true);
  const operatorToken = `op_stub_${keys.demoCredential('operator token')}`;
  const control = serveControl(operatorToken);
  let filled: TryIt | undefined;
  let plain: Api | undefined;
  gateway = await startOnMemory({
    ...{ settings, operatorToken, store, keys, clock, log: parts.log, serve: [{ name: api, prefix: '' }] },
    stub: {
      documents: documentsOf(api),
      tryIt: {
        prefilled: (name, document) => filled?.prefilled(name, document) ?? document,
        token: async (name) => filled?.token(name),
      },
      count: options.limits === false ? uncounted : counters.count,
      adapt(served) {
        plain = served;
        return help.adapt(served);
      },
      async extend(app) {
        installCallHooks(app, { api: plain as Api, journal, faults, faulted: help.faulted });
        await app.register(control.plugin, { prefix: '/_stub' });
      },
      listener: {
        attempted: (attempt) => tell(listeners, { kind: 'attempt', attempt }),
        ended() {},
      },
      callsKept,
      consoleFolder: options.console ? (await import('../gateway/console/serve.ts')).builtFolder : undefined,
      random: jitter,
    },
  });
  try {
    const stub = await begin(api, options, {
      ...parts,
      gateway,
      operatorToken,
      explain: [
        help.use,
        ({ url, credentials, known }) => {
          filled = tryIt(api, { url, services: { store, clock, keys }, credentials, operatorToken, known });
        },
      ],
    });
    control.use(stub);
    return stub;
  } catch (error) {
    clock.close();
    await gateway.close();
    throw error;
  }
}

function openParts(options: Omit<StubOptions, 'seed'>) {
  const keys = new Keyring(masterKey);
  const parts = { settled: async () => {} };
  const clock = new StubClock({ startMs: instantOf(options.clock ?? 'real'), settled: () => parts.settled() });
  const journal = new Journal();
  const listeners = new Set<(event: StubEvent) => void>();
  journal.subscribe((call) => tell(listeners, { kind: 'call', call }));
  const faults = new Faults(options.faults ?? [], options.faultSeed === undefined ? {} : { seed: options.faultSeed });
  const log = pino({ level: options.logLevel ?? 'error', base: null }, pino.destination({ fd: 2, sync: true }));
  const store = new MemoryStore({ calls: callsKept, tallies: options.console ? talliesKept : 0 });
  return Object.assign(parts, { keys, clock, journal, listeners, faults, log, store, counters: new StubCounters(clock) });
}

function tell(listeners: ReadonlySet<(event: StubEvent) => void>, event: StubEvent): void {
  for (const listener of listeners) listener(event);
}

function instantOf(clock: NonNullable<StubOptions['clock']>): number | undefined {
  if (clock === 'real') return undefined;
  const atMs = typeof clock === 'number' ? clock : new Date(clock).getTime();
  if (Number.isFinite(atMs)) return atMs;
  throw new CouldNotRun(`The clock "${clock}" is no instant. Write one such as 2026-11-21T08:00:00Z, or "real".`);
}

type Running<A extends StubApi> = ReturnType<typeof openParts> & {
  gateway: Gateway;
  operatorToken: string;
  /** Told where the stub is, and what works there. */
  explain: ReturnType<typeof explaining<A>>['use'][];
};

async function startOver<A extends StubApi>(running: Running<A>, restore: () => Promise<void>): Promise<void> {
  const { gateway, clock, counters, faults, journal } = running;
  await gateway.startOver(restore);
  clock.reset();
  counters.clear();
  faults.reset();
  journal.clear();
}

/** Whoever looks on with the operator's token stays signed in to the console when a test resets the stub. */
function keepingSessions(store: MemoryStore, restore: () => Promise<void>): () => Promise<void> {
  return async () => {
    const sessions = await store.list('sessions', { where: { operator_id: null } });
    await restore();
    await store.append('sessions', sessions);
  };
}

/** Fills the store, listens, and remembers the beginning. */
async function begin<A extends StubApi>(api: A, options: StubOptions<A>, running: Running<A>): Promise<Stub<A>> {
  const { gateway, store, clock, journal, faults, listeners, operatorToken } = running;
  const credentials = await fill(api, gateway.services, { seed: options.seed ?? 'demo', plan: options.plan });
  const endpoints: StubEndpoint[] = [];
  const add = async (endpoint: { url: string; events?: string[] | null }) => {
    const added = await addEndpoint(gateway, api, { ...endpoint, place: endpoints.length + 1 });
    endpoints.push(added);
    return added;
  };
  for (const endpoint of options.webhooks ?? []) await add(endpoint);
  const atStart = endpoints.length;
  const known = await knownValues(api, store, credentials);
  const remembered = await store.remember();
  const restore = options.console ? keepingSessions(store, remembered) : remembered;
  const url = await listen(gateway.app, { host: options.host ?? '127.0.0.1', port: options.port ?? 0 });
  for (const tellOf of running.explain) tellOf({ url, credentials, known });

  const triggerAll: Stub['triggerAll'] = (events, { reorder = false, ...rest } = {}) =>
    (reorder ? triggerReordered : trigger)(gateway, api, events, rest);
  const close = async () => {
    clock.close();
    await gateway.close();
  };
  return {
    ...{ api, url, credentials, operatorToken, faults, close, triggerAll },
    ...(options.console && { console: `${url}/console` }),
    clock: { now: () => clock.now(), advance: async (duration) => clock.advance(durationMs(duration)) },
    endpoints: { list: () => [...endpoints], add },
    async trigger(event, data, rest) {
      const [triggered] = await triggerAll([{ event, data }], rest);
      if (!triggered) throw new Error(`The event ${event} was not stored.`);
      return triggered;
    },
    deliveries: (filter) => deliveriesOf(gateway, filter),
    resend: (id) => resend(gateway, id),
    settled: () => gateway.settled(),
    calls: (filter) => journal.calls(filter),
    waitForCall: (filter, rest) => journal.waitForCall(filter, rest),
    clearCalls: () => journal.clear(),
    har: (rest) => journal.har(rest),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async reset() {
      await startOver(running, restore);
      endpoints.length = atStart;
    },
    [Symbol.asyncDispose]: close,
  };
}
