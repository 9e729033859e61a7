/** `npm run model` checks test/model/delivery.pml in every order of steps, and that each planted mistake is found. Needs Debian's spin and gcc. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Run {
  claim: 'safe' | 'ends';
  /** How many things go wrong, and how often an operator sends again. */
  mishaps: number;
  resends: number;
  /** A mistake in the model, which the claim must not survive. */
  mistake?: string;
}

const runs: readonly Run[] = [
  { claim: 'safe', mishaps: 1, resends: 1 },
  { claim: 'safe', mishaps: 2, resends: 0 },
  { claim: 'ends', mishaps: 0, resends: 1 },
  { claim: 'ends', mishaps: 1, resends: 0 },
  { claim: 'safe', mishaps: 1, resends: 0, mistake: 'BELIEVES_FAILURES' },
  { claim: 'safe', mishaps: 1, resends: 0, mistake: 'NO_LEASE_CHECK' },
  { claim: 'safe', mishaps: 2, resends: 0, mistake: 'LEAVES_OTHERS' },
  { claim: 'ends', mishaps: 1, resends: 0, mistake: 'NO_RECONCILER' },
  { claim: 'ends', mishaps: 1, resends: 0, mistake: 'ETERNAL_LEASE' },
];

const model = join(import.meta.dirname, 'delivery.pml');
const folder = mkdtempSync(join(tmpdir(), 'passerelle-model-'));

/** Runs a program in the folder, and returns what it printed. Throws if it fails. */
const run = (program: string, args: readonly string[]) => execFileSync(program, args, { cwd: folder, encoding: 'utf8' });

/** Returns the number of errors that the checker found, and of the states that it saw. */
function check({ claim, mishaps, resends, mistake }: Run): { errors: number; states: number } {
  const defines = [`-DMISHAPS=${mishaps}`, `-DRESENDS=${resends}`, ...(mistake === undefined ? [] : [`-DMISTAKE_${mistake}`])];
  run('spin', ['-a', ...defines, model]);
  run('gcc', ['-O2', '-DCOLLAPSE', '-DNFAIR=3', '-o', 'pan', 'pan.c']);
  const printed = run('./pan', ['-a', '-m1000000', '-N', claim, ...(claim === 'ends' ? ['-f'] : [])]);
  const [, errors] = /errors: (\d+)/.exec(printed) ?? [];
  const [, states] = /(\S+) states, stored/.exec(printed) ?? [];
  // A search that is cut off says nothing.
  if (errors === undefined || states === undefined || /max search depth|out of memory/.test(printed)) throw new Error(printed);
  return { errors: Number(errors), states: Number(states) };
}

try {
  for (const one of runs) {
    const began = performance.now();
    const { errors, states } = check(one);
    const isRight = errors > 0 === (one.mistake !== undefined);
    const what = `${one.claim}, ${one.mishaps} mishaps, ${one.resends} resends${one.mistake ? `, mistake ${one.mistake}` : ''}`;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(
      `${isRight ? '✓' : '✗'} ${what}: ${errors > 0 ? 'violated' : 'holds'}, ${states} states, ${seconds} s\n`,
    );
    if (!isRight) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
