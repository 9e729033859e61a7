import type { Rows, Where } from '../store/port.ts';
import type { TallyKind } from '../store/tables/figures.ts';
import { latenciesOf, type Percentiles, percentilesOf } from './latency.ts';
import { fill, type Points } from './periods.ts';

/** Returns the condition for tallies of one kind in a period, of all subjects or the given ones. */
export function talliesIn({ from, end, width }: Points, kind: TallyKind, subject?: string | readonly string[]): Where<'tallies'> {
  return { kind, width, at: { gte: from, lt: end }, subject: typeof subject === 'object' ? { in: subject } : subject };
}

export interface Series<N extends string> {
  points: ({ at: number; p95Ms: number | null } & Record<N, number>)[];
  /** Totals of the period by name, including names outside `names`. */
  totals: Map<string, number>;
  latencyMs: Percentiles | null;
}

/** Returns counts by name and latencies for each point. `groupOf` maps a tally's name to the name it counts as. */
export async function readSeries<N extends string>(
  rows: Rows,
  points: Points,
  input: { kind: TallyKind; subject?: string | readonly string[]; names: readonly N[]; groupOf?: (name: string) => N },
): Promise<Series<N>> {
  const { kind, subject, names, groupOf = (name: string) => name as N } = input;
  const where = talliesIn(points, kind, subject);
  const [named, summed] = await Promise.all([
    rows.summarize('tallies', { where, by: ['at', 'name'], sum: ['total'] }),
    rows.summarize('tallies', { where, by: ['at'], sum: ['latency'] }),
  ]);
  const latencies = summed.map(({ at, latency }) => ({ at, latencies: latenciesOf(latency) }));
  const p95s = fill(points, latencies, (_, found) => percentilesOf(found.map((one) => one.latencies))?.p95 ?? null);
  const counted = fill(points, named, (_, found) => sumsBy(found, ({ name }) => groupOf(name)));
  return {
    points: points.starts.map((at, index) => ({
      at,
      p95Ms: p95s[index] ?? null,
      ...(Object.fromEntries(names.map((name) => [name, counted[index]?.get(name) ?? 0])) as Record<N, number>),
    })),
    totals: sumsBy(named, ({ name }) => name),
    latencyMs: percentilesOf(latencies.map((one) => one.latencies)),
  };
}

export function sumsBy<R extends { total: string | number }>(rows: readonly R[], keyOf: (row: R) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + Number(row.total));
  return sums;
}

export const sumOf = (totals: ReadonlyMap<string, number>): number => [...totals.values()].reduce((sum, total) => sum + total, 0);

export const rateOf = (good: number, total: number): number | null => (total === 0 ? null : good / total);
