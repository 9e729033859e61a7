import { type LatencyColumn, latencyBoundsMs, latencyColumns } from '../store/tables/figures.ts';

export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

/** Counts by latency, in the columns of a tally. Sums are text. */
export type Latencies = { [C in LatencyColumn]: number | string };

/** Adds up the latencies of many rows. Returns one count for each bound. */
export function countsOf(rows: readonly Latencies[]): number[] {
  return latencyColumns.map((column) => rows.reduce((sum, row) => sum + Number(row[column]), 0));
}

/** Returns percentiles in milliseconds, interpolated linearly between two bounds; null if nothing was counted. */
export function percentilesOf(counts: readonly number[]): Percentiles | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  return { p50: percentile(counts, total * 0.5), p95: percentile(counts, total * 0.95), p99: percentile(counts, total * 0.99) };
}

function percentile(counts: readonly number[], rank: number): number {
  let before = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && before + count >= rank) {
      const lower = latencyBoundsMs[index - 1] ?? 0;
      const upper = latencyBoundsMs[index] ?? lower;
      return Math.round((lower + ((upper - lower) * (rank - before)) / count) * 100) / 100;
    }
    before += count;
  }
  return latencyBoundsMs.at(-1) ?? 0;
}
