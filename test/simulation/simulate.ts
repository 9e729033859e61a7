import pino from 'pino';
import { z } from 'zod';
import { setIdSource } from '../../gateway/base/ids.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { createEndpoint, updateEndpoint } from '../../gateway/webhooks/endpoints/endpoints.ts';
import { resendDelivery } from '../../gateway/webhooks/operator/manual.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import { defineEvent } from '../../gateway/webhooks/outbox/event.ts';
import { openWebhooks, type Webhooks } from '../../gateway/webhooks/webhooks.ts';
import { type FaultKind, Faults, faultKinds } from './faults.ts';
import { type Broken, brokenIn } from './invariants.ts';
import { deadlineMs, Receivers } from './receivers.ts';
import { gateOf, openServers, queueOf, type Servers, storeOf } from './servers.ts';
import { Process, takeTurns, World } from './world.ts';

const sold = defineEvent({
  type: 'sale.completed',
  service: 'pos',
  summary: 'A sale',
  data: z.object({ number: z.number() }),
  example: { number: 1 },
  gaps: [],
});

const startMs = Date.UTC(2026, 10, 21, 8);
const [second, minute, hour] = [1000, 60_000, 3_600_000];
/** How long faults happen, at most, and how long after them everything must have ended: an endpoint that only fails is disabled after five days. */
const [mostTroubleMs, patienceMs] = [10 * minute, 130 * hour];

/** One run, as the invariants see it. */
export interface Run {
  world: World;
  servers: Servers;
  receivers: Receivers;
  endpoints: readonly Row<'endpoints'>[];
  /** The numbers of the events whose changes were acknowledged. */
  acknowledged: ReadonlySet<number>;
  /** The deliveries of which an operator asked for another attempt. */
  resent: ReadonlySet<string>;
  /** When endpoints were certainly paused. */
  pauses: readonly { endpointId: string; fromMs: number; toMs: number }[];
}

export interface Result {
  seed: number;
  trace: string;
  broken: Broken[];
  story: readonly string[];
  counts: ReadonlyMap<string, number>;
  simulatedMs: number;
}

/** Runs gateways, receivers and faults as a seed decides, and checks what must hold whatever happens. */
export async function simulate(seed: number, only: readonly FaultKind[] = faultKinds): Promise<Result> {
  const world = new World(seed, startMs);
  const { random } = world;
  const restore = setIdSource({ now: () => Math.trunc(world.nowMs), uint32: () => random.uint32() });
  const endTurns = takeTurns();
  try {
    const kinds = only.filter(() => random.chance(0.4));
    const run = new Simulation(world, new Faults(random, kinds, (kind) => world.note(kind)));
    const broken = await run.play();
    for (const { invariant, saw } of broken) world.note('broken', `${invariant}: ${saw}`);
    return { seed, trace: world.trace, broken, story: world.story, counts: world.counts, simulatedMs: world.nowMs - startMs };
  } finally {
    restore();
    endTurns();
  }
}

class Simulation {
  readonly #world: World;
  readonly #faults: Faults;
  readonly #servers: Servers;
  readonly #receivers: Receivers;
  readonly #keys = new Keyring(Buffer.alloc(32, 7));
  readonly #gateways: { process: Process; webhooks: Webhooks }[] = [];
  readonly #acknowledged = new Set<number>();
  readonly #resent = new Set<string>();
  readonly #paused = new Set<string>();
  readonly #pauses: { endpointId: string; fromMs: number; toMs: number }[] = [];
  #started = 0;

  constructor(world: World, faults: Faults) {
    this.#world = world;
    this.#faults = faults;
    this.#servers = openServers(world, faults);
    this.#receivers = new Receivers(world, faults);
  }

  async play(): Promise<Broken[]> {
    const [world, faults] = [this.#world, this.#faults];
    const { random } = world;
    faults.isOn = false;
    for (let count = random.whole(2, 4); count > 0; count--) this.#startGateway();
    const endpoints = await this.#createEndpoints(random.whole(3, 8));
    faults.isOn = true;
    const calmMs = startMs + random.whole(minute, mostTroubleMs);
    for (let number = random.whole(10, 60); number > 0; number--)
      this.#planChange(number, random.whole(0, calmMs - startMs - second));
    for (let number = random.whole(0, 8); number > 0; number--) this.#planTrouble(random.whole(0, calmMs - startMs));
    for (let number = random.whole(0, 6); number > 0; number--) this.#planOperator(random.whole(0, calmMs - startMs), endpoints);
    await world.run(calmMs);
    faults.end();
    if (!this.#gateways.some(({ process }) => !process.isDead)) this.#startGateway();
    const run = {
      world,
      servers: this.#servers,
      receivers: this.#receivers,
      endpoints,
      acknowledged: this.#acknowledged,
      resent: this.#resent,
      pauses: this.#pauses,
    };
    const overdue = await brokenIn(run, 'soon');
    world.upkeepFactor = 60;
    const pending = () => world.until(this.#servers.rows.count('deliveries', { status: 'pending' }));
    while (world.nowMs < calmMs + patienceMs && (await pending()) > 0) await world.run(world.nowMs + hour);
    await world.run(world.nowMs + minute);
    return [...overdue, ...(await brokenIn(run, 'at the end'))];
  }

  #startGateway(): void {
    const [world, faults, servers] = [this.#world, this.#faults, this.#servers];
    if (faults.kinds.has('clocks differ')) world.note('clocks differ');
    const skewMs = faults.kinds.has('clocks differ') ? world.random.whole(-30 * second, 30 * second) : 0;
    this.#started += 1;
    const process = new Process(world, `gateway-${this.#started}`, skewMs);
    const webhooks = openWebhooks({
      store: storeOf(servers, process),
      queue: queueOf(servers, process),
      gate: gateOf(servers, process),
      clock: process.clock,
      timers: process.timers,
      sender: this.#receivers.senderOf(process),
      keys: this.#keys,
      log: pino({ level: 'silent' }),
      random: world.random.fraction,
      settings: { allowLoopback: true, deadlineMs },
    });
    webhooks.start();
    this.#gateways.push({ process, webhooks });
    world.note('gateway started', process.name);
  }

  async #createEndpoints(count: number): Promise<Row<'endpoints'>[]> {
    const { random } = this.#world;
    const created: Promise<{ endpoint: Row<'endpoints'> }>[] = [];
    for (let number = 1; number <= count; number++) {
      const input = {
        service: 'pos' as const,
        url: `https://receiver-${number}.example/hook`,
        description: '',
        events: null,
        perimeter: null,
        active: true,
        ordered: random.chance(0.3),
        max_in_flight: random.chance(0.3) ? random.whole(1, 3) : null,
        max_per_second: random.chance(0.2) ? random.whole(1, 10) : null,
      };
      const { webhooks } = random.pick(this.#gateways);
      const rules = { catalogue: [sold], allowLoopback: true, keys: this.#keys };
      created.push(webhooks.change((change) => createEndpoint(change, input, rules)) as Promise<{ endpoint: Row<'endpoints'> }>);
    }
    return (await this.#world.until(Promise.all(created))).map(({ endpoint }) => endpoint);
  }

  /** An operator sends a delivery again, or pauses an endpoint for a while. */
  #planOperator(delayMs: number, endpoints: readonly Row<'endpoints'>[]): void {
    const world = this.#world;
    const { random } = world;
    const ask = (what: string, work: (change: Change) => Promise<unknown>, done = () => {}) => {
      const running = this.#gateways.filter(({ process }) => process.isRunning);
      if (running.length === 0) return;
      const { webhooks } = random.pick(running);
      webhooks.change(work).then(
        () => {
          world.note(what);
          done();
        },
        (error: Error) => world.note(`${what}: refused`, error.message),
      );
    };
    const resend = async () => {
      const all = await this.#servers.rows.list('deliveries', { order: [['id', 'asc']] });
      const { id } = all.length > 0 ? random.pick(all) : { id: undefined };
      if (id === undefined) return;
      this.#resent.add(id);
      ask('delivery sent again', (change) => resendDelivery(change, id));
    };
    const pause = () => {
      const { id } = random.pick(endpoints);
      if (this.#paused.has(id)) return;
      this.#paused.add(id);
      const rules = { catalogue: [sold], allowLoopback: true };
      const forMs = random.whole(second, minute);
      ask(
        'endpoint paused',
        (change) => updateEndpoint(change, { id, active: false }, rules),
        () => {
          const fromMs = world.nowMs;
          world.after(forMs, () => {
            this.#pauses.push({ endpointId: id, fromMs, toMs: world.nowMs });
            this.#paused.delete(id);
            ask('endpoint resumed', (change) => updateEndpoint(change, { id, active: true }, rules));
          });
        },
      );
    };
    world.after(delayMs, () => void (random.chance(0.7) ? resend() : pause()));
  }

  /** A caller's change, which emits one event, or so many that the background fan-out creates their deliveries. */
  #planChange(number: number, delayMs: number): void {
    const world = this.#world;
    world.after(delayMs, () => {
      const running = this.#gateways.filter(({ process }) => process.isRunning);
      if (running.length === 0) return;
      const { process, webhooks } = world.random.pick(running);
      const numbers = Array.from({ length: world.random.chance(0.1) ? 11 : 1 }, (_, at) => number * 100 + at);
      world.note('change', `${numbers.join()} at ${process.name}`);
      const emitAll = async ({ emit }: Change) => {
        for (const one of numbers) emit(sold, { subject: null, data: { number: one } });
      };
      webhooks.change(emitAll).then(
        () => {
          for (const one of numbers) this.#acknowledged.add(one);
          world.note('acknowledged', numbers.join());
        },
        (error: Error) => world.note('not acknowledged', `${numbers.join()}: ${error.message}`),
      );
    });
  }

  /** Something that happens to a process or a server. */
  #planTrouble(delayMs: number): void {
    const [world, faults, servers] = [this.#world, this.#faults, this.#servers];
    const { random } = world;
    const lasting = (kind: FaultKind, begin: () => void, end: () => void) => {
      begin();
      world.note(kind);
      world.after(random.whole(100, 30_000), end);
    };
    const happenings: Partial<Record<FaultKind, () => void>> = {
      'store away': () =>
        lasting(
          'store away',
          () => faults.setAway('store', true),
          () => faults.setAway('store', false),
        ),
      'queue away': () =>
        lasting(
          'queue away',
          () => faults.setAway('queue', true),
          () => faults.setAway('queue', false),
        ),
      'store read-only': () =>
        lasting(
          'store read-only',
          () => {
            faults.isReadOnly = true;
          },
          () => {
            faults.isReadOnly = false;
          },
        ),
      'queue emptied': () => {
        servers.jobs.empty();
        world.note('queue emptied');
      },
      'process killed': () => {
        const { process } = random.pick(this.#gateways);
        if (process.isDead) return;
        process.kill();
        world.note('process killed', process.name);
        world.after(random.whole(0, minute), () => this.#startGateway());
      },
      'process suspended': () => {
        const { process } = random.pick(this.#gateways);
        if (!process.isRunning) return;
        const forMs = random.pick([random.whole(100, 3000), random.whole(20_000, 10 * minute)]);
        process.suspend(forMs);
        world.note('process suspended', `${process.name} for ${forMs} ms`);
      },
    };
    world.after(delayMs, () => {
      const possible = Object.entries(happenings).filter(([kind]) => faults.kinds.has(kind as FaultKind));
      if (faults.isOn && possible.length > 0) random.pick(possible)[1]();
    });
  }
}
