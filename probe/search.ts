import { Batches, runsToFind, verdictsOf } from './search/batches.ts';
import { Evidence, keyOf } from './search/evidence.ts';
import { groupsOf, Pairs } from './search/groups.ts';
import { failingTogether } from './search/minimal.ts';
import { findQuestions, runsToAsk } from './search/questions.ts';
import { splitsOf } from './search/splits.ts';
import { type Found, nothingFound, type OwnInput, type SearchInput, type Verdict } from './search/types.ts';

/** Further runs in which alternatives meet others than before. Pairs that fail together are rare. */
const furtherMeetings = 8;

/**
 * Finds the alternatives under which a run fails: all that are compatible at once, then smaller sets, whose failed tests tell who may be
 * the cause. Who is blamed fails alone, and in two larger sets or once more alone; and everything that is not blamed passes together.
 * Then it finds the questions under whose alternatives a run fails.
 */
export async function search<V extends Verdict>(given: SearchInput<V>): Promise<Found<V>> {
  const input = { hidesOthers: () => false, questions: [], found: nothingFound<V>(), ...given };
  const batches = new Batches(input);
  const toAsk = runsToAsk(input.questions);
  batches.expected.planned = furtherMeetings + toAsk;
  const finding = new Search(input, batches).find(toAsk);
  batches.tell();
  await finding;
  await findQuestions(input, batches);
  return input.found;
}

class Search<V extends Verdict> {
  readonly #input: OwnInput<V>;
  readonly #batches: Batches<V>;
  readonly #found: Found<V>;
  readonly #evidence = new Evidence<V>();

  constructor(input: OwnInput<V>, batches: Batches<V>) {
    this.#input = input;
    this.#batches = batches;
    this.#found = input.found;
  }

  /** `planned`: runs that follow. */
  async find(planned: number): Promise<void> {
    const { candidates, excludes, hidesOthers } = this.#input;
    try {
      await this.#settle(groupsOf(candidates, excludes, hidesOthers));
      const meetings = this.#meetings();
      this.#batches.expected.planned = planned;
      await this.#settle(meetings);
    } finally {
      this.#found.pairs = this.#metSoFar().count();
    }
  }

  /** Runs these sets, and then others, until what is not to blame in each of them passes together. */
  async #settle(sets: readonly string[][]): Promise<void> {
    await this.#runAll(sets.filter((set) => !this.#evidence.hasPassed(set)));
    // Every round runs what was not run before, so this bounds suites that fail at random only.
    for (let round = 0; round < 20 + this.#input.candidates.length; round += 1) {
      const next = this.#next(sets);
      if (next.length > 0) await this.#runAll(next);
      else if (!(await this.#together(sets))) return;
    }
  }

  /** The sets to run next. It depends on what was found only, not on the time that runs took. */
  #next(sets: readonly string[][]): string[][] {
    const { candidates, excludes } = this.#input;
    const hasRun = (set: readonly string[]) => this.#evidence.of(set).length > 0;
    const open = this.#evidence.open().filter(({ suspects }) => suspects.length > 0);
    const splits = splitsOf(open, excludes).filter((set) => !hasRun(set));
    const alone = new Set(splits.flatMap((set) => (set.length === 1 ? set : [])));
    const narrowed = new Set(open.filter(({ suspects }) => suspects.length > 1).flatMap(({ suspects }) => suspects));
    const rests = sets
      .filter((set) => !set.some((id) => narrowed.has(id)))
      .map((set) => this.#withoutFound(set).filter((id) => !alone.has(id)))
      .filter((set) => set.length > 0 && !this.#evidence.hasPassed(set) && !hasRun(set));
    // Who failed alone, without enough other failures to be blamed.
    const doubted = candidates.filter((id) => this.#failuresAlone(id).length > 0 && !this.#isJudged([id])).map((id) => [id]);
    this.#batches.expected.explaining = open.reduce((sum, { suspects }) => sum + runsToFind(suspects), doubted.length);
    return [...new Map([...doubted, ...splits, ...rests].map((set) => [keyOf(set), set])).values()];
  }

  #failuresAlone = (id: string) => this.#evidence.of([id]).filter(({ passed }) => !passed);

  /** True for what is to blame, and for what failed and then passed. */
  #isJudged(set: readonly string[]): boolean {
    const key = keyOf(set);
    return [...this.#found.blamed, ...this.#found.notReproducible].some((one) => keyOf(one.set) === key);
  }

  #withoutFound = (set: readonly string[]) => this.#evidence.withoutBlamed(set).filter((id) => !this.#isJudged([id]));

  /** Large sets of what is not to blame, in which alternatives meet that were not in one run before. */
  #meetings(): string[][] {
    const pairs = this.#metSoFar();
    const sets: string[][] = [];
    while (sets.length < furtherMeetings) {
      const set = this.#withoutFound(pairs.next());
      if (set.length === 0) break;
      pairs.add(set);
      sets.push(set);
    }
    return sets;
  }

  #metSoFar(): Pairs {
    const { candidates, excludes } = this.#input;
    const clear = candidates.filter((id) => !this.#isJudged([id]));
    const pairs = new Pairs(clear, excludes);
    for (const set of [...this.#evidence.passed(), ...this.#found.blamed.map((one) => one.set)]) pairs.add(set);
    return pairs;
  }

  /**
   * Looks into the smallest failure that the tests' names do not explain: does it happen again, and which members fail only together?
   * Returns false if there is none.
   */
  async #together(sets: readonly string[][]): Promise<boolean> {
    const failing = [...this.#evidence.open().map(({ set }) => set), ...sets].map((set) => this.#withoutFound(set));
    const isUnknown = (one: readonly string[]) => one.length > 0 && !this.#evidence.hasPassed(one) && !this.#isJudged(one);
    const [set] = failing.filter(isUnknown).sort((one, other) => one.length - other.length);
    if (!set) return false;
    this.#batches.expected.explaining = runsToFind(set);
    const [verdict] = this.#evidence.of(set);
    if (verdict === undefined) {
      await this.#runAll([set]);
      return true;
    }
    const together = await failingTogether(set, { run: this.#runAll, hasPassed: this.#evidence.hasPassed });
    if (together === undefined) this.#found.notReproducible.push({ set, verdict });
    // One that fails alone is judged as all others that do.
    else if (together.set.length > 1) {
      this.#evidence.blame(together.set);
      this.#found.blamed.push(together);
    }
    return true;
  }

  /** Runs under these sets. What has ended counts even if a run throws. */
  #runAll = async (sets: readonly (readonly string[])[]): Promise<V[]> => {
    const settled = await this.#batches.settled(sets);
    for (const [at, set] of sets.entries()) {
      const one = settled[at];
      if (one?.status === 'fulfilled') this.#evidence.add(set, one.value);
    }
    this.#judge();
    return verdictsOf(settled);
  };

  /** Blames who failed alone and in two larger sets, or twice alone. Who also passed alone is not reproducible. */
  #judge(): void {
    for (const id of this.#input.candidates) {
      const alone = this.#evidence.of([id]);
      const [verdict, second] = this.#failuresAlone(id);
      if (verdict === undefined || this.#isJudged([id])) continue;
      if (alone.some(({ passed }) => passed)) {
        this.#evidence.acquit(id);
        this.#found.notReproducible.push({ set: [id], verdict });
        continue;
      }
      this.#evidence.blame([id]);
      if (second || this.#evidence.failuresWith(id) >= 2) this.#found.blamed.push({ set: [id], verdict });
    }
  }
}
