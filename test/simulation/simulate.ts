import pino from 'pino';
import { z } from 'zod';
import { isMachineWrong } from '../../gateway/base/clock.ts';
import { setIdSource } from '../../gateway/base/ids.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { StoreClock } from '../../gateway/store/clock.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Store } from '../../gateway/store/port.ts';
import type { Owner } from '../../gateway/store/tables/webhooks.ts';
import { createEndpoint, updateEndpoint } from '../../gateway/webhooks/endpoints/endpoints.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import { defineEvent } from '../../gateway/webhooks/outbox/event.ts';
import { openWebhooks, type Webhooks } from '../../gateway/webhooks/webhooks.ts';
import type { Line } from '../history/line.ts';
import { wrongAudit } from './audit.ts';
import { Faults } from './faults.ts';
import { brokenRules, historyOf } from './history.ts';
import { type Broken, brokenIn, ledgerOf } from './invariants.ts';
import { Operators, ownCredentials } from './operators.ts';
import { accounts, type Plan, type PlannedChange, stores } from './plan.ts';
import { Random } from './random.ts';
import { Readers } from './readers.ts';
import { deadlineMs, Receivers } from './receivers.ts';
import { clockOf, gateOf, openServers, queueOf, type Servers, storeOf } from './servers.ts';
import { strike } from './troubles.ts';
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
/** How long after the faults everything must have ended: an endpoint that only fails is disabled after five days. */
const patienceMs = 150 * hour;

/** The number of the event after everything. */
const lastNumber = 1_000_000;

/** One run, as the invariants see it. */
export interface Run {
  world: World;
  servers: Servers;
  receivers: Receivers;
  operators: Operators;
  readers: Readers;
  keys: Keyring;
  endpointIds: readonly string[];
  /** The numbers of the events whose changes were acknowledged, and when. */
  acknowledged: ReadonlyMap<number, number>;
}

export interface Result {
  trace: string;
  broken: Broken[];
  /** For the checker of histories. */
  history: readonly Line[];
  story: readonly string[];
  counts: ReadonlyMap<string, number>;
  simulatedMs: number;
}

/** Runs gateways, receivers and faults as a plan says, and checks what must hold whatever happens. `rows` must be empty. */
export async function simulate(plan: Plan, rows: Store = new MemoryStore()): Promise<Result> {
  const world = new World(plan.seed, startMs);
  const ids = world.random('ids');
  const restore = setIdSource({ now: () => Math.trunc(world.nowMs), uint32: () => ids.uint32() });
  const endTurns = takeTurns();
  try {
    const { broken, history } = await new Simulation(world, plan, rows).play().catch(asBroken);
    for (const { invariant, saw } of broken) world.note('broken', `${invariant}: ${saw}`);
    return { trace: world.trace, broken, history, story: world.story, counts: world.counts, simulatedMs: world.nowMs - startMs };
  } finally {
    restore();
    endTurns();
  }
}

/** A run that cannot go on has found something too, and the next seed may begin. */
const asBroken = (error: Error): Pick<Result, 'broken' | 'history'> => ({
  broken: [{ invariant: 'a run ends without an error', saw: error.stack ?? error.message }],
  history: [],
});

class Simulation {
  readonly #world: World;
  readonly #plan: Plan;
  readonly #faults: Faults;
  readonly #servers: Servers;
  readonly #receivers: Receivers;
  readonly #keys = new Keyring(Buffer.alloc(32, 7));
  readonly #otherKeys = new Keyring(Buffer.alloc(32, 8));
  #started = 0;
  readonly #gateways: { process: Process; keys: Keyring; webhooks: Webhooks }[] = [];
  readonly #acknowledged = new Map<number, number>();

  constructor(world: World, plan: Plan, rows: Store) {
    this.#world = world;
    this.#plan = plan;
    this.#faults = new Faults(world.random, plan.faults, (kind) => world.note(kind));
    this.#servers = openServers(world, this.#faults, rows);
    this.#receivers = new Receivers(this.#servers);
  }

  async play(): Promise<Pick<Result, 'broken' | 'history'>> {
    const [world, faults, { gateways, troubleMs, changes, troubles, actions }] = [this.#world, this.#faults, this.#plan];
    faults.isOn = false;
    await world.until(Promise.all(Array.from({ length: gateways }, () => this.#startGateway())));
    const endpointIds = await this.#createEndpoints();
    faults.isOn = true;
    const calmMs = startMs + troubleMs;
    const operators = new Operators({
      servers: this.#servers,
      keys: this.#keys,
      catalogue: [sold],
      endpointIds,
      stores,
      change: async (work, random) => this.#running(random).webhooks.change(work),
    });
    const running = () => this.#gateways.find(({ process }) => process.isRunning)?.process;
    const readers = new Readers(this.#servers, running);
    const at = (atMs: number, happen: () => void) => world.after(startMs + atMs - world.nowMs, happen);
    for (const change of changes) at(change.atMs, () => this.#change(change));
    for (const trouble of troubles) at(trouble.atMs, () => this.#strike(trouble));
    for (const action of actions) at(action.atMs, () => void operators.act(action));
    await world.run(calmMs);
    faults.end();
    // Somebody notices it in the end.
    for (const { process, keys } of this.#gateways) if (keys !== this.#keys) process.kill();
    const sends = ({ process }: { process: Process }) => !process.isDead && !isMachineWrong(process.clock);
    if (!this.#gateways.some(sends)) await world.until(this.#startGateway());
    const run = {
      world,
      servers: this.#servers,
      receivers: this.#receivers,
      operators,
      readers,
      keys: this.#keys,
      endpointIds,
      acknowledged: this.#acknowledged,
    };
    const overdue = await brokenIn(run, 'soon');
    world.upkeepFactor = 600;
    await this.#untilAllEnded(calmMs + patienceMs);
    if (faults.kinds.has('receiver away')) await this.#comeBack();
    await world.run(world.nowMs + minute);
    await world.until(readers.finish());
    const history = historyOf(await ledgerOf(run));
    const broken = [
      ...overdue,
      ...(await brokenIn(run, 'at the end')),
      ...brokenRules(history),
      ...(await this.#leftOver(endpointIds)),
    ];
    const audit = await world.until(wrongAudit(this.#servers, { steal: this.#plan.steal }));
    const invariant = 'the audit reports what is missing, and nothing else' as const;
    broken.push(...audit.map((saw) => ({ invariant, saw })));
    return { broken, history };
  }

  async #untilAllEnded(latestMs: number): Promise<void> {
    const world = this.#world;
    const { rows } = this.#servers;
    // A recovery of few deliveries a second may go on when none of them is pending.
    const isPending = async () =>
      (await rows.count('deliveries', { status: 'pending' })) > 0 || (await rows.count('recoveries', { status: 'running' })) > 0;
    while (world.nowMs < latestMs && (await world.until(isPending()))) await world.run(world.nowMs + hour);
  }

  /** Whoever was away is back: what was disabled meanwhile is activated, and there is an event, which shows that it is. */
  async #comeBack(): Promise<void> {
    const [world, { rows }] = [this.#world, this.#servers];
    await world.run(Math.max(world.nowMs, startMs + this.#plan.troubleMs + patienceMs));
    const random = world.random('coming back');
    const { webhooks } = this.#running(random);
    const rules = { catalogue: [sold], allowLoopback: true, byOperator: true };
    for (const { id } of await world.until(rows.list('endpoints', { where: { disabled_reason: 'failing' } })))
      await world.until(webhooks.change((change) => updateEndpoint(change, { id, active: true }, rules)));
    this.#change({ atMs: 0, seed: random.uint32(), numbers: [lastNumber], subject: stores[0] ?? null });
    await world.run(world.nowMs + minute);
    await this.#untilAllEnded(world.nowMs + patienceMs);
  }

  /** Closes the gateways and returns what they leave behind. */
  async #leftOver(endpointIds: readonly string[]): Promise<Broken[]> {
    const [world, { gate }] = [this.#world, this.#servers];
    const open = this.#gateways.filter(({ process }) => !process.isDead);
    // A suspended process closes when it goes on.
    await world.run(Math.max(world.nowMs, ...open.map(({ process }) => process.resumesAtMs)));
    await world.until(Promise.all(open.map(({ webhooks }) => webhooks.close())));
    for (const { process } of open) if (process.clock instanceof StoreClock) process.clock.close();
    // The server's part of what was under way ends too.
    await world.run(world.nowMs + minute);
    const inFlight = await gate.inFlight(endpointIds);
    const leases = endpointIds.flatMap((id, at) => (inFlight[at] ? [`${id} has ${inFlight[at]} attempts in flight`] : []));
    const timers = open.flatMap(({ process }) => {
      const count = world.timersOf(process);
      return count > 0 ? [`${process.name} is closed and has ${count} timers`] : [];
    });
    return [...leases, ...timers].map((saw) => ({ invariant: 'no lease or timer is left over', saw }));
  }

  async #startGateway(): Promise<void> {
    const [world, faults, servers] = [this.#world, this.#faults, this.#servers];
    if (faults.kinds.has('clocks differ')) world.note('clocks differ');
    const isFollowed = faults.kinds.has('clock far off');
    // Several start at once, and each has its own streams.
    const name = `gateway-${++this.#started}`;
    const drawnMs = world.random(`clock of ${name}`).whole(-30 * second, 30 * second);
    const process = new Process(world, name, faults.kinds.has('clocks differ') && !isFollowed ? drawnMs : 0);
    const isTrouble = world.nowMs < startMs + this.#plan.troubleMs;
    const isOther = isTrouble && faults.kinds.has('other master key') && world.random(`key of ${name}`).chance(0.3);
    if (isOther) world.note('other master key', process.name);
    const keys = isOther ? this.#otherKeys : this.#keys;
    // A process that cannot read the store's clock ends, and is started again.
    if (isFollowed) process.clock = await clockOf(servers, process);
    const store = storeOf(servers, process);
    const log = pino({ level: 'silent' });
    const webhooks = openWebhooks({
      store,
      queue: queueOf(servers, process),
      gate: gateOf(servers, process),
      clock: process.clock,
      timers: process.timers,
      sender: this.#receivers.senderOf(process),
      keys,
      log,
      random: world.random(`jitter of ${name}`).fraction,
      settings: { allowLoopback: true, deadlineMs },
    });
    webhooks.start();
    this.#gateways.push({ process, keys, webhooks });
    world.note('gateway started', process.name);
  }

  /** A gateway that runs. Throws if none does. */
  #running(random: Random) {
    const running = this.#gateways.filter(({ process }) => process.isRunning);
    if (running.length === 0) throw new Error('No gateway runs.');
    return random.pick(running);
  }

  async #createEndpoints(): Promise<string[]> {
    const [world, { rows }] = [this.#world, this.#servers];
    const now = { created_at: startMs };
    await world.until(
      rows.append(
        'stores',
        stores.map((id) => ({ ...now, id, name: id, city: '', currency: 'EUR', synchronized_at: null })),
      ),
    );
    const owners = Object.entries(accounts).map(([number, store_ids]) => ({ id: `acc_${number}`, store_ids }));
    await world.until(
      rows.append(
        'accounts',
        owners.map((one) => ({ ...now, ...one, name: one.id, plan: 'pro' as const, active: true })),
      ),
    );
    const random = world.random('creation of endpoints');
    const created = this.#plan.endpoints.map(({ number, account, byOwner, least, asksForHeader, ...fields }) => {
      const owner: Owner = account === null ? 'operator' : `account:acc_${account}`;
      const url = `https://receiver-${number}.example/hook`;
      const filter = least === null ? null : { data: { number: { $gte: least } } };
      const credentials = asksForHeader ? ownCredentials(this.#keys, url) : null;
      const input = {
        ...fields,
        ...(fields.ordered ? {} : { order_by: undefined, on_dead_letter: undefined }),
        filter,
        credentials,
        service: 'pos' as const,
        owner,
        url,
        description: '',
        events: null,
        active: true,
      };
      const rules = { catalogue: [sold], allowLoopback: true, keys: this.#keys, byOperator: !byOwner };
      return this.#running(random).webhooks.change((change) => createEndpoint(change, input, rules));
    });
    return (await world.until(Promise.all(created))).map(({ endpoint }) => endpoint.id);
  }

  #strike(trouble: Plan['troubles'][number]): void {
    const [servers, faults] = [this.#servers, this.#faults];
    const processes = () => this.#gateways.map(({ process }) => process);
    const startGateway = () => this.#startGateway().catch(() => servers.world.after(second, startGateway));
    strike({ servers, faults, processes, startGateway }, trouble);
  }

  /** A caller's change, which emits one event, or so many that the background fan-out creates their deliveries. */
  #change({ numbers, subject, seed }: PlannedChange): void {
    const world = this.#world;
    if (!this.#gateways.some(({ process }) => process.isRunning)) return;
    const { process, webhooks } = this.#running(new Random(seed));
    world.note('change', `${numbers.join()} at ${process.name}`);
    const emitAll = async ({ emit }: Change) => {
      for (const one of numbers) emit(sold, { subject, data: { number: one } });
    };
    webhooks.change(emitAll).then(
      () => {
        for (const one of numbers) this.#acknowledged.set(one, world.nowMs);
        world.note('acknowledged', numbers.join());
      },
      (error: Error) => world.note('not acknowledged', `${numbers.join()}: ${error.message}`),
    );
  }
}
