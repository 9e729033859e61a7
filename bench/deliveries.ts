import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { bareVariant, embeddedTier, gatewayVariant, scaleTier, type Tier, thinVariant, type Variant } from './delivery-parts.ts';
import { backlogs, type WorkersPace, workersPace } from './workers.ts';

const help = `Usage: node bench/deliveries.ts [--deliveries 4000] [--rounds 3] [--only NAME] [--workers-core N]

With DATABASE_URL and REDIS_URL on the scale tier, else on the embedded one: deliveries a second and the time from event to receipt, beside a bare worker of BullMQ on the same backend that only signs
and POSTs the same bytes to the same receiver. Ratios within one run; the receiver shares the machine.

--workers-core puts all workers of manyWorkers on one core: several have no more of the machine than one then. Start the rest on another
one: taskset -c 0 bash .ci/scale -- node bench/deliveries.ts --only manyWorkers --workers-core 1`;
const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '4000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    'workers-core': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const print = (line: string) => process.stdout.write(`${line}\n`);
const nowMs = () => performance.timeOrigin + performance.now();
const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b);
const quantile = (numbers: number[], share: number): number => sorted(numbers)[Math.floor(numbers.length * share)] ?? Number.NaN;
const median = (numbers: number[]) => quantile(numbers, 0.5);

const receiver: ChildProcess = fork(new URL('./receiver.ts', import.meta.url));
let receiverUrl = '';

async function startReceiver(): Promise<void> {
  const [{ url }] = (await once(receiver, 'message')) as [{ url: string }];
  receiverUrl = url;
}

interface Pace {
  /** Deliveries per second, from the first change to the last receipt. */
  perSecond: number;
  /** CPU time of this process for each delivery, in microseconds, without the receiver, Redis and PostgreSQL. */
  cpuUs: number;
}

async function throughput(variant: Variant, deliveries: number): Promise<Pace> {
  receiver.send({ waitFor: deliveries });
  await once(receiver, 'message');
  const done = once(receiver, 'message') as Promise<[{ atMs: number }]>;
  const before = process.cpuUsage();
  const began = await variant.send(deliveries);
  const [{ atMs }] = await done;
  const { user, system } = process.cpuUsage(before);
  return { perSecond: (deliveries / (atMs - began)) * 1000, cpuUs: (user + system) / deliveries };
}

/** Measures milliseconds from event to receipt, one event at a time. */
async function idle(variant: Variant, times: number): Promise<number[]> {
  const took: number[] = [];
  for (let index = 0; index < times; index++) {
    const received = once(receiver, 'message') as Promise<[{ atMs: number }]>;
    const began = await variant.send(1);
    const [{ atMs }] = await received;
    took.push(atMs - began);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return took;
}

const names = ['bare', 'thin', 'gateway'] as const;
type Name = (typeof names)[number];
const least = 'the least that loses nothing';

const variantsOn = async (tier: Tier, urls: string[]): Promise<Record<Name, Variant>> => ({
  bare: await bareVariant(tier, urls),
  thin: await thinVariant(tier, urls),
  gateway: await gatewayVariant(tier, urls),
});

async function besideTheCeiling(open: () => Promise<Tier>): Promise<void> {
  const urls = Array.from({ length: 10 }, (_, index) => `${receiverUrl}/${index}`);
  const tier = await open();
  const variants = await variantsOn(tier, urls);
  const rounds: Record<Name, Pace>[] = [];
  for (let round = 0; round <= Number(values.rounds); round++) {
    const one = {} as Record<Name, Pace>;
    for (const name of names) one[name] = await throughput(variants[name], Number(values.deliveries));
    // The first round warms up.
    if (round > 0) rounds.push(one);
  }
  const of = (name: Name) => median(rounds.map((one) => one[name].perSecond)).toFixed(0);
  const ratio = (name: Name) => median(rounds.map((one) => one[name].perSecond / one.bare.perSecond)).toFixed(2);
  const cpu = (name: Name) => `${median(rounds.map((one) => one[name].cpuUs)).toFixed(0)} us`;
  print(
    `deliveries/s, 10 endpoints: bare ${of('bare')}, ${least} ${of('thin')} (ratio ${ratio('thin')}), gateway ${of('gateway')}, ratio ${ratio('gateway')}`,
  );
  print(`CPU of this process for each: bare ${cpu('bare')}, ${least} ${cpu('thin')}, gateway ${cpu('gateway')}`);
  for (const name of names) await variants[name].close();
  await tier.close();
}

async function idleLatency(open: () => Promise<Tier>): Promise<void> {
  const tier = await open();
  const urls = [`${receiverUrl}/each`];
  const variants = await variantsOn(tier, urls);
  const took: Record<Name, number[]> = { bare: [], thin: [], gateway: [] };
  for (let round = 0; round <= Number(values.rounds); round++)
    for (const name of names) {
      const figures = await idle(variants[name], 100);
      if (round > 0) took[name].push(...figures);
    }
  const show = (name: Name) => `${median(took[name]).toFixed(1)} / ${quantile(took[name], 0.99).toFixed(1)}`;
  const ratio = (name: Name) => (median(took[name]) / median(took.bare)).toFixed(2);
  print(
    `idle, event to receipt, p50 / p99 ms: bare ${show('bare')}, ${least} ${show('thin')} (ratio ${ratio('thin')}), gateway ${show('gateway')}, ratio of p50 ${ratio('gateway')}`,
  );
  for (const name of names) await variants[name].close();
  await tier.close();
}

const events = 200;

/** Emits events at a steady rate. Returns milliseconds from each event of store 0 to each of its receipts at `healthy` endpoints. */
async function timeEvents(
  gateway: Awaited<ReturnType<typeof gatewayVariant>>,
  { eventsEach, healthy }: { eventsEach: number; healthy: number },
): Promise<number[]> {
  const sentAt = new Map<string, number>();
  const receipts: { id: string; atMs: number }[] = [];
  const note = (message: { id?: string; atMs: number }) => {
    if (message.id !== undefined) receipts.push(message as { id: string; atMs: number });
  };
  receiver.on('message', note);
  for (let index = 0; index < events; index++) {
    const began = nowMs();
    await gateway.send(eventsEach);
    const found = await gateway.store.list('events', { where: { subject: 'STORE-0' }, order: [['id', 'desc']], limit: 1 });
    sentAt.set(found[0]?.id ?? '', began);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  while (receipts.length < events * healthy) await new Promise((resolve) => setTimeout(resolve, 50));
  receiver.off('message', note);
  return receipts.map(({ id, atMs }) => atMs - (sentAt.get(id) ?? Number.NaN));
}

/** Measures p95 from event to receipt at five endpoints under steady load, alone and beside one that never answers. */
async function sickNeighbour(open: () => Promise<Tier>): Promise<void> {
  const measure = async (sick: boolean): Promise<number> => {
    const tier = await open();
    const healthy = Array.from({ length: 5 }, (_, index) => `${receiverUrl}/each/${index}`);
    const urls = sick ? [...healthy, `${receiverUrl}/silent`] : healthy;
    // Five endpoints want store 0. The silent one wants five stores, so it gets half of all deliveries.
    const perimeter = (index: number) =>
      index < healthy.length ? ['STORE-0'] : [0, 1, 2, 3, 4].map((store) => `STORE-${store}`);
    const gateway = await gatewayVariant(tier, urls, { perimeter, stores: 5, settings: { deadlineMs: 2000 } });
    const took = await timeEvents(gateway, { eventsEach: 5, healthy: healthy.length });
    await gateway.close();
    await tier.close();
    return quantile(took, 0.95);
  };
  const rounds = [];
  for (let round = 0; round < Number(values.rounds); round++)
    rounds.push({ without: await measure(false), with: await measure(true) });
  print(
    `p95 from event to receipt at healthy endpoints: ${median(rounds.map((one) => one.without)).toFixed(1)} ms alone, ${median(rounds.map((one) => one.with)).toFixed(1)} ms beside as many that never answer, ratio ${median(rounds.map((one) => one.with / one.without)).toFixed(2)}`,
  );
}

/** Measures the time from event to receipt at healthy endpoints beside others that accept connections and never answer. */
async function manySilent(open: () => Promise<Tier>): Promise<void> {
  for (const count of [0, 30, 80]) {
    const tier = await open();
    const healthy = Array.from({ length: 5 }, (_, index) => `${receiverUrl}/each/${index}`);
    const silent = Array.from({ length: count }, (_, index) => `${receiverUrl}/silent/${index}`);
    const perimeter = (index: number) => [index < healthy.length ? 'STORE-0' : 'STORE-1'];
    const gateway = await gatewayVariant(tier, [...healthy, ...silent], { perimeter, stores: 2 });
    // One event for the healthy endpoints and one for the silent ones.
    const took = await timeEvents(gateway, { eventsEach: 2, healthy: healthy.length });
    const shown = [0.5, 0.9, 0.99].map((share) => `${quantile(took, share).toFixed(0)} ms`).join(' / ');
    print(`beside ${count} endpoints that never answer: event to receipt p50 / p90 / p99 ${shown}`);
    await gateway.close();
    await tier.close();
  }
}

/** Compares endpoints that are ordered by subject, 1,000 keys in all, with unordered ones, in turns. */
async function orderByKey(open: () => Promise<Tier>): Promise<void> {
  const urls = Array.from({ length: 10 }, (_, index) => `${receiverUrl}/${index}`);
  const deliveries = Number(values.deliveries);
  const measure = async (fields: object): Promise<number> => {
    const tier = await open();
    const gateway = await gatewayVariant(tier, urls, { fields, stores: 100 });
    // The first one warms up.
    await throughput(gateway, deliveries);
    const { perSecond } = await throughput(gateway, deliveries);
    await gateway.close();
    await tier.close();
    return perSecond;
  };
  const rounds: Record<'unordered' | 'bySubject', number>[] = [];
  for (let round = 0; round < Number(values.rounds); round++)
    rounds.push({ unordered: await measure({}), bySubject: await measure({ ordered: true, order_by: 'subject' }) });
  const of = (name: 'unordered' | 'bySubject') => median(rounds.map((one) => one[name])).toFixed(0);
  const ratio = median(rounds.map((one) => one.bySubject / one.unordered)).toFixed(2);
  print(
    `deliveries/s, 1,000 keys at 10 endpoints: unordered ${of('unordered')}, ordered by subject ${of('bySubject')}, ratio ${ratio}`,
  );
}

/** Compares one, two and four worker processes, on the scale tier. */
async function manyWorkers(): Promise<void> {
  if (!process.env.DATABASE_URL) return;
  const urls = Array.from({ length: 10 }, (_, index) => `${receiverUrl}/${index}`);
  const expect = async (deliveries: number) => {
    receiver.send({ waitFor: deliveries });
    await once(receiver, 'message');
    const done = once(receiver, 'message') as Promise<[{ atMs: number }]>;
    return async () => (await done)[0].atMs;
  };
  const counts = [1, 2, 4];
  const options = { urls, deliveries: Number(values.deliveries), expect, core: values['workers-core'] };
  const rounds: Awaited<ReturnType<typeof workersPace>>[][] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const paces: (typeof rounds)[number] = [];
    for (const workers of counts) paces.push(await workersPace(workers, options));
    rounds.push(paces);
  }
  for (const backlog of backlogs)
    for (const [index, workers] of counts.entries()) {
      const paces = rounds.map((round) => (round[index] as (typeof round)[number])[backlog]);
      const alone = rounds.map(([one]) => (one as NonNullable<typeof one>)[backlog]);
      const of = (name: keyof WorkersPace) => median(paces.map((pace) => pace[name]));
      const ratio = median(paces.map(({ perSecond }, round) => perSecond / (alone[round]?.perSecond ?? Number.NaN)));
      print(
        `the same ${backlog} backlog, ${workers} worker process${workers > 1 ? 'es' : ''}: ${of('perSecond').toFixed(0)} deliveries/s, ratio ${ratio.toFixed(2)}, ${of('cpuUs').toFixed(0)} us CPU and ${of('writes').toFixed(2)} writes of its row each`,
      );
    }
}

if (values.help) {
  print(help);
} else {
  await startReceiver();
  const open = process.env.DATABASE_URL ? () => scaleTier() : embeddedTier;
  print(`${process.env.DATABASE_URL ? 'scale' : 'embedded'} tier, Node ${process.version}`);
  const parts = { besideTheCeiling, idleLatency, sickNeighbour, manySilent, orderByKey, manyWorkers };
  for (const [name, part] of Object.entries(parts)) if (!values.only || name === values.only) await part(open);
}
receiver.disconnect();
