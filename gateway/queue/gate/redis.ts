import { randomUUID } from 'node:crypto';
import { errorsSeldom, type Logger } from '../../base/log.ts';
import type { Redis } from '../../base/redis.ts';
import { type Answer, type Entered, type Entry, type Gate, type Lease, lookAgainMs, type Names } from './port.ts';
import { answerKinds, countScript, delayScript, enterScript, registerScript, reserveScript, returnScript } from './scripts.ts';

type Command<R> = (...input: (string | number)[]) => Promise<R>;

interface GateCommands {
  passerelleEnter: Command<number[] | null>;
  passerelleReserve: Command<number[] | null>;
  passerelleDelay: Command<number[] | null>;
  passerelleReturn: Command<null>;
  passerelleCount: Command<number[]>;
  passerelleRegister: Command<string>;
}

/** How often a process with leases looks whether Redis has lost them. */
const checkEveryMs = 500;
/** How long strict entries wait after a loss. In this time every process registers its leases again. */
const closedMs = 4 * checkEveryMs;
/**
 * The least time that a kept lease has left: a shorter one is extended. Its attempt is over, and waits for a store that is away
 * or read-only: another process that can read must not make it again.
 */
const keptMs = 4 * checkEveryMs;

/**
 * The gate of all processes on one Redis. Each process knows the leases it holds, and registers them again if Redis has lost
 * its data: the epoch, a key that goes with the data, is then another one. While Redis does not answer, strict entries wait
 * and others start.
 */
export class RedisGate implements Gate {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #leaseMs: number;
  readonly #failed: (error: unknown, message: string) => void;
  /** `endsMs` is on the clock of `performance.now()`. */
  readonly #held = new Map<string, Lease>();
  /** Leases that could not be given back. */
  readonly #owed: Lease[] = [];
  /** The epoch in which this process is registered; empty at first. */
  #epoch = '';
  #isRegistered = false;
  #registering: Promise<void> | undefined;
  #check: NodeJS.Timeout | undefined;

  /** `leaseMs` must be longer than an attempt. */
  constructor({ redis, prefix, leaseMs, log }: { redis: Redis; prefix: string; leaseMs: number; log: Logger }) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#leaseMs = leaseMs;
    this.#failed = errorsSeldom(log);
    redis.defineCommand('passerelleEnter', { lua: enterScript(leaseMs) });
    redis.defineCommand('passerelleReserve', { lua: reserveScript });
    redis.defineCommand('passerelleDelay', { lua: delayScript });
    redis.defineCommand('passerelleReturn', { lua: returnScript });
    redis.defineCommand('passerelleCount', { lua: countScript });
    redis.defineCommand('passerelleRegister', { lua: registerScript });
  }

  async enter(entries: readonly Entry[]): Promise<Entered[]> {
    if (entries.length === 0) return [];
    const askedMs = performance.now();
    // Both commands are on one connection, so they arrive together.
    const left = this.leave(entries.flatMap(({ instead }) => instead ?? []));
    const answers = await this.#ask('passerelleEnter', entries);
    await left;
    return answers.map(({ kind, ms }, index) =>
      kind === 'admitted' ? { kind, ms, lease: this.#hold(entries[index] as Entry, askedMs + ms + this.#leaseMs) } : { kind, ms },
    );
  }

  async reserve(entries: readonly Entry[]): Promise<Answer[]> {
    if (entries.length === 0) return [];
    return this.#ask('passerelleReserve', entries);
  }

  async delay(entries: readonly Entry[]): Promise<number[]> {
    if (entries.length === 0) return [];
    try {
      return (await this.#run('passerelleDelay', entries)).map(({ ms }) => ms);
    } catch (error) {
      this.#failed(error, 'gate.away');
      return entries.map(() => 0);
    }
  }

  /** Gives back the leases that have not expired. An expired one may be another process's by now. */
  async leave(leases: readonly Lease[]): Promise<void> {
    const now = performance.now();
    const held = leases.filter((one) => this.#held.get(keyOf(one)) === one);
    const left = held.filter(({ endsMs }) => endsMs > now);
    for (const one of held) this.#held.delete(keyOf(one));
    try {
      await this.#return(left, (id) => this.#leases(id));
    } catch (error) {
      this.#failed(error, 'gate.away');
      this.#owed.push(...left);
    }
  }

  /** A place that cannot be given back now expires by itself. */
  async release(places: readonly Names[]): Promise<void> {
    await this.#return(places, (id) => this.#places(id)).catch((error) => this.#failed(error, 'gate.away'));
  }

  async inFlight(endpointIds: readonly string[]): Promise<(number | null)[]> {
    try {
      const keys = endpointIds.flatMap((id) => [this.#leases(id), this.#places(id)]);
      const counts = await this.#commands.passerelleCount(keys.length, ...keys);
      return endpointIds.map((_, index) => (counts[index * 2] ?? 0) + (counts[index * 2 + 1] ?? 0));
    } catch (error) {
      this.#failed(error, 'gate.uncounted');
      return endpointIds.map(() => null);
    }
  }

  async #ask(command: 'passerelleEnter' | 'passerelleReserve', entries: readonly Entry[]): Promise<Answer[]> {
    try {
      return await this.#run(command, entries);
    } catch (error) {
      this.#failed(error, 'gate.away');
      return entries.map((entry) => this.#withoutRedis(entry));
    }
  }

  async #run(command: 'passerelleEnter' | 'passerelleReserve' | 'passerelleDelay', entries: readonly Entry[]): Promise<Answer[]> {
    const groups = groupsOf(entries, (one) => `${one.endpointId} ${limitsOf(one).join(' ')}`);
    const found = await this.#registered(() => this.#commands[command](...this.#inputOf(groups)));
    const answers = new Map(
      groups.flat().map((entry, index) => {
        const [kind, ms] = [answerKinds[found[index * 2] as number], found[index * 2 + 1]];
        return [entry, { kind, ms } as Answer];
      }),
    );
    return entries.map((entry) => answers.get(entry) as Answer);
  }

  #withoutRedis(entry: Entry): Answer {
    if (entry.strict) return { kind: 'full', ms: lookAgainMs };
    const lease = this.#held.get(keyOf(entry));
    const leftMs = lease ? lease.endsMs - performance.now() : 0;
    return leftMs > 0 ? { kind: 'running', ms: Math.ceil(leftMs) } : { kind: 'admitted', ms: 0 };
  }

  #hold({ endpointId, deliveryId }: Names, endsMs: number): Lease {
    if (this.#held.size === 0) {
      clearInterval(this.#check);
      this.#check = setInterval(() => void this.#look().catch((error) => this.#failed(error, 'gate.away')), checkEveryMs).unref();
    }
    const lease = { endpointId, deliveryId, endsMs };
    this.#held.set(keyOf(lease), lease);
    return lease;
  }

  /** Registers again if Redis may have lost leases, if some end soon, or if some could not be given back. */
  async #look(): Promise<void> {
    if (this.#held.size + this.#owed.length === 0) return clearInterval(this.#check);
    const now = performance.now();
    const endSoon = [...this.#held.values()].some(({ endsMs }) => endsMs - now < keptMs);
    const isKnown = async () => (await this.#commands.passerelleEnter(...this.#inputOf([]))) !== null;
    if (endSoon || this.#owed.length > 0 || !(await isKnown())) await this.#register();
  }

  /** Runs a command as a registered process. The command returns null if Redis has lost the registration. */
  async #registered<R>(command: () => Promise<R | null>): Promise<R> {
    for (let tries = 0; tries < 3; tries++) {
      if (!this.#isRegistered) await this.#register();
      const answer = await command();
      if (answer !== null) return answer;
      this.#isRegistered = false;
    }
    throw new Error('Redis lost its data again and again.');
  }

  #register(): Promise<void> {
    this.#registering ??= this.#registerHeld().finally(() => {
      this.#registering = undefined;
    });
    return this.#registering;
  }

  async #registerHeld(): Promise<void> {
    const now = performance.now();
    const held = [...this.#held.values()].filter(({ endsMs }) => endsMs > now);
    const leftMs = ({ endsMs }: Lease) => Math.ceil(Math.max(endsMs - now, keptMs));
    const keys = [this.#key('gate-epoch'), this.#key('gate-closed'), ...held.map(({ endpointId }) => this.#leases(endpointId))];
    const leases = held.flatMap((lease) => [lease.deliveryId, leftMs(lease)]);
    const before = this.#epoch;
    this.#epoch = await this.#commands.passerelleRegister(keys.length, ...keys, before, randomUUID(), closedMs, ...leases);
    for (const lease of held) lease.endsMs = now + leftMs(lease);
    this.#isRegistered = true;
    if (before !== '' && before !== this.#epoch) this.#failed(new Error('Redis has lost the leases.'), 'gate.lost');
    // In a new epoch, a lease of the same delivery is another process's.
    const owed = this.#owed.splice(0).filter(({ endsMs }) => endsMs > now && before === this.#epoch);
    await this.#return(owed, (id) => this.#leases(id)).catch(() => this.#owed.push(...owed));
  }

  async #return(given: readonly Names[], setOf: (endpointId: string) => string): Promise<void> {
    if (given.length === 0) return;
    const groups = groupsOf(given, ({ endpointId }) => endpointId);
    const keys = groups.map(([first]) => setOf((first as Names).endpointId));
    const deliveries = groups.flatMap((group) => [group.length, ...group.map(({ deliveryId }) => deliveryId)]);
    await this.#commands.passerelleReturn(keys.length, ...keys, ...deliveries);
  }

  #inputOf(groups: Entry[][]): (string | number)[] {
    const keys: string[] = [];
    const limits: (string | number)[] = [];
    for (const group of groups) {
      const first = group[0] as Entry;
      const { endpointId: id } = first;
      keys.push(this.#leases(id), this.#places(id), this.#key(`gate-last:${id}`));
      limits.push(group.length, ...limitsOf(first), ...group.map(({ deliveryId }) => deliveryId));
    }
    return [keys.length + 2, this.#key('gate-epoch'), this.#key('gate-closed'), ...keys, this.#epoch, ...limits];
  }

  get #commands(): GateCommands {
    return this.#redis as Redis & GateCommands;
  }

  #key = (name: string) => `${this.#prefix}:${name}`;
  #leases = (endpointId: string) => this.#key(`gate:${endpointId}`);
  #places = (endpointId: string) => this.#key(`gate-places:${endpointId}`);
}

const keyOf = ({ endpointId, deliveryId }: Names): string => `${endpointId} ${deliveryId}`;

const limitsOf = ({ maxInFlight, maxPerSecond, urgent, strict, instead }: Entry) => [
  maxInFlight,
  maxPerSecond ?? '',
  `${urgent ? 'u' : ''}${strict ? 's' : ''}${instead ? 't' : ''}`,
];

/** Groups in the order of their first members, each in the order given. */
const groupsOf = <I>(items: readonly I[], keyOfItem: (item: I) => string): I[][] => [...Map.groupBy(items, keyOfItem).values()];
