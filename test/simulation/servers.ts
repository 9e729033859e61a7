import pino from 'pino';
import type { Clock } from '../../gateway/base/clock.ts';
import { MemoryGate } from '../../gateway/queue/gate/memory.ts';
import type { Gate, Lease as GateLease } from '../../gateway/queue/gate/port.ts';
import type { Queue } from '../../gateway/queue/port.ts';
import { StoreClock } from '../../gateway/store/clock.ts';
import { type Lease, type Rows, type Store, StoreUnavailable } from '../../gateway/store/port.ts';
import type { Faults, Server } from './faults.ts';
import { Jobs } from './jobs.ts';
import { type Committed, Oracle } from './oracle.ts';
import { gone, type Process, type World } from './world.ts';

/** What the processes share: a store, a queue and a gate, each behind a wire that can fail. */
export interface Servers {
  world: World;
  faults: Faults;
  rows: Store;
  oracle: Oracle;
  leases: Map<string, { endsMs: number }>;
  jobs: Jobs;
  gate: MemoryGate;
}

/** How long an attempt may go on before another process may make it. */
const attemptLeaseMs = 20_000;

export function openServers(world: World, faults: Faults, rows: Store): Servers {
  const clock: Clock = { now: () => Math.round(world.nowMs), after: (delayMs, task) => world.after(delayMs, task) };
  const gate = new MemoryGate(clock, attemptLeaseMs);
  const oracle = new Oracle(world);
  return { world, faults, rows, oracle, leases: new Map(), jobs: new Jobs(world), gate };
}

/** Calls a server. The call, or its answer, may be lost; a process that is gone gets no answer. */
function call<R>({ world, faults }: Servers, process: Process, kind: Server, effect: () => Promise<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    const port = `${kind} of ${process.name}`;
    const latencyMs = () => faults.latencyMs(port);
    const fault = faults.ofCall(kind, port);
    const fail = (why: Error) => world.after(fault?.givesUpAfterMs ?? latencyMs(), () => reject(why), process);
    const lost = () => new StoreUnavailable(`The ${kind} did not answer.`);
    // A request of a suspended process leaves it when it goes on. What has left is not called back.
    const leave = () => {
      world.after(latencyMs(), () => {
        if (faults.isAway(kind) || fault?.lost === 'before') return fail(lost());
        effect().then(
          (result) => (fault?.lost === 'after' ? fail(lost()) : world.after(latencyMs(), () => resolve(result), process)),
          fail,
        );
      });
    };
    if (process.isRunning) leave();
    else world.after(0, leave, process);
  });
}

const statements = [
  ...(['insert', 'append', 'get', 'list', 'scan', 'count', 'newest', 'summarize'] as const),
  ...(['update', 'revise', 'advance', 'tally', 'remove'] as const),
];
const writes = ['insert', 'append', 'update', 'revise', 'advance', 'tally', 'remove'];

type Statement = (...args: unknown[]) => Promise<unknown>;

const rowsFrom = (run: (name: (typeof statements)[number], args: unknown[]) => Promise<unknown>): Rows =>
  Object.fromEntries(statements.map((name) => [name, (...args: unknown[]) => run(name, args)])) as unknown as Rows;

const statementOf = (rows: Rows, name: (typeof statements)[number]) => rows[name].bind(rows) as unknown as Statement;

/** How long a process may keep a lease of the store without renewing it. */
const storeLeaseMs = 20_000;

/** The store, as one process sees it. */
export function storeOf(servers: Servers, process: Process): Store {
  const { world, faults, rows, oracle, leases } = servers;
  const readOnly = () => new StoreUnavailable('The store takes no writes.');
  const run = (name: (typeof statements)[number], args: unknown[]) =>
    call(servers, process, 'store', async () => {
      if (!writes.includes(name)) return statementOf(rows, name)(...args);
      if (faults.isReadOnly) throw readOnly();
      const result = await statementOf(rows, name)(...args);
      oracle.see([{ name, args, result }]);
      return result;
    });

  const transaction: Store['transaction'] = (work) =>
    call(servers, process, 'store', async () => {
      let isOver = false;
      let failure: Error | undefined;
      const written: Committed<Promise<unknown>>[] = [];
      const inside = (tx: Rows) =>
        rowsFrom(async (name, args) => {
          if (isOver) throw new StoreUnavailable('The transaction is over.');
          if (faults.isReadOnly && writes.includes(name)) failure = readOnly();
          if (failure) throw failure;
          const result = statementOf(tx, name)(...args);
          // Nobody waits for it if its process is gone.
          result.catch(() => {});
          if (writes.includes(name)) written.push({ name, args, result });
          return result;
        });
      try {
        if (!process.isRunning) throw gone;
        const result = await rows.transaction(async (tx) => {
          const done = await process.onConnection(work(inside(tx)));
          // A statement for which nobody waited may have failed.
          if (failure) throw failure;
          return done;
        });
        oracle.see(await Promise.all(written.map(async (one) => ({ ...one, result: await one.result }))));
        return result;
      } catch (error) {
        throw error === gone ? new StoreUnavailable('The connection was ended.') : error;
      } finally {
        isOver = true;
      }
    });

  const alone: Store['alone'] = async (name, work) => {
    const own = { endsMs: world.nowMs + storeLeaseMs };
    const isTaken = await call(servers, process, 'store', async () => {
      const other = leases.get(name);
      if (other && other.endsMs > world.nowMs) return true;
      leases.set(name, own);
      return false;
    });
    if (isTaken) return false;
    const renew = () => {
      if (leases.get(name) !== own) return;
      own.endsMs = world.nowMs + storeLeaseMs;
      world.after(storeLeaseMs / 4, renew, process);
    };
    world.after(storeLeaseMs / 4, renew, process);
    const lease: Lease = { isHeld: () => leases.get(name) === own && own.endsMs > world.nowMs };
    try {
      await work(lease);
      return true;
    } finally {
      if (leases.get(name) === own) leases.delete(name);
    }
  };

  const nothing = async () => {};
  return { ...rowsFrom(run), transaction, alone, expire: nothing, ping: nothing, close: nothing };
}

/** The store's clock, as one process reads it. */
export function clockOf(servers: Servers, process: Process): Promise<StoreClock> {
  const { machine, timers } = process;
  const read = () => call(servers, process, 'store', async () => Math.round(servers.world.nowMs));
  const seldom = { ...timers, after: (delayMs: number, task: () => void) => machine.after(delayMs, task, { upkeep: true }) };
  return StoreClock.open({ read, machine, timers: seldom, log: pino({ level: 'silent' }) });
}

export function queueOf(servers: Servers, process: Process): Queue {
  const { jobs } = servers;
  const ask = <R>(effect: () => R) => call(servers, process, 'queue', async () => effect());
  return {
    add: (added) => ask(() => jobs.add(added)),
    held: () => ask(() => jobs.dueJobs()),
    depth: () => ask(() => jobs.depth()),
    work: (handler, { concurrency }) => jobs.work({ process, handler, free: concurrency }),
    onBack: (listener) => void jobs.listeners.push({ process, listener }),
    close: async (last) => {
      jobs.dismiss(process);
      await last?.();
    },
  };
}

/** How often a process looks at its leases, and how long one lasts at least after that, as on Redis. */
const [keepEveryMs, keptMs] = [500, 2000];

export function gateOf(servers: Servers, process: Process): Gate {
  const { gate, world } = servers;
  const ask = <R>(effect: () => Promise<R>) => call(servers, process, 'gate', effect);
  const held = new Set<GateLease>();
  let isKeeping = false;
  const keep = () => {
    const { nowMs } = world;
    for (const lease of held) if (lease.endsMs > nowMs) lease.endsMs = Math.max(lease.endsMs, nowMs + keptMs);
    isKeeping = held.size > 0;
    if (isKeeping) world.after(keepEveryMs, keep, process);
  };
  return {
    async enter(entries) {
      for (const { instead } of entries) if (instead) held.delete(instead);
      const entered = await ask(() => gate.enter(entries));
      for (const one of entered) if (one.kind === 'admitted') held.add(one.lease);
      if (!isKeeping) keep();
      return entered;
    },
    leave(leases) {
      for (const lease of leases) held.delete(lease);
      return ask(() => gate.leave(leases));
    },
    reserve: (entries) => ask(() => gate.reserve(entries)),
    release: (places) => ask(() => gate.release(places)),
    delay: (entries) => ask(() => gate.delay(entries)),
    inFlight: (ids) => ask(() => gate.inFlight(ids)),
  };
}
