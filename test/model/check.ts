/** `npm run model`: see `help`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../options.ts';

const help = `npm run model checks test/model/delivery.pml in every order of steps, that each planted mistake is found, that every line is
reached, and that transitions.txt has its transitions. --write writes them there. Needs Debian's spin and gcc.`;

interface Run {
  claim: 'safe' | 'ends';
  /** How many things go wrong, and how often an operator sends again. */
  mishaps: number;
  resends: number;
  /** Nothing dies and nothing is lost: an endpoint is full or paused. */
  calm?: true;
  /** A mistake in the model, which the claim must not survive. */
  mistake?: string;
}

const runs: readonly Run[] = [
  { claim: 'safe', mishaps: 1, resends: 1 },
  { claim: 'safe', mishaps: 2, resends: 0 },
  { claim: 'safe', mishaps: 1, resends: 2, calm: true },
  { claim: 'safe', mishaps: 2, resends: 1, calm: true },
  { claim: 'ends', mishaps: 0, resends: 1 },
  { claim: 'ends', mishaps: 1, resends: 0 },
  { claim: 'safe', mishaps: 1, resends: 0, mistake: 'BELIEVES_FAILURES' },
  { claim: 'safe', mishaps: 1, resends: 0, mistake: 'NO_LEASE_CHECK' },
  { claim: 'safe', mishaps: 2, resends: 0, mistake: 'LEAVES_OTHERS' },
  { claim: 'ends', mishaps: 1, resends: 0, mistake: 'NO_RECONCILER' },
  { claim: 'ends', mishaps: 1, resends: 0, mistake: 'ETERNAL_LEASE' },
];

/** Statements that no run reaches, and why. */
const unreachable: Readonly<Record<string, string>> = { '-end-': 'The processes of the model go on for ever.' };

interface Checked {
  errors: number;
  states: number;
  /** Changes of the row, by name, as the model's `did` prints them. */
  transitions: [name: string, change: string][];
  /** The statements that this run did not reach. */
  unreached: ReadonlySet<string>;
}

const values = readOptions(help, { write: { type: 'boolean' } });
const model = join(import.meta.dirname, 'delivery.pml');
const list = join(import.meta.dirname, 'transitions.txt');
const folder = mkdtempSync(join(tmpdir(), 'passerelle-model-'));

/** Runs a program in the folder, and returns what it printed. Throws if it fails. */
const run = (program: string, args: readonly string[]) => execFileSync(program, args, { cwd: folder, encoding: 'utf8' });

function check({ claim, mishaps, resends, calm, mistake }: Run): Checked {
  const names = [...(calm ? ['CALM'] : []), ...(mistake === undefined ? [] : [`MISTAKE_${mistake}`])];
  const defines = [`-DMISHAPS=${mishaps}`, `-DRESENDS=${resends}`, ...names.map((name) => `-D${name}`)];
  run('spin', ['-a', ...defines, model]);
  run('gcc', ['-O2', '-DNFAIR=3', '-o', 'pan', 'pan.c']);
  const printed = run('./pan', ['-a', '-m1000000', '-N', claim, ...(claim === 'ends' ? ['-f'] : [])]);
  const [, errors] = /errors: (\d+)/.exec(printed) ?? [];
  const [, states] = /(\S+) states, stored/.exec(printed) ?? [];
  // A search that is cut off says nothing.
  if (errors === undefined || states === undefined || /max search depth|out of memory/.test(printed)) throw new Error(printed);
  const transitions = printed
    .matchAll(/^(\w+ \w+): (.* -> .*)$/gm)
    .map(([, name = '', change = '']): [string, string] => [name, change]);
  const unreached = printed.matchAll(/delivery\.pml:(\d+), state \d+, "(.*)"$/gm);
  return {
    errors: Number(errors),
    states: Number(states),
    transitions: [...transitions],
    unreached: new Set(
      unreached.filter(([, , what = '']) => !Object.hasOwn(unreachable, what)).map(([, line, what]) => `line ${line}: ${what}`),
    ),
  };
}

/** Says what is wrong, which ends the program with 1. */
function fail(what: string): void {
  process.stdout.write(`✗ ${what}\n`);
  process.exitCode = 1;
}

const right: Checked[] = [];
try {
  for (const one of runs) {
    const began = performance.now();
    const checked = check(one);
    const isViolated = checked.errors > 0;
    const rules = [`${one.mishaps} mishaps`, `${one.resends} resends`, ...(one.calm ? ['calm'] : [])];
    const what = `${[one.claim, ...rules].join(', ')}${one.mistake ? `, mistake ${one.mistake}` : ''}`;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const said = `${what}: ${isViolated ? 'violated' : 'holds'}, ${checked.states} states, ${seconds} s`;
    if (isViolated === (one.mistake !== undefined)) process.stdout.write(`✓ ${said}\n`);
    else fail(said);
    if (!one.mistake) right.push(checked);
  }
} finally {
  rmSync(folder, { recursive: true });
}

const unreached = right.map((one) => one.unreached).reduce((some, others) => some.intersection(others));
if (unreached.size > 0) fail(`Never reached, so that nothing is known of them:\n${[...unreached].join('\n')}`);

const changes = Map.groupBy(
  right.flatMap(({ transitions }) => transitions),
  ([name]) => name,
);
const lines = [...changes].map(
  ([name, all]) => `${name}: ${[...new Set(all.map(([, change]) => change))].toSorted().join('; ')}\n`,
);
const text = lines.toSorted().join('');
if (values.write) writeFileSync(list, text);
else if (readFileSync(list, 'utf8') !== text) fail(`${list} has other transitions. Run: npm run model -- --write`);
