import { type OpenFailure, standsAlone } from './evidence.ts';
import type { Excludes } from './groups.ts';

/** Up to this many suspects of a failure that shares its runs with no other are run one by one. */
const fewSuspects = 3;

/**
 * Sets that narrow the suspects of these failures. An only suspect runs alone. Failures of different tests share their sets, since the
 * names tell them apart. Each pool has two sets: a quarter of a failure's suspects is in both and a quarter in neither, so that one
 * culprit is then known to be in one quarter.
 */
export function splitsOf(failures: readonly OpenFailure[], excludes: Excludes): string[][] {
  const settled = failures.filter(({ suspects }) => suspects.length === 1);
  const pools = poolsOf(failures, settled).map((pool) => {
    const [first, second] = pool;
    const isFew = first && !second && first.suspects.length <= fewSuspects;
    return isFew ? first.suspects.map((id) => [id]) : split(pool, excludes);
  });
  return [...settled.map(({ suspects }) => [...suspects]), ...pools.flat()];
}

/** Failures that are looked into in the same runs. What shares tests and suspects with one of them waits until that one is settled. */
function poolsOf(failures: readonly OpenFailure[], settled: readonly OpenFailure[]): OpenFailure[][] {
  const pools: OpenFailure[][] = [];
  const taken = [...settled];
  for (const one of failures) {
    if (settled.includes(one)) continue;
    const waits = taken.some((other) => isShared(one.tests, other.tests) && isShared(one.suspects, other.suspects));
    if (waits) continue;
    taken.push(one);
    const pool = standsAlone(one)
      ? undefined
      : pools.find((others) => others.every((other) => !standsAlone(other) && !isShared(one.tests, other.tests)));
    if (pool) pool.push(one);
    else pools.push([one]);
  }
  return pools;
}

const isShared = (one: readonly string[], other: readonly string[]) => one.some((name) => other.includes(name));

function split(pool: readonly OpenFailure[], excludes: Excludes): string[][] {
  const sets: [string[], string[]] = [[], []];
  const placed = new Map<string, number>();
  for (const { suspects } of pool) {
    const counts = quarters.map((_, at) => suspects.filter((id) => placed.get(id) === at).length);
    for (const id of suspects.filter((one) => !placed.has(one))) {
      const fits = quarters.map((inSets) => sets.every((set, at) => !inSets[at] || !set.some((other) => excludes(id, other))));
      const fitting = [...quarters.keys()].filter((at) => fits[at]);
      const best = fitting.reduce((least, at) => ((counts[at] ?? 0) < (counts[least] ?? 0) ? at : least));
      placed.set(id, best);
      counts[best] = (counts[best] ?? 0) + 1;
      for (const [at, set] of sets.entries()) if (quarters[best]?.[at]) set.push(id);
    }
  }
  return sets.filter((set) => set.length > 0);
}

/** In which of the two sets a suspect is. It may always be in neither. */
const quarters: readonly (readonly [boolean, boolean])[] = [
  [true, false],
  [false, true],
  [true, true],
  [false, false],
];
