import { type Emphasis, emphasized, type Plan, planOf } from './plan.ts';
import type { Result } from './simulate.ts';
import { rareIn } from './vocabulary.ts';

export interface SeedsOptions {
  play(plan: Plan): Promise<Result>;
  more: readonly Emphasis[];
  /** Prints what happened in each seed. */
  tells: boolean;
  /** The options that repeat a seed, after its number. */
  repeating: string;
}

const dayMs = 86_400_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

/**
 * Plays all of these seeds, whatever they break, and says what that was. Returns how many failed.
 */
export async function playSeeds(seeds: readonly number[], options: SeedsOptions): Promise<number> {
  const { play, more, tells, repeating } = options;
  const began = performance.now();
  const [counts, seedsWith] = [new Map<string, number>(), new Map<string, number>()];
  let [failed, simulatedMs] = [0, 0];
  for (const seed of seeds) {
    const result = await play(emphasized(planOf(seed), more));
    simulatedMs += result.simulatedMs;
    for (const [what, count] of result.counts) {
      add(counts, what, count);
      add(seedsWith, what, 1);
    }
    if (tells) say(result.story.join('\n'));
    if (result.broken.length === 0) continue;
    failed += 1;
    say(`seed ${seed} FAILED:`);
    for (const { invariant, saw } of firstOfEach(result)) say(`  ${invariant}\n    ${saw}`);
    say(`  Repeat it: npm run simulate -- --seed ${seed}${repeating}`);
  }
  say(inOrder(counts).join(', '));
  const rare = rareIn(seedsWith, seeds.length).map(([what, count]) => `${what} (${count})`);
  if (rare.length > 0) say(`Rare, with the number of seeds that have it: ${rare.join(', ')}.`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const days = (simulatedMs / dayMs).toFixed(1);
  say(`${seeds.length} seeds, ${days} simulated days, ${seconds} s: ${failed} failed.`);
  return failed;
}

const add = (counts: Map<string, number>, what: string, count: number) => {
  counts.set(what, (counts.get(what) ?? 0) + count);
};

const inOrder = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts].map(([what, count]) => `${what} ${count}`).toSorted((one, other) => (one < other ? -1 : 1));

/** The first of each invariant that broke. */
const firstOfEach = ({ broken }: Result) =>
  broken.filter(({ invariant }, at) => broken.findIndex((one) => one.invariant === invariant) === at);
