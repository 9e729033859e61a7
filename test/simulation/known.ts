import type { Broken, Invariant } from './invariants.ts';

/** A defect that seeds have found and that is not mended yet. */
export interface KnownDefect {
  name: string;
  story: string;
  /** Everything that it breaks, and what is said then. */
  breaks: readonly { invariant: Invariant; saw: RegExp }[];
  /** Some that showed it when it was written down. */
  seeds: readonly number[];
  /** When it ends. */
  status: string;
}

export const knownDefects: readonly KnownDefect[] = [];

/** Returns the known defect that explains everything that a run broke; undefined if there is none. */
export function knownDefectOf(broken: readonly Broken[], known = knownDefects): KnownDefect | undefined {
  return known.find(({ breaks }) =>
    broken.every(({ invariant, saw }) => breaks.some((one) => one.invariant === invariant && one.saw.test(saw))),
  );
}
