import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { didYouMean } from '../../gateway/base/nearest.ts';
import { refuse } from '../options.ts';
import { emphasized, planOf } from './plan.ts';
import { type Planted, planted } from './planted.ts';
import { simulate } from './simulate.ts';

/** A search of this many seeds has lost the mistake. The rarest one is found by the 16th in half of the searches. */
const mostSeeds = 160;

const run = promisify(execFile);
const say = (text: string) => process.stdout.write(`${text}\n`);

/** Returns the mistakes that `wanted` means: "all", "gate" or the name of one. Ends the program at anything else. */
export function plantedNamed(wanted: string): readonly Planted[] {
  if (wanted === 'all') return planted;
  if (wanted === 'gate') return planted.filter(({ gate }) => gate);
  const names = planted.map(({ mistake }) => mistake);
  if (!names.includes(wanted)) {
    const all = ['all', 'gate', ...names];
    refuse(`"${wanted}" is no planted mistake. ${didYouMean(wanted, all)}They are: ${all.join('; ')}.`);
  }
  return planted.filter(({ mistake }) => mistake === wanted);
}

/** Searches each of these mistakes from seed 1 on. Returns how many are not found. */
export async function findPlanted(wanted: readonly Planted[]): Promise<number> {
  const began = performance.now();
  let lost = 0;
  await twoAtOnce(wanted, async (one) => {
    const { seed, why } = await findOne(one).catch((error: Error) => ({ seed: null, why: error.message }));
    if (seed !== null) {
      say(`found by seed ${seed}: ${one.mistake}\n  ${one.invariant}`);
      return;
    }
    lost += 1;
    say(`NOT FOUND: ${one.mistake}\n  ${why}\n  Repeat it: npm run simulate -- --planted '${one.mistake}'`);
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  say(`${wanted.length} planted mistakes, ${seconds} s: ${lost} not found.`);
  return lost;
}

/** A seed that breaks the invariant also without the mistake has not found it. */
async function findOne(one: Planted): Promise<{ seed: number | null; why: string }> {
  const { invariant, more = [] } = one;
  for (let first = 1; first <= mostSeeds; ) {
    const seed = await search(one, first);
    if (seed === null) break;
    const { broken } = await simulate(emphasized(planOf(seed), more));
    if (!broken.some((same) => same.invariant === invariant)) return { seed, why: '' };
    first = seed + 1;
  }
  return { seed: null, why: `No seed of 1 to ${mostSeeds} breaks this only with the mistake: ${invariant}` };
}

/** Returns the first seed from this one on that finds the mistake, or null. */
async function search({ mistake }: Planted, first: number): Promise<number | null> {
  const program = ['--import', './test/simulation/plant.ts', 'test/simulation/search.ts'];
  const { stdout } = await run(process.execPath, [...program, String(first), String(mostSeeds)], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, PLANTED: mistake },
  });
  return JSON.parse(stdout);
}

async function twoAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const workOnSome = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all([workOnSome(), workOnSome()]);
}
