import type { Verdict } from './types.ts';

interface Trials {
  /** Runs under these sets, at the same time. */
  run(sets: readonly (readonly string[])[]): Promise<Verdict[]>;
  hasPassed(set: readonly string[]): boolean;
}

/**
 * Members of a failing set that fail only together: the shortest start of the list that fails ends with one of them, and so on with
 * those before it. Two starts are tried at the same time.
 */
export async function minimalFailing(set: readonly string[], { run, hasPassed }: Trials): Promise<string[]> {
  const found: string[] = [];
  let rest = [...set];
  while (rest.length > 0) {
    const start = (length: number) => [...rest.slice(0, length), ...found];
    // The start of length `passes` passes, that of length `fails` fails.
    let passes = found.length === 0 || hasPassed(found) ? 0 : -1;
    let fails = rest.length;
    while (fails - passes > 1) {
      const third = Math.ceil((fails - passes) / 3);
      const tried = [...new Set([passes + third, Math.max(passes + 1, fails - third)])].filter((length) => length < fails);
      const unknown = tried.filter((length) => !hasPassed(start(length)));
      const verdicts = await run(unknown.map(start));
      const failing = unknown.filter((_, at) => !verdicts[at]?.passed);
      fails = Math.min(fails, ...failing);
      passes = Math.max(passes, ...tried.filter((length) => length < fails && !failing.includes(length)));
    }
    if (fails === 0) break;
    found.push(rest[fails - 1] as string);
    rest = rest.slice(0, fails - 1);
  }
  return found;
}
