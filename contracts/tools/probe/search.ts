import { contradictionIn } from '../../../spec/gaps/gaps.ts';
import type { Outcome } from './types.ts';

interface SearchInput {
  /** Runs under these alternatives. It decides how many runs are made at once. */
  run(set: readonly string[]): Promise<Outcome>;
  /** Told of an alternative that failed twice alone. */
  blame(id: string, outcome: Outcome): void;
  /** Told of a set that failed, and then passed, or whose halves pass. */
  acquit(set: readonly string[], outcome: Outcome): void;
}

/** Runs under groups of compatible alternatives, and halves those that fail until one alternative is left. */
export async function findFailing(ids: readonly string[], input: SearchInput): Promise<void> {
  await Promise.all(compatibleGroups(ids).map((group) => halve(group, input)));
}

/** Returns true if the set failed. */
async function halve(set: readonly string[], input: SearchInput): Promise<boolean> {
  const outcome = await input.run(set);
  if (outcome.passed) return false;
  const [only, second] = set;
  if (only !== undefined && second === undefined) {
    const again = await input.run(set);
    if (again.passed) input.acquit(set, outcome);
    else input.blame(only, again);
    return true;
  }
  const middle = Math.ceil(set.length / 2);
  const failed = await Promise.all([halve(set.slice(0, middle), input), halve(set.slice(middle), input)]);
  if (!failed.includes(true)) input.acquit(set, outcome);
  return true;
}

/**
 * Finds a question's alternative under which a run fails. No code is ready for most of them, so that one is enough to say that the
 * answer matters. `questions`: for each, its alternatives in the order in which they are tried.
 */
export async function findQuestions(questions: readonly (readonly string[])[], input: SearchInput): Promise<void> {
  const blamed = new Set<string>();
  const blame: SearchInput['blame'] = (id, outcome) => {
    blamed.add(id);
    input.blame(id, outcome);
  };
  const turns = Math.max(0, ...questions.map(({ length }) => length));
  for (let turn = 0; turn < turns; turn += 1) {
    const open = questions.filter((own) => !own.some((id) => blamed.has(id)));
    await findFailing(
      open.flatMap((own) => own.slice(turn, turn + 1)),
      { ...input, blame },
    );
  }
}

/** True for two alternatives that no service can have at the same time: they belong to one gap, or contradict each other. */
const excludes = (one: string, other: string): boolean =>
  one.split('=')[0] === other.split('=')[0] || contradictionIn([one, other]) !== undefined;

/** Sets of about the same size whose members are compatible, as few as possible. */
function compatibleGroups(ids: readonly string[]): string[][] {
  const clashing = (one: string) => ids.filter((other) => other !== one && excludes(one, other)).length;
  const clashes = new Map(ids.map((one) => [one, clashing(one)]));
  // Alternatives that exclude most others are placed first, while all groups still have room.
  const ordered = ids.toSorted((one, other) => (clashes.get(other) ?? 0) - (clashes.get(one) ?? 0));
  const groups: string[][] = [];
  for (const one of ordered) {
    const fitting = groups.filter((group) => !group.some((other) => excludes(one, other)));
    const [smallest] = fitting.sort((group, other) => group.length - other.length);
    if (smallest) smallest.push(one);
    else groups.push([one]);
  }
  return groups;
}
