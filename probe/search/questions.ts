import type { Batches } from './batches.ts';
import type { Verdict } from './evidence.ts';
import { compatibleGroups, type Excludes } from './groups.ts';
import { minimalFailing } from './minimal.ts';

export interface QuestionsInput {
  /** For each question, its alternatives in the order in which they are tried: until a run fails under one of them. */
  questions: readonly (readonly string[])[];
  excludes: Excludes;
  hidesOthers(id: string): boolean;
}

interface Failed<V> {
  set: string[];
  verdict: V;
}

/** Up to this many members of a failing set are run one by one. A larger set is parted in as many. */
const parts = 4;

/**
 * Finds the questions whose answer a suite depends on, each by one alternative under which a run fails. A client fails under most of
 * them, so their runs cannot be shared as in the search for dependencies: a failing set is parted in four, and then into single ones.
 */
export class Questions<V extends Verdict> {
  readonly #input: QuestionsInput;
  readonly #batches: Batches<V>;
  readonly #asked: Failed<V>[];
  readonly #notReproducible: Failed<V>[];
  /** Runs that will probably follow those that were asked for. */
  left: number;

  constructor(input: QuestionsInput, batches: Batches<V>, found: { asked: Failed<V>[]; notReproducible: Failed<V>[] }) {
    this.#input = input;
    this.#batches = batches;
    this.#asked = found.asked;
    this.#notReproducible = found.notReproducible;
    this.left = this.#turns + runsInside(input.questions.length);
  }

  get #turns(): number {
    return Math.max(0, ...this.#input.questions.map(({ length }) => length));
  }

  async find(): Promise<void> {
    const { questions, excludes, hidesOthers } = this.#input;
    for (let turn = 0; turn < this.#turns; turn += 1) {
      const open = questions.filter((own) => !this.#isExplained(own)).flatMap((own) => own.slice(turn, turn + 1));
      const together = open.filter((id) => !hidesOthers(id));
      const alone = open.filter(hidesOthers).map((id) => [id]);
      this.left = this.#turns - turn - 1;
      await this.#narrow([...compatibleGroups(together, excludes), ...alone], false);
    }
    this.left = 0;
  }

  /** True if one of these is known to fail. */
  #isExplained = (ids: readonly string[]) => this.#asked.some(({ set }) => set.some((id) => ids.includes(id)));

  /** Runs under these sets, and then under the parts of those that fail. */
  async #narrow(sets: readonly string[][], arePartsOfFailing: boolean): Promise<void> {
    if (sets.length === 0) return;
    const verdicts = await this.#batches.all(sets, ({ passed }, at) => {
      if (!passed) this.left += runsInside(sets[at]?.length ?? 0);
    });
    const failed = sets.flatMap((set, at) => ((verdicts[at] as V).passed ? [] : [{ set, verdict: verdicts[at] as V }]));
    this.left -= failed.reduce((sum, { set }) => sum + runsInside(set.length), 0);
    if (arePartsOfFailing) this.#asked.push(...failed.filter(({ set }) => set.length === 1));
    await this.#narrow(
      failed.flatMap(({ set }) => partsOf(set)),
      true,
    );
    for (const one of failed) if (!this.#isExplained(one.set)) await this.#again(one);
  }

  /** Repeats a failure that no smaller one explains: was it by chance, or do several fail only together? */
  async #again({ set, verdict }: Failed<V>): Promise<void> {
    const [again] = await this.#batches.all([set]);
    const fail = async (sets: readonly (readonly string[])[]) => (await this.#batches.all(sets)).map(({ passed }) => !passed);
    const minimal = again?.passed ? [] : set.length === 1 ? set : await minimalFailing(set, { fail, hasPassed: () => false });
    const [last] = minimal.length > 1 ? await this.#batches.all([minimal]) : [again];
    if (minimal.length > 0 && last && !last.passed) this.#asked.push({ set: minimal, verdict: last });
    else this.#notReproducible.push({ set, verdict });
  }
}

function partsOf(set: readonly string[]): string[][] {
  if (set.length === 1) return [];
  const all = Array.from({ length: Math.min(parts, set.length) }, (): string[] => []);
  for (const [at, id] of set.entries()) all[at % all.length]?.push(id);
  return all;
}

/** Runs that follow the failure of a set of this size, if each of its members fails. */
const runsInside = (size: number): number => (size <= 1 ? 0 : size <= parts ? size : parts + size);
