/** Returns the next number from 0 (included) to 1 (excluded). */
export type Random = () => number;

/** mulberry32 by Tommy Ettinger (public domain), seeded with the FNV-1a hash of the text. */
export function seededRandom(seed: string): Random {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(seed)) state = Math.imul(state ^ byte, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws from the standard normal distribution (Box-Muller). */
export function normal(random: Random): number {
  // 1 - random() is never 0, whose logarithm is infinite.
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
