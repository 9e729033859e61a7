import type { Batches } from './batches.ts';
import { compatibleGroups } from './groups.ts';
import { failingTogether } from './minimal.ts';
import type { OwnInput, Verdict } from './types.ts';

/** A failing set with at most this many members is run member by member. A larger set is split into this many parts. */
const parts = 4;

/**
 * Finds the questions whose answer a suite depends on. The suite fails under most alternatives, so a failing set is split into
 * four parts, and then into single alternatives.
 */
export async function findQuestions<V extends Verdict>(
  { questions, excludes, found: { asked, notReproducible } }: OwnInput<V>,
  { all: run, expected }: Batches<V>,
): Promise<void> {
  /** True if one of these is known to fail. */
  const isExplained = (ids: readonly string[]) => asked.some(({ set }) => set.some((id) => ids.includes(id)));

  /** Runs under these sets, and then under the parts of those that fail. */
  const narrow = async (sets: readonly string[][], arePartsOfFailing: boolean): Promise<void> => {
    if (sets.length === 0) return;
    const verdicts = await run(sets);
    expected.explaining = 0;
    const failed = sets.flatMap((set, at) => ((verdicts[at] as V).passed ? [] : [{ set, verdict: verdicts[at] as V }]));
    if (arePartsOfFailing) asked.push(...failed.filter(({ set }) => set.length === 1));
    const partsOfAll = failed.flatMap(({ set }) => partsOf(set));
    await narrow(partsOfAll, true);
    for (const one of failed) {
      if (isExplained(one.set)) continue;
      const together = await failingTogether(one.set, { run, hasPassed: () => false });
      if (together) asked.push(together);
      else notReproducible.push(one);
    }
  };

  const turns = turnsOf(questions);
  for (let turn = 0; turn < turns; turn += 1) {
    const open = questions.filter((own) => !isExplained(own)).flatMap((own) => own.slice(turn, turn + 1));
    expected.planned = turns - turn - 1;
    await narrow(compatibleGroups(open, excludes), false);
  }
  expected.planned = 0;
}

type Questions = readonly (readonly string[])[];

const turnsOf = (questions: Questions) => Math.max(0, ...questions.map(({ length }) => length));

/** The number of runs that it takes if each question's first alternative fails. */
export const runsToAsk = (questions: Questions): number =>
  turnsOf(questions) + (questions.length > 1 ? parts + questions.length : 0);

function partsOf(set: readonly string[]): string[][] {
  if (set.length === 1) return [];
  const partOf = (_: string, at: number) => at % parts;
  return [...Map.groupBy(set, partOf).values()];
}
