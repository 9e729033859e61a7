/**
 * Measures `passerelle probe` with a suite of 40 tests that take 5 s, in which dependencies on choices of the stub are planted: none,
 * 3, 10, and 3 beside one that hangs; and with 25 tests that read the fields of replies, with none and 4. Prints the runs, the CPU with all child processes, and the time; and the time that the same runs
 * take on two idle cores, which this machine's load does not change. Fails if a dependency is missed, or one is named that was not planted.
 *
 *     node bench/probe.ts [--only 10] [--jobs 2] [--seed 1] [--json]
 */
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { commandRunner } from '../probe/command.ts';
import { runProbe } from '../probe/probe.ts';
import { cpuSecondsOfEnded } from './cpu-seconds.ts';
import { type Recorded, secondsOnIdleCores } from './probe/idle.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    jobs: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});

/** What each planted dependency of bench/probe/suite.ts is called in the register. */
const dependencies: Readonly<Record<string, readonly string[]>> = {
  'sale-status': ['pos.sale-status=200'],
  'error-body': ['pos.error-body=error-text', 'pos.error-body=problem-details'],
  'unknown-store': ['pos.error-conditions=400-unknown'],
  'header-case': ['harmless.header-case=on'],
  whitespace: ['harmless.whitespace=on'],
  escapes: ['harmless.escapes=on'],
  chunked: ['harmless.chunked=on'],
  'connection-close': ['harmless.connection-close=on'],
  'invalid-body': ['pos.error-conditions=422-validation'],
  hangs: ['pos.success-envelope=bare', 'pos.success-envelope=beside-success'],
};
const names = Object.keys(dependencies).filter((name) => name !== 'hangs');

/** The same of bench/probe/reading.ts. */
const readingDependencies: typeof dependencies = {
  '201': ['pos.sale-status=200'],
  items: ['pos.success-envelope=bare', 'pos.success-envelope=beside-success', 'pos.inventory-response=bare-array'],
  'error-code': ['pos.error-body=error-text', 'pos.error-body=problem-details'],
  received: ['pos.payment-states=pending'],
};
interface Case {
  suite: string;
  planted: readonly string[];
  known: typeof dependencies;
}
const of40 = (planted: readonly string[]): Case => ({ suite: 'suite.ts', planted, known: dependencies });
const reading = (planted: readonly string[]): Case => ({ suite: 'reading.ts', planted, known: readingDependencies });
const cases: Readonly<Record<string, Case>> = {
  none: of40([]),
  '3': of40(['sale-status', 'header-case', 'whitespace']),
  '10': of40(names),
  hangs: of40(['sale-status', 'header-case', 'whitespace', 'hangs']),
  reads: reading([]),
  'reads, 4': reading(Object.keys(readingDependencies)),
};

/** The suite without the machine's load, and what a hanging run may take: three times as long, and 5 s. */
const suiteSeconds = 5;
const limitSeconds = 3 * suiteSeconds + 5;

async function measure({ suite, planted, known }: Case) {
  process.env.PLANTED = planted.join(',');
  const jobs = Number(values.jobs);
  const recorded = new Map<string, Recorded>();
  const [startedMs, startedCpu, startedOwn] = [performance.now(), cpuSecondsOfEnded(), process.cpuUsage()];
  const report = await runProbe({
    apis: ['pos'],
    jobs,
    seed: values.seed,
    acceptances: [],
    today: '2026-01-01',
    variables: {},
    stubs: {},
    runner: commandRunner([process.execPath, '--test', join(import.meta.dirname, 'probe', suite)], undefined),
    known: { get: () => undefined, set: (key, outcome) => void recorded.set(key, outcome) },
  });
  const { user, system } = process.cpuUsage(startedOwn);
  const found = report.dependencies.map(({ alternatives }) => alternatives.map(({ id }) => id).join(' with '));
  const wanted = planted.flatMap((name) => known[name] ?? []);
  return {
    runs: report.runs,
    hung: [...recorded.values()].filter(({ timedOut }) => timedOut).length,
    dependencies: found.length,
    questions: report.questions.length,
    missed: wanted.filter((id) => !found.includes(id)),
    needless: found.filter((id) => !wanted.includes(id)),
    exercised: report.exercised.length,
    pairs: report.pairs,
    cpuSeconds: cpuSecondsOfEnded() - startedCpu + (user + system) / 1e6,
    seconds: (performance.now() - startedMs) / 1000,
    idleSeconds: await secondsOnIdleCores(report.exercised, recorded, { jobs, seed: values.seed, suiteSeconds, limitSeconds }),
    load: loadavg()[0] ?? 0,
  };
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const results: Record<string, Awaited<ReturnType<typeof measure>>> = {};
if (!values.json) {
  print(`${values.jobs} jobs, ${availableParallelism()} cores, Node ${process.version}`);
  print('| planted | runs | of them hung | dependencies | questions | pairs | CPU s | s | s on idle cores | load |');
  print('|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|');
}
for (const [name, planted] of Object.entries(cases).filter(([one]) => values.only?.includes(one) ?? true)) {
  const one = await measure(planted);
  results[name] = one;
  const figures = [
    one.runs,
    one.hung,
    one.dependencies,
    one.questions,
    `${one.pairs.met} of ${one.pairs.all}`,
    one.cpuSeconds.toFixed(0),
  ];
  const cells = [name, ...figures, one.seconds.toFixed(0), one.idleSeconds.toFixed(0), one.load.toFixed(1)];
  if (!values.json) print(`| ${cells.join(' | ')} |`);
  if (one.missed.length + one.needless.length > 0) {
    process.stderr.write(
      `${name}: missed ${one.missed.join(', ') || 'none'}, named without being planted ${one.needless.join(', ') || 'none'}\n`,
    );
    process.exitCode = 1;
  }
}
if (values.json) print(JSON.stringify({ jobs: Number(values.jobs), results }, null, 2));
else
  print(
    `The worst takes ${Math.max(...Object.values(results).map(({ idleSeconds }) => idleSeconds)).toFixed(0)} s on idle cores.`,
  );
