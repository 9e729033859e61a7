import fc from 'fast-check';
import { contradictionIn, gaps } from '../spec/gaps/gaps.ts';

/** Every alternative of the register as `GAP=ALTERNATIVE`. */
export const everyAlternative = gaps.flatMap((gap) =>
  gap.alternatives.map((one) => ({ ...one, api: gap.api, gap: gap.id, name: `${gap.id}=${one.id}` })),
);

/** The alternatives that no stub plays, as `GAP=ALTERNATIVE`. */
export const notPlayed = everyAlternative.filter(({ notPlayed }) => notPlayed !== undefined).map(({ name }) => name);

/** Sets of these alternatives: of a gap one or none, and none that contradict each other. */
export const setsOf = (names: readonly string[]) =>
  fc
    .subarray([...Map.groupBy(names, (one) => one.split('=')[0] ?? '').values()], { minLength: 2 })
    .chain((groups) => fc.tuple(...groups.map((group) => fc.constantFrom(...group))))
    .filter((set) => contradictionIn(set) === undefined);
