import { Batches, runsToFind, verdictsOf } from './search/batches.ts';
import { Evidence, keyOf } from './search/evidence.ts';
import { compatibleGroups, Pairs } from './search/groups.ts';
import { failingTogether } from './search/minimal.ts';
import { findQuestions, runsToAsk } from './search/questions.ts';
import { splitsOf } from './search/splits.ts';
import { type Found, nothingFound, type OwnInput, type SearchInput, type Verdict } from './search/types.ts';

/** The number of further runs that combine alternatives which were not in one run before. Pairs that fail together are rare. */
const furtherMeetings = 8;

/**
 * Finds the alternatives and questions under which a run fails. An alternative is blamed if it fails alone, and also in two
 * larger sets or a second time alone.
 */
export async function search<V extends Verdict>(given: SearchInput<V>): Promise<Found<V>> {
  const input = { questions: [], found: nothingFound<V>(), ...given };
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
  readonly #evidence = new Evidence<V>();

  constructor(input: OwnInput<V>, batches: Batches<V>) {
    this.#input = input;
    this.#batches = batches;
  }

  /** `planned`: runs that follow. */
  async find(planned: number): Promise<void> {
    const { candidates, excludes } = this.#input;
    try {
      await this.#settle(compatibleGroups(candidates, excludes));
      const meetings = this.#meetings();
      this.#batches.expected.planned = planned;
      await this.#settle(meetings);
    } finally {
      this.#input.found.pairs = this.#metSoFar().count();
    }
  }

  /** Runs these sets. Then runs others, until the alternatives of each set that are not to blame pass together. */
  async #settle(sets: readonly string[][]): Promise<void> {
    await this.#runAll(sets.filter((set) => !this.#evidence.hasPassed(set)));
    // Every round runs new sets, so the search ends by itself. This bound matters only for suites that fail at random.
    for (let round = 0; round < 20 + this.#input.candidates.length; round += 1) {
      const next = this.#next(sets);
      if (next.length > 0) await this.#runAll(next);
      else if (!(await this.#together(sets))) return;
    }
  }

  /** The sets to run next. They depend only on what was found, not on the time that runs took. */
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
    // Alternatives that failed alone, but without enough other failures to be blamed.
    const doubted = candidates.filter((id) => this.#failuresAlone(id).length > 0 && !this.#isJudged([id])).map((id) => [id]);
    this.#batches.expected.explaining = open.reduce((sum, { suspects }) => sum + runsToFind(suspects), doubted.length);
    return [...new Map([...doubted, ...splits, ...rests].map((set) => [keyOf(set), set])).values()];
  }

  #failuresAlone = (id: string) => this.#evidence.of([id]).filter(({ passed }) => !passed);

  /** True for a set that is to blame, and for a set that failed and later passed. */
  #isJudged(set: readonly string[]): boolean {
    const key = keyOf(set);
    return [...this.#input.found.blamed, ...this.#input.found.notReproducible].some((one) => keyOf(one.set) === key);
  }

  #withoutFound = (set: readonly string[]) => this.#evidence.withoutBlamed(set).filter((id) => !this.#isJudged([id]));

  /** Large sets of alternatives that are not to blame. They combine alternatives that were not in one run before. */
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
    for (const set of [...this.#evidence.passed(), ...this.#input.found.blamed.map((one) => one.set)]) pairs.add(set);
    return pairs;
  }

  /** Examines the smallest failure that the tests' names do not explain. Returns false if there is none. */
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
    if (together === undefined) this.#input.found.notReproducible.push({ set, verdict });
    // A single alternative that fails is judged by `#judge`, as all others.
    else if (together.set.length > 1) {
      this.#evidence.blame(together.set);
      this.#input.found.blamed.push(together);
    }
    return true;
  }

  /** Runs the suite under each of these sets. Runs that have ended count even if another run throws. */
  #runAll = async (sets: readonly (readonly string[])[]): Promise<V[]> => {
    const settled = await this.#batches.settled(sets);
    for (const [at, set] of sets.entries()) {
      const one = settled[at];
      if (one?.status === 'fulfilled') this.#evidence.add(set, one.value);
    }
    this.#judge();
    return verdictsOf(settled);
  };

  /**
   * Blames an alternative that failed alone and in two larger sets, or twice alone. If it also passed alone, it is not
   * reproducible.
   */
  #judge(): void {
    for (const id of this.#input.candidates) {
      const alone = this.#evidence.of([id]);
      const [verdict, second] = this.#failuresAlone(id);
      if (verdict === undefined || this.#isJudged([id])) continue;
      if (alone.some(({ passed }) => passed)) {
        this.#evidence.acquit(id);
        this.#input.found.notReproducible.push({ set: [id], verdict });
        continue;
      }
      this.#evidence.blame([id]);
      if (second || this.#evidence.failuresWith(id) >= 2) this.#input.found.blamed.push({ set: [id], verdict });
    }
  }
}
