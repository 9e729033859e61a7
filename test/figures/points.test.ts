import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countsOf, percentilesOf } from '../../gateway/figures/latency.ts';
import { fill, periodNames, pointsOf } from '../../gateway/figures/periods.ts';
import { latencyColumnOf, tallyWidths } from '../../gateway/figures/tally.ts';
import { latencyBoundsMs, latencyColumns } from '../../gateway/store/tables/figures.ts';

const latency = fc.oneof(fc.double({ min: 0, max: 40_000, noNaN: true }), fc.constantFrom(...latencyBoundsMs));
const tallied = (latencies: readonly number[]): number[] => {
  const columns = latencies.map(latencyColumnOf);
  return latencyColumns.map((column) => columns.filter((one) => one === column).length);
};

test('a percentile lies in the class of the latency with this rank', () => {
  fc.assert(
    fc.property(fc.array(latency, { minLength: 1, maxLength: 200 }), (latencies) => {
      const found = percentilesOf(tallied(latencies));
      const sorted = latencies.toSorted((a, b) => a - b);
      for (const [name, share] of [
        ['p50', 0.5],
        ['p95', 0.95],
        ['p99', 0.99],
      ] as const) {
        const exact = sorted[Math.ceil(share * sorted.length) - 1] as number;
        expect(latencyColumnOf(found?.[name] ?? Number.NaN)).toBe(latencyColumnOf(exact));
      }
    }),
  );
});

test('percentiles rise, do not depend on the order of addition, and are null without latencies', () => {
  expect(percentilesOf(tallied([]))).toBeNull();
  fc.assert(
    fc.property(fc.array(fc.array(latency, { maxLength: 30 }), { minLength: 1, maxLength: 8 }), (parts) => {
      const rows = parts.map((part) => Object.fromEntries(tallied(part).map((count, at) => [latencyColumns[at], String(count)])));
      const found = percentilesOf(countsOf(rows as never));
      expect(found).toEqual(percentilesOf(tallied(parts.flat())));
      if (found) expect(found.p50 <= found.p95 && found.p95 <= found.p99).toBe(true);
    }),
  );
});

const now = fc.integer({ min: 0, max: 4e12 });
const period = fc.constantFrom(...periodNames);

test('the points of a period have equal lengths and no gaps; the last one is not complete', () => {
  fc.assert(
    fc.property(period, now, (name, at) => {
      const { from, starts, stepMs, width } = pointsOf(name, at);
      expect(starts[0]).toBe(from);
      expect(starts.every((start, index) => start === from + index * stepMs && start % stepMs === 0)).toBe(true);
      const last = starts.at(-1) as number;
      expect(last <= at && at < last + stepMs).toBe(true);
      expect(stepMs % width).toBe(0);
      // The tallies of the points are kept as long as the points are shown.
      const kept = tallyWidths.find((one) => one.width === width)?.keptMs ?? 0;
      expect(at - from).toBeLessThanOrEqual(kept);
    }),
  );
});

test('every row within a period is in exactly one point; other rows are in none', () => {
  const offsets = fc.array(fc.integer({ min: -10, max: 700 * 60_000 }), { maxLength: 40 });
  fc.assert(
    fc.property(period, now, offsets, (name, at, before) => {
      const points = pointsOf(name, at);
      const rows = before.map((offset) => ({ at: at - offset }));
      const filled = fill(points, rows, (start, found) => ({ start, found }));
      expect(filled.map(({ start }) => start)).toEqual(points.starts);
      for (const { start, found } of filled)
        expect(found.every((row) => row.at >= start && row.at < start + points.stepMs)).toBe(true);
      const end = (points.starts.at(-1) as number) + points.stepMs;
      const within = rows.filter((row) => row.at >= points.from && row.at < end);
      expect(filled.flatMap(({ found }) => found)).toHaveLength(within.length);
    }),
  );
});
