import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { didYouMean } from '../../gateway/base/nearest.ts';
import { refuse } from '../options.ts';
import { emphasized, planOf } from './plan.ts';
import { type Planted, planted } from './planted.ts';
import { simulate } from './simulate.ts';

/** How many seeds the searches for a mistake took. */
interface Measured {
  median: number;
  searches: number;
}

/** By mistake. `npm run simulate -- --measure-planted all` writes it. */
const file = join(import.meta.dirname, 'planted.json');
const measured: Record<string, Measured> = JSON.parse(readFileSync(file, 'utf8'));

/** A search that takes this many times the median has lost the mistake. */
const boundPerMedian = 10;
/** How many seeds a measured search may take. */
const longestSearch = 200;
/** Measured searches begin so far from each other. */
const seedsBetween = 1000;
/** Five searches are enough for a mistake that most seeds find. */
const [fewSearches, allSearches, fewSeeds] = [5, 20, 2];

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
  const { mistake, invariant, more = [] } = one;
  const median = measured[mistake]?.median;
  if (median === undefined) return { seed: null, why: 'It is not measured: see --measure-planted.' };
  const bound = median * boundPerMedian;
  for (let first = 1; first <= bound; ) {
    const [seed = null] = await search(one, bound + 1 - first, [first]);
    if (seed === null) break;
    const { broken } = await simulate(emphasized(planOf(seed), more));
    if (!broken.some((same) => same.invariant === invariant)) return { seed, why: '' };
    first = seed + 1;
  }
  return { seed: null, why: `No seed of 1 to ${bound} breaks this only with the mistake: ${invariant}` };
}

/** Measures how many seeds the searches for each of these mistakes take, and writes it down. Returns how many take too many. */
export async function measurePlanted(wanted: readonly Planted[]): Promise<number> {
  let lost = 0;
  await twoAtOnce(wanted, async (one) => {
    const lengths = await lengthsOf(one, 0, fewSearches);
    if (medianOf(lengths) > fewSeeds) lengths.push(...(await lengthsOf(one, fewSearches, allSearches)));
    const median = medianOf(lengths);
    say(`median ${median} of ${lengths.length} searches (${lengths.join(', ')}): ${one.mistake}`);
    if (median > longestSearch) lost += 1;
    else writeMeasured(one, { median, searches: lengths.length });
  });
  say(`${wanted.length} planted mistakes: ${lost} need more than ${longestSearch} seeds.`);
  return lost;
}

/** In the order of the mistakes, without those that are no more. */
function writeMeasured({ mistake }: Planted, found: Measured): void {
  measured[mistake] = found;
  const kept = planted.filter((one) => measured[one.mistake]).map((one) => [one.mistake, measured[one.mistake]]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

/** Returns how many seeds the searches with these numbers take. */
async function lengthsOf(one: Planted, from: number, to: number): Promise<number[]> {
  const firstSeeds = Array.from({ length: to - from }, (_, at) => 1 + (from + at) * seedsBetween);
  const found = await search(one, longestSearch, firstSeeds);
  return found.map((seed, at) => (seed === null ? longestSearch + 1 : seed + 1 - (firstSeeds[at] ?? 0)));
}

/** The larger of the two in the middle. */
function medianOf(lengths: readonly number[]): number {
  return lengths.toSorted((one, other) => one - other)[Math.floor(lengths.length / 2)] ?? 0;
}

type Found = (number | null)[];

/** Returns, for each first seed, the seed from there on that finds the mistake; null if none of so many does. */
async function search({ mistake }: Planted, seeds: number, firstSeeds: readonly number[]): Promise<Found> {
  const program = ['--import', './test/simulation/plant.ts', 'test/simulation/search.ts'];
  const { stdout } = await run(process.execPath, [...program, ...[seeds, ...firstSeeds].map(String)], {
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
