import { Slots } from '../../gateway/base/slots.ts';
import { keyOf } from './evidence.ts';
import type { SearchInput, Verdict } from './types.ts';

type Ids = readonly string[];

/** Makes runs, as many at the same time as there are slots. */
export class Batches<V extends Verdict> {
  readonly #input: SearchInput<V>;
  readonly #slots: Slots;
  readonly #times = new Map<string, number>();
  #running = 0;
  /**
   * Runs that will probably follow those that were asked for: sets in which alternatives meet, the explanation of failures, and questions.
   */
  readonly expected = { meetings: 0, explaining: 0, questions: 0 };

  constructor(input: SearchInput<V>) {
    this.#input = input;
    this.#slots = new Slots(input.jobs ?? 1);
  }

  tell(): void {
    const { meetings, explaining, questions } = this.expected;
    this.#input.onProgress?.(this.#running + meetings + explaining + questions);
  }

  /** Runs under each of these sets. `onFailure` is called as one fails. It resolves when all have ended, also if one throws. */
  all(sets: readonly Ids[], onFailure: (set: Ids) => void = () => {}): Promise<PromiseSettledResult<V>[]> {
    return Promise.allSettled(sets.map((set) => this.#run(set, onFailure)));
  }

  async #run(set: Ids, onFailure: (set: Ids) => void): Promise<V> {
    const key = keyOf(set);
    const again = this.#times.get(key) ?? 0;
    this.#times.set(key, again + 1);
    this.#running += 1;
    try {
      const verdict = await this.#slots.use(() => this.#input.run(set, again));
      if (!verdict.passed) onFailure(set);
      return verdict;
    } finally {
      this.#running -= 1;
      this.tell();
    }
  }
}

/** What the runs returned. Throws what the first of them threw. */
export const verdictsOf = <V>(settled: readonly PromiseSettledResult<V>[]): V[] =>
  settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
