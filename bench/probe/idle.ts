import { excludes } from '../../probe/candidates.ts';
import { searchedFor } from '../../probe/probe.ts';
import { search } from '../../probe/search.ts';
import type { Candidate, Outcome } from '../../probe/types.ts';

export type Recorded = Outcome;

/** Searches again with the recorded outcomes and a clock of its own: the time of a probe whose runs disturb nobody. */
export async function secondsOnIdleCores(
  exercised: readonly Candidate[],
  recorded: ReadonlyMap<string, Recorded>,
  { jobs, seed, suiteSeconds, limitSeconds }: { jobs: number; seed: string; suiteSeconds: number; limitSeconds: number },
): Promise<number> {
  let now = 0;
  const running: { until: number; end: () => void }[] = [];
  const run = (set: readonly string[], again: number) => {
    const outcome = recorded.get(`${[...set].sort().join(' ')} #${again}`);
    if (!outcome) throw new Error(`The search is not the same: ${set.join(' ')} was not run.`);
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    running.push({ until: now + (outcome.timedOut ? limitSeconds : suiteSeconds), end: () => resolve(outcome) });
    return promise;
  };
  let isOver = false;
  const over = search({ ...searchedFor(exercised, { seed }), excludes, jobs, run }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise(setImmediate);
    const next = running.sort((one, other) => one.until - other.until).shift();
    if (next) now = next.until;
    next?.end();
  }
  await over;
  // One plain run alone, and then as many as jobs.
  return 2 * suiteSeconds + now;
}
