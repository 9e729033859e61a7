import type { Rows, Where } from '../store/port.ts';
import type { Row } from '../store/tables/index.ts';
import { latenciesOf, type Percentiles, percentilesOf } from './latency.ts';
import { fill, type Points } from './periods.ts';
import { rateOf, sumOf, sumsBy, talliesIn } from './read.ts';

export type Failure = Pick<
  Row<'attempts'>,
  'id' | 'delivery_id' | 'endpoint_id' | 'outcome' | 'error' | 'response_status' | 'ended_at'
>;

export interface EndpointFigures {
  endpointId: string;
  attempts: number;
  succeeded: number;
  failed: number;
  successRate: number | null;
  latencyMs: Percentiles | null;
  delivered: number;
  dead: number;
  /** Pending deliveries now. */
  pending: number;
  /** Attempts in flight now; null if unknown. */
  inFlight: number | null;
  series: { at: number; succeeded: number; failed: number; latencyMs: Percentiles | null }[];
  /** Newest first. */
  lastFailures: Failure[];
}

/** Returns the attempts in flight at each endpoint; null if unknown. */
export type CountInFlight = (endpointIds: readonly string[]) => Promise<(number | null)[]>;

const failuresPerEndpoint = 5;
/** For more endpoints, the latency of each point is not read: that would take a second for a hundred of them. */
export const timedEndpoints = 10;

/** Returns figures in the order of `ids`. An unknown endpoint has zeros. */
export async function readEndpointFigures(
  rows: Rows,
  { ids, points, inFlight }: { ids: readonly string[]; points: Points; inFlight: CountInFlight },
): Promise<EndpointFigures[]> {
  const attempted = talliesIn(points, 'attempt', ids);
  const [named, latencies, ended, pending, failures, inFlightNow] = await Promise.all([
    rows.summarize('tallies', { where: attempted, by: ['subject', 'at', 'name'], sum: ['total'] }),
    readLatencies(rows, attempted, ids.length <= timedEndpoints),
    rows.summarize('tallies', { where: talliesIn(points, 'delivery', ids), by: ['subject', 'name'], sum: ['total'] }),
    rows.summarize('deliveries', { where: { endpoint_id: { in: ids }, status: 'pending' }, by: ['endpoint_id'] }),
    lastFailures(rows, ids, failuresPerEndpoint),
    inFlight(ids),
  ]);
  const latenciesBySubject = Map.groupBy(latencies, ({ subject }) => subject);
  const namedOf = Map.groupBy(named, ({ subject }) => subject);
  const endedOf = Map.groupBy(ended, ({ subject }) => subject);
  const failuresOf = Map.groupBy(failures, ({ endpoint_id }) => endpoint_id);
  return ids.map((endpointId, index) => {
    const own = namedOf.get(endpointId) ?? [];
    const timed = latenciesBySubject.get(endpointId) ?? [];
    const latencyAt = fill(points, timed, (_, found) => percentilesOf(found.map((one) => one.latencies)));
    const endings = sumsBy(endedOf.get(endpointId) ?? [], ({ name }) => name);
    return {
      endpointId,
      ...countsOfAttempts(own),
      latencyMs: percentilesOf(timed.map((one) => one.latencies)),
      delivered: endings.get('delivered') ?? 0,
      dead: endings.get('failed') ?? 0,
      pending: pending.find(({ endpoint_id }) => endpoint_id === endpointId)?.count ?? 0,
      inFlight: inFlightNow[index] ?? null,
      series: fill(points, own, (at, found) => {
        const { succeeded, failed } = countsOfAttempts(found);
        return { at, succeeded, failed };
      }).map((point, at) => ({ ...point, latencyMs: latencyAt[at] ?? null })),
      lastFailures: failuresOf.get(endpointId) ?? [],
    };
  });
}

/** Sums up latencies by endpoint, and by point if `byPoint`; otherwise `at` lies in no point. */
async function readLatencies(rows: Rows, where: Where<'tallies'>, byPoint: boolean) {
  const sum = ['latency'] as const;
  const found = byPoint
    ? await rows.summarize('tallies', { where, by: ['subject', 'at'], sum })
    : (await rows.summarize('tallies', { where, by: ['subject'], sum })).map((one) => ({ ...one, at: Number.NaN }));
  return found.map(({ subject, at, latency }) => ({ subject, at, latencies: latenciesOf(latency) }));
}

export const lastFailures = (rows: Rows, endpointIds: readonly string[], limit: number): Promise<Failure[]> =>
  rows.newest('attempts', {
    of: 'endpoint_id',
    by: 'id',
    values: endpointIds,
    where: { outcome: { not: 'success' } },
    columns: ['id', 'delivery_id', 'endpoint_id', 'outcome', 'error', 'response_status', 'ended_at'],
    limit,
  });

export function countsOfAttempts(named: readonly { name: string; total: string }[]) {
  const totals = sumsBy(named, ({ name }) => name);
  const [attempts, succeeded] = [sumOf(totals), totals.get('success') ?? 0];
  return { attempts, succeeded, failed: attempts - succeeded, successRate: rateOf(succeeded, attempts) };
}
