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

export const knownDefects: readonly KnownDefect[] = [
  {
    name: 'a dead letter stays dead after an outage',
    story: `A delivery dies while its receiver is away and the circuit of its endpoint is open.
      The receiver is back, and the recovery that begins by itself leaves the delivery out.`,
    breaks: [{ invariant: 'what died in an outage is sent again by itself', saw: /died in the outage of ep_\w+ and stays dead/ }],
    seeds: [],
    status: 'until automatic recovery is deleted',
  },
  {
    name: 'a dead letter stays dead after the first success',
    story: `A delivery dies while nothing succeeds at its endpoint and no circuit opens.
      The receiver is back and takes another event, and no recovery sends the dead one.`,
    breaks: [
      {
        invariant: 'what died while nothing succeeded is sent again by itself after the first success',
        saw: /died while ep_\w+ was away, and stays dead/,
      },
    ],
    seeds: [],
    status: 'until automatic recovery is deleted',
  },
];

/** Returns the known defect that explains everything that a run broke; undefined if there is none. */
export function knownDefectOf(broken: readonly Broken[], known = knownDefects): KnownDefect | undefined {
  return known.find(({ breaks }) =>
    broken.every(({ invariant, saw }) => breaks.some((one) => one.invariant === invariant && one.saw.test(saw))),
  );
}
