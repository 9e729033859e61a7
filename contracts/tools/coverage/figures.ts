import { type Coverage, nameOf } from './coverage.ts';

/** One part of what is measured, and whether it is used. */
export interface Measured {
  name: string;
  isUsed: boolean;
}

interface Figure {
  /** Of one, in words. */
  noun: string;
  /** Undefined if this coverage does not measure it. */
  of(coverage: Coverage): Measured[] | undefined;
}

const used = (list: readonly { name: string; by: readonly string[] }[], before = ''): Measured[] =>
  list.map(({ name, by }) => ({ name: `${before}${name}`, isUsed: by.length > 0 }));

/** What coverage measures, by its name in `--at-least`. */
export const figures = {
  operations: { noun: 'operation', of: ({ operations }) => used(operations.map((one) => ({ name: nameOf(one), by: one.by }))) },
  statuses: {
    noun: 'status',
    of: ({ operations }) => operations.flatMap((one) => used(one.statuses, `${nameOf(one)} `)),
  },
  parameters: {
    noun: 'parameter',
    of: ({ operations }) => operations.flatMap((one) => used([...one.query, ...one.body], `${nameOf(one)} `)),
  },
  events: { noun: 'event', of: ({ events }) => used(events) },
  behaviours: {
    noun: 'documented behaviour',
    of: ({ behaviours }) => behaviours.map(({ id, by, tests }) => ({ name: id, isUsed: by.length + tests.length > 0 })),
  },
  questions: { noun: 'open question', of: ({ questions }) => questions && used(questions) },
} as const satisfies Readonly<Record<string, Figure>>;

export type FigureName = keyof typeof figures;
export const figureNames = Object.keys(figures) as FigureName[];

/** Percentage that is used, rounded down; 0 to 100. */
export const percentOf = (all: readonly Measured[]): number =>
  Math.floor((all.filter(({ isUsed }) => isUsed).length / all.length) * 100);

/** Such as `116 of 118 documented behaviours (98 %)`. */
export function figureText(name: FigureName, all: readonly Measured[]): string {
  const { noun } = figures[name];
  const plural = noun === 'status' ? 'statuses' : `${noun}s`;
  return `${all.filter(({ isUsed }) => isUsed).length} of ${all.length} ${all.length === 1 ? noun : plural} (${percentOf(all)} %)`;
}
