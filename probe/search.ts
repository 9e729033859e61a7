import { Batches, type BatchesInput } from './search/batches.ts';
import { Evidence, keyOf, type Verdict } from './search/evidence.ts';
import { compatibleGroups, type Excludes, Pairs } from './search/groups.ts';
import { minimalFailing } from './search/minimal.ts';
import { Questions } from './search/questions.ts';
import { splitsOf } from './search/splits.ts';

export interface SearchInput<V extends Verdict> extends BatchesInput<V> {
  /** In the order in which they are tried. */
  candidates: readonly string[];
  excludes: Excludes;
  /**
   * True for an alternative under which a test may pass that fails under another one. It is first tried without others. Default: none.
   */
  hidesOthers?(id: string): boolean;
  /** For each question that is no dependency, its alternatives in the order in which they are tried. Default: none. */
  questions?: readonly (readonly string[])[];
  /** Called when the first runs have started, and after each run, with the number of runs that are probably left. */
  onProgress?(left: number): void;
  /** What was found is added here, so that it is known even if a run throws. */
  found?: Found<V>;
}

export interface Blamed<V> {
  /** One alternative, or the few that fail only together. */
  set: string[];
  verdict: V;
}

export interface Found<V> {
  blamed: Blamed<V>[];
  /** For each question under which a run fails, the alternative under which it was seen. */
  asked: Blamed<V>[];
  /** Sets that failed and then passed. */
  notReproducible: Blamed<V>[];
  /** Compatible pairs of what is not to blame alone: how many there are, and how many were in a run that passed. */
  pairs: { met: number; all: number };
}

export const nothingFound = <V>(): Found<V> => ({ blamed: [], asked: [], notReproducible: [], pairs: { met: 0, all: 0 } });

/** Further runs in which alternatives meet others than before. Pairs that fail together are rare. */
const furtherMeetings = 8;

/**
 * Finds the alternatives under which a run fails: all that are compatible at once, then smaller sets, whose failed tests tell who may be
 * the cause. Who is blamed fails alone, and in two larger sets or once more alone; and everything that is not blamed passes together.
 * Then it finds the questions under whose alternatives a run fails.
 */
export async function search<V extends Verdict>(input: SearchInput<V>): Promise<Found<V>> {
  const { excludes, hidesOthers = () => false, questions = [], found = nothingFound<V>() } = input;
  const tell = () => input.onProgress?.(batches.running + dependencies.left + asking.left);
  const batches = new Batches(input, tell);
  const dependencies = new Search({ ...input, hidesOthers, found }, batches);
  const asking = new Questions({ questions, excludes, hidesOthers }, batches, found);
  const finding = dependencies.find();
  tell();
  await finding;
  await asking.find();
  return found;
}

type OwnInput<V extends Verdict> = SearchInput<V> & Required<Pick<SearchInput<V>, 'hidesOthers' | 'found'>>;

class Search<V extends Verdict> {
  readonly #input: OwnInput<V>;
  readonly #batches: Batches<V>;
  readonly #found: Found<V>;
  readonly #evidence = new Evidence<V>();
  /** Alternatives that failed alone and passed alone. */
  readonly #shaky = new Set<string>();
  /** Sets whose failure nothing explains. */
  readonly #givenUp = new Set<string>();
  /** Runs that will follow in any case, so that alternatives meet. */
  #meetingsLeft = furtherMeetings;
  /** Runs that it probably takes to explain the failures of earlier runs. */
  #explaining = 0;
  /** The same, of the runs that are going on. */
  #newlyFailed = 0;

  constructor(input: OwnInput<V>, batches: Batches<V>) {
    this.#input = input;
    this.#batches = batches;
    this.#found = input.found;
  }

  /** Runs that will probably follow those that were asked for. */
  get left(): number {
    return this.#meetingsLeft + Math.max(this.#explaining, this.#newlyFailed);
  }

  async find(): Promise<void> {
    const { candidates, excludes, hidesOthers } = this.#input;
    const [hiding, others] = [candidates.filter(hidesOthers), candidates.filter((id) => !hidesOthers(id))];
    try {
      await this.#settle([...compatibleGroups(others, excludes), ...hiding.map((id) => [id])]);
      await this.#settle(this.#meetings());
    } finally {
      this.#found.pairs = this.#metSoFar().count();
      this.#explaining = this.#newlyFailed = 0;
    }
  }

  /** Runs these sets, and then others, until what is not to blame in each of them passes together. */
  async #settle(sets: readonly string[][]): Promise<void> {
    this.#explaining = 0;
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
    const { excludes } = this.#input;
    const open = this.#evidence.open().filter(({ suspects }) => suspects.length > 0);
    const splits = splitsOf(open, excludes).filter((set) => !this.#evidence.hasRun(set));
    const alone = new Set(splits.flatMap((set) => (set.length === 1 ? set : [])));
    const narrowed = new Set(open.filter(({ suspects }) => suspects.length > 1).flatMap(({ suspects }) => suspects));
    const rests = sets
      .filter((set) => !set.some((id) => narrowed.has(id)))
      .map((set) => this.#withoutFound(set).filter((id) => !alone.has(id)))
      .filter((set) => set.length > 0 && !this.#evidence.hasPassed(set) && !this.#evidence.hasRun(set));
    const doubted = this.#doubted().map((id) => [id]);
    this.#explaining = open.reduce((sum, { suspects }) => sum + runsToFind(suspects), doubted.length);
    return unique([...doubted, ...splits, ...rests]);
  }

  /** Who failed alone, without enough other failures to be blamed. */
  #doubted(): string[] {
    return this.#input.candidates.filter(
      (id) => this.#evidence.alone(id).some(({ passed }) => !passed) && !this.#shaky.has(id) && !this.#isFound(id),
    );
  }

  #isFound = (id: string) => this.#found.blamed.some(({ set }) => set.length === 1 && set[0] === id);

  #withoutFound = (set: readonly string[]) => this.#evidence.withoutBlamed(set).filter((id) => !this.#shaky.has(id));

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
    this.#meetingsLeft = 0;
    return sets;
  }

  #metSoFar(): Pairs {
    const { candidates, excludes } = this.#input;
    const clear = candidates.filter((id) => !this.#isFound(id) && !this.#shaky.has(id));
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
    const isUnknown = (one: readonly string[]) =>
      one.length > 0 && !this.#evidence.hasPassed(one) && !this.#givenUp.has(keyOf(one));
    const [set] = failing.filter(isUnknown).sort((one, other) => one.length - other.length);
    if (!set) return false;
    this.#explaining = runsToFind(set);
    const verdict = this.#evidence.failureOf(set);
    if (!verdict) {
      await this.#runAll([set]);
      return true;
    }
    const fail = async (sets: readonly (readonly string[])[]) => (await this.#runAll(sets)).map(({ passed }) => !passed);
    const [failsAgain] = await fail([set]);
    const minimal = failsAgain ? await minimalFailing(set, { fail, hasPassed: this.#evidence.hasPassed }) : [];
    const [last] = minimal.length > 0 ? await this.#runAll([minimal]) : [];
    // One that fails alone is judged as all others that do.
    if (last && !last.passed && minimal.length > 1) {
      this.#evidence.blame(minimal);
      this.#found.blamed.push({ set: minimal, verdict: last });
    } else if (minimal.length !== 1 || last?.passed) {
      this.#givenUp.add(keyOf(set));
      this.#found.notReproducible.push({ set, verdict });
    }
    return true;
  }

  /** Runs under these sets. What has ended counts even if a run throws. */
  async #runAll(sets: readonly (readonly string[])[]): Promise<V[]> {
    this.#newlyFailed = 0;
    const verdicts = sets.map(() => undefined as V | undefined);
    try {
      return await this.#batches.all(sets, (verdict, at) => {
        verdicts[at] = verdict;
        if (!verdict.passed) this.#newlyFailed += runsToFind(sets[at] ?? []);
      });
    } finally {
      for (const [at, set] of sets.entries()) {
        const verdict = verdicts[at];
        if (verdict) this.#evidence.add(set, verdict);
      }
      this.#judge();
    }
  }

  /** Blames who failed alone and in two larger sets, or twice alone. Who also passed alone is not reproducible. */
  #judge(): void {
    for (const id of this.#input.candidates) {
      const alone = this.#evidence.alone(id);
      const [verdict] = alone.filter(({ passed }) => !passed);
      if (verdict === undefined || this.#shaky.has(id) || this.#isFound(id)) continue;
      if (alone.some(({ passed }) => passed)) {
        this.#shaky.add(id);
        this.#evidence.acquit(id);
        this.#found.notReproducible.push({ set: [id], verdict });
        continue;
      }
      this.#evidence.blame([id]);
      if (alone.length >= 2 || this.#evidence.failuresWith(id) >= 2) this.#found.blamed.push({ set: [id], verdict });
    }
  }
}

/** About how many runs it takes to find who of these is to blame. */
const runsToFind = (set: readonly string[]): number => Math.ceil(Math.log2(set.length + 1));

const unique = (sets: readonly string[][]): string[][] => [...new Map(sets.map((set) => [keyOf(set), set])).values()];
