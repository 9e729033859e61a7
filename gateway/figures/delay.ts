import type { Rows } from '../store/port.ts';
import { type DelayPart, delayParts } from '../store/tables/webhooks.ts';
import { addLatencies, countLatency, type Latencies, latenciesOf, middleOf, type Percentiles, percentilesOf } from './latency.ts';
import type { Points } from './periods.ts';
import { rateOf, sumOf, sumsBy, talliesIn } from './read.ts';

export interface Delays {
  /** Deliveries that arrived, with parts that are known. */
  arrived: number;
  whole: Percentiles | null;
  parts: { part: DelayPart; latencyMs: Percentiles | null; share: number | null }[];
  firstAttempts: number;
  /** The share of first attempts that began in time, counting only the gateway's part of the delay. */
  inTime: number | null;
}

/** Returns how late deliveries were in a period, and whose fault it was. `subject`: `everyone`, or the ids of endpoints. */
export async function readDelays(rows: Rows, points: Points, subject: string | readonly string[]): Promise<Delays> {
  const [delays, started] = await Promise.all([
    rows.summarize('tallies', { where: talliesIn(points, 'delay', subject), by: ['name'], sum: ['total', 'latency'] }),
    rows.summarize('tallies', { where: talliesIn(points, 'first_attempt', subject), by: ['name'], sum: ['total'] }),
  ]);
  const arrived = sumsBy(delays, ({ name }) => name).get('whole') ?? 0;
  const named = (name: string) => latenciesOf(delays.find((one) => one.name === name)?.latency ?? '0');
  const parts = delayParts.map((part) => ({ part, latencies: withZeros(named(part), arrived) }));
  const sums = parts.map(({ latencies }) => millisecondsOf(latencies));
  const all = sums.reduce((sum, ms) => sum + ms, 0);
  const first = sumsBy(started, ({ name }) => name);
  return {
    arrived,
    whole: percentilesOf([named('whole')]),
    parts: parts.map(({ part, latencies }, at) => ({
      part,
      latencyMs: percentilesOf([latencies]),
      share: rateOf(sums[at] as number, all),
    })),
    firstAttempts: sumOf(first),
    inTime: rateOf(first.get('in_time') ?? 0, sumOf(first)),
  };
}

/** Parts of 0 are not tallied. Adds them to the shortest class: one for each delivery that arrived and has no other entry. */
function withZeros(latencies: Latencies, arrived: number): Latencies {
  const all: Latencies = new Map();
  addLatencies(all, latencies);
  const zeros = arrived - [...latencies.values()].reduce((sum, count) => sum + count, 0);
  if (zeros > 0) countLatency(all, 0, zeros);
  return all;
}

/** Within 5 %. */
const millisecondsOf = (latencies: Latencies): number =>
  [...latencies].reduce((sum, [at, count]) => sum + count * middleOf(at), 0);
