import { Slots } from '../../gateway/base/slots.ts';
import { keyOf, type Verdict } from './evidence.ts';

export interface BatchesInput<V extends Verdict> {
  /** Runs under these alternatives. `again` counts the runs under the same set, from 0. */
  run(set: readonly string[], again: number): Promise<V>;
  /** Runs at the same time. Default 1. It does not change which runs are made. */
  jobs?: number;
}

/** Makes runs, as many at the same time as there are slots. */
export class Batches<V extends Verdict> {
  readonly #input: BatchesInput<V>;
  readonly #slots: Slots;
  readonly #times = new Map<string, number>();
  readonly #onEnd: () => void;
  /** Runs that were asked for and have not ended. */
  running = 0;

  /** `onEnd` is called after each run. */
  constructor(input: BatchesInput<V>, onEnd: () => void) {
    this.#input = input;
    this.#slots = new Slots(input.jobs ?? 1);
    this.#onEnd = onEnd;
  }

  /** Runs under each of these sets. `onVerdict` is called as each ends, before `onEnd`. It settles after all have, also if one throws. */
  async all(sets: readonly (readonly string[])[], onVerdict: (verdict: V, at: number) => void = () => {}): Promise<V[]> {
    const settled = await Promise.allSettled(sets.map((set, at) => this.#run(set, (verdict) => onVerdict(verdict, at))));
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    return settled.map((one) => (one as PromiseFulfilledResult<V>).value);
  }

  async #run(set: readonly string[], onVerdict: (verdict: V) => void): Promise<V> {
    const key = keyOf(set);
    const again = this.#times.get(key) ?? 0;
    this.#times.set(key, again + 1);
    this.running += 1;
    try {
      const verdict = await this.#slots.use(() => this.#input.run(set, again));
      onVerdict(verdict);
      return verdict;
    } finally {
      this.running -= 1;
      this.#onEnd();
    }
  }
}
