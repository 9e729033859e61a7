import type { Depth } from '../queue/port.ts';
import type { Rows } from '../store/port.ts';
import type { Row } from '../store/tables/index.ts';
import { type CountInFlight, countsOfAttempts, type Failure, lastFailures } from './endpoints.ts';
import type { LedgerDifferences } from './ledger.ts';
import type { Points } from './periods.ts';
import { readSeries, sumsBy, talliesIn } from './read.ts';
import { type CallClass, callClasses, everyone } from './tally.ts';

/** Figures that this process knows without the store. */
export interface OverviewParts {
  depth(): Promise<Depth>;
  inFlight: CountInFlight;
  recorder(): { backlog: number; lost: number };
  ledger(): { differences: LedgerDifferences; awaitingFanOut: number; asOf: number | null };
}

export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** Counts of current rows stop here. */
export const countedTo = 10_000;
const lateAfterMs = 30_000;
const maxShown = { inTrouble: 20, refused: 10, notices: 5 };

/** Returns the figures of the console's first page, for a period that ends now. */
export async function readOverview(rows: Rows, points: Points, parts: OverviewParts) {
  const [calls, attempts, deliveries, queue, endpoints, limits, recoveries, notices] = await Promise.all([
    readCalls(rows, points),
    readAttempts(rows, points),
    readDeliveries(rows, points),
    // The page works while the queue is away.
    parts.depth().catch(() => null),
    readEndpoints(rows, points),
    readRefused(rows, points),
    rows.count('recoveries', { status: 'running' }),
    rows.list('notices', { order: [['id', 'desc']], limit: maxShown.notices }),
  ]);
  const local = { recorder: parts.recorder(), ledger: parts.ledger() };
  return { points, calls, attempts, deliveries, queue, endpoints, limits, recoveries, notices, ...local };
}

async function readCalls(rows: Rows, points: Points) {
  const [series, apis] = await Promise.all([
    readSeries<CallClass>(rows, points, { kind: 'call', names: callClasses }),
    rows.summarize('tallies', { where: talliesIn(points, 'call'), by: ['subject', 'name'], sum: ['total'] }),
  ]);
  const byApi = [...Map.groupBy(apis, ({ subject }) => subject)].map(([api, found]) => ({
    api,
    classes: sumsBy(found, ({ name }) => name),
  }));
  return { ...series, byApi };
}

async function readAttempts(rows: Rows, points: Points) {
  const groupOf = (name: string) => (name === 'success' ? 'succeeded' : 'failed');
  const names = ['succeeded', 'failed'] as const;
  return readSeries<(typeof names)[number]>(rows, points, { kind: 'attempt', subject: everyone, names, groupOf });
}

async function readDeliveries(rows: Rows, points: Points) {
  const bounded = { atMost: countedTo };
  const late = { status: 'pending', parked: false, next_attempt_at: { lt: points.to - lateAfterMs } } as const;
  const [ended, pending, parked, dueLate] = await Promise.all([
    rows.summarize('tallies', { where: talliesIn(points, 'delivery', everyone), by: ['name'], sum: ['total'] }),
    rows.count('deliveries', { status: 'pending' }, bounded),
    rows.count('deliveries', { parked: true }, bounded),
    rows.count('deliveries', late, bounded),
  ]);
  return { ended: sumsBy(ended, ({ name }) => name), pending, parked, dueLate };
}

async function readEndpoints(rows: Rows, points: Points) {
  const [groups, troubled] = await Promise.all([
    rows.summarize('endpoints', { where: { deleted_at: null }, by: ['active', 'held_because'] }),
    troubledEndpoints(rows),
  ]);
  const ids = troubled.map(({ id }) => id);
  const [named, failures] = await Promise.all([
    rows.summarize('tallies', { where: talliesIn(points, 'attempt', ids), by: ['subject', 'name'], sum: ['total'] }),
    lastFailures(rows, ids, 1),
  ]);
  const count = (fits: (group: (typeof groups)[number]) => boolean) =>
    groups.filter(fits).reduce((sum, group) => sum + group.count, 0);
  return {
    total: count(() => true),
    active: count(({ active }) => active),
    held: count(({ active, held_because }) => active && held_because !== null),
    disabled: count(({ active }) => !active),
    inTrouble: troubled.map((endpoint) => ({
      endpoint,
      ...countsOfAttempts(named.filter(({ subject }) => subject === endpoint.id)),
      lastFailure: failures.find(({ endpoint_id }: Failure) => endpoint_id === endpoint.id) ?? null,
    })),
  };
}

/** Returns disabled endpoints first, then held ones, then failing ones. */
async function troubledEndpoints(rows: Rows): Promise<Row<'endpoints'>[]> {
  const conditions = [
    { disabled_reason: { in: ['gone', 'failing'] } },
    { held_until: { not: null } },
    { failing_since: { not: null } },
  ] as const;
  const found = await Promise.all(
    conditions.map((where) =>
      rows.list('endpoints', {
        where: { ...where, deleted_at: null },
        order: [['updated_at', 'desc']],
        limit: maxShown.inTrouble,
      }),
    ),
  );
  return [...new Map(found.flat().map((endpoint) => [endpoint.id, endpoint])).values()].slice(0, maxShown.inTrouble);
}

async function readRefused(rows: Rows, points: Points) {
  const where = { ...talliesIn(points, 'limit'), refused: { gt: 0 } };
  const groups = await rows.summarize('tallies', { where, by: ['subject', 'name'], sum: ['refused'] });
  const found = groups.map(({ subject, name, refused }) => ({ caller: subject, limit: name, refused: Number(refused) }));
  return {
    refused: found.reduce((sum, { refused }) => sum + refused, 0),
    top: found.sort((a, b) => b.refused - a.refused).slice(0, maxShown.refused),
  };
}
