import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Checked } from '../test/history/check.ts';
import { parseDuration } from '../gateway/base/duration.ts';
import { randomFrom } from '../test/e2e/chaos.ts';
import { faultsOn } from './soak/faults.ts';
import { startHistory } from './soak/history.ts';
import { startInstallation } from './soak/installation.ts';
import { startLoad } from './soak/load.ts';
import { type CausedFault, drawSoak } from './soak/picture.ts';
import { plans, type SoakReceiver, startReceiver } from './soak/receivers.ts';
import { type Sample, takeSample } from './soak/samples.ts';

const help = `Usage: npm run soak -- [--hours 8 | --for 30m] [--rate 10] [--fault-every 2m] [--seed 1] [--out bench/soak/results]

Runs a mixed load with faults on the scale tier: two gateways, two workers, a PostgreSQL and a Redis of its own, four receivers.
Sales and reads go to both gateways at a steady rate. Every few minutes something is killed, paused, hung or wiped.
Needs Debian's postgresql and redis-server (.ci/scale installs them).

  --hours N         how long it runs; fractions are allowed
  --for DURATION    the same as a duration, such as 30m
  --rate N          sales per second, and as many reads
  --fault-every D   the mean time between two faults; 0s causes none
  --seed N          the same seed causes the same faults in the same order
  --out FOLDER      where samples.jsonl, history.jsonl, result.json and soak.svg are written

Exit codes: 0 the history breaks no rule and the ledger balances, 1 otherwise, 2 wrong options.`;

const print = (line: string) => process.stdout.write(`${line}\n`);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const sampleEveryMs = 10_000;
/** The longest wait for what is owed after the load has stopped. The schedule's longest delay is 30 seconds. */
const drainMs = 10 * 60_000;

function readOptions() {
  const { values } = parseArgs({
    options: {
      hours: { type: 'string' },
      for: { type: 'string' },
      rate: { type: 'string', default: '10' },
      'fault-every': { type: 'string', default: '2m' },
      seed: { type: 'string', default: '1' },
      out: { type: 'string', default: join(import.meta.dirname, 'soak/results') },
      help: { type: 'boolean', default: false },
    },
  });
  const forMs = values.for === undefined ? Number(values.hours ?? 8) * 3_600_000 : parseDuration(values.for);
  const faultEveryMs = parseDuration(values['fault-every']);
  const [rate, seed] = [Number(values.rate), Number(values.seed)];
  if (!(forMs !== undefined && forMs > 0)) throw new Error('--hours or --for is not a time. Write --hours 2 or --for 30m.');
  if (faultEveryMs === undefined) throw new Error(`--fault-every ${values['fault-every']} is not a duration. Write 2m, or 0s.`);
  if (!(rate > 0 && rate <= 500)) throw new Error(`--rate ${values.rate} is not a number from 1 to 500.`);
  if (!Number.isInteger(seed)) throw new Error(`--seed ${values.seed} is not a whole number.`);
  return { help: values.help, forMs, faultEveryMs, rate, seed, out: values.out };
}

type Options = ReturnType<typeof readOptions>;

async function soak({ forMs, faultEveryMs, rate, seed, out }: Options, atEnd: (work: () => unknown) => void): Promise<boolean> {
  const random = randomFrom(seed);
  const installation = await startInstallation(atEnd);
  const receivers: SoakReceiver[] = [];
  mkdirSync(out, { recursive: true });
  const history = startHistory(join(out, 'history.jsonl'), drainMs);
  for (const plan of plans) receivers.push(await startReceiver(plan, random, { history, atEnd }));
  await registerAll(installation, receivers);
  const load = await startLoad(installation, { receivers, history }, rate);

  const samplesFile = join(out, 'samples.jsonl');
  writeFileSync(samplesFile, '');
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  const samples: Sample[] = [];
  const faults: CausedFault[] = [];
  const title = () =>
    `Soak: ${(elapsed() / 60).toFixed(0)} minutes, ${rate} sales and ${rate} reads a second, ${faults.length} faults (seed ${seed})`;
  const sample = async () => {
    const one = await takeSample({ installation, load, receivers }, elapsed());
    samples.push(one);
    appendFileSync(samplesFile, `${JSON.stringify(one)}\n`);
    if (samples.length % 6 === 0) writeFileSync(join(out, 'soak.svg'), drawSoak(title(), samples, faults));
  };
  let sampling = true;
  const sampler = (async () => {
    while (sampling) {
      await sample();
      await pause(sampleEveryMs);
    }
  })();

  const known = faultsOn(installation, receivers, random);
  while (faultEveryMs > 0 && elapsed() * 1000 < forMs) {
    await pause(Math.min(forMs - elapsed() * 1000, faultEveryMs * (0.5 + random())));
    if (elapsed() * 1000 >= forMs) break;
    const fault = known[Math.floor(random() * known.length)] as (typeof known)[0];
    const fromSeconds = elapsed();
    await fault.cause();
    faults.push({ name: fault.name, fromSeconds, toSeconds: elapsed() });
    const owed = receivers.reduce((sum, receiver) => sum + receiver.owed.size, 0);
    print(
      `${(elapsed() / 60).toFixed(1)} min: ${fault.name}; ${load.figures.acknowledged} sales acknowledged, ${owed} deliveries owed`,
    );
  }
  await pause(Math.max(0, forMs - elapsed() * 1000));
  await load.stop();
  const drainedSeconds = await drain(receivers);
  sampling = false;
  await sampler;
  await sample();

  const result = judge({ samples, faults, receivers, checked: await history.check(), drainedSeconds });
  writeFileSync(join(out, 'soak.svg'), drawSoak(title(), samples, faults));
  writeFileSync(join(out, 'result.json'), `${JSON.stringify({ title: title(), ...result }, null, 2)}\n`);
  print(JSON.stringify(result, null, 2));
  print(`Picture: ${join(out, 'soak.svg')}`);
  return result.passed;
}

async function registerAll({ members, operatorToken }: Awaited<ReturnType<typeof startInstallation>>, receivers: SoakReceiver[]) {
  for (const [index, { url }] of receivers.entries()) {
    const body = { service: 'pos', url, events: ['sale.completed'], ...plans[index]?.endpoint };
    const made = await members[0]?.process.call('POST', '/manage/v1/endpoints', { token: operatorToken, body });
    if (made?.status !== 201) throw new Error(`The endpoint was refused: ${JSON.stringify(made?.body)}`);
  }
}

/** Waits until nothing is owed. Returns how long that took in seconds, or null if it did not happen in time. */
async function drain(receivers: readonly SoakReceiver[]): Promise<number | null> {
  const began = performance.now();
  while (receivers.some(({ owed }) => owed.size > 0)) {
    if (performance.now() - began > drainMs) return null;
    await pause(100);
  }
  return (performance.now() - began) / 1000;
}

interface Judged {
  samples: readonly Sample[];
  faults: readonly CausedFault[];
  receivers: readonly SoakReceiver[];
  checked: Checked;
  drainedSeconds: number | null;
}

function judge({ samples, faults, receivers, checked, drainedSeconds }: Judged) {
  const end = samples.at(-1)?.values ?? {};
  const counts: Record<string, number> = {};
  for (const { name } of faults) counts[name] = (counts[name] ?? 0) + 1;
  return {
    passed: checked.findings.length === 0 && end.unaccounted === 0,
    faults: counts,
    seconds_until_nothing_was_owed: drainedSeconds,
    ledger_unaccounted: end.unaccounted ?? null,
    history: checked,
    receivers: receivers.map(({ name, figures }) => ({ name, requests: figures.requests, accepted_again: figures.duplicates })),
  };
}

async function main(): Promise<number> {
  let options: Options;
  try {
    options = readOptions();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}\n`);
    return 2;
  }
  if (options.help) {
    print(help);
    return 0;
  }
  const endings: (() => unknown)[] = [];
  try {
    return (await soak(options, (work) => endings.unshift(work))) ? 0 : 1;
  } finally {
    for (const end of endings) await end();
  }
}

process.exitCode = await main();
