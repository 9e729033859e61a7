import { Slots } from '../../../../gateway/base/slots.ts';
import { keyOf } from './evidence.ts';
import type { SearchInput, Verdict } from './types.ts';

type Ids = readonly string[];

/** Makes runs, as many at the same time as there are slots. */
export class Batches<V extends Verdict> {
  readonly #input: SearchInput<V>;
  readonly #slots: Slots;
  readonly #times = new Map<string, number>();
  #running = 0;
  /** Runs that will probably follow those that were asked for: planned ones, and those that explain failures. */
  readonly expected = { planned: 0, explaining: 0 };

  constructor(input: SearchInput<V>) {
    this.#input = input;
    this.#slots = new Slots(input.jobs ?? 1);
  }

  tell(): void {
    const { planned, explaining } = this.expected;
    this.#input.onProgress?.(this.#running + planned + explaining);
  }

  /** Runs under each of these sets. It resolves when all have ended, also if one throws. */
  settled(sets: readonly Ids[]): Promise<PromiseSettledResult<V>[]> {
    return Promise.allSettled(sets.map((set) => this.#run(set)));
  }

  /** The same. Throws what the first of them threw. */
  all = async (sets: readonly Ids[]): Promise<V[]> => verdictsOf(await this.settled(sets));

  async #run(set: Ids): Promise<V> {
    const key = keyOf(set);
    const again = this.#times.get(key) ?? 0;
    this.#times.set(key, again + 1);
    this.#running += 1;
    try {
      const verdict = await this.#slots.use(() => this.#input.run(set, again));
      if (!verdict.passed && set.length > 1) this.expected.explaining = Math.max(this.expected.explaining, runsToFind(set));
      return verdict;
    } finally {
      this.#running -= 1;
      this.tell();
    }
  }
}

/** About how many runs it takes to find who of these is to blame. */
export const runsToFind = (set: Ids): number => Math.ceil(Math.log2(set.length + 1));

export const verdictsOf = <V>(settled: readonly PromiseSettledResult<V>[]): V[] =>
  settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
