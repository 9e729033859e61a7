/** Runs the programs of this folder and writes what they measured: `npm run bench:report -- --help`. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { type Figure, tableOf, tell } from './measure.ts';

const help = `Usage: npm run bench:report -- [--rounds 5] [--seconds 5] [--only PART]...

Runs calls, deliveries (on both tiers) and stubs, one after the other. Writes every round to bench/results.json,
and a table of medians into docs/performance.md, between <!-- bench:begin --> and <!-- bench:end -->. It takes
about half an hour on two idle cores.

  --only PART  calls, embedded, scale or stubs; the other parts of bench/results.json stay`;

const parts: Readonly<Record<string, readonly string[]>> = {
  calls: ['node', 'bench/calls.ts'],
  embedded: ['node', 'bench/deliveries.ts'],
  scale: ['bash', '.ci/scale', '--', 'node', 'bench/deliveries.ts'],
  stubs: ['node', 'bench/stubs.ts'],
};

/** What `bench/results.json` has. */
interface Results {
  node: string;
  cores: number;
  model: string;
  /** By part: the day on which it was measured (YYYY-MM-DD), and its figures. */
  parts: Record<string, { day: string; rounds: number; figures: Figure[] }>;
}

const root = join(import.meta.dirname, '..');
const resultsFile = join(root, 'bench/results.json');
const page = join(root, 'docs/performance.md');
const begin = '<!-- bench:begin -->';
const end = '<!-- bench:end -->';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    only: { type: 'string', multiple: true, default: Object.keys(parts) },
    help: { type: 'boolean', default: false },
  },
});

async function runPart(name: string): Promise<Figure[]> {
  const [program = '', ...args] = parts[name] ?? [];
  const running = promisify(execFile)(program, [...args, '--json', '--rounds', values.rounds, '--seconds', values.seconds], {
    cwd: root,
    maxBuffer: 1 << 26,
  });
  running.child.stderr?.pipe(process.stderr);
  const { stdout } = await running;
  // A script that installs packages first may print lines of its own.
  const line = stdout.split('\n').findLast((one) => one.startsWith('['));
  return JSON.parse(line ?? '') as Figure[];
}

/** Returns the page with another table between its two marks. */
function withTable(text: string, results: Results): string {
  const from = text.indexOf(begin);
  const until = text.indexOf(end);
  if (from < 0 || until < from) throw new Error(`${page} has no lines ${begin} and ${end} for the table.`);
  const named = Object.keys(parts).flatMap((name) => results.parts[name] ?? []);
  const days = [...new Set(named.map(({ day }) => day))].toSorted();
  const rounds = [...new Set(named.map((part) => part.rounds))].join(' or ');
  const machine = `Node ${results.node} on ${results.cores} cores (${results.model})`;
  const about = `Measured on ${days.join(' and ')} with ${machine}; medians of ${rounds} rounds.`;
  const table = tableOf(named.flatMap(({ figures }) => figures));
  return `${text.slice(0, from)}${begin}\n${about}\n\n${table}\n${text.slice(until)}`;
}

async function main(): Promise<void> {
  const unknown = values.only.find((name) => !(name in parts));
  if (unknown !== undefined) throw new Error(`--only ${unknown} is no part. The parts: ${Object.keys(parts).join(', ')}.`);
  const before = existsSync(resultsFile) ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as Results) : undefined;
  const results: Results = {
    node: process.version,
    cores: cpus().length,
    model: cpus()[0]?.model ?? '',
    parts: before?.parts ?? {},
  };
  // A page without the marks is refused before half an hour of measuring.
  withTable(readFileSync(page, 'utf8'), results);
  for (const name of values.only) {
    tell(`${name}:`);
    const figures = await runPart(name);
    results.parts[name] = {
      day: new Date().toISOString().slice(0, 10),
      rounds: Number(values.rounds),
      figures,
    };
    // After each part, because a later one may fail.
    writeFileSync(resultsFile, `${JSON.stringify(results, null, 1)}\n`);
    writeFileSync(page, withTable(readFileSync(page, 'utf8'), results));
  }
}

if (values.help) {
  process.stdout.write(`${help}\n`);
} else {
  try {
    await main();
  } catch (error) {
    tell((error as Error).message);
    process.exitCode = 1;
  }
}
