import type { Verdict } from './types.ts';

interface Ran<V extends Verdict> {
  set: readonly string[];
  key: string;
  verdict: V;
  members: ReadonlySet<string>;
  failed: ReadonlySet<string>;
  unknown: ReadonlySet<string>;
}

/** A failure that nothing found so far explains. */
export interface OpenFailure {
  set: readonly string[];
  /** Tests that failed in the same runs, and passed in the same runs. */
  tests: readonly string[];
  /** Members that may be the cause: they were in no run in which these tests passed. */
  suspects: readonly string[];
}

/** Used like names of tests: the command failed without naming a test, or was stopped at its time limit. */
const [unnamed, limit] = ['\0failed', '\0stopped'];

/** True if these tests tell nothing beside others: the command names none, or stops at the first. */
export const standsAlone = ({ tests }: OpenFailure): boolean => tests.includes(unnamed) || tests.includes(limit);

export const keyOf = (set: readonly string[]): string => [...set].sort().join(' ');

/**
 * All runs so far, and what follows from them. It assumes that an alternative which makes a test fail does so together with any
 * other alternatives.
 */
export class Evidence<V extends Verdict> {
  readonly #runs: Ran<V>[] = [];
  /** What is to blame: one alternative, or the few that fail only together. */
  readonly #blamed = new Map<string, readonly string[]>();

  add(set: readonly string[], verdict: V): void {
    const { passed, failedTests = [], timedOut = false, notRun = [] } = verdict;
    const failed = new Set(passed ? [] : failedTests.length > 0 || timedOut ? failedTests : [unnamed]);
    if (timedOut && !passed) failed.add(limit);
    this.#runs.push({ set, key: keyOf(set), verdict, members: new Set(set), failed, unknown: new Set(notRun) });
  }

  blame(set: readonly string[]): void {
    this.#blamed.set(keyOf(set), set);
  }

  acquit(id: string): void {
    this.#blamed.delete(id);
  }

  passed(): (readonly string[])[] {
    return this.#runs.filter(({ verdict }) => verdict.passed).map(({ set }) => set);
  }

  /**
   * Returns the set without the alternatives that are to blame. If several fail only together, only the first of them is left
   * out.
   */
  withoutBlamed(set: readonly string[]): string[] {
    const present = [...this.#blamed.values()].filter((one) => one.every((id) => set.includes(id)));
    return set.filter((id) => !present.some(([first]) => first === id));
  }

  /** True if a run passed under all of these at once. */
  hasPassed = (set: readonly string[]): boolean =>
    this.#runs.some(({ verdict, members }) => verdict.passed && set.every((id) => members.has(id)));

  /** The verdicts of the runs under this set and no other. */
  of(set: readonly string[]): V[] {
    const key = keyOf(set);
    return this.#runs.filter((one) => one.key === key).map(({ verdict }) => verdict);
  }

  /**
   * Counts the runs with several alternatives in which the same tests failed as with this one alone, if no other member is known
   * to cause that.
   */
  failuresWith(id: string): number {
    const tests = new Set(this.#runs.filter(({ key }) => key === id).flatMap(({ failed }) => [...failed]));
    return this.#runs.filter(
      (one) =>
        one.set.length > 1 &&
        one.members.has(id) &&
        [...one.failed].some((name) => tests.has(name) && !this.#isExplained(one, name, id)),
    ).length;
  }

  /**
   * The failures that nothing explains, the ones with the fewest suspects first. If failures are nested, only the innermost one.
   */
  open(): OpenFailure[] {
    const all = this.#testsAlike().flatMap((tests) => {
      const [name = ''] = tests;
      const innocent = new Set<string>();
      for (const ran of this.#runs) if (this.#hasPassedIn(ran, name)) for (const id of ran.set) innocent.add(id);
      for (const [first = '', second] of this.#blamed.values()) if (second === undefined) innocent.add(first);
      const failures = this.#runs
        .filter((ran) => ran.failed.has(name) && !this.#isExplained(ran, name) && !this.hasPassed(this.withoutBlamed(ran.set)))
        .map(({ set }) => ({ set, tests, suspects: set.filter((id) => !innocent.has(id)) }))
        .sort((one, other) => one.suspects.length - other.suspects.length || one.set.length - other.set.length);
      return failures.filter(({ suspects }, at) => !failures.slice(0, at).some((inner) => isWithin(inner.suspects, suspects)));
    });
    return bySuspects(all).sort((one, other) => one.suspects.length - other.suspects.length);
  }

  /** Tests that no run tells apart, so that a suite of thousands makes few cases. */
  #testsAlike(): string[][] {
    const names = new Set(this.#runs.flatMap(({ failed }) => [...failed]));
    const patternOf = (name: string) =>
      this.#runs.map((ran) => (ran.failed.has(name) ? 'f' : this.#hasPassedIn(ran, name) ? 'p' : '-')).join('');
    return [...Map.groupBy(names, patternOf).values()];
  }

  #hasPassedIn({ verdict, failed, unknown }: Ran<V>, name: string): boolean {
    if (verdict.passed) return true;
    if (name === limit) return !failed.has(limit);
    if (name === unnamed || failed.has(unnamed) || failed.has(name) || unknown.has(name)) return false;
    return !failed.has(limit) || verdict.notRun !== undefined;
  }

  /** True if something that is to blame is in the run, and the test is not known to pass under it. */
  #isExplained({ members }: Ran<V>, name: string, except?: string): boolean {
    return [...this.#blamed].some(
      ([key, set]) =>
        set[0] !== except &&
        set.every((id) => members.has(id)) &&
        !this.#runs.some((ran) => ran.key === key && this.#hasPassedIn(ran, name)),
    );
  }
}

const isWithin = (inner: readonly string[], outer: readonly string[]) => inner.every((id) => outer.includes(id));

/** One failure for each list of suspects and run. */
function bySuspects(failures: readonly OpenFailure[]): OpenFailure[] {
  const groups = Map.groupBy(failures, ({ set, suspects }) => `${keyOf(suspects)} of ${suspects.length === 0 ? keyOf(set) : ''}`);
  return [...groups.values()].map((same) => ({ ...(same[0] as OpenFailure), tests: same.flatMap(({ tests }) => tests) }));
}
