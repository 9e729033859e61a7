/** True for two alternatives that no service can have at once. */
export type Excludes = (one: string, other: string) => boolean;

/** Sets of about the same size whose members are compatible, as few as possible. */
export function compatibleGroups(candidates: readonly string[], excludes: Excludes): string[][] {
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

/** Calls `found` for each that makes a difference alone. `tryAll` returns the difference that some make together. A set without one is not split. */
export async function eachAlone<T>(
  ids: readonly string[],
  tryAll: (ids: readonly string[]) => Promise<T | undefined>,
  found: (id: string, difference: T) => void,
): Promise<void> {
  const [only, second] = ids;
  const difference = only === undefined ? undefined : await tryAll(ids);
  if (only === undefined || difference === undefined) return;
  if (second === undefined) return found(only, difference);
  const middle = Math.ceil(ids.length / 2);
  for (const half of [ids.slice(0, middle), ids.slice(middle)]) await eachAlone(half, tryAll, found);
}

/** Which pairs of alternatives were active in one run. */
export class Pairs {
  readonly #ids: readonly string[];
  readonly #excludes: Excludes;
  readonly #met = new Map<string, Set<string>>();

  constructor(ids: readonly string[], excludes: Excludes) {
    this.#ids = ids;
    this.#excludes = excludes;
    for (const id of ids) this.#met.set(id, new Set());
  }

  add(set: readonly string[]): void {
    for (const one of set) for (const other of set) if (one !== other) this.#met.get(one)?.add(other);
  }

  /** Compatible pairs: how many there are, and how many of them met. */
  count(): { met: number; all: number } {
    const pairs = this.#ids.flatMap((one, at) => this.#ids.slice(at + 1).map((other) => [one, other] as const));
    const compatible = pairs.filter(([one, other]) => !this.#excludes(one, other));
    return { met: compatible.filter(([one, other]) => this.#met.get(one)?.has(other)).length, all: compatible.length };
  }

  /** A compatible set in which as many pairs as possible meet for the first time. Empty if no pair would. */
  next(): string[] {
    const gains = new Map(this.#ids.map((id) => [id, 0]));
    const strangers = new Map(this.#ids.map((id) => [id, this.#strangersOf(id)]));
    const score = (id: string) => (gains.get(id) ?? 0) * this.#ids.length + (strangers.get(id) ?? 0);
    const set: string[] = [];
    let left = [...this.#ids];
    let meetings = 0;
    while (left.length > 0) {
      const best = left.reduce((most, id) => (score(id) > score(most) ? id : most));
      meetings += gains.get(best) ?? 0;
      set.push(best);
      left = left.filter((id) => id !== best && !this.#excludes(id, best));
      for (const id of left) if (!this.#met.get(best)?.has(id)) gains.set(id, (gains.get(id) ?? 0) + 1);
    }
    return meetings === 0 ? [] : set;
  }

  #strangersOf(id: string): number {
    return this.#ids.filter((other) => other !== id && !this.#excludes(id, other) && !this.#met.get(id)?.has(other)).length;
  }
}
