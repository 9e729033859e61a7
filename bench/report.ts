import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareQueues } from './report/job-queues.ts';
import { type Bench, type Measured, measure, measureBacklog, openBench, type Run } from './report/measure.ts';
import { type Report, writePage } from './report/page.ts';

const help = `Usage: npm run bench:report -- [--rounds 5] [--deliveries 5000] [--seconds 20] [--backlog 1000000] [--only PART,PART] [--out FOLDER]

What a delivery costs and how long it takes, on the scale tier, beside workers of BullMQ, Graphile Worker and pg-boss that sign and POST the
same bytes. PostgreSQL writes through to the disk, and Redis once a second. Each run starts new processes with a new database, and fails
unless every delivery is accepted exactly once. Writes report.json and page.md with pictures to the folder; with --only, the other
parts of the report that is there stay. The parts:
  cost      as fast as possible: deliveries a second; CPU by process, write-ahead log, commands of Redis, memory
  load      50, 80 and 95 % of that, each event at its time: commit to first send, and to receipt
  idle      ten events a second to one endpoint
  layouts   1, 10 and 1,000 endpoints; events that go to 1, 10 and 100
  trouble   half of the load, while 1 % or 10 % of the attempts fail, or one endpoint of ten never answers
  backlog   an outage of ten endpoints: time until empty, and fresh events at another endpoint meanwhile
The machine's cores are shared by all processes. Needs PostgreSQL and Redis (Debian packages, which .ci/scale installs).`;

const parts = ['cost', 'load', 'idle', 'layouts', 'trouble', 'backlog'] as const;
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    deliveries: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '20' },
    backlog: { type: 'string', default: '1000000' },
    only: { type: 'string' },
    out: { type: 'string', default: 'bench/report/results' },
    help: { type: 'boolean', default: false },
  },
});
const [rounds, deliveries, seconds] = [Number(values.rounds), Number(values.deliveries), Number(values.seconds)];
const only = values.only?.split(',');
const folder = resolve(values.out);
const file = join(folder, 'report.json');
const print = (line: string) => process.stderr.write(`${line}\n`);

const bares = ['bare BullMQ', 'bare Graphile Worker', 'bare pg-boss'];
const leasts = ['least BullMQ', 'least Graphile Worker', 'least pg-boss'];
const subjectsOf = (count: number) => Array.from({ length: count }, (_, index) => `STORE-${index}`);

/** So many endpoints, of which each event goes to `fanOut`: to all, or to one. */
function layout(bench: Bench, name: string, endpoints: number, fanOut: number, how = (_index: number) => ''): Measured['begin'] {
  const urls = Array.from({ length: endpoints }, (_, index) => `${bench.url}/${index}${how(index)}`);
  return { name, urls, fanOut, perimeters: fanOut === endpoints ? undefined : subjectsOf(endpoints).map((subject) => [subject]) };
}

const inAll = (begin: Measured['begin'], total: number, perSecond?: number): Measured['load'] => ({
  prefix: 'event',
  events: Math.ceil(total / begin.fanOut),
  subjects: subjectsOf(begin.perimeters?.length ?? 1000),
  ...(perSecond !== undefined && { perSecond: perSecond / begin.fanOut }),
});

type Case = Omit<Measured, 'load'> & { perSecond?: number };

/** The report whose other parts stay; undefined if there is none. Null if the file is no report. */
function readBefore(): Report | undefined | null {
  if (!only || !existsSync(file)) return undefined;
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as Report | null;
    return found?.parts && found.days ? found : null;
  } catch {
    return null;
  }
}

async function main(bench: Bench, before: Report | undefined): Promise<void> {
  const report: Report = {
    ...before,
    days: before?.days ?? {},
    node: process.version,
    cores: cpus().length,
    model: cpus()[0]?.model ?? '',
    parts: before?.parts ?? {},
  };
  /** Called after each part: a run at length takes more than an hour, and a later part may fail. */
  const save = (part: string) => {
    report.days[part] = new Date().toISOString().slice(0, 10);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`);
    writePage(folder, report);
  };
  /** Measures cases in turns, so that what else the machine does falls on all of them. */
  const inTurns = async (part: string, cases: Record<string, Case>) => {
    const found: Record<string, Run[]> = {};
    for (let round = 0; round < rounds; round++)
      for (const [name, { perSecond, ...one }] of Object.entries(cases)) {
        const total = perSecond === undefined ? deliveries : perSecond * seconds;
        const run = await measure(bench, { ...one, load: inAll(one.begin, total, perSecond) });
        print(`${part}, ${name}: ${run.perSecond.toFixed(0)}/s, p99 ${run.commitToReceipt.p99.toFixed(1)} ms`);
        found[name] = [...(found[name] ?? []), run];
      }
    report.parts[part] = found;
    save(part);
    return found;
  };
  const wanted = (part: (typeof parts)[number]) => only === undefined || only.includes(part);
  const median = (runs: Run[] | undefined) =>
    (runs ?? []).map(({ perSecond }) => perSecond).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;

  const names = wanted('cost') ? [...bares, ...leasts, 'gateway'] : ['bare BullMQ', 'gateway'];
  const isPaced = wanted('cost') || wanted('load') || wanted('trouble');
  const cost = isPaced
    ? await inTurns('cost', Object.fromEntries(names.map((name) => [name, { begin: layout(bench, name, 10, 10) }])))
    : {};
  if (wanted('load')) {
    const cases: Record<string, Case> = {};
    for (const name of ['bare BullMQ', 'gateway'])
      for (const share of [50, 80, 95])
        cases[`${name}, ${share} %`] = { begin: layout(bench, name, 10, 10), perSecond: (median(cost[name]) * share) / 100 };
    await inTurns('load', cases);
  }
  if (wanted('idle'))
    await inTurns(
      'idle',
      Object.fromEntries(['bare BullMQ', 'gateway'].map((name) => [name, { begin: layout(bench, name, 1, 1), perSecond: 10 }])),
    );
  if (wanted('layouts'))
    await inTurns('layouts', {
      '1 endpoint': { begin: layout(bench, 'gateway', 1, 1) },
      '10 endpoints, events to 1': { begin: layout(bench, 'gateway', 10, 1) },
      '1,000 endpoints, events to 1': { begin: layout(bench, 'gateway', 1000, 1) },
      'events to 10': { begin: layout(bench, 'gateway', 10, 10) },
      'events to 100': { begin: layout(bench, 'gateway', 100, 100) },
    });
  if (wanted('trouble')) {
    const perSecond = median(cost.gateway) / 2;
    const failing = (share: number) => layout(bench, 'gateway', 10, 10, () => `/failing/${share}`);
    const hanging = layout(bench, 'gateway', 10, 10, (index) => (index === 9 ? '/silent' : ''));
    await inTurns('trouble', {
      'all accept': { begin: layout(bench, 'gateway', 10, 10), perSecond },
      '1 % fail at first': { begin: failing(100), perSecond },
      '10 % fail at first': { begin: failing(10), perSecond },
      'one of ten never answers': { begin: hanging, perSecond, accepting: 9 },
    });
  }
  if (wanted('backlog')) {
    report.backlog = await measureBacklog(bench, Number(values.backlog), print);
    save('backlog');
  }
}

const numbers = ['rounds', 'deliveries', 'seconds', 'backlog'] as const;
const wrong = numbers.find((name) => !(Number(values[name]) >= 1));
const unknown = only?.find((name) => !parts.some((part) => part === name));

async function run(): Promise<void> {
  const before = readBefore();
  if (before === null) return refuse(`${file} is no report. Delete it, or write to another folder with --out.`);
  const endings: (() => unknown)[] = [];
  try {
    await prepareQueues();
    await main(await openBench((work) => void endings.unshift(work)), before);
  } finally {
    for (const end of endings) await end();
  }
}

function refuse(message: string): void {
  print(message);
  process.exitCode = 2;
}

if (values.help) process.stdout.write(`${help}\n`);
else if (wrong !== undefined) refuse(`--${wrong} ${values[wrong]} is no number from 1.`);
else if (unknown !== undefined) refuse(`--only: ${unknown} is no part. The parts: ${parts.join(', ')}.`);
else await run();
