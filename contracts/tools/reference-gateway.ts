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
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { watchWrites } from '../../gateway/store/watch.ts';
import { openWebhooks } from '../../gateway/webhooks/webhooks.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { JsonReply } from '../../spec/json.ts';
import type { ChangeParts, EventChange } from './states/changes/change.ts';
import { cohesionChanges } from './states/changes/cohesion.ts';
import { posChanges } from './states/changes/pos.ts';

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

/** A call, with a path from the root of the gateway. */
export interface Sent {
  method: string;
  /** Path with query. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** `on`: the record to change, if the change should not choose it. */
export type CauseEvent = (event: string, on: string | undefined, parts: ChangeParts) => Promise<string>;

const changes = { pos: posChanges, cohesion: cohesionChanges };

export const causeOf =
  (name: ServiceName, { change }: Pick<Services, 'change'>): CauseEvent =>
  (event, on, parts) =>
    change((step) => (changes[name][event] as EventChange)(step, on, parts));

/** A gateway with what an interaction needs: one API, its webhooks, and the manage API's routes that set up data. */
export interface ReferenceGateway {
  app: FastifyInstance;
  operatorToken: string;
  /** The prefix of the API's paths, such as `/pos`. */
  prefix: string;
  /** Makes the change that causes an event. */
  cause: CauseEvent;
  /** Returns the replies to a call under the alternatives that would change it, by `GAP=ALTERNATIVE`. It changes nothing. */
  othersTo?(sent: Sent): Promise<Readonly<Record<string, JsonReply>>>;
  /** Forgets everything: rows and counters are gone, and time begins again. Returns the clock. */
  begin(): Promise<ShiftedClock>;
  /** Waits for attempts in flight, stores what waits, and forgets retries. */
  end(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a gateway on the memory tier. Building one takes ten times as long as an interaction does, so it is built once, and each
 * interaction begins with it empty.
 */
export async function openReferenceGateway(name: ServiceName): Promise<ReferenceGateway> {
  const operatorToken = randomBytes(24).toString('base64url');
  const keys = new Keyring(randomBytes(32));
  const clock = new ShiftedClock();
  const counters = new MemoryCounters(clock);
  const memory = new MemoryStore();
  const { queue } = openMemory(clock, log, memory);
  const { store, onWrite, reset: dropCachedRows } = watchWrites(memory);
  const webhooks = openWebhooks({
    store,
    queue,
    clock,
    keys,
    log,
    attempts: { lateClient: true },
    settings: webhookSettings(settings),
  });
  const services: Services = { store, clock, keys, log, onWrite, change: webhooks.change };
  const provider = await openProvider(services, { name, prefix: `/${name}` });
  const manage = openBackOffice(services, {
    operatorToken,
    sessionHours: 12,
    backOffices: [await provider.backOffice()],
    endpoints: { catalogue: provider.api.events, allowLoopback: allowsLoopbackDelivery(settings) },
  });
  const app = await buildApp({
    settings,
    log,
    recording: { sinks: [] },
    counter: async () => counters.count,
    apis: [provider, { prefix: '/manage/v1', api: manage }],
  });
  await app.ready();
  const empty = await memory.remember();
  webhooks.start();
  return {
    app,
    operatorToken,
    prefix: `/${name}`,
    cause: causeOf(name, services),
    async begin() {
      clock.reset();
      counters.reset();
      await empty();
      dropCachedRows();
      return clock;
    },
    async end() {
      await provider.api.flush?.();
      await webhooks.settled();
      await webhooks.reset();
    },
    async close() {
      await app.close();
      await webhooks.close();
    },
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
