/** What the search learns from a run under a set of alternatives. */
export interface Verdict {
  passed: boolean;
}

export interface SearchInput<V extends Verdict> {
  /** In the order in which they are tried. */
  candidates: readonly string[];
  /** True for two that no service can have at once. */
  excludes(one: string, other: string): boolean;
  /** Runs under these alternatives. `again` counts the runs under the same set, from 0. */
  run(set: readonly string[], again: number): Promise<V>;
  /** Runs at the same time. Default 1. */
  jobs?: number;
  /** Called after each run with the number of runs that are probably left. */
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
  /** Sets that failed and then passed. */
  notReproducible: Blamed<V>[];
}

/**
 * Finds the alternatives under which a run fails: all that are compatible at once, then halves of the sets that fail. A set that
 * passes clears its members. What is cleared is run once more in other company. A set that fails although its parts pass has a minimal subset that fails (QuickXplain). Nobody is
 * blamed by a single run: an alternative fails alone and in a larger set whose rest passes, or it fails twice alone.
 */
export async function search<V extends Verdict>(input: SearchInput<V>): Promise<Found<V>> {
  return new Search(input).find();
}

class Search<V extends Verdict> {
  readonly #input: SearchInput<V>;
  readonly #slots: Slots;
  readonly #found: Found<V>;
  readonly #times = new Map<string, number>();
  readonly #passed: ReadonlySet<string>[] = [];
  /** Sizes of the sets that are known to fail, or not yet run. */
  readonly #open = new Map<symbol, number>();

  constructor(input: SearchInput<V>) {
    this.#input = input;
    this.#slots = new Slots(input.jobs ?? 1);
    this.#found = input.found ?? { blamed: [], notReproducible: [] };
  }

  async find(): Promise<Found<V>> {
    const groups = compatibleGroups(this.#input.candidates, this.#input.excludes);
    const marks = groups.map((group) => this.#openSet(group.length));
    await allOf(
      groups.map(async (group, at) => {
        await this.#investigate(group);
        this.#open.delete(marks[at] as symbol);
      }),
    );
    await this.#acrossGroups(groups.length);
    return this.#found;
  }

  /**
   * What passes in its group may fail together with what was in another one: sets as large as possible of everything that is not to
   * blame, in which each alternative meets others than before.
   */
  async #acrossGroups(count: number): Promise<void> {
    const { candidates, excludes } = this.#input;
    const blamed = new Set(this.#found.blamed.filter(({ set }) => set.length === 1).flatMap(({ set }) => set));
    const clear = candidates.filter((id) => !blamed.has(id));
    const rivals = new Map(clear.map((id) => [id, clear.filter((other) => other === id || excludes(id, other))]));
    const sets = Array.from({ length: count }, (_, at) => this.#largest(at, rivals));
    const unknown = sets.filter((set) => set.length > 1 && !this.#hasPassed(set));
    const verdicts = await allOf(unknown.map((set) => this.#run(set)));
    for (const [at, set] of unknown.entries()) {
      if (verdicts[at]?.passed) continue;
      // A finding of the set before would be found again.
      const left = this.#withoutKnown(set);
      await this.#investigate(left, left.length === set.length ? verdicts[at] : undefined);
    }
  }

  #withoutKnown(set: readonly string[]): string[] {
    const known = [...this.#found.blamed, ...this.#found.notReproducible].filter((one) =>
      one.set.every((id) => set.includes(id)),
    );
    return set.filter((id) => !known.some(({ set: [first] }) => first === id));
  }

  /** The largest compatible set, for the place `at` in the order of those that exclude each other. */
  #largest(at: number, rivalsOf: ReadonlyMap<string, readonly string[]>): string[] {
    const ranks = new Map(
      [...rivalsOf].map(([id, rivals]) => [id, (rivals.indexOf(id) - (at % rivals.length) + rivals.length) % rivals.length]),
    );
    const taken = new Set<string>();
    const set = [...rivalsOf.keys()]
      .sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0))
      .filter((id) => {
        const isFree = !taken.has(id);
        if (isFree) for (const rival of rivalsOf.get(id) ?? []) taken.add(rival);
        return isFree;
      });
    return this.#withoutKnown(set);
  }

  #hasPassed = (set: readonly string[]) => this.#passed.some((one) => set.every((id) => one.has(id)));

  /** Finds everything in a set, one round for what fails alone, and further rounds for what that hid. */
  async #investigate(set: readonly string[], known?: V): Promise<void> {
    let rest = [...set];
    for (let round = 0; rest.length > 0 && round < maxRounds; round += 1) {
      const verdict = round === 0 && known ? known : await this.#run(rest);
      if (verdict.passed) return;
      const blamed = this.#found.blamed.length;
      const shaky = this.#found.notReproducible.length;
      await this.#split(rest, verdict, false);
      const named = new Set([
        ...this.#found.blamed.slice(blamed).map(({ set: [first] }) => first),
        ...this.#found.notReproducible.slice(shaky).flatMap((one) => one.set),
      ]);
      const left = rest.filter((one) => !named.has(one));
      if (left.length === rest.length) return;
      rest = left;
    }
  }

  /**
   * Blames members of a set that failed. `isConfirmed`: a larger set failed, and the rest of it passed.
   * Returns false if nothing in it fails.
   */
  async #split(set: readonly string[], verdict: V, isConfirmed: boolean): Promise<boolean> {
    if (set.length === 1) return this.#confirm(set, verdict, isConfirmed);
    const mark = this.#openSet(set.length);
    try {
      const middle = Math.ceil(set.length / 2);
      const [left, right] = [set.slice(0, middle), set.slice(middle)];
      const [ofLeft, ofRight] = await this.#runHalves(left, right);
      if (ofLeft.passed && ofRight.passed) return await this.#together(set, verdict);
      const failing = [
        { part: left, verdict: ofLeft, otherPassed: ofRight.passed },
        { part: right, verdict: ofRight, otherPassed: ofLeft.passed },
      ].filter((one) => !one.verdict.passed);
      this.#open.delete(mark);
      const found = await allOf(failing.map((one) => this.#split(one.part, one.verdict, one.otherPassed)));
      return found.some(Boolean);
    } finally {
      this.#open.delete(mark);
    }
  }

  #runHalves(left: readonly string[], right: readonly string[]): Promise<[V, V]> {
    return allOf([this.#run(left), this.#run(right)]) as Promise<[V, V]>;
  }

  async #confirm(set: readonly string[], verdict: V, isConfirmed: boolean): Promise<boolean> {
    const again = isConfirmed ? verdict : await this.#run(set);
    const list = again.passed ? this.#found.notReproducible : this.#found.blamed;
    list.push({ set: [...set], verdict });
    return !again.passed;
  }

  /** Both halves of the set pass. Does it fail again, and which of its members fail only together? */
  async #together(set: readonly string[], verdict: V): Promise<boolean> {
    const again = await this.#run(set);
    const minimal = again.passed ? undefined : await this.#minimal([], false, set);
    const last = minimal && (await this.#run(minimal));
    if (minimal === undefined || last === undefined || last.passed) {
      this.#found.notReproducible.push({ set: [...set], verdict });
      return false;
    }
    this.#found.blamed.push({ set: minimal, verdict: last });
    return true;
  }

  /** QuickXplain: the members of `set` without which `background` and the others pass. */
  async #minimal(background: readonly string[], isNew: boolean, set: readonly string[]): Promise<string[]> {
    if (isNew && !(await this.#run(background)).passed) return [];
    if (set.length <= 1) return [...set];
    const middle = Math.ceil(set.length / 2);
    const [left, right] = [set.slice(0, middle), set.slice(middle)];
    const fromRight = await this.#minimal([...background, ...left], true, right);
    const fromLeft = await this.#minimal([...background, ...fromRight], fromRight.length > 0, left);
    return [...fromLeft, ...fromRight];
  }

  async #run(set: readonly string[]): Promise<V> {
    const key = [...set].sort().join(' ');
    const again = this.#times.get(key) ?? 0;
    this.#times.set(key, again + 1);
    const mark = this.#openSet(0);
    try {
      const verdict = await this.#slots.use(() => this.#input.run(set, again));
      if (verdict.passed) this.#passed.push(new Set(set));
      return verdict;
    } finally {
      this.#open.delete(mark);
      this.#input.onProgress?.(this.#left());
    }
  }

  #openSet(size: number): symbol {
    const mark = Symbol('open');
    this.#open.set(mark, size);
    return mark;
  }

  /** A set that fails probably has one culprit, which takes two runs for each halving. */
  #left(): number {
    const sizes = [...this.#open.values()];
    return sizes.reduce((sum, size) => sum + (size === 0 ? 1 : 2 * Math.ceil(Math.log2(size + 1))), 0);
  }
}

/** Each round takes out what the one before found, so this bounds suites that fail at random only. */
const maxRounds = 20;

/** Sets of about the same size whose members are compatible, as few as possible. */
export function compatibleGroups(candidates: readonly string[], excludes: SearchInput<Verdict>['excludes']): string[][] {
  const clashing = (one: string) => candidates.filter((other) => other !== one && excludes(one, other)).length;
  const clashes = new Map(candidates.map((one) => [one, clashing(one)]));
  // Who clashes with most others is placed first, while there is room everywhere.
  const ordered = candidates.toSorted((one, other) => (clashes.get(other) ?? 0) - (clashes.get(one) ?? 0));
  const groups: string[][] = [];
  for (const one of ordered) {
    const fitting = groups.filter((group) => !group.some((other) => excludes(one, other)));
    const smallest = fitting.reduce<string[] | undefined>(
      (least, group) => (least && least.length <= group.length ? least : group),
      undefined,
    );
    if (smallest) smallest.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** As `Promise.all`, but it settles after all have: nothing goes on behind a failure. */
async function allOf<T>(all: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(all);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map((one) => (one as PromiseFulfilledResult<T>).value);
}

/** At most `count` at the same time, in the order in which they came. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
