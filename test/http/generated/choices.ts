/** A source of choices that gives the same ones for the same seed (mulberry32). */
export class Choices {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 to below 1. */
  number(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(end: number): number {
    return Math.floor(this.number() * end);
  }

  chance(part: number): boolean {
    return this.number() < part;
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}
