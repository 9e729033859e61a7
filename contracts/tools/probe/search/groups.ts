import { isDeepStrictEqual } from 'node:util';

/** True for two alternatives that no service can have at once. */
export type Excludes = (one: string, other: string) => boolean;

/** Sets of about the same size whose members are compatible, as few as possible. */
export function compatibleGroups(candidates: readonly string[], excludes: Excludes): string[][] {
  const clashing = (one: string) => candidates.filter((other) => other !== one && excludes(one, other)).length;
  const clashes = new Map(candidates.map((one) => [one, clashing(one)]));
  // Alternatives that exclude most others are placed first, while all groups still have room.
  const ordered = candidates.toSorted((one, other) => (clashes.get(other) ?? 0) - (clashes.get(one) ?? 0));
  const groups: string[][] = [];
  for (const one of ordered) {
    const fitting = groups.filter((group) => !group.some((other) => excludes(one, other)));
    const [smallest] = fitting.sort((group, other) => group.length - other.length);
    if (smallest) smallest.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** Calls `found` for each that alone leads to something else than `control`. A set that leads to the same is not split. */
export async function eachAlone<T>(
  ids: readonly string[],
  { control, under }: { control: T; under(ids: readonly string[]): Promise<T> },
  found: (id: string, other: T) => void,
): Promise<void> {
  const [only, second] = ids;
  if (only === undefined) return;
  const other = await under(ids);
  if (isDeepStrictEqual(other, control)) return;
  if (second === undefined) return found(only, other);
  const middle = Math.ceil(ids.length / 2);
  for (const half of [ids.slice(0, middle), ids.slice(middle)]) await eachAlone(half, { control, under }, found);
}

export class Pairs {
  readonly #excludes: Excludes;
  /** For each alternative, those that it can meet and has not met. */
  readonly #strangers: Map<string, Set<string>>;
  readonly #all: number;

  constructor(ids: readonly string[], excludes: Excludes) {
    const strangersOf = (one: string) => ids.filter((other) => other !== one && !excludes(one, other));
    this.#excludes = excludes;
    this.#strangers = new Map(ids.map((one) => [one, new Set(strangersOf(one))]));
    this.#all = this.#left();
  }

  #left = () => this.#strangers.values().reduce((sum, { size }) => sum + size, 0) / 2;

  add(set: readonly string[]): void {
    for (const one of set) for (const other of set) this.#strangers.get(one)?.delete(other);
  }

  /** Compatible pairs: how many there are, and how many of them met. */
  count(): { met: number; all: number } {
    return { met: this.#all - this.#left(), all: this.#all };
  }

  /** A compatible set in which as many pairs as possible meet for the first time. Empty if there is no such pair. */
  next(): string[] {
    const set: string[] = [];
    let meetings = 0;
    const gain = (strangers: Set<string>) => set.filter((id) => strangers.has(id)).length;
    const score = (strangers: Set<string>) => gain(strangers) * this.#strangers.size + strangers.size;
    let left = [...this.#strangers];
    while (left.length > 0) {
      const [id, strangers] = left.reduce((most, one) => (score(one[1]) > score(most[1]) ? one : most));
      meetings += gain(strangers);
      set.push(id);
      left = left.filter(([other]) => other !== id && !this.#excludes(other, id));
    }
    return meetings === 0 ? [] : set;
  }
}
