export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

/**
 * How many latencies fell into each class. Class 0 holds those up to 0.1 ms, and each next bound is a tenth higher, up to
 * 25 days. So a percentile is known to within 5 %, and counts of parts add up to the counts of the whole.
 */
export type Latencies = Map<number, number>;

const smallestMs = 0.1;
const growth = 1.1;
const logGrowth = Math.log(growth);
const lastClass = 250;
/** Digits of a count in the text form. The sum of a class over a week stays below it. */
const digits = 12;

export const latencyClassOf = (latencyMs: number): number =>
  latencyMs <= smallestMs ? 0 : Math.min(lastClass, Math.ceil(Math.log(latencyMs / smallestMs) / logGrowth));

/** The value with the smallest relative error to any latency of the class, in milliseconds. The first class holds zeros: it is 0. */
export const middleOf = (latencyClass: number): number =>
  latencyClass === 0 ? 0 : (smallestMs * growth ** latencyClass * 2) / (1 + growth);

export function countLatency(latencies: Latencies, latencyClass: number, count = 1): void {
  latencies.set(latencyClass, (latencies.get(latencyClass) ?? 0) + count);
}

export function addLatencies(latencies: Latencies, more: Latencies): void {
  for (const [latencyClass, count] of more) countLatency(latencies, latencyClass, count);
}

/**
 * Writes the counts as one decimal number in which each class has its own twelve digits: adding two such numbers adds the
 * counts of each class. So a store adds them up like any other column, and PostgreSQL keeps only the digits between the
 * lowest and the highest class.
 */
export function textOfLatencies(latencies: Latencies): string {
  if (latencies.size === 0) return '0';
  const classes = [...latencies.keys()];
  const [lowest, highest] = [Math.min(...classes), Math.max(...classes)];
  let text = '';
  for (let at = highest; at >= lowest; at--) text += String(latencies.get(at) ?? 0).padStart(digits, '0');
  return `${text.replace(/^0+/, '')}e${lowest * digits}`;
}

/** Reads counts, or a sum of counts, as a store returns them: without an exponent. */
export function latenciesOf(text: string): Latencies {
  const latencies: Latencies = new Map();
  for (let at = 0, end = text.length; end > 0; at++, end -= digits) {
    const count = Number(text.slice(Math.max(0, end - digits), end));
    if (count > 0) latencies.set(at, count);
  }
  return latencies;
}

/** Returns percentiles in milliseconds, each within 5 % of the latency with its rank; null if nothing was counted. */
export function percentilesOf(parts: readonly Latencies[]): Percentiles | null {
  const all: Latencies = new Map();
  for (const part of parts) addLatencies(all, part);
  if (all.size === 0) return null;
  const counts = [...all].sort(([one], [other]) => one - other);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const percentile = (percent: number) => latencyAt(counts, Math.ceil((total * percent) / 100));
  return { p50: percentile(50), p95: percentile(95), p99: percentile(99) };
}

function latencyAt(counts: readonly (readonly [number, number])[], rank: number): number {
  let before = 0;
  const found = counts.find(([, count]) => {
    before += count;
    return before >= rank;
  });
  return Number(middleOf(found?.[0] ?? 0).toPrecision(4));
}
