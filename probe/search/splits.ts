import { type OpenFailure, standsAlone } from './evidence.ts';
import type { Excludes } from './groups.ts';

/** Up to this many suspects of a failure on its own are run one by one. */
const fewSuspects = 3;

/**
 * Sets that narrow the suspects of these failures. Failures of different tests share their sets, since the names tell them apart. Each
 * pool has two sets. A quarter of each failure's suspects is in both, a quarter in neither, so one culprit is looked for in a quarter after that.
 */
export function splitsOf(failures: readonly OpenFailure[], excludes: Excludes): string[][] {
  return poolsOf(failures).flatMap((pool) => {
    const [first] = pool;
    if (pool.length === 1 && first && first.suspects.length <= fewSuspects) return first.suspects.map((id) => [id]);
    return split(pool, excludes);
  });
}

/** Failures that are looked into in the same runs. What shares tests and suspects with one of them waits until that one is settled. */
function poolsOf(failures: readonly OpenFailure[]): OpenFailure[][] {
  const pools: OpenFailure[][] = [];
  const taken: OpenFailure[] = [];
  for (const one of failures) {
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
      const best = quarters
        .map((_, at) => at)
        .filter((at) => fits[at])
        .reduce((least, at) => ((counts[at] ?? 0) < (counts[least] ?? 0) ? at : least), neither);
      placed.set(id, best);
      counts[best] = (counts[best] ?? 0) + 1;
      for (const [at, set] of sets.entries()) if (quarters[best]?.[at]) set.push(id);
    }
  }
  return sets.filter((set) => set.length > 0);
}

/** In which of the two sets a suspect is. */
const quarters: readonly (readonly [boolean, boolean])[] = [
  [true, false],
  [false, true],
  [true, true],
  [false, false],
];
const neither = 3;
