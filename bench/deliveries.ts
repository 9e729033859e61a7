/** Measures deliveries beside a bare worker of BullMQ: `npm run bench:deliveries -- --help`. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import pg from 'pg';
import { v8Flags } from '../gateway/base/v8-flags.ts';
import { type Asked, startAsked } from './ask.ts';
import { cpuUs, type Figure, median, printFigures, quantile, readOptions, tell, type Unit, withProfile } from './measure.ts';
import type { ReceiverAsks } from './receiver.ts';
import type { Begin, Endpoint, SenderAsks } from './sender.ts';

const help = `Usage: npm run bench:deliveries -- [--rounds 5] [--seconds 5] [--only TEXT] [--profile] [--json]
       bash .ci/scale -- node bench/deliveries.ts

Measures deliveries on the embedded tier, or with DATABASE_URL and REDIS_URL on the scale tier, beside a worker
of BullMQ on the same database or Redis that only signs and POSTs the same bytes. Each variant runs in processes
of its own in each round: on the embedded tier one, on the scale tier one that emits events and one or two
workers. CPU counts until every attempt is recorded: of these processes, of PostgreSQL and of Redis, without the
receiver. All share the machine's cores. The parts:
  pace     as fast as possible, each event for ten endpoints: CPU of a delivery, deliveries a second
  silence  time from event to receipt at five endpoints, alone and beside 80 that never answer
  rate     an endpoint that takes at most 12 a second, with more deliveries than that
--seconds says how long the parts are: 2,000 deliveries, 20 events, and 24 deliveries for each second.

  --only TEXT  the parts with this text in their name
  --profile    one round of pace, in which the variants write CPU profiles to bench/profiles`;

const options = readOptions(help, { rounds: 5, seconds: 5 });
const rounds = options.profile ? 1 : options.rounds;
const databaseUrl = process.env.DATABASE_URL;
const isScale = databaseUrl !== undefined;
const tierName = isScale ? 'scale' : 'embedded';

type Sender = Asked<SenderAsks>;

/** The processes of a variant. The first one emits; on the embedded tier it does everything. */
interface Running {
  senders: Sender[];
  emitter: Sender;
  /** Address of its database on the scale tier. */
  database: string | undefined;
  end(): Promise<void>;
}

const receiver = await startAsked<ReceiverAsks>(['bench/receiver.ts']);
const receiverUrl = await receiver.ask('url');

async function start(variant: Begin['variant'], workers: number, endpoints: Endpoint[]): Promise<Running> {
  const name = `bench${randomBytes(6).toString('hex')}`;
  const environment: Record<string, string> = {};
  if (databaseUrl !== undefined) {
    await onServer(databaseUrl, `create database ${name}`);
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    environment.DATABASE_URL = url.href;
    environment.REDIS_PREFIX = name;
    environment.SECRET_KEY = randomBytes(32).toString('hex');
  }
  const roles: Begin['role'][] = isScale ? ['emit', ...Array.from({ length: workers }, () => 'work' as const)] : ['all'];
  const senders: Sender[] = [];
  for (const role of roles) {
    const begin: Begin = { variant, role, endpoints: role === 'work' ? [] : endpoints };
    const args = withProfile(options.profile, ['bench/sender.ts', JSON.stringify(begin)]);
    // As a gateway has them.
    senders.push(await startAsked<SenderAsks>([...v8Flags, ...args], environment));
  }
  return {
    senders,
    emitter: senders[0] as Sender,
    database: environment.DATABASE_URL,
    async end() {
      for (const sender of senders) await sender.end();
      if (databaseUrl !== undefined) await onServer(databaseUrl, `drop database ${name} with (force)`);
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** What has been used so far. CPU in microseconds. */
interface Usage {
  senders: number;
  postgresql: number;
  redis: number;
  walBytes: number;
  diskBytes: number;
}

async function readUsage({ senders, database }: Running): Promise<Usage> {
  const usage: Usage = { senders: 0, postgresql: 0, redis: 0, walBytes: 0, diskBytes: 0 };
  for (const sender of senders) usage.senders += await sender.ask('cpuUs');
  if (database === undefined) return usage;
  const client = new pg.Client(database);
  await client.connect();
  const { rows } = await client.query(`
    select pg_backend_pid() as pid, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
      pg_database_size(current_database())::float8 as disk`);
  const [{ pid, wal, disk }] = rows;
  // The parent of a connection's process is the server. All other processes of PostgreSQL are its children.
  usage.postgresql = cpuUs(Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]));
  usage.walBytes = wal;
  usage.diskBytes = disk;
  await client.end();
  const redis = new Redis(process.env.REDIS_URL ?? '');
  const info = await redis.info('cpu');
  redis.disconnect();
  for (const [, seconds] of info.matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)) usage.redis += Number(seconds) * 1e6;
  return usage;
}

/** What a delivery costs, and how many are made in a second. */
type Pace = Usage & { cpuUs: number; perSecond: number };

const endpointsOfEvent = 10;
const eventsOfPace = Math.ceil((options.seconds * 2000) / endpointsOfEvent);

async function measurePace(variant: Begin['variant'], workers: number): Promise<Pace> {
  const urls = Array.from({ length: endpointsOfEvent }, (_, index) => `${receiverUrl}/${index}`);
  const running = await start(
    variant,
    workers,
    urls.map((url) => ({ url, subject: 'STORE-0' })),
  );
  await receiver.ask('forget');
  const warmUpEvents = Math.ceil(eventsOfPace / 4);
  await running.emitter.ask('emit', { events: warmUpEvents, subject: 'STORE-0' });
  await receiver.ask('wait', warmUpEvents * endpointsOfEvent);
  for (const sender of running.senders) await sender.ask('settled');

  await receiver.ask('forget');
  const deliveries = eventsOfPace * endpointsOfEvent;
  const before = await readUsage(running);
  const began = await running.emitter.ask('emit', { events: eventsOfPace, subject: 'STORE-0' });
  const receivedMs = await receiver.ask('wait', deliveries);
  for (const sender of running.senders) await sender.ask('settled');
  for (const sender of running.senders) await sender.ask('close');
  const after = await readUsage(running);
  await running.end();

  const each = (name: keyof Usage) => (after[name] - before[name]) / deliveries;
  const seconds = ((receivedMs.at(-1) ?? Number.NaN) - began) / 1000;
  return {
    senders: each('senders'),
    postgresql: each('postgresql'),
    redis: each('redis'),
    walBytes: each('walBytes'),
    diskBytes: each('diskBytes'),
    cpuUs: each('senders') + each('postgresql') + each('redis'),
    perSecond: deliveries / seconds,
  };
}

async function measurePaces(): Promise<Figure[]> {
  const bare: Pace[] = [];
  const byWorkers = new Map<number, Pace[]>(
    isScale
      ? [
          [1, []],
          [2, []],
        ]
      : [[1, []]],
  );
  for (let round = 1; round <= rounds; round++) {
    bare.push(await measurePace('bare', 1));
    for (const [workers, paces] of byWorkers) {
      const pace = await measurePace('gateway', workers);
      paces.push(pace);
      tell(`pace, ${workers} workers, round ${round} of ${rounds}: ${pace.cpuUs.toFixed(0)} µs of CPU a delivery`);
    }
  }
  const figures: Figure[] = [];
  for (const [workers, paces] of byWorkers) {
    const name = isScale ? `${tierName} tier, ${workers === 1 ? '1 worker' : `${workers} workers`}` : `${tierName} tier`;
    const add = (what: string, unit: Unit, key: keyof Pace) =>
      figures.push({
        what: `${name}: ${what}`,
        unit,
        rounds: paces.map((pace) => pace[key]),
        bare: bare.map((pace) => pace[key]),
      });
    add('CPU of a delivery', 'µs', 'cpuUs');
    add('deliveries', 'a second', 'perSecond');
    if (!isScale || workers > 1) continue;
    add('CPU of a delivery, gateway', 'µs', 'senders');
    add('CPU of a delivery, PostgreSQL', 'µs', 'postgresql');
    add('CPU of a delivery, Redis', 'µs', 'redis');
    for (const [what, key] of [
      ['write-ahead log of a delivery', 'walBytes'],
      ['disk of a delivery', 'diskBytes'],
    ] as const)
      figures.push({ what: `${name}: ${what}`, unit: 'bytes', rounds: paces.map((pace) => pace[key]) });
  }
  return figures;
}

/** So few that 80 deliveries an event do not overload the machine: what is measured is the wait for others. */
const eventsPerSecond = 5;

/** Returns milliseconds from each event to its arrivals at five endpoints, beside others that never answer. */
async function measureDelays(variant: Begin['variant'], silent: number): Promise<number[]> {
  const healthy = Array.from({ length: 5 }, (_, index) => ({
    url: `${receiverUrl}/timed/${index}`,
    subject: 'STORE-0',
  }));
  const others = Array.from({ length: silent }, (_, index) => ({
    url: `${receiverUrl}/silent/${index}`,
    subject: 'STORE-1',
  }));
  const running = await start(variant, 1, [...healthy, ...others]);
  const emit = async (events: number, subjects: string[]) => {
    await receiver.ask('forget');
    await running.emitter.ask('emitAtRate', { events, perSecond: eventsPerSecond, subjects });
    await receiver.ask('wait', events * healthy.length);
  };
  await emit(20, ['STORE-0']);
  await emit(20 * options.seconds, silent > 0 ? ['STORE-0', 'STORE-1'] : ['STORE-0']);
  const delaysMs = await receiver.ask('delays');
  await running.end();
  return delaysMs;
}

const silentEndpoints = 80;

async function measureSilence(): Promise<Figure[]> {
  const bare: number[][] = [];
  const alone: number[][] = [];
  const beside: number[][] = [];
  for (let round = 1; round <= rounds; round++) {
    bare.push(await measureDelays('bare', 0));
    alone.push(await measureDelays('gateway', 0));
    beside.push(await measureDelays('gateway', silentEndpoints));
    tell(`silence, round ${round} of ${rounds}: ${median(beside.at(-1) ?? []).toFixed(1)} ms from event to receipt`);
  }
  const figures: Figure[] = [];
  for (const [name, delays] of [
    ['', alone],
    [` beside ${silentEndpoints} silent endpoints`, beside],
  ] as const)
    for (const [part, share] of [
      ['half', 0.5],
      ['99 %', 0.99],
    ] as const)
      figures.push({
        what: `${tierName} tier: from event to receipt${name}, ${part} within`,
        unit: 'ms',
        rounds: delays.map((one) => quantile(one, share)),
        bare: bare.map((one) => quantile(one, share)),
      });
  return figures;
}

const limit = 12;

/** Two workers on the scale tier: they share the limit. */
async function measureRate(): Promise<Figure[]> {
  const paces: number[] = [];
  const most: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const running = await start('gateway', 2, [{ url: `${receiverUrl}/limited`, subject: 'STORE-0', maxPerSecond: limit }]);
    await receiver.ask('forget');
    const events = 2 * limit * options.seconds;
    await running.emitter.ask('emit', { events, subject: 'STORE-0' });
    const receivedMs = (await receiver.ask('wait', events)).toSorted((a, b) => a - b);
    await running.end();
    const seconds = ((receivedMs.at(-1) ?? 0) - (receivedMs[0] ?? 0)) / 1000;
    paces.push((events - 1) / seconds);
    most.push(Math.max(...receivedMs.map((at) => receivedMs.filter((other) => other >= at && other < at + 1000).length)));
    tell(`rate, round ${round} of ${rounds}: ${paces.at(-1)?.toFixed(2)} a second, at most ${most.at(-1)} in one`);
  }
  const name = `${tierName} tier: an endpoint with a limit of ${limit}`;
  return [
    { what: `${name}, deliveries`, unit: 'a second', rounds: paces },
    { what: `${name}, most in any second`, unit: 'a second', rounds: most },
  ];
}

const parts = { pace: measurePaces, silence: measureSilence, rate: measureRate };
const figures: Figure[] = [];
for (const [name, part] of Object.entries(parts)) {
  if (options.profile ? name !== 'pace' : !name.includes(options.only ?? '')) continue;
  figures.push(...(await part()));
}
printFigures(figures, options.json);
await receiver.end();
