import type { Blamed, Verdict } from './types.ts';

interface Trials<V extends Verdict> {
  run(sets: readonly (readonly string[])[]): Promise<V[]>;
  hasPassed(set: readonly string[]): boolean;
}

/** Looks into a failure that nothing explains: returns those of its members that fail only together, or nothing if they pass now. */
export async function failingTogether<V extends Verdict>(set: string[], trials: Trials<V>): Promise<Blamed<V> | undefined> {
  const [again] = await trials.run([set]);
  if (again === undefined || again.passed) return undefined;
  const minimal = await minimalFailing(set, trials);
  const [last] = minimal.length === set.length || minimal.length === 0 ? [again] : await trials.run([minimal]);
  return minimal.length === 0 || last === undefined || last.passed ? undefined : { set: minimal, verdict: last };
}

/**
 * Finds the shortest beginning of the list that fails. Its last member is needed for the failure. Then does the same with the
 * members before it.
 */
async function minimalFailing<V extends Verdict>(set: readonly string[], { run, hasPassed }: Trials<V>): Promise<string[]> {
  const found: string[] = [];
  let rest = [...set];
  while (rest.length > 0) {
    const start = (length: number) => [...rest.slice(0, length), ...found];
    // The start of length `passes` passes, that of length `fails` fails.
    let passes = found.length === 0 || hasPassed(found) ? 0 : -1;
    let fails = rest.length;
    while (fails - passes > 1) {
      const length = Math.floor((passes + fails) / 2);
      if (hasPassed(start(length)) || (await run([start(length)]))[0]?.passed) passes = length;
      else fails = length;
    }
    if (fails === 0) break;
    found.push(rest[fails - 1] as string);
    rest = rest.slice(0, fails - 1);
  }
  return found;
}
