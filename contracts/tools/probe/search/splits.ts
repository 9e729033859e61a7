import { type OpenFailure, standsAlone } from './evidence.ts';
import type { Excludes } from './groups.ts';

/**
 * Returns two sets for each pool of failures. A quarter of a failure's suspects is in both sets, a quarter in neither, and a
 * quarter in each set alone, so the results show which quarter is to blame.
 */
export function splitsOf(failures: readonly OpenFailure[], excludes: Excludes): string[][] {
  const settled = failures.filter(({ suspects }) => suspects.length === 1);
  const pools = poolsOf(failures, settled).map((pool) => split(pool, excludes));
  return [...settled.map(({ suspects }) => [...suspects]), ...pools.flat()];
}

/**
 * Failures that are looked into in the same runs. A failure that shares tests and suspects with one of them waits until that one
 * is settled.
 */
function poolsOf(failures: readonly OpenFailure[], settled: readonly OpenFailure[]): OpenFailure[][] {
  const pools: OpenFailure[][] = [];
  const taken = [...settled];
  for (const one of failures) {
    if (taken.some((other) => isShared(one.tests, other.tests) && isShared(one.suspects, other.suspects))) continue;
    taken.push(one);
    const isToldFrom = (other: OpenFailure) => !standsAlone(one) && !standsAlone(other) && !isShared(one.tests, other.tests);
    const pool = pools.find((others) => others.every(isToldFrom));
    if (pool) pool.push(one);
    else pools.push([one]);
  }
  return pools;
}

const isShared = (one: readonly string[], other: readonly string[]) => one.some((name) => other.includes(name));

function split(pool: readonly OpenFailure[], excludes: Excludes): string[][] {
  const [first, second]: [string[], string[]] = [[], []];
  /** The sets in which a suspect is. It may always be in neither. */
  const quarters = [[first], [second], [first, second], []];
  const placed = new Map<string, string[][]>();
  for (const { suspects } of pool) {
    const sizeOf = (quarter: string[][]) => suspects.filter((id) => placed.get(id) === quarter).length;
    for (const id of suspects) {
      if (placed.has(id)) continue;
      const fitting = quarters.filter((sets) => !sets.flat().some((other) => excludes(id, other)));
      const [smallest = []] = fitting.sort((one, other) => sizeOf(one) - sizeOf(other));
      placed.set(id, smallest);
      for (const set of smallest) set.push(id);
    }
  }
  return [first, second].filter((set) => set.length > 0);
}
