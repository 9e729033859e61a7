import { knownDefectOf, knownDefects } from './known.ts';
import { type Emphasis, emphasized, type Plan, planOf } from './plan.ts';
import { type Shrunk, shrink } from './shrink.ts';
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

/** The lines of a shrunk story that are shown. */
const longestStory = 60;
const dayMs = 86_400_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

/**
 * Plays all of these seeds, whatever they break, and says what that was. Returns how many failed for another reason
 * than a known defect.
 */
export async function playSeeds(seeds: readonly number[], options: SeedsOptions): Promise<number> {
  const { play, more, tells, repeating } = options;
  const began = performance.now();
  const [counts, seedsWith] = [new Map<string, number>(), new Map<string, number>()];
  const known = new Map<string, number[]>();
  let [failed, simulatedMs] = [0, 0];
  for (const seed of seeds) {
    const plan = emphasized(planOf(seed), more);
    const result = await play(plan);
    simulatedMs += result.simulatedMs;
    for (const [what, count] of result.counts) {
      add(counts, what, count);
      add(seedsWith, what, 1);
    }
    if (tells) say(result.story.join('\n'));
    if (result.broken.length === 0) continue;
    const defect = knownDefectOf(result.broken);
    if (defect) known.set(defect.name, [...(known.get(defect.name) ?? []), seed]);
    else failed += 1;
    say(`seed ${seed} ${defect ? `shows a known defect (${defect.name})` : 'FAILED'}:`);
    for (const { invariant, saw } of firstOfEach(result)) say(`  ${invariant}\n    ${saw}`);
    say(`  Repeat it: npm run simulate -- --seed ${seed}${repeating}`);
    if (failed === 1 && !defect) sayShrunk(await shrink(plan, result, play));
  }
  say(inOrder(counts).join(', '));
  const rare = rareIn(seedsWith, seeds.length).map(([what, count]) => `${what} (${count})`);
  if (rare.length > 0) say(`Rare, with the number of seeds that have it: ${rare.join(', ')}.`);
  for (const { name, status } of knownDefects)
    say(`Known defect, ${status}: ${name}. Seeds: ${known.get(name)?.join() ?? 'none'}.`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const days = (simulatedMs / dayMs).toFixed(1);
  const result = `${failed} failed, ${[...known.values()].flat().length} showed a known defect`;
  say(`${seeds.length} seeds, ${days} simulated days, ${seconds} s: ${result}.`);
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

/** Tells what a failure needs, and what happened to the delivery it is about. */
function sayShrunk({ plan, broken, story }: Shrunk): void {
  const { changes, endpoints, gateways, faults, actions } = plan;
  const happens = [...faults, ...actions.map(({ kind }) => kind)].join(', ') || 'nothing else';
  const size = `gateways: ${gateways}, endpoints: ${endpoints.length}, changes: ${changes.length}`;
  say(`  Needed are ${size}, and ${happens}.`);
  for (const line of story.slice(-longestStory)) say(`    ${line}`);
  say(`    ${broken.saw}`);
}
