import { contradictionIn } from '../../../spec/gaps/gaps.ts';
import type { Failure, ProbeReport } from './types.ts';

interface Search extends Pick<ProbeReport, 'notReproducible'> {
  /** Runs under these alternatives. It decides how many runs are made at once. */
  run(set: readonly string[]): Promise<Failure | undefined>;
  /** The alternatives that failed twice alone. */
  failing: Map<string, Failure>;
}

/**
 * Finds an alternative of each question under which runs fail: one is enough to say that the answer matters. `questions`: for each,
 * its alternatives in the order in which they are tried. It runs under groups of compatible alternatives, and halves those that fail
 * until one alternative is left, which must fail twice.
 */
export async function findFailing(questions: readonly (readonly string[])[], search: Search): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const open = questions.filter((own) => !own.some((id) => search.failing.has(id)));
    const ids = open.flatMap((own) => own.slice(turn, turn + 1));
    if (ids.length === 0) return;
    await Promise.all(compatibleGroups(ids).map((group) => halve(group, search)));
  }
}

/** Returns true if the set failed. `isAgain`: its only alternative failed before. */
async function halve(set: readonly string[], search: Search, isAgain = false): Promise<boolean> {
  const failure = await search.run(set);
  if (failure === undefined) return false;
  if (isAgain) {
    for (const only of set) search.failing.set(only, failure);
    return true;
  }
  const isAlone = set.length === 1;
  const middle = Math.ceil(set.length / 2);
  const parts = isAlone ? [set] : [set.slice(0, middle), set.slice(middle)];
  const failed = await Promise.all(parts.map((part) => halve(part, search, isAlone)));
  if (!failed.includes(true)) search.notReproducible.push({ alternatives: [...set], failedTests: failure.failedTests });
  return true;
}

/** True for two alternatives that no service can have at the same time: they belong to one gap, or contradict each other. */
const excludes = (one: string, other: string): boolean =>
  one.split('=')[0] === other.split('=')[0] || contradictionIn([one, other]) !== undefined;

/** Sets of about the same size whose members are compatible. */
function compatibleGroups(ids: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (const one of ids) {
    const fitting = groups.filter((group) => !group.some((other) => excludes(one, other)));
    const [smallest] = fitting.sort((group, other) => group.length - other.length);
    if (smallest) smallest.push(one);
    else groups.push([one]);
  }
  return groups;
}
