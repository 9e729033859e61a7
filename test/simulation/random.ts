/** Random numbers that a seed decides. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number of 32 bits (the generator "mulberry32"). */
  uint32(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** From 0 to less than 1. */
  fraction = (): number => this.uint32() / 2 ** 32;

  /** From `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.whole(0, values.length - 1)] as T;
  }
}

/** Returns the stream of a name, which is the same each time. */
export type Streams = (name: string) => Random;

/**
 * Returns the streams of random numbers of a seed. Each name has its own, so a number that is drawn from one stream
 * moves no other.
 */
export function streamsOf(seed: number): Streams {
  const streams = new Map<string, Random>();
  return (name) => {
    const known = streams.get(name);
    if (known) return known;
    const stream = new Random(hashOf(seed, name));
    streams.set(name, stream);
    return stream;
  };
}

/** The hash "FNV-1a". A step of the generator mixes what is alike in the seeds and the names. */
function hashOf(seed: number, name: string): number {
  let hash = new Random(seed).uint32() ^ 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return new Random(hash).uint32();
}
