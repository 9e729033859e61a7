import type { Outcome } from '../probe/types.ts';

/** A mutant that the plain run shows. */
export interface Shown {
  /** As `--assume` takes it. */
  id: string;
  /** The operation or webhook that shows it first. */
  place: string;
  /** True if other mutants have no visible effect in the same run. */
  hidesOthers: boolean;
}

/** How tests noticed a mutant. `isDoubtful`: plain runs fail in the same way. */
export type Noticed = Outcome & { isDoubtful?: true };

export interface SearchInput {
  /** Runs with these mutants, none for a plain run. As many run at once as there are slots. */
  run(set: readonly string[]): Promise<Outcome>;
  /** What is known of each mutant, added as soon as it is known. Undefined: no test noticed it. */
  known: Map<string, Noticed | undefined>;
}

/** More mutants in one run would save little, and fail together more often. */
const mostTogether = 4;

/**
 * Finds the mutants that no test notices. First all mutants of one place together: if that run passes, nobody notices them. Then
 * runs each mutant alone, or together with mutants of other places whose tests differ. If such a run leaves something open, it is
 * divided into halves. A mutant counts as unnoticed only if a run with it passes.
 */
export async function findUnnoticed(mutants: readonly Shown[], { run, known }: SearchInput): Promise<void> {
  const failedAt = new Map<string, ReadonlySet<string>>();
  const pools = [
    ...Map.groupBy(
      mutants.filter(({ hidesOthers }) => !hidesOthers),
      ({ place }) => place,
    ),
  ];
  const unnoticed = (set: readonly Shown[]) => {
    for (const { id } of set) known.set(id, undefined);
  };
  await all(pools, async ([place, own]) => {
    if (own.length < 2) return;
    const outcome = await run(own.map(({ id }) => id));
    if (outcome.passed) unnoticed(own);
    else if (tellsTests(outcome)) failedAt.set(place, new Set(outcome.failedTests));
  });

  const open = mutants.filter(({ id }) => !known.has(id));
  const suspects: Shown[] = [];
  await all(bundlesOf(open, failedAt), async (set) => {
    const outcome = await run(set.map(({ id }) => id));
    if (outcome.passed) return unnoticed(set);
    for (const one of set) {
      const failedTests = outcome.failedTests.filter((name) => failedAt.get(one.place)?.has(name));
      if (set.length === 1) known.set(one.id, outcome);
      else if (failedTests.length > 0) known.set(one.id, { ...outcome, failedTests });
      else suspects.push(one);
    }
  });
  await settle(suspects, { run, known });
}

/** Runs a set, and its halves if it fails. */
async function settle(set: readonly Shown[], input: SearchInput): Promise<void> {
  if (set.length === 0) return;
  const outcome = await input.run(set.map(({ id }) => id));
  const middle = Math.ceil(set.length / 2);
  if (outcome.passed || set.length === 1) {
    for (const { id } of set) input.known.set(id, outcome.passed ? undefined : outcome);
  } else await all([set.slice(0, middle), set.slice(middle)], (half) => settle(half, input));
}

/**
 * If a plain run fails, a verdict that rests only on the same failures is doubtful. Such mutants are run again. If they fail in
 * the same way, they stay doubtful. Returns the failures.
 */
export async function checkFlaky({ run, known }: SearchInput, plainRuns: number): Promise<string[]> {
  const failed: Outcome[] = [];
  await all(Array.from({ length: plainRuns }), async () => {
    const outcome = await run([]);
    if (!outcome.passed) failed.push(outcome);
  });
  const flaky = new Set(failed.flatMap(failuresOf));
  const isDoubtful = (by: Outcome) => failuresOf(by).every((name) => flaky.has(name));
  const doubted = [...known].flatMap(([id, by]) => (by && isDoubtful(by) ? [id] : []));
  await all(doubted, async (id) => {
    const outcome = await run([id]);
    known.set(id, outcome.passed ? undefined : isDoubtful(outcome) ? { ...outcome, isDoubtful: true } : outcome);
  });
  return [...flaky];
}

/** The tests that failed. How the run ended, if it names none. */
const failuresOf = ({ failedTests, timedOut, reason }: Outcome): string[] => {
  if (timedOut) return ['it did not end in time'];
  return failedTests.length > 0 ? failedTests : [reason];
};

/** True if the names of the failed tests are all that there are. */
const tellsTests = ({ failedTests, timedOut, notRun = [] }: Outcome): boolean =>
  failedTests.length > 0 && !timedOut && notRun.length === 0;

function bundlesOf(mutants: readonly Shown[], failedAt: ReadonlyMap<string, ReadonlySet<string>>): Shown[][] {
  const bundles: Shown[][] = [];
  for (const one of mutants) {
    const tests = failedAt.get(one.place);
    const isToldFrom = (other: Shown) => !other.hidesOthers && failedAt.get(other.place)?.isDisjointFrom(tests as Set<string>);
    const bundle =
      tests && !one.hidesOthers ? bundles.find((others) => others.length < mostTogether && others.every(isToldFrom)) : undefined;
    if (bundle) bundle.push(one);
    else bundles.push([one]);
  }
  return bundles;
}

/** The same for each at once. Throws what the first of them threw, once all have ended. */
async function all<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const settled = await Promise.allSettled(list.map(work));
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
