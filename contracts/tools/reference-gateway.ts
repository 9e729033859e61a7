import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../gateway/app.ts';
import { type Clock, systemClock } from '../../gateway/base/clock.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { openLog } from '../../gateway/base/log.ts';
import type { Services } from '../../gateway/http/api.ts';
import { MemoryCounters } from '../../gateway/http/limit/memory-counters.ts';
import { openBackOffice } from '../../gateway/manage/open.ts';
import { allowsLoopbackDelivery } from '../../gateway/start/config.ts';
import { memorySettings, openMemory } from '../../gateway/start/memory.ts';
import { openProvider } from '../../gateway/start/providers.ts';
import { webhookSettings } from '../../gateway/start/webhook-settings.ts';
import type { Store } from '../../gateway/store/port.ts';
import { type OnWrite, watchWrites } from '../../gateway/store/watch.ts';
import { openWebhooks } from '../../gateway/webhooks/webhooks.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { JsonReply } from '../../spec/json.ts';

const settings = memorySettings();
const log = openLog('silent');

/** The machine's clock plus a shift. It can be held at a moment. */
export class ShiftedClock implements Clock {
  #byMs = 0;
  #heldAt: number | undefined;
  now = () => this.#heldAt ?? Date.now() + this.#byMs;
  after = systemClock.after;
  shift(byMs: number): void {
    this.#byMs += byMs;
  }
  hold(): void {
    this.#heldAt = this.now();
  }
  release(): void {
    this.#heldAt = undefined;
  }
  reset(): void {
    this.#byMs = 0;
  }
}

/** The parts that have state, all of them new: rows, jobs, deliveries, counters and time. */
function openOwn(keys: Keyring) {
  const clock = new ShiftedClock();
  const memory = openMemory(clock, log);
  const { store, onWrite } = watchWrites(memory.store);
  const webhooks = openWebhooks({
    store,
    queue: memory.queue,
    clock,
    keys,
    log,
    attempts: { lateClient: true },
    settings: webhookSettings(settings),
  });
  return { clock, store, onWrite, webhooks, counters: new MemoryCounters(clock) };
}

/** A call, with a path from the root of the gateway. */
export interface Sent {
  method: string;
  /** Path with query. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A gateway with what an interaction needs: one API, its webhooks, and the manage API's routes that set up data. */
export interface ReferenceGateway {
  app: FastifyInstance;
  operatorToken: string;
  /** The prefix of the API's paths, such as `/pos`. */
  prefix: string;
  /** Returns the replies to a call under the alternatives that would change it, by `GAP=ALTERNATIVE`. It changes nothing. */
  othersTo?(sent: Sent): Promise<Readonly<Record<string, JsonReply>>>;
  /** Forgets everything: rows, jobs, deliveries and counters are gone, and time begins again. Returns the clock. */
  begin(): Promise<ShiftedClock>;
  /** Waits for attempts in flight, and stores what waits. */
  end(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Building an app takes ten times as long as an interaction does, and an app without its parts has no state. So it is built once,
 * and each interaction gets parts of its own behind it. When the parts change, the app drops its cached rows, as after a write.
 */
export async function openReferenceGateway(name: ServiceName): Promise<ReferenceGateway> {
  const operatorToken = randomBytes(24).toString('base64url');
  const keys = new Keyring(randomBytes(32));
  const caches: Parameters<OnWrite>[] = [];
  let own: ReturnType<typeof openOwn> = openOwn(keys);
  const services: Services = {
    store: new Proxy({} as Store, { get: (_, method) => Reflect.get(own.store, method) }),
    clock: { now: () => own.clock.now(), after: (...given) => own.clock.after(...given) },
    change: (...given) => own.webhooks.change(...given),
    onWrite: ((...given: Parameters<OnWrite>) => caches.push(given)) as OnWrite,
    keys,
    log,
  };
  const provider = await openProvider(services, { name, prefix: `/${name}` });
  const manage = openBackOffice(services, {
    operatorToken,
    sessionHours: settings.SESSION_HOURS,
    backOffices: [await provider.backOffice()],
    endpoints: { catalogue: provider.api.events, allowLoopback: allowsLoopbackDelivery(settings) },
  });
  const app = await buildApp({
    settings,
    log,
    recording: { sinks: [] },
    counter: async () => (request, rule, increment) => own.counters.count(request, rule, increment),
    apis: [provider, { prefix: '/manage/v1', api: manage }],
  });
  await app.ready();
  return {
    app,
    operatorToken,
    prefix: `/${name}`,
    async begin() {
      own = openOwn(keys);
      for (const [table, listener, options] of caches) {
        own.onWrite(table, listener, options);
        listener(undefined);
      }
      own.webhooks.start();
      return own.clock;
    },
    async end() {
      await provider.api.flush?.();
      await own.webhooks.close();
    },
    close: () => app.close(),
  };
}

export type OpenGateway = typeof openReferenceGateway;

/** The gateways of one API that are in no interaction now. */
export class ReferenceGateways {
  readonly #name: ServiceName;
  readonly #open: OpenGateway;
  readonly #idle: ReferenceGateway[] = [];

  constructor(name: ServiceName, open: OpenGateway = openReferenceGateway) {
    this.#name = name;
    this.#open = open;
  }

  take = async (): Promise<ReferenceGateway> => this.#idle.pop() ?? (await this.#open(this.#name));

  giveBack(gateway: ReferenceGateway): void {
    this.#idle.push(gateway);
  }

  async close(): Promise<void> {
    for (const gateway of this.#idle.splice(0)) await gateway.close();
  }
}
