import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Latencies, latenciesOf, percentilesOf } from '../../gateway/figures/latency.ts';
import { fill, periodNames, pointsOf } from '../../gateway/figures/periods.ts';
import { addTo, inEveryWidth, type Tallies, tallyWidths } from '../../gateway/figures/tally.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import { forAll, forAllAsync } from '../for-all.ts';
import { openEmptyPglite } from '../pglite.ts';

/** From 1 ms to 60 s, as likely short as long. */
const latency = fc.double({ min: 0, max: Math.log10(60_000), noNaN: true }).map((exponent) => 10 ** exponent);
/** The latencies of some parts, such as flushes and processes. */
const parts = fc.array(fc.array(latency, { maxLength: 60 }), { minLength: 1, maxLength: 8 });

const tallied = (latencies: readonly number[], name: string) => {
  const tallies: Tallies = new Map();
  const entry = { kind: 'attempt', subject: 'ep', name, atMs: 0 } as const;
  addTo(
    tallies,
    latencies.map((latencyMs) => ({ ...entry, latencyMs })),
  );
  return inEveryWidth(tallies);
};

function expectClose(found: readonly Latencies[], latencies: readonly number[]): void {
  const percentiles = percentilesOf(found);
  const sorted = latencies.toSorted((a, b) => a - b);
  if (percentiles === null) {
    expect(sorted).toEqual([]);
    return;
  }
  for (const [name, percent] of [
    ['p50', 50],
    ['p95', 95],
    ['p99', 99],
  ] as const) {
    const exact = sorted[Math.ceil((percent * sorted.length) / 100) - 1] as number;
    expect(Math.abs(percentiles[name] - exact) / exact, `${name}: ${percentiles[name]}, not ${exact}`).toBeLessThanOrEqual(0.05);
  }
}

test('a receiver that answers after exactly 4 s has percentiles of 4 s', () => {
  const [row] = tallied(Array(12).fill(4000), 'slow');
  const counted = latenciesOf(row?.latency.replace(/e(\d+)$/, (_, zeros) => '0'.repeat(zeros)) ?? '');
  expect(percentilesOf([counted])).toEqual({ p50: 4119, p95: 4119, p99: 4119 });
});

test.each([
  ['memory', async () => new MemoryStore()],
  ['pglite', async () => openSqlStore(await openEmptyPglite())],
] as const)('a percentile is within 5 % of the exact one, however the latencies are split and added up (%s)', async (_, open) => {
  const store = await open();
  let run = 0;
  await forAllAsync(40, [parts], async (latencies) => {
    const name = String(run++);
    for (const part of latencies) await store.tally('tallies', tallied(part, name));
    for (const { width } of tallyWidths) {
      const [sum] = await store.summarize('tallies', { where: { name, width }, by: ['name'], sum: ['latency'] });
      expectClose([latenciesOf(sum?.latency ?? '0')], latencies.flat());
    }
    const rows = await store.list('tallies', { where: { name, width: 60_000 } });
    expectClose(
      rows.map((row) => latenciesOf(row.latency)),
      latencies.flat(),
    );
  });
});

test('latencies outside the range count at its ends', () => {
  const [row] = tallied([0, -1, 0.01, 3_600_000_000], 'odd');
  expect([...latenciesOf((row?.latency ?? '').replace('e0', ''))]).toEqual([
    [0, 3],
    [250, 1],
  ]);
  expect(percentilesOf([])).toBeNull();
});

const now = fc.integer({ min: 0, max: 4e12 });
const period = fc.constantFrom(...periodNames);

test('the points of a period have equal lengths and no gaps; the last one is not complete', () => {
  forAll(100, [period, now], (name, at) => {
    const { from, starts, stepMs, width } = pointsOf(name, at);
    expect(starts[0]).toBe(from);
    expect(starts.every((start, index) => start === from + index * stepMs && start % stepMs === 0)).toBe(true);
    const last = starts.at(-1) as number;
    expect(last <= at && at < last + stepMs).toBe(true);
    expect(stepMs % width).toBe(0);
    // The tallies of the points are kept as long as the points are shown.
    const kept = tallyWidths.find((one) => one.width === width)?.keptMs ?? 0;
    expect(at - from).toBeLessThanOrEqual(kept);
  });
});

test('every row within a period is in exactly one point; other rows are in none', () => {
  const offsets = fc.array(fc.integer({ min: -10, max: 700 * 60_000 }), { maxLength: 40 });
  forAll(100, [period, now, offsets], (name, at, before) => {
    const points = pointsOf(name, at);
    const rows = before.map((offset) => ({ at: at - offset }));
    const filled = fill(points, rows, (start, found) => ({ start, found }));
    expect(filled.map(({ start }) => start)).toEqual(points.starts);
    for (const { start, found } of filled)
      expect(found.every((row) => row.at >= start && row.at < start + points.stepMs)).toBe(true);
    const end = (points.starts.at(-1) as number) + points.stepMs;
    const within = rows.filter((row) => row.at >= points.from && row.at < end);
    expect(filled.flatMap(({ found }) => found)).toHaveLength(within.length);
  });
});
