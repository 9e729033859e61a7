import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AtEnd } from '../../test/e2e/process.ts';
import { type Service, startPostgres, startRedis } from '../../test/scale/private-services.ts';
import { cpuSeconds } from '../cpu-seconds.ts';
import { combine, serversUsage } from '../usage.ts';
import type { ReceiverAsks } from './receiver.ts';
import type { Asks, Begin, Load, Timed } from './variant.ts';

/** Milliseconds of the half, of all but one of a hundred, and of all but one of a thousand. */
export interface Quantiles {
  p50: number;
  p99: number;
  p999: number;
}

/** What one run took. CPU is in microseconds a delivery, of each process. */
export interface Run {
  deliveries: number;
  perSecond: number;
  cpuUs: { sender: number; postgresql: number; redis: number };
  walBytes: number;
  redisCommands: number;
  /** The most memory that the sender had, in MB. */
  memoryMb: number;
  commitToSend: Quantiles;
  commitToReceipt: Quantiles;
  /** From the time at which an event was due, so that a stall of the changes shows too. */
  dueToReceipt: Quantiles;
}

/** Servers that survive a power cut as far as their default settings do, and a receiver. */
export interface Bench {
  postgres: Service;
  redis: Service;
  receiver: Asked<ReceiverAsks>;
  /** The address of the receiver. */
  url: string;
}

interface Asked<T> {
  child: ChildProcess;
  ask<Name extends keyof T>(name: Name, given?: unknown): Promise<Answer<T[Name]>>;
}
type Answer<T> = T extends (...given: never[]) => infer R ? NonNullable<Awaited<R>> : never;

/** Starts a program of this folder. It answers one question at a time. */
async function start<T>(file: string, env: NodeJS.ProcessEnv = {}): Promise<{ asked: Asked<T>; first: Promise<unknown> }> {
  const child = fork(new URL(file, import.meta.url), { env: { ...process.env, ...env }, serialization: 'advanced' });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended`)));
  ended.catch(() => {});
  const next = async () => (await Promise.race([once(child, 'message'), ended]))[0].answer;
  const ask = async (name: unknown, given: unknown) => {
    const answer = next();
    child.send({ ask: name, given } as never);
    return answer;
  };
  return { asked: { child, ask } as never, first: next() };
}

export async function openBench(atEnd: AtEnd): Promise<Bench> {
  const [postgres, redis] = [
    await startPostgres({ atEnd, settings: { fsync: 'on', synchronous_commit: 'on' } }),
    await startRedis({ kept: true, atEnd }),
  ];
  const { asked: receiver, first } = await start<ReceiverAsks>('./receiver.ts');
  atEnd(() => void receiver.child.kill());
  return { postgres, redis, receiver, url: String(await first) };
}

export async function openVariant({ postgres, redis }: Bench, begin: Begin): Promise<Asked<Asks>> {
  const { asked, first } = await start<Asks>('./variant.ts', { DATABASE_URL: postgres.url, REDIS_URL: redis.url });
  asked.child.send(begin as never);
  await first;
  return asked;
}

export interface Backlog {
  owed: number;
  /** From the end of the outage to the first and to the last of them. */
  seconds: { untilFirst: number; untilEmpty: number };
  perSecond: number;
  /** Of fresh events at another endpoint, before the outage and while the backlog drains. */
  fresh: { before: Quantiles; meanwhile: Quantiles };
}

/** Measures an outage of ten endpoints at which so many deliveries collect, and what a fresh event at another endpoint waits. */
export async function measureBacklog(bench: Bench, owed: number, progress: (line: string) => void): Promise<Backlog> {
  const { receiver } = bench;
  const urls = [...Array.from({ length: 10 }, (_, index) => `${bench.url}/${index}/outage`), `${bench.url}/10`];
  const perimeters = urls.map((_, index) => [index < 10 ? 'STORE-0' : 'STORE-1']);
  const sender = await openVariant(bench, { name: 'gateway', urls, perimeters, fanOut: 10 });
  const fresh = async (prefix: string) => {
    await sender.ask('run', { prefix, events: 200, subjects: ['STORE-1'], perSecond: 20 });
  };
  const forget = async () => {
    await sender.ask('forget');
    await receiver.ask('forget');
  };
  await forget();
  await fresh('warm');
  await receiver.ask('wait', 200);
  await forget();
  await fresh('before');
  await receiver.ask('wait', 200);
  const timesOf = async () => new Map((await sender.ask('times')).map((event) => [event.id, event]));
  const before = latencies((await receiver.ask('receipts')).receipts, await timesOf()).commitToReceipt;

  await receiver.ask('down', true);
  await sender.ask('run', { prefix: 'owed', events: owed / 10, subjects: ['STORE-0'], together: 50 });
  // A receiver that is away for long gets single attempts, and everything else waits in its lane.
  await sender.ask('parked');
  progress(`${owed} deliveries are owed; the outage ends`);
  await forget();
  await receiver.ask('down', false);
  const ended = performance.timeOrigin + performance.now();
  let rounds = 0;
  for (let accepted = 0; accepted < owed; accepted = await receiver.ask('afterOutage')) {
    progress(`${accepted} accepted`);
    await fresh(`meanwhile${rounds}-`);
    rounds += 1;
  }
  const times = await timesOf();
  const { receipts } = await receiver.ask('receipts');
  const drained = receipts.filter(([, endpoint]) => endpoint < 10).map(([, , atMs]) => (atMs - ended) / 1000);
  await sender.ask('close');
  const [untilFirst, untilEmpty] = drained.reduce(([low, high], at) => [Math.min(low, at), Math.max(high, at)], [
    Number.POSITIVE_INFINITY,
    0,
  ] as [number, number]);
  const freshMeanwhile = receipts.filter(([, endpoint, atMs]) => endpoint === 10 && atMs - ended <= untilEmpty * 1000);
  const meanwhile = latencies(freshMeanwhile, times).commitToReceipt;
  return { owed, seconds: { untilFirst, untilEmpty }, perSecond: owed / (untilEmpty - untilFirst), fresh: { before, meanwhile } };
}

export interface Measured {
  begin: Begin;
  load: Load;
  /** The number of an event's deliveries that are accepted in the end. Default: all. */
  accepting?: number;
}

/**
 * Measures one run of a variant in a new process and database, after a warm-up. Throws unless the receiver has accepted each delivery, and
 * none twice.
 */
export async function measure(bench: Bench, { begin, load, accepting = begin.fanOut }: Measured): Promise<Run> {
  const { receiver } = bench;
  const sender = await openVariant(bench, begin);
  const warm = 100;
  await receiver.ask('forget');
  await sender.ask('run', { ...load, prefix: 'warm', events: warm, perSecond: undefined });
  await receiver.ask('wait', warm * accepting);
  await sender.ask('forget');
  await receiver.ask('forget');

  const total = load.events * accepting;
  const before = await usage(bench, sender.child);
  const began = performance.timeOrigin + performance.now();
  const ended = receiver.ask('wait', total);
  await sender.ask('run', load);
  const seconds = ((await ended) - began) / 1000;
  const after = await usage(bench, sender.child);
  const used = combine(after, before, (a, b) => (a - b) / total);

  const times = new Map((await sender.ask('times')).map((event) => [event.id, event]));
  const { receipts, duplicates } = await receiver.ask('receipts');
  const memoryMb = peakMemoryMb(sender.child);
  await sender.ask('close');
  if (duplicates > 0 || receipts.length !== total)
    throw new Error(`${begin.name}: ${receipts.length} of ${total} deliveries were accepted, and ${duplicates} again`);
  return {
    deliveries: total,
    perSecond: total / seconds,
    cpuUs: { sender: used.cpu_of_sender_us, postgresql: used.cpu_of_postgresql_us, redis: used.cpu_of_redis_us },
    walBytes: used.wal_bytes,
    redisCommands: used.redis_commands,
    memoryMb,
    ...latencies(receipts, times),
  };
}

type Receipt = readonly [id: string, endpoint: number, atMs: number];

/** Returns the quantiles of the times of these receipts. */
export function latencies(receipts: readonly Receipt[], times: ReadonlyMap<string, Timed>) {
  const found = receipts.map(([id, , atMs]) => ({ atMs, of: times.get(id.split('~')[0] as string) as Timed }));
  return {
    commitToSend: quantilesOf([...new Set(found.map(({ of }) => of))].map(({ committedMs, sentMs }) => sentMs - committedMs)),
    commitToReceipt: quantilesOf(found.map(({ atMs, of }) => atMs - of.committedMs)),
    dueToReceipt: quantilesOf(found.map(({ atMs, of }) => atMs - of.dueMs)),
  };
}

/** An attempt can begin before its change is known to be committed: no time is below zero. */
function quantilesOf(numbers: readonly number[]): Quantiles {
  const sorted = numbers.map((number) => Math.max(0, number)).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999) };
}

async function usage({ postgres, redis }: Bench, sender: ChildProcess) {
  return { cpu_of_sender_us: cpuSeconds(sender) * 1e6, ...(await serversUsage(postgres, redis)) };
}

function peakMemoryMb({ pid }: ChildProcess): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
